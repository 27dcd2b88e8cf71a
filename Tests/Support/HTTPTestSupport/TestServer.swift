package import HTTPDataSources
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A request to a test server.
package struct TestRequest: Sendable, Hashable {
  package var line: String
  package var type: String?
  package var body: String

  package init(line: String, type: String?, body: String) {
    self.line = line
    self.type = type
    self.body = body
  }
}

/// A server in this process with prepared answers that records its requests.
package final class TestServer: Sendable {
  package typealias Answer = @Sendable (TestRequest) -> (status: Int, body: String)?

  private let requests = Mutex<[TestRequest]>([])
  private let headers = Mutex<[HTTPHeaders]>([])
  private let closed = Mutex(0)
  private let scheme: HTTPAddress.Scheme
  private let channel: Mutex<(any Channel)?>

  /// - Parameter answer: Nil answers never.
  /// - Parameter certificate: In PEM form; the server then speaks https with the tests' key.
  package static func start(
    certificate: String? = nil, _ answer: @escaping Answer
  ) async throws -> TestServer {
    let server = TestServer(certificate == nil ? .http : .https)
    let security = try certificate.map(security)
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 1_024)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          if let security {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: security))
          }
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(TestHandler(server, answer))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    server.channel.withLock { $0 = channel }
    return server
  }

  private init(_ scheme: HTTPAddress.Scheme) {
    self.scheme = scheme
    channel = Mutex(nil)
  }

  private static func security(_ certificate: String) throws -> NIOSSLContext {
    try NIOSSLContext(
      configuration: .makeServerConfiguration(
        certificateChain: NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8))
          .map { .certificate($0) },
        privateKey: .privateKey(
          NIOSSLPrivateKey(bytes: Array(TestCertificates.key.utf8), format: .pem))))
  }

  deinit {
    channel.withLock { $0?.close(promise: nil) }
  }

  package var address: HTTPAddress { address(of: "127.0.0.1") }

  /// The server as it is called from this machine.
  package func address(of host: String) -> HTTPAddress {
    HTTPAddress(
      scheme: scheme, host: host, port: channel.withLock { $0?.localAddress?.port } ?? 0,
      path: "/api")
  }

  package var asked: [TestRequest] { requests.withLock { $0 } }
  /// The values of a header in each request.
  package func values(ofHeader name: String) -> [[String]] {
    headers.withLock { $0.map { $0[name] } }
  }
  package var closedConnections: Int { closed.withLock { $0 } }

  fileprivate func note(_ request: TestRequest, _ headers: HTTPHeaders) {
    requests.withLock { $0.append(request) }
    self.headers.withLock { $0.append(headers) }
  }

  fileprivate func noteClosed() {
    closed.withLock { $0 += 1 }
  }
}

private final class TestHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private weak let server: TestServer?
  private let answer: TestServer.Answer
  private var request = TestRequest(line: "", type: nil, body: "")
  private var headers = HTTPHeaders()

  init(_ server: TestServer, _ answer: @escaping TestServer.Answer) {
    self.server = server
    self.answer = answer
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      headers = head.headers
      request = TestRequest(
        line: "\(head.method.rawValue) \(head.uri)",
        type: head.headers.first(name: "Content-Type"), body: "")
    case .body(let part): request.body += String(buffer: part)
    case .end:
      server?.note(request, headers)
      if let (status, body) = answer(request) { send(status, body, context) }
    }
  }

  private func send(_ status: Int, _ body: String, _ context: ChannelHandlerContext) {
    let hasBody = status != 204 && status != 205 && !request.line.hasPrefix("HEAD ")
    var head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status))
    head.headers.add(name: "Connection", value: "close")
    if hasBody { head.headers.add(name: "Content-Length", value: "\(body.utf8.count)") }
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if hasBody {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
    }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    server?.noteClosed()
  }
}
