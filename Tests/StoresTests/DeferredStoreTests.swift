import DataSources
import InstaQL
import LiveQueries
import Stores
import Sync
import SyncTestSupport
import Synchronization
import TestSupport
import Testing
import Triples

@Suite("Deferred store", .timeLimit(.minutes(10)))
struct DeferredStoreTests {
  @Test("reports progress until it is loaded")
  func progress() async throws {
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    let store = DeferredStore { report in
      report(LoadingProgress(done: 1, of: 4, .bytes))
      for await _ in gate { break }
      return MemoryStore()
    }
    var told = store.progress.awaited("the progress").makeAsyncIterator()
    #expect(try await told.next()?.fraction == 0.25)
    opener.finish()
    #expect(try await told.next() == nil)
    _ = try await store.get(VoidQuery())
  }

  @Test("an error of loading is the result of every call")
  func failing() async {
    let store = DeferredStore { throw StoreError.missing(path: "x") }
    let error = await #expect(throws: DataSourceError.self) { try await store.get(VoidQuery()) }
    #expect(error?.message == StoreError.missing(path: "x").message)
  }

  @Test("canceling makes calls fail with canceled")
  func cancelling() async {
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    let store = DeferredStore {
      for await _ in gate { break }
      try Task.checkCancellation()
      return MemoryStore()
    }
    store.cancel()
    opener.finish()
    let error = await #expect(throws: DataSourceError.self) { try await store.get(VoidQuery()) }
    #expect(error?.code == .cancelled)
  }

  @Test("a rejected token is read again when the store is reopened")
  func reopening() async throws {
    let server = LoopbackServer(access: AccessRule(token: "right"))
    try await server.store.transact(Sample.schema)
    let token = Mutex("wrong")
    let store = Self.store(of: server) { token.withLock(\.self) }
    var schemas = Snapshots(store.watch(VoidQuery()))
    #expect(try await schemas.next { $0.freshness == Self.rejected }.isUnanswered)
    let query = QueryDocument(QueryPlan("tasks"))
    await #expect(throws: DataSourceError.self) { try await store.get(query) }

    var retries = store.retrySignals.awaited("a signal to retry").makeAsyncIterator()
    token.withLock { $0 = "right" }
    await store.reopen { await ($0 as? RemoteStore)?.close() }
    #expect(try await retries.next() != nil)
    #expect(try await schemas.next { $0.freshness == .live }.freshness == .live)
    #expect(try await store.get(query).freshness == .live)
  }

  @Test("after the loaded store was replaced, the retry signals are those of the new store")
  func signals() async throws {
    let (first, second) = (DeferredStore { MemoryStore() }, DeferredStore { MemoryStore() })
    let isReplaced = Mutex(false)
    let store = DeferredStore { isReplaced.withLock(\.self) ? second : first }
    var retries = store.retrySignals.awaited("a signal to retry").makeAsyncIterator()
    await store.reopen { _ in isReplaced.withLock { $0 = true } }
    #expect(try await retries.next() != nil)
    // A signal before the new store is observed is missed, so the new store gives more than one.
    let signals = Task { while !Task.isCancelled { await second.reopen { _ in } } }
    #expect(try await retries.next() != nil)
    signals.cancel()
  }

  @Test("if the token of a reopened store is rejected, the data stays as outdated")
  func keeping() async throws {
    let server = LoopbackServer(access: AccessRule(token: "right"))
    try await server.store.transact(Sample.schema)
    let token = Mutex("right")
    let store = Self.store(of: server) { token.withLock(\.self) }
    var schemas = Snapshots(store.watch(VoidQuery()))
    _ = try await schemas.next { $0.freshness == .live }
    token.withLock { $0 = "wrong" }
    await store.reopen { await ($0 as? RemoteStore)?.close() }
    let kept = try await schemas.next { $0.freshness == Self.rejected }
    #expect(!kept.isUnanswered)
    #expect(kept.store.schema.namespaces.contains("tasks"))
  }

  private static let rejection = "The token in the file was rejected"
  private static let rejected = StoreSnapshot.Freshness.stale(reason: rejection)

  private static func store(
    of server: LoopbackServer, token: @escaping @Sendable () -> String
  ) -> DeferredStore {
    DeferredStore {
      var opening = Opening(appID: "5a000000-0000-4000-8000-00000000a001", adminToken: token())
      opening.rejection = rejection
      return RemoteStore(opening) { try server.connect() }
    }
  }
}
