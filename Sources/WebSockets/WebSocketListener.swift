import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
package import Sync
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Listens on one port for WebSocket sessions and for requests of the admin interface.
package final class WebSocketListener: Sendable {
  /// The configuration of a listener.
  package struct Configuration: Sendable {
    package var host: String
    /// The port; 0 selects a free port.
    package var port: Int
    /// The paths of PEM files with the certificate chain and its key; nil disables TLS.
    package var certificate: (chain: String, key: String)?
    /// The maximum number of bytes that all connections together keep in memory for slow peers.
    package var maxHeldBytes = 40 << 20
    /// The maximum size of queued output for one reader, in bytes.
    package var maxWaitingBytes = 8 << 20
    /// The maximum number of open connections. More connections wait until one is closed.
    package var maxConnections = 10_000
    /// The maximum number of connections without an open session. If there are more, the oldest one
    /// is closed.
    package var maxOpening = 1_000
    /// The time in seconds after which a client counts as disconnected if no data arrives from it.
    /// Within this time, the server pings the client at least three times.
    package var silenceTimeout: Int64 = 15

    package init(
      host: String = "127.0.0.1", port: Int = 0, certificate: (chain: String, key: String)? = nil
    ) {
      self.host = host
      self.port = port
      self.certificate = certificate
    }

    /// Whether only programs on this machine can connect.
    package var isLocal: Bool { ServerAddress.isLocal(host) }
  }

  package let server: SyncServer
  /// The port of the listener.
  package let port: Int
  private let configuration: Configuration
  private let listening: any Channel
  private let connections: Connections
  private let budget: ByteBudget

  /// The socket option for the maximum number of unsent bytes in the system's buffer.
  ///
  /// If megabytes were queued in front of a ping, a client on a slow line would answer the ping too
  /// late.
  private static let maxUnsent = NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT)

  /// How long clients may take to disconnect when the server closes.
  private static let goodbyeTimeout = Duration.seconds(5)

  private init(
    _ server: SyncServer, _ configuration: Configuration, _ listening: any Channel,
    _ connections: Connections, _ budget: ByteBudget
  ) {
    self.budget = budget
    self.server = server
    self.configuration = configuration
    self.listening = listening
    self.connections = connections
    port = listening.localAddress?.port ?? configuration.port
  }

  /// Starts listening.
  ///
  /// - Throws: `tokenNeeded` for a network address without a token; `tokenTooShort` if the token is
  ///   easy to guess; `certificate` if the certificate cannot be used; `cannotListen`.
  package static func open(
    _ server: SyncServer, access: AccessRule, limits: ServerLimits = ServerLimits(),
    _ configuration: Configuration = Configuration()
  ) async throws(WebSocketError) -> WebSocketListener {
    let hasToken = access.token?.isEmpty == false
    guard configuration.isLocal || hasToken else {
      throw .tokenNeeded(host: configuration.host)
    }
    if !configuration.isLocal, let token = access.token, token.utf8.count < minTokenBytes {
      throw .tokenTooShort(host: configuration.host)
    }
    let connections = Connections(
      max: configuration.maxConnections, maxOpening: configuration.maxOpening)
    let budget = ByteBudget(configuration.maxHeldBytes)
    let connectionSetup = ConnectionSetup(
      server: server, limits: limits, configuration: configuration,
      routes: AdminRoutes(
        server: server, access: access, maxBytes: limits.textBytes,
        load: { (connections.count, budget.bytes) }),
      admission: OriginPolicy(hasToken: hasToken),
      security: try configuration.certificate.map { files throws(WebSocketError) in
        try context(files)
      }, connections: connections, budget: budget)
    do {
      let listening = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.backlog, value: 1_024)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .serverChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(AcceptGate(connections))
          }
        }
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        .serverChannelOption(.maxMessagesPerRead, value: UInt(AcceptGate.maxAtOnce))
        .childChannelOption(.maxMessagesPerRead, value: 4)
        .childChannelOption(
          .recvAllocator,
          value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 512, maximum: 64 << 10)
        )
        .childChannelOption(.tcpOption(Self.maxUnsent), value: 64 << 10)
        .childChannelInitializer { connectionSetup.accept($0) }
        .bind(host: configuration.host, port: configuration.port).get()
      return WebSocketListener(server, configuration, listening, connections, budget)
    } catch {
      throw .cannotListen(
        host: configuration.host, port: configuration.port, reason: NetworkWords.reason(of: error))
    }
  }

  /// The address for clients, without an app id.
  package var address: ServerAddress {
    ServerAddress(
      host: configuration.host, port: port, isSecure: configuration.certificate != nil, appID: "")
  }

  /// The minimum length of the token in bytes, if the server listens on a network address.
  package static let minTokenBytes = 16

  /// The number of bytes kept in memory for slow peers.
  package var heldBytes: Int { budget.bytes }

  /// The number of connections.
  package var connectionCount: Int { connections.count }

  /// Stops accepting connections, finishes running requests, and sends close frames to all clients.
  /// Returns when all clients have disconnected, or after a timeout.
  package func close() async {
    // If the listener is already closed, this fails without any further effect.
    try? await listening.close().get()
    await withTaskGroup { group in
      group.addTask { await self.server.close() }
      group.addTask { [connections] in
        // The sleep is canceled when all clients have disconnected.
        try? await Task.sleep(for: Self.goodbyeTimeout)
        if !Task.isCancelled { connections.closeAll() }
      }
      await group.next()
      group.cancelAll()
    }
    connections.closeIdle()
    await connections.waitUntilEmpty()
  }

  private static func context(
    _ files: (chain: String, key: String)
  ) throws(WebSocketError) -> NIOSSLContext {
    let chain: [NIOSSLCertificate]
    do { chain = try NIOSSLCertificate.fromPEMFile(files.chain) } catch {
      throw .unusable(files.chain, lacking: "certificate in PEM form")
    }
    let key: NIOSSLPrivateKey
    do { key = try NIOSSLPrivateKey(file: files.key, format: .pem) } catch {
      throw .unusable(files.key, lacking: "unencrypted key in PEM form")
    }
    do {
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
      configuration.minimumTLSVersion = .tlsv12
      return try NIOSSLContext(configuration: configuration)
    } catch NIOSSLError.failedToLoadPrivateKey {
      throw .certificate(
        path: files.key, reason: "the key does not belong to the certificate in \(files.chain)")
    } catch {
      throw .certificate(path: files.chain, reason: "TLS does not accept it (\(error))")
    }
  }
}

