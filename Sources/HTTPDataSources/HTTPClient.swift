import DataSources
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// What a server answered.
struct HTTPAnswer: Sendable {
  var status: Int
  var body: [UInt8]
}

/// Sends requests to one server, a connection for each, a limited number at a time.
public struct HTTPClient: Sendable {
  public let address: HTTPAddress
  private let timeout: Duration
  private let largestAnswer: Int
  private let turnstile: Turnstile
  private let security: SecureContext

  /// - Parameters:
  ///   - timeout: How long a request may take, from asking for a connection to the last byte.
  ///   - largestAnswer: In bytes; a longer answer is an error.
  ///   - connections: How many at a time; further calls wait in the order of their coming.
  ///   - trust: Whom an `https` server must be vouched for by; `http` proves nothing.
  public init(
    _ address: HTTPAddress, timeout: Duration = .seconds(30),
    largestAnswer: Int = 64 << 20, connections: Int = 32,
    trust: HTTPTrust = .system
  ) {
    self.address = address
    self.timeout = timeout
    self.largestAnswer = largestAnswer
    turnstile = Turnstile(places: max(1, connections))
    security = SecureContext(trust)
  }

  func send(
    _ query: HTTPRequestQuery, body: [UInt8]?, type: String?
  ) async throws(DataSourceError) -> HTTPAnswer {
    try await turnstile.enter()
    defer { turnstile.leave() }
    let security = address.scheme == .https ? try security.context() : nil
    let request = head(of: query, body: body, type: type)
    let promise = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: HTTPAnswer.self)
    do {
      return try await withTaskCancellationHandler {
        begin(request, body: body ?? [], security, promise)
        return try await promise.futureResult.get()
      } onCancel: {
        promise.fail(CancellationError())
      }
    } catch is CancellationError {
      throw .cancelled
    } catch let error as DataSourceError {
      throw error
    } catch {
      throw DataSourceError(
        .network(status: nil), "Cannot reach \(address).", cause: "\(error)")
    }
  }

  /// Connects and asks; whatever ends the promise ends the connection, too.
  private func begin(
    _ head: HTTPRequestHead, body: [UInt8], _ security: NIOSSLContext?,
    _ promise: EventLoopPromise<HTTPAnswer>
  ) {
    let loop = promise.futureResult.eventLoop
    // More than some decades the network's clock cannot count.
    let counted = min(max(timeout, .zero), .seconds(1 << 31))
    let limit = TimeAmount.nanoseconds(Int64(counted / .nanoseconds(1)))
    let largestAnswer = largestAnswer
    let address = address
    let connection = ClientBootstrap(group: loop).connectTimeout(limit)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let security {
            try pipeline.addHandler(
              NIOSSLClientHandler(context: security, serverHostname: address.serverName))
          }
          try pipeline.addHTTPClientHandlers()
          try pipeline.addHandler(
            HTTPExchange(head, body, to: address, largestAnswer: largestAnswer, promise))
        }
      }
      .connect(host: address.host, port: address.port)
    let late = DataSourceError(.network(status: nil), "\(address) did not answer in time.")
    let deadline = loop.scheduleTask(in: limit) { promise.fail(late) }
    connection.whenFailure { promise.fail(isLate($0) ? late : $0) }
    promise.futureResult.whenComplete { _ in
      deadline.cancel()
      connection.whenSuccess { $0.close(promise: nil) }
    }
  }

  private func head(
    of query: HTTPRequestQuery, body: [UInt8]?, type: String?
  ) -> HTTPRequestHead {
    var headers = HTTPHeaders()
    headers.add(name: "Host", value: address.authority)
    headers.add(name: "Accept", value: "application/json")
    headers.add(name: "Connection", value: "close")
    if let type { headers.add(name: "Content-Type", value: type) }
    if body != nil || query.method == .put || query.method == .post {
      headers.add(name: "Content-Length", value: String(body?.count ?? 0))
    }
    for (name, value) in query.headers.sorted(by: { $0.key < $1.key }) {
      headers.replaceOrAdd(name: name, value: value)
    }
    return HTTPRequestHead(
      version: .http1_1, method: HTTPMethod(rawValue: query.method.rawValue),
      uri: address.path + query.target, headers: headers)
  }
}

/// Whether a connection did not stand in time.
private func isLate(_ error: any Error) -> Bool {
  switch error {
  case ChannelError.connectTimeout: true
  case let error as NIOConnectionError: error.connectionErrors.contains { isLate($0.error) }
  default: false
  }
}

extension HTTPAddress {
  /// The name by which a server that has several is asked for one; a number is no name.
  fileprivate var serverName: String? {
    (try? SocketAddress(ipAddress: host, port: port)) == nil ? host : nil
  }
}
