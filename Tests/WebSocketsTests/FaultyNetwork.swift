import NIOCore
import NIOPosix
import Synchronization

/// A faulty network between clients and a server.
final class FaultyNetwork: Sendable {
  /// The fault of one connection.
  struct Fault: Sendable {
    /// Cuts it after this many bytes in either direction, in the middle of a message.
    var cutAfter: Int?
    /// Forwards bytes in small pieces.
    var splits = false
    /// Forwards bytes with a delay.
    var delay: TimeAmount?
    /// Holds bytes for a while, and forwards everything received meanwhile at once.
    var joinsFor: TimeAmount?
    /// Loses some bytes after this many, and closes the connection a little later.
    var dropsAfter: Int?
    /// Silently stops forwarding after this many bytes.
    var swallowsAfter: Int?
  }

  let port: Int
  private let listening: any Channel
  private let target: Target

  private init(_ listening: any Channel, _ target: Target) {
    self.listening = listening
    self.target = target
    port = listening.localAddress?.port ?? 0
  }

  /// - Parameter fault: The fault of each connection, counted from 0.
  static func open(
    to server: Int, fault: @escaping @Sendable (Int) -> Fault
  ) async throws -> FaultyNetwork {
    let counter = Counter()
    let target = Target(server)
    let listening = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.autoRead, value: false)
      .childChannelInitializer { near in
        let fault = fault(counter.next())
        let traffic = Traffic(fault)
        return ClientBootstrap(group: near.eventLoop)
          .channelOption(.autoRead, value: false)
          .channelInitializer { far in
            far.eventLoop.makeCompletedFuture {
              try far.pipeline.syncOperations.addHandler(Relay(to: near, traffic))
            }
          }
          .connect(host: "127.0.0.1", port: target.port)
          .flatMapThrowing { far in
            try near.pipeline.syncOperations.addHandler(Relay(to: far, traffic))
            return far
          }
          .flatMap { far in
            far.setOption(.autoRead, value: true).and(near.setOption(.autoRead, value: true))
          }
          .map { _ in }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return FaultyNetwork(listening, target)
  }

  /// Forwards later connections to another server.
  func lead(to server: Int) { target.lead(to: server) }

  func close() async {
    // It may be closed already.
    try? await listening.close()
  }
}

/// The port of the server, which may change after an outage.
private final class Target: Sendable {
  private let value: Atomic<Int>

  init(_ port: Int) {
    value = Atomic(port)
  }

  var port: Int { value.load(ordering: .relaxed) }

  func lead(to port: Int) { value.store(port, ordering: .relaxed) }
}

private final class Counter: Sendable {
  private let value = Atomic(0)

  func next() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
}

/// The bytes forwarded in both directions of a connection. Both ends use one event loop.
private final class Traffic: Sendable {
  let fault: FaultyNetwork.Fault
  private let passed = Atomic(0)

  init(_ fault: FaultyNetwork.Fault) {
    self.fault = fault
  }

  /// How many of these bytes to forward, and whether to close the connection then.
  func take(_ bytes: Int, dropping lost: inout Int) -> (count: Int, ends: Bool) {
    let before = passed.wrappingAdd(bytes, ordering: .relaxed).oldValue
    if let limit = fault.dropsAfter, before < limit, before + bytes >= limit {
      lost = min(bytes, 1 + limit % 9)
      return (bytes, true)
    }
    if let limit = fault.cutAfter, before + bytes >= limit {
      return (max(0, limit - before), true)
    }
    if let limit = fault.swallowsAfter, before + bytes >= limit { return (0, false) }
    return (bytes, false)
  }
}

/// Forwards bytes from one end to the other.
private final class Relay: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let other: any Channel
  private let traffic: Traffic
  /// Bytes held to be forwarded together.
  private var held = ByteBuffer()

  init(to other: any Channel, _ traffic: Traffic) {
    self.other = other
    self.traffic = traffic
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var buffer = unwrapInboundIn(data)
    var lost = 0
    let (count, ends) = traffic.take(buffer.readableBytes, dropping: &lost)
    buffer.moveReaderIndex(forwardBy: lost)
    let piece = traffic.fault.splits ? 7 : max(1, count)
    var left = count - lost
    while left > 0, let part = buffer.readSlice(length: min(piece, left)) {
      left -= part.readableBytes
      pass(part)
    }
    guard ends else { return }
    let other = other
    let near = context.channel
    // Bytes before and after the gap still arrive.
    let goodbye = lost > 0 ? TimeAmount.milliseconds(5) : .zero
    other.eventLoop.scheduleTask(in: goodbye + (traffic.fault.delay ?? .zero)) {
      other.close(promise: nil)
      near.close(promise: nil)
    }
  }

  private func pass(_ part: ByteBuffer) {
    let other = other
    if let wait = traffic.fault.joinsFor {
      let isFirst = held.readableBytes == 0
      var part = part
      held.writeBuffer(&part)
      guard isFirst else { return }
      let bound = NIOLoopBound(self, eventLoop: other.eventLoop)
      other.eventLoop.scheduleTask(in: wait) { bound.value.letGo() }
      return
    }
    later { other.writeAndFlush(part, promise: nil) }
  }

  private func letGo() {
    guard held.readableBytes > 0 else { return }
    other.writeAndFlush(held, promise: nil)
    held = ByteBuffer()
  }

  private func later(_ work: @escaping @Sendable () -> Void) {
    guard let delay = traffic.fault.delay else { return work() }
    other.eventLoop.scheduleTask(in: delay, work)
  }

  func channelInactive(context: ChannelHandlerContext) {
    letGo()
    other.close(promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
