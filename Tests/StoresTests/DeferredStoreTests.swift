import DataSources
import LiveQueries
import Stores
import Testing

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
    var told = store.progress.makeAsyncIterator()
    #expect(await told.next()?.fraction == 0.25)
    opener.finish()
    #expect(await told.next() == nil)
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
}
