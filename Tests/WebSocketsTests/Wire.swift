import LiveQueries
import PatientServers
import Stores
import Sync
import Triples
import WebSockets

/// What a contract is tried over.
enum Wire: CaseIterable {
  case loopback, socket

  /// Serves a store for as long as `body` takes.
  func serve(
    _ store: any StoreDataSource, access: AccessRule = AccessRule(),
    limits: ServerLimits = .patient, _ body: (Served) async throws -> Void
  ) async throws {
    let server = SyncServer(store: store, access: access, limits: limits)
    switch self {
    case .loopback:
      let served = Served(server: server, listener: nil)
      do { try await body(served) } catch {
        await server.close()
        throw error
      }
      await server.close()
    case .socket:
      let listener = try await WebSocketListener.open(
        server, access: access, limits: limits, .patient)
      do { try await body(Served(server: server, listener: listener)) } catch {
        await listener.close()
        throw error
      }
      await listener.close()
    }
  }

  /// The same with the garden in memory.
  func serveGarden(
    access: AccessRule = AccessRule(), limits: ServerLimits = .patient,
    _ body: (Served) async throws -> Void
  ) async throws {
    try await serve(MemoryStore(Garden.store()), access: access, limits: limits, body)
  }
}

/// A server that can be called.
struct Served {
  let server: SyncServer
  let listener: WebSocketListener?

  func connect() async throws -> Peer {
    guard let listener else {
      let (near, far) = LoopbackChannel.pair()
      let server = server
      Task { await server.serve(far) }
      return Peer(near)
    }
    return Peer(try await WebSocketClient.patient(listener.address).connect())
  }

  /// A client whose session is open.
  func open() async throws -> Peer {
    let peer = try await connect()
    try await peer.open()
    return peer
  }
}