/// Sets up each new connection with its handlers.
private struct ConnectionSetup: Sendable {
  let server: SyncServer
  let limits: ServerLimits
  let configuration: WebSocketListener.Configuration
  let routes: AdminRoutes
  let admission: OriginPolicy
  let security: NIOSSLContext?
  let connections: Connections
  let budget: ByteBudget

  /// The maximum interval of pings. It is a third of the time after which clients consider a silent
  /// server unreachable.
  private static let maxPingInterval = TimeAmount.seconds(5)

  func accept(_ channel: any Channel) -> EventLoopFuture<Void> {
    guard connections.enter(channel) else { return channel.close() }
    return channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      if let security { try pipeline.addHandler(NIOSSLServerHandler(context: security)) }
      let intake = InboundByteMeter(budget)
      try pipeline.addHandler(intake)
      let requests = HTTPRequestHandler(
        routes, admission, intake, limits, connections)
      let bound = NIOLoopBound((requests, intake), eventLoop: channel.eventLoop)
      let upgrader = NIOWebSocketServerUpgrader(
        maxFrameSize: limits.textBytes, automaticErrorHandling: false,
        shouldUpgrade: { channel, head in
          channel.eventLoop.makeSucceededFuture(admission.admits(head) ? HTTPHeaders() : nil)
        },
        upgradePipelineHandler: { channel, _ in
          channel.eventLoop.makeCompletedFuture {
            try begin(channel, bound.value.1)
          }
        })
      try pipeline.configureHTTPServerPipeline(
        withServerUpgrade: (
          upgraders: [upgrader],
          completionHandler: { context in
            context.pipeline.syncOperations.removeHandler(bound.value.0, promise: nil)
          }
        ))
      try pipeline.addHandler(requests)
    }
  }

  /// Starts a session over a connection that was upgraded to a WebSocket.
  private func begin(_ channel: any Channel, _ intake: InboundByteMeter) throws {
    let messages = WebSocketChannel(
      channel, role: .server, budget: budget, maxWaitingBytes: configuration.maxWaitingBytes)
    try channel.pipeline.syncOperations.addHandler(
      WebSocketHandler(
        messages, role: .server, maxBytes: limits.textBytes, intake: intake,
        pingPeriod: min(
          Self.maxPingInterval, .milliseconds(configuration.silenceTimeout * 1_000 / 3)),
        silenceTimeout: .seconds(configuration.silenceTimeout)))
    connections.markBusy(channel)
    let connections = connections
    messages.whenOpen { connections.markOpen(channel) }
    let server = server
    let address = channel.remoteAddress?.ipAddress
    Task { await server.serve(messages, address: address) }
  }
}
