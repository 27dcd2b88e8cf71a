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

/// Where a server can be called: sessions over WebSockets and the admin interface on one port.
package final class WebSocketListener: Sendable {
  /// Where and how to listen.
  package struct Configuration: Sendable {
    package var host: String
    /// 0 takes one that is free.
    package var port: Int
    /// Files of PEM with the certificate and its key; nil speaks without encryption.
    package var certificate: (chain: String, key: String)?
    /// What all connections together may hold for slow peers, in bytes.
    package var maxHeldBytes = 40 << 20
    /// What may wait for one reader, in bytes.
    package var maxWaitingBytes = 8 << 20
    /// Sockets that may be open at a time; the others wait until one is closed.
    package var maxConnections = 10_000
    /// Connections without an open session; of more the oldest is closed.
    package var maxOpening = 1_000
    /// A client of which nothing was heard for so long is taken for gone, in seconds. It is asked at
    /// least three times in that while.
    package var longestSilence: Int64 = 15

    package init(
      host: String = "127.0.0.1", port: Int = 0, certificate: (chain: String, key: String)? = nil
    ) {
      self.host = host
      self.port = port
      self.certificate = certificate
    }

    /// Whether only programs of this machine can call.
    package var isLocal: Bool { ServerAddress.isLocal(host) }
  }

  package let server: SyncServer
  /// The port that is listened on.
  package let port: Int
  private let configuration: Configuration
  private let listening: any Channel
  private let connections: Connections
  private let budget: ByteBudget

  /// How much the system takes over that it cannot send yet, in bytes. Megabytes would lie before a
  /// ping, which a slow line then answers too late.
  private static let mostUnsent = NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT)

  /// How long clients are waited for when the server closes.
  private static let longestGoodbye = Duration.seconds(5)

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

  /// Begins to listen.
  ///
  /// - Throws: `tokenNeeded` where others could come in without one; `cannotListen`, `certificate`.
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
    let reception = Reception(
      server: server, limits: limits, configuration: configuration,
      routes: AdminRoutes(
        server: server, access: access, mostBytes: limits.textBytes,
        load: { (connections.count, budget.bytes) }),
      admission: Admission(hasToken: hasToken),
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
        .childChannelOption(.tcpOption(Self.mostUnsent), value: 64 << 10)
        .childChannelInitializer { reception.receive($0) }
        .bind(host: configuration.host, port: configuration.port).get()
      return WebSocketListener(server, configuration, listening, connections, budget)
    } catch {
      let words = (error as? IOError).map { reason(ofErrno: $0.errnoCode) } ?? "\(error)"
      throw .cannotListen(
        host: configuration.host, port: configuration.port, reason: words)
    }
  }

  /// Where clients call, without the id of an app.
  package var address: ServerAddress {
    ServerAddress(
      host: configuration.host, port: port, isSecure: configuration.certificate != nil, appID: "")
  }

  /// The shortest token of a server that others in the network reach, in bytes.
  package static let minTokenBytes = 16

  /// The bytes that are held for slow peers.
  package var heldBytes: Int { budget.bytes }

  /// How many connections there are.
  package var connectionCount: Int { connections.count }

  /// Takes no more connections, lets what is being worked on be finished, says goodbye to all
  /// clients, and returns when they are gone or were waited for long enough.
  package func close() async {
    // Closed twice it is closed all the same.
    try? await listening.close().get()
    await withTaskGroup { group in
      group.addTask { await self.server.close() }
      group.addTask { [connections] in
        // A sleep that is canceled has done its work.
        try? await Task.sleep(for: Self.longestGoodbye)
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
      throw .certificate(path: files.chain, reason: "\(error)")
    }
    do {
      let key = try NIOSSLPrivateKey(file: files.key, format: .pem)
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
      configuration.minimumTLSVersion = .tlsv12
      return try NIOSSLContext(configuration: configuration)
    } catch { throw .certificate(path: files.key, reason: "\(error)") }
  }
}

/// Receives connections: what each is made of.
private struct Reception: Sendable {
  let server: SyncServer
  let limits: ServerLimits
  let configuration: WebSocketListener.Configuration
  let routes: AdminRoutes
  let admission: Admission
  let security: NIOSSLContext?
  let connections: Connections
  let budget: ByteBudget

  /// Clients take a server for gone that says nothing for three times as long.
  private static let longestPause = TimeAmount.seconds(5)

  func receive(_ channel: any Channel) -> EventLoopFuture<Void> {
    guard connections.enter(channel) else { return channel.close() }
    return channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      if let security { try pipeline.addHandler(NIOSSLServerHandler(context: security)) }
      let intake = Intake(budget)
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

  /// Begins a session over a connection that has become a WebSocket.
  private func begin(_ channel: any Channel, _ intake: Intake) throws {
    let messages = WebSocketChannel(
      channel, role: .server, budget: budget, maxWaitingBytes: configuration.maxWaitingBytes)
    try channel.pipeline.syncOperations.addHandler(
      WebSocketHandler(
        messages, role: .server, mostBytes: limits.textBytes, intake: intake,
        pingPeriod: min(
          Self.longestPause, .milliseconds(configuration.longestSilence * 1_000 / 3)),
        longestSilence: .seconds(configuration.longestSilence)))
    connections.markBusy(channel)
    let connections = connections
    messages.whenOpen { connections.markOpen(channel) }
    let server = server
    let address = channel.remoteAddress?.ipAddress
    Task { await server.serve(messages, address: address) }
  }
}
