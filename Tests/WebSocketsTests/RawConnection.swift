import NIOCore
import NIOPosix
import Testing

/// A connection on which a test sends arbitrary bytes.
final class RawConnection: Sendable {
  private let channel: any Channel
  let heard: AsyncStream<[UInt8]>

  private init(_ channel: any Channel, _ heard: AsyncStream<[UInt8]>) {
    self.channel = channel
    self.heard = heard
  }

  /// - Parameter reads: Whether to read from the network.
  static func open(port: Int, reads: Bool = true) async throws -> RawConnection {
    let (heard, ear) = AsyncStream.makeStream(of: [UInt8].self)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.autoRead, value: reads)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Ear(ear))
        }
      }
      .connect(host: "127.0.0.1", port: port).get()
    return RawConnection(channel, heard)
  }

  /// Sends bytes; a closed connection ignores them.
  func say(_ bytes: [UInt8]) { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }

  func say(_ text: String) { say(Array(text.utf8)) }

  func close() { channel.close(promise: nil) }

  /// All bytes until the other side closes.
  func hearBytes() async -> [UInt8] { await hear("the end") { _ in false } }

  /// All text until the other side closes.
  func hearAll() async -> String { String(decoding: await hearBytes(), as: UTF8.self) }

  /// All text until it contains this text, or the other side closes.
  func hear(until wanted: String) async -> String {
    let bytes = await hear(wanted) { String(decoding: $0, as: UTF8.self).contains(wanted) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// All bytes until they are enough, the other side closes, or they do not arrive in time.
  private func hear(_ wanted: String, until areEnough: ([UInt8]) -> Bool) async -> [UInt8] {
    let limit = Task { [channel] in
      try await Task.sleep(for: Self.timeout)
      Issue.record("\(wanted) did not arrive in \(Self.timeout)")
      channel.close(promise: nil)
    }
    defer { limit.cancel() }
    var all: [UInt8] = []
    for await bytes in heard {
      all += bytes
      if areEnough(all) { break }
    }
    return all
  }

  private static let timeout = Duration.seconds(120)

  /// Sends a request and returns the whole response.
  static func ask(
    _ method: String, _ path: String, port: Int, body: String = "", headers: [String] = []
  ) async throws -> String {
    let connection = try await open(port: port)
    connection.say(request(method, path, body: body, headers: headers + ["Connection: close"]))
    return await connection.hearAll()
  }

  static func request(
    _ method: String, _ path: String, body: String = "", headers: [String] = []
  ) -> String {
    let lines =
      ["\(method) \(path) HTTP/1.1", "Host: localhost", "Content-Length: \(body.utf8.count)"]
      + headers
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
  }

  /// The handshake of a WebSocket.
  static let upgrade = request(
    "GET", "/runtime/session?app_id=garden",
    headers: [
      "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    ]
  ).replacing("Content-Length: 0\r\n", with: "")

  /// A frame as clients send them, masked with zeros.
  static func frame(
    _ payload: [UInt8], opcode: UInt8 = 1, isLast: Bool = true, isMasked: Bool = true,
    length: UInt64? = nil
  ) -> [UInt8] {
    var bytes: [UInt8] = [(isLast ? 0x80 : 0) | opcode]
    let count = length ?? UInt64(payload.count)
    let mask: UInt8 = isMasked ? 0x80 : 0
    if count < 126 {
      bytes.append(mask | UInt8(count))
    } else if count < 65_536 {
      bytes += [mask | 126, UInt8(count >> 8), UInt8(count & 255)]
    } else {
      bytes.append(mask | 127)
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(count >> UInt64(shift) & 255))
      }
    }
    return bytes + (isMasked ? [0, 0, 0, 0] : []) + payload
  }

  static func frame(_ text: String) -> [UInt8] { frame(Array(text.utf8)) }
}

private final class Ear: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let ear: AsyncStream<[UInt8]>.Continuation

  init(_ ear: AsyncStream<[UInt8]>.Continuation) {
    self.ear = ear
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    ear.yield(Array(unwrapInboundIn(data).readableBytesView))
  }

  func channelInactive(context: ChannelHandlerContext) { ear.finish() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
