import NIOCore
import NIOPosix

/// A slow network between clients and a server, which forwards the server's data in pieces.
final class SlowNetwork: Sendable {
  /// The bytes forwarded at a time.
  private static let piece = 64 << 10
  private static let period = TimeAmount.milliseconds(50)

  let port: Int
  private let listening: any Channel

  private init(_ listening: any Channel) {
    self.listening = listening
    port = listening.localAddress?.port ?? 0
  }

  static func open(to server: Int) async throws -> SlowNetwork {
    let listening = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelOption(.autoRead, value: false)
      .childChannelInitializer { near in
        ClientBootstrap(group: near.eventLoop)
          .channelOption(.autoRead, value: false)
          .channelOption(.socketOption(.so_rcvbuf), value: 64 << 10)
          .channelOption(.maxMessagesPerRead, value: 1)
          .channelOption(
            .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: piece)
          )
          .channelInitializer { far in
            far.eventLoop.makeCompletedFuture {
              try far.pipeline.syncOperations.addHandler(Forwarder(to: near, every: period))
            }
          }
          .connect(host: "127.0.0.1", port: server)
          .flatMapThrowing { far in
            try near.pipeline.syncOperations.addHandler(Forwarder(to: far, every: nil))
          }
          .flatMap { near.setOption(.autoRead, value: true) }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return SlowNetwork(listening)
  }

  func close() async {
    // It may be closed already.
    try? await listening.close()
  }
}

/// Forwards bytes from one end to the other.
private final class Forwarder: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let other: any Channel
  /// The interval between reads; nil reads when there is data.
  private let period: TimeAmount?
  private var reading: RepeatedTask?

  init(to other: any Channel, every period: TimeAmount?) {
    self.other = other
    self.period = period
  }

  func channelActive(context: ChannelHandlerContext) {
    guard let period else { return }
    let channel = context.channel
    reading = context.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: period) { _ in
      channel.read()
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    other.writeAndFlush(unwrapInboundIn(data), promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    reading?.cancel()
    other.close(promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
