import DataSources
import LiveQueries
import Stores
import Testing

@Suite("A store that is being opened", .timeLimit(.minutes(10)))
struct OpeningStoreTests {
  @Test("it tells how far it has come, and ends the telling once it is open")
  func progress() async throws {
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    let store = OpeningStore { report in
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

  @Test("why it cannot be opened is the answer to every call")
  func failing() async {
    let store = OpeningStore { throw StoreError.missing(path: "x") }
    let error = await #expect(throws: DataSourceError.self) { try await store.get(VoidQuery()) }
    #expect(error?.message == StoreError.missing(path: "x").message)
  }

  @Test("given up, it says that it was cancelled")
  func cancelling() async {
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    let store = OpeningStore {
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
