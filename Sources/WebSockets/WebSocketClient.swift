import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
package import Sync
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Connects to a server. Each call opens a new channel.
package struct WebSocketClient: Sendable {
  /// The certificate authorities that a client of a `wss` server trusts.
  package enum Trust: Hashable, Sendable {
    /// The authorities that the system trusts. If `SSL_CERT_FILE` names a file, the authorities in
    /// that file instead.
    case system
    /// The authorities in a PEM file.
    case authorities(path: String)
  }

  package let address: ServerAddress
  private let trust: Trust
  private let timeout: Duration
  private let silenceTimeout: Duration

  /// The maximum size of queued output in bytes.
  private static let maxWaitingBytes = 64 << 20

  /// Creates a client of a server.
  ///
  /// - Parameters:
  ///   - timeout: How long an attempt to connect may take.
  ///   - silenceTimeout: The time after which the server counts as unreachable if no data arrives.
  package init(
    _ address: ServerAddress, trust: Trust = .system, timeout: Duration = .seconds(10),
    silenceTimeout: Duration = .seconds(20)
  ) {
    self.address = address
    self.trust = trust
    self.timeout = timeout
    self.silenceTimeout = silenceTimeout
  }

  /// Connects to the server.
  ///
  /// - Throws: `ChannelClosed` with the reason as a sentence.
  package func connect() async throws(ChannelClosed) -> any MessageChannel {
    do {
      return try await call()
    } catch let error as WebSocketError {
      throw ChannelClosed(reason: error.reason)
    } catch {
      throw ChannelClosed(
        reason: WebSocketError.unreachable(address, reason: NetworkWords.reason(of: error)).reason)
    }
  }

  private func call() async throws -> WebSocketChannel {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let limit = TimeAmount(upTo: timeout)
    let security = address.isSecure ? try context() : nil
    let promise = loop.makePromise(of: WebSocketChannel.self)
    let connection = ClientBootstrap(group: loop)
      .connectTimeout(limit)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try prepare(channel, security, promise) }
      }
      .connect(host: address.host, port: address.port)
    connection.whenFailure { promise.fail($0) }
    let deadline = loop.scheduleTask(in: limit) {
      promise.fail(WebSocketError.unreachable(address, reason: "the connection timed out"))
    }
    promise.futureResult.whenComplete { result in
      deadline.cancel()
      if case .failure = result { connection.whenSuccess { $0.close(promise: nil) } }
    }
    return try await withTaskCancellationHandler {
      try await promise.futureResult.get()
    } onCancel: {
      promise.fail(CancellationError())
    }
  }

  private func context() throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    let path: String? =
      switch trust {
      case .authorities(let path): path
      case .system: getenv("SSL_CERT_FILE").map { String(cString: $0) }
      }
    guard let path, !path.isEmpty else { return try NIOSSLContext(configuration: configuration) }
    configuration.trustRoots = .file(path)
    do { return try NIOSSLContext(configuration: configuration) } catch {
      throw WebSocketError.unusable(path, lacking: "certificates in PEM form")
    }
  }

  private func prepare(
    _ channel: any Channel, _ security: NIOSSLContext?,
    _ promise: EventLoopPromise<WebSocketChannel>
  ) throws {
    let pipeline = channel.pipeline.syncOperations
    if let security {
      let name = (try? SocketAddress(ipAddress: address.host, port: 0)) == nil ? address.host : nil
      try pipeline.addHandler(NIOSSLClientHandler(context: security, serverHostname: name))
    }
    let budget = ByteBudget(.max)
    let intake = InboundByteMeter(budget)
    try pipeline.addHandler(intake)
    let request = OpeningRequest(address, promise)
    let bound = NIOLoopBound((channel, request, intake), eventLoop: channel.eventLoop)
    let upgrader = NIOWebSocketClientUpgrader(
      maxFrameSize: MessageCoding.maxAnswerBytes, automaticErrorHandling: false
    ) { channel, _ in
      channel.eventLoop.makeCompletedFuture {
        let messages = WebSocketChannel(
          channel, role: .client, budget: budget, maxWaitingBytes: Self.maxWaitingBytes)
        try channel.pipeline.syncOperations.addHandler(
          WebSocketHandler(
            messages, role: .client, maxBytes: MessageCoding.maxAnswerBytes,
            intake: bound.value.2, pingPeriod: nil, silenceTimeout: TimeAmount(upTo: silenceTimeout)
          ))
        promise.succeed(messages)
      }
    }
    try pipeline.addHTTPClientHandlers(
      // The first frame may arrive in the same packet as the response to the handshake.
      leftOverBytesStrategy: .forwardBytes,
      withClientUpgrade: (
        upgraders: [upgrader],
        completionHandler: { _ in
          let (channel, request, _) = bound.value
          channel.pipeline.syncOperations.removeHandler(request, promise: nil)
        }
      ))
    try pipeline.addHandler(request)
  }
}

extension TimeAmount {
  /// Converts a duration to NIO's type. At most 68 years, so that the nanoseconds fit in 64 bits.
  fileprivate init(upTo duration: Duration) {
    let counted = min(max(duration, .zero), .seconds(1 << 31))
    self = .nanoseconds(Int64(counted / .nanoseconds(1)))
  }
}

/// Requests the upgrade to a WebSocket. If the response is anything else, the attempt to connect
/// fails.
private final class OpeningRequest: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private let address: ServerAddress
  private let promise: EventLoopPromise<WebSocketChannel>
  /// The head of a response that is not an upgrade.
  private var refusal: HTTPResponseHead?
  private var body: [UInt8] = []

  /// The maximum number of bytes to read of an error response.
  private static let maxBody = 4 << 10

  init(_ address: ServerAddress, _ promise: EventLoopPromise<WebSocketChannel>) {
    self.address = address
    self.promise = promise
  }

  func channelActive(context: ChannelHandlerContext) {
    var headers = HTTPHeaders()
    headers.add(name: "Host", value: address.authority)
    headers.add(name: "Content-Length", value: "0")
    let head = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: address.target, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): refusal = head
    case .body(let part):
      body += part.readableBytesView.prefix(Self.maxBody - body.count)
      if body.count == Self.maxBody { refuse(context) }
    case .end: refuse(context)
    }
  }

  private func refuse(_ context: ChannelHandlerContext) {
    guard let refusal else { return }
    promise.fail(
      WebSocketError.notAServer(
        address, status: Int(refusal.status.code), said: Self.words(of: refusal, body)))
    context.close(promise: nil)
  }

  /// Returns the reason that an error response gives: a new location, a JSON message, or a line of
  /// text.
  private static func words(of head: HTTPResponseHead, _ body: [UInt8]) -> String? {
    if 300..<400 ~= head.status.code, let place = head.headers.first(name: "Location") {
      return "the server has moved to \(place)"
    }
    if case .object(let object)? = try? JSONReader.value(of: body) {
      return object["message"]?.textValue
    }
    let text = String(decoding: body, as: UTF8.self)
    guard let line = text.split(whereSeparator: \.isNewline).first, !line.hasPrefix("<"),
      line.utf8.count <= 300
    else { return nil }
    return String(line)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    promise.fail(error)
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    refuse(context)
    promise.fail(
      WebSocketError.unreachable(
        address, reason: "the server closed the connection before it responded"))
    context.fireChannelInactive()
  }
}
