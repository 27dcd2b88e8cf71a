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

  /// Returns a file as a store that shows its first rows, and is loaded when the gate opens.
  private static func store(of file: String, behind gate: AsyncStream<Void>) -> DeferredStore {
    DeferredStore(
      beginning: { FolderStore.beginning(ofFile: file, minSize: 0, length: 21) }
    ) { report in
      for await _ in gate { break }
      return try await FolderStore.open(folder: file, progress: report)
    }
  }

  /// A CSV file with the rows 1 to 50. Its first 21 bytes contain nine of them, and a part of the
  /// tenth.
  private static let fifty = "n\n" + (1...50).map { "\($0)\n" }.joined()

  @Test("watches deliver the first rows while the rest is loaded; other calls wait")
  func beginning() async throws {
    try await withTemporaryFolder(["a.csv": Self.fifty]) { folder in
      let (gate, opener) = AsyncStream.makeStream(of: Void.self)
      let store = Self.store(of: folder + "/a.csv", behind: gate)
      #expect(await store.holdsEverything)
      var snapshots = Snapshots(store.watch(AllObjectsQuery()))
      let first = try await snapshots.next { _ in true }
      #expect(first.freshness == .loading && first.store.count(of: "a") == 9)
      async let other = store.get(AllObjectsQuery())
      opener.finish()
      let whole = try await snapshots.next { _ in true }
      #expect(whole.freshness == .live && whole.store.count(of: "a") == 50)
      #expect(whole.transactionID > first.transactionID)
      #expect(try await other.store.count(of: "a") == 50)
      var later = Snapshots(store.watch(AllObjectsQuery()))
      #expect(try await later.next { _ in true }.freshness == .live)
    }
  }

  @Test("a live query shows the first rows, then all rows, and a sorted one only all rows")
  func firstRows() async throws {
    try await withTemporaryFolder(["a.csv": Self.fifty]) { folder in
      let (gate, opener) = AsyncStream.makeStream(of: Void.self)
      let store = StagedStore(Self.store(of: folder + "/a.csv", behind: gate))
      let manager = QueryManager(store: store)
      let sorted = QueryDocument(QueryPlan("a").order("n", .descending))
      var plain = await manager.subscribe(to: QueryDocument(QueryPlan("a")))
        .results.makeAsyncIterator()
      var top = await manager.subscribe(to: sorted).results.makeAsyncIterator()
      func next(_ results: inout LiveResults.Iterator) async throws -> LiveAnswer? {
        let result = try await results.next("an answer") { $0 != .loading }
        guard case .loaded(let answer)? = result else { return nil }
        return answer
      }
      let first = try #require(try await next(&plain))
      #expect(first.freshness == .loading && first.answers[0].rows.count == 9)
      opener.finish()
      let whole = try #require(try await next(&plain))
      #expect(whole.freshness == .live && whole.answers[0].rows.count == 50)
      let all = try #require(try await next(&top))
      #expect(all.freshness == .live && all.answers[0].rows.count == 50)
    }
  }

  @Test("an error of loading ends a watch that showed the first rows")
  func failingLater() async throws {
    try await withTemporaryFolder(["a.csv": Self.fifty]) { folder in
      let file = folder + "/a.csv"
      let store = DeferredStore(
        beginning: { FolderStore.beginning(ofFile: file, minSize: 0, length: 21) }
      ) { _ in throw StoreError.missing(path: file) }
      let error = await #expect(throws: DataSourceError.self) {
        for try await _ in store.watch(AllObjectsQuery()).awaited("the error") {}
      }
      #expect(error?.message == StoreError.missing(path: file).message)
    }
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
