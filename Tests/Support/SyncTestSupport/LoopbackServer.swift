package import LiveQueries
import Stores
package import Sync
import Synchronization

/// A server in this process that can be stopped and started again.
package final class LoopbackServer: Sendable {
  package let store: any StoreDataSource
  private let server: SyncServer
  private struct State {
    var isUp = true
    var channels: [LoopbackChannel] = []
    var calls = 0
  }
  private let state = Mutex(State())

  package init(_ store: any StoreDataSource = MemoryStore(), access: AccessRule = AccessRule()) {
    self.store = store
    server = SyncServer(store: store, access: access, limits: .forTests)
  }

  /// The number of connections so far.
  package var calls: Int { state.withLock(\.calls) }

  /// Calls the server.
  package func connect() throws -> any MessageChannel {
    try state.withLock { state in
      state.calls += 1
      guard state.isUp else { throw ChannelClosed(reason: "connection refused") }
      let (near, far) = LoopbackChannel.pair()
      state.channels.append(far)
      let server = server
      Task { await server.serve(far) }
      return near
    }
  }

  package func stop() async {
    let channels = state.withLock { state in
      state.isUp = false
      defer { state.channels = [] }
      return state.channels
    }
    for channel in channels { await channel.close() }
  }

  package func start() { state.withLock { $0.isUp = true } }
}
