import HTTPTestSupport
import LiveQueries
import SyncTestSupport
import Stores
import Sync
import Triples
import WebSockets

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A transport for contract tests.
enum Wire: CaseIterable {
  case loopback, socket
  /// A socket with TLS.
  case secure
  /// Server-sent events in one direction, and requests in the other.
  case events
  /// A server whose store is behind another server.
  case relayed
  /// The same with `sonde serve wss://…` as a process of its own.
  case relayProcess

  /// Whether the store is behind another server. A relay numbers transactions by itself.
  var isRelay: Bool { self == .relayed || self == .relayProcess }

  /// Serves a store during `body`.
  func serve(
    _ store: any StoreDataSource, access: AccessRule = AccessRule(),
    limits: ServerLimits = .forTests, _ body: (Served) async throws -> Void
  ) async throws {
    switch self {
    case .loopback:
      let server = SyncServer(store: store, access: access, limits: limits)
      try await Self.run(body, Served(server: server, listener: nil)) { await server.close() }
    case .socket, .events:
      let server = SyncServer(store: store, access: access, limits: limits)
      let listener = try await WebSocketListener.open(
        server, access: access, limits: limits, .forTests)
      let served = Served(server: server, listener: listener, hasEvents: self == .events)
      try await Self.run(body, served) { await listener.close() }
    case .secure:
      let server = SyncServer(store: store, access: access, limits: limits)
      let files = CertificateFiles()
      defer { files.remove() }
      let listener = try await WebSocketListener.open(
        server, access: access, limits: limits,
        WebSocketListener.Configuration(certificate: (files.chain, files.key)))
      let served = Served(server: server, listener: listener, authority: files.authority)
      try await Self.run(body, served) { await listener.close() }
    case .relayProcess:
      let server = SyncServer(store: store, limits: limits)
      let files = CertificateFiles()
      defer { files.remove() }
      var configuration = WebSocketListener.Configuration.forTests
      configuration.certificate = (files.chain, files.key)
      let listener = try await WebSocketListener.open(
        server, access: AccessRule(), limits: limits, configuration)
      var address = listener.address
      address.appID = "garden"
      let relay = try RelayProcess(to: address, authority: files.authority, access: access)
      try await Self.run(body, Served(server: server, listener: nil, relay: relay)) {
        relay.stop()
        await listener.close()
      }
    case .relayed:
      let far = LoopbackServer(store)
      let remote = RemoteStore(Opening(appID: "garden")) { try far.connect() }
      let server = SyncServer(store: remote, access: access, limits: limits)
      try await Self.run(body, Served(server: server, listener: nil)) {
        await server.close()
        await remote.close()
        await far.stop()
      }
    }
  }

  private static func run(
    _ body: (Served) async throws -> Void, _ served: Served, closing: () async -> Void
  ) async throws {
    do { try await body(served) } catch {
      await closing()
      throw error
    }
    await closing()
  }

  /// Serves the garden from memory.
  func serveGarden(
    access: AccessRule = AccessRule(), limits: ServerLimits = .forTests,
    _ body: (Served) async throws -> Void
  ) async throws {
    try await serve(MemoryStore(PlantData.store()), access: access, limits: limits, body)
  }
}

/// A running server.
struct Served {
  let server: SyncServer
  let listener: WebSocketListener?
  /// The file of its certificate's authority; nil without TLS.
  var authority: String?
  /// Whether clients use events instead of a socket.
  var hasEvents = false
  /// The process that clients call; `server` is then the one behind it.
  var relay: RelayProcess?

  func connect() async throws -> Peer { Peer(try await channel()) }

  private func channel() async throws -> any MessageChannel {
    if let relay {
      return try await WebSocketClient.forTests(
        ServerAddress(host: "127.0.0.1", port: relay.port, isSecure: false, appID: "garden")
      ).connect()
    }
    guard let listener else {
      let (near, far) = LoopbackChannel.pair()
      let server = server
      Task { await server.serve(far) }
      return near
    }
    if hasEvents { return try await EventsChannel.open(port: listener.port) }
    if let authority {
      return try await WebSocketClient(
        listener.address, trust: .authorities(path: authority), timeout: .seconds(600)
      ).connect()
    }
    return try await WebSocketClient.forTests(listener.address).connect()
  }

  /// Ends the server that clients call.
  func close() async {
    if let relay { relay.stop() } else { await server.close() }
  }

  /// A client whose session is open.
  func open() async throws -> Peer {
    let peer = try await connect()
    try await peer.open()
    return peer
  }
}

/// A certificate in temporary files.
private struct CertificateFiles {
  private let base = "/tmp/sonde-\(EntityID.random().text)"
  var chain: String { base + "-chain.pem" }
  var key: String { base + "-key.pem" }
  var authority: String { base + "-authority.pem" }

  init() {
    for (path, text) in [
      (chain, TestCertificates.good), (key, TestCertificates.key),
      (authority, TestCertificates.authority),
    ] {
      let file = fopen(path, "w")
      fputs(text, file)
      fclose(file)
    }
  }

  func remove() { for path in [chain, key, authority] { unlink(path) } }
}
