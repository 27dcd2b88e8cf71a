import DataSources
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// The response of a server.
struct HTTPAnswer: Sendable {
  var status: Int
  var body: [UInt8]
}

/// Sends requests to one server. Each request has its own connection, and the number of concurrent
/// connections is limited.
public struct HTTPClient: Sendable {
  /// The address of the server. The path of each request is appended to the path of this address.
  public let address: HTTPAddress
  private let headers: [String: String]
  private let timeout: Duration
  private let maxResponseBytes: Int
  private let turnstile: ConcurrencyLimiter
  private let security: SecureContext

  /// Creates a client. It connects when it sends a request.
  /// - Parameters:
  ///   - headers: Headers of all requests, such as `["Authorization": "Bearer …"]`. A header of a
  ///     query replaces the header of the same name here. Both replace the headers that the client
  ///     sets itself.
  ///   - timeout: How long a request may take, from waiting for a connection to the last byte.
  ///   - maxResponseBytes: The maximum size of a response's body; a longer one is an error.
  ///   - connections: The maximum number of concurrent connections; further calls wait in order.
  ///   - trust: The certificate authorities to trust for an `https` server.
  public init(
    _ address: HTTPAddress, headers: [String: String] = [:], timeout: Duration = .seconds(30),
    maxResponseBytes: Int = 64 << 20, connections: Int = 32,
    trust: HTTPTrust = .system
  ) {
    self.address = address
    self.headers = headers
    self.timeout = timeout
    self.maxResponseBytes = maxResponseBytes
    turnstile = ConcurrencyLimiter(places: max(1, connections))
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

  /// Connects and sends the request. Completing the promise also closes the connection.
  private func begin(
    _ head: HTTPRequestHead, body: [UInt8], _ security: NIOSSLContext?,
    _ promise: EventLoopPromise<HTTPAnswer>
  ) {
    let loop = promise.futureResult.eventLoop
    // The limit of 68 years keeps the number of nanoseconds within 64 bits.
    let counted = min(max(timeout, .zero), .seconds(1 << 31))
    let limit = TimeAmount.nanoseconds(Int64(counted / .nanoseconds(1)))
    let maxResponseBytes = maxResponseBytes
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
            HTTPExchange(head, body, to: address, maxResponseBytes: maxResponseBytes, promise))
        }
      }
      .connect(host: address.host, port: address.port)
    let timeoutError = DataSourceError(.network(status: nil), "\(address) did not respond in time.")
    let deadline = loop.scheduleTask(in: limit) { promise.fail(timeoutError) }
    connection.whenFailure { promise.fail(isLate($0) ? timeoutError : $0) }
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
    if body != nil || [.put, .post, .patch].contains(query.method) {
      headers.add(name: "Content-Length", value: String(body?.count ?? 0))
    }
    for given in [self.headers, query.headers] {
      for (name, value) in given.sorted(by: { $0.key < $1.key }) {
        headers.replaceOrAdd(name: name, value: value)
      }
    }
    return HTTPRequestHead(
      version: .http1_1, method: HTTPMethod(rawValue: query.method.rawValue),
      uri: address.path + query.target, headers: headers)
  }
}

/// The description omits the headers, which may contain a token.
extension HTTPClient: CustomStringConvertible {
  /// The client's address.
  public var description: String { "HTTPClient(\(address))" }
}

/// Returns whether connecting to the server timed out.
private func isLate(_ error: any Error) -> Bool {
  switch error {
  case ChannelError.connectTimeout: true
  case let error as NIOConnectionError: error.connectionErrors.contains { isLate($0.error) }
  default: false
  }
}

extension HTTPAddress {
  /// The host name to send for TLS server name indication (SNI); nil for an IP address.
  fileprivate var serverName: String? {
    (try? SocketAddress(ipAddress: host, port: port)) == nil ? host : nil
  }
}
