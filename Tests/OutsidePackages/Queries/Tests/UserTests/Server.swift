import HTTPDataSources
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A web server for one test, with one answer for all requests.
final class Server: Sendable {
  /// A request: method and target, content type, and body.
  struct Request: Sendable, Hashable {
    var line: String
    var type: String?
    var body: String
  }

  private let received = Mutex<[Request]>([])
  private let closed = AsyncStream.makeStream(of: Void.self)
  private let channel = Mutex<(any Channel)?>(nil)

  /// Starts a server that answers with `status` and `body`, or never when the status is nil.
  static func start(_ status: Int? = 200, _ body: String = "") async throws -> Server {
    let server = Server()
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(Handler(server, status, body))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    server.channel.withLock { $0 = channel }
    return server
  }

  var address: HTTPAddress {
    HTTPAddress(host: "127.0.0.1", port: channel.withLock { $0?.localAddress?.port } ?? 0)
  }

  var requests: [Request] { received.withLock { $0 } }

  /// Waits until a client has closed its connection.
  func connectionClosed() async {
    for await _ in closed.stream { return }
  }

  func stop() async throws { try await channel.withLock { $0 }?.close() }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let server: Server
    private let status: Int?
    private let body: String
    private var request = Request(line: "", type: nil, body: "")

    init(_ server: Server, _ status: Int?, _ body: String) {
      (self.server, self.status, self.body) = (server, status, body)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let head):
        request = Request(
          line: "\(head.method.rawValue) \(head.uri)",
          type: head.headers.first(name: "Content-Type"), body: "")
      case .body(let part): request.body += String(buffer: part)
      case .end:
        server.received.withLock { $0.append(request) }
        if let status { answer(status, context) }
      }
    }

    private func answer(_ status: Int, _ context: ChannelHandlerContext) {
      var head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status))
      let body = status == 204 ? "" : body
      head.headers.add(name: "Connection", value: "close")
      if status != 204 { head.headers.add(name: "Content-Length", value: "\(body.utf8.count)") }
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
      server.closed.continuation.yield()
    }
  }
}
