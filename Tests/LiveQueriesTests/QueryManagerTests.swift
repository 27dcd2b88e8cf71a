import DataSources
import InstaQL
import LiveQueries
import Synchronization
import Testing
import Triples

@Suite("A query manager", .timeLimit(.minutes(1)))
struct QueryManagerTests {
  let goals = QueryDocument(QueryPlan("goals"))

  @Test("a subscriber hears loading or an answer first, then each new answer")
  func answers() async throws {
    let store = HandStore()
    let manager = QueryManager(store: store)
    let subscription = await manager.subscribe(to: goals)
    var results = subscription.results.makeAsyncIterator()
    #expect(await results.next() == .loading)
    store.publish(try Self.store(goals: 2))
    #expect(await results.next()?.rows == 2)
    store.publish(try Self.store(goals: 3))
    #expect(await results.next()?.rows == 3)
  }

  @Test("equal queries share one watch, which ends with the last subscriber")
  func sharing() async throws {
    let store = HandStore()
    let manager = QueryManager(store: store)
    let first = await manager.subscribe(to: goals)
    let second = await manager.subscribe(to: QueryDocument(QueryPlan("goals")))
    #expect(store.watches == 1)
    var results = second.results.makeAsyncIterator()
    _ = await results.next()
    await manager.unsubscribe(first.id)
    store.publish(try Self.store(goals: 1))
    #expect(await results.next()?.rows == 1)
    await manager.unsubscribe(second.id)
    await store.ended()
    #expect(await results.next() == nil)
  }

  @Test("a query that cannot be answered fails with a sentence")
  func failure() async throws {
    let store = HandStore()
    let manager = QueryManager(store: store)
    let wrong = QueryDocument(QueryPlan("goals").with("title"))
    var results = await manager.subscribe(to: wrong).results.makeAsyncIterator()
    _ = await results.next()
    store.publish(try Self.store(goals: 1))
    guard case .failed(let failure)? = await results.next() else {
      Issue.record("a relation over an attribute must fail")
      return
    }
    #expect(failure.message.contains("title"))
  }

  @Test("a store that fails is told to its subscribers")
  func storeFailure() async throws {
    let store = HandStore()
    let manager = QueryManager(store: store)
    var results = await manager.subscribe(to: goals).results.makeAsyncIterator()
    _ = await results.next()
    store.fail(.failed("gone"))
    #expect(await results.next() == .failed(LiveFailure(message: "gone")))
  }

  static func store(goals: Int) throws -> TripleStore {
    let rows = (0..<goals).map { "{\"id\": \"g\($0)\", \"title\": \"t\"}" }
    return try Dataset.load([
      (name: "goals.json", bytes: Array("[\(rows.joined(separator: ","))]".utf8))
    ])
  }
}

extension LiveResult {
  /// How many rows a loaded result has.
  fileprivate var rows: Int? {
    if case .loaded(let answer) = self { return answer.answers.first?.rows.count }
    return nil
  }
}

/// A store whose snapshots a test hands out itself.
final class HandStore: StoreDataSource {
  private let state = Mutex(State())
  private let endings = AsyncStream.makeStream(of: Void.self)

  private struct State {
    var continuations: [DataStream<StoreSnapshot>.Continuation] = []
    var watches = 0
  }

  var watches: Int { state.withLock { $0.watches } }

  func publish(_ store: TripleStore) {
    for continuation in state.withLock({ $0.continuations }) {
      continuation.yield(StoreSnapshot(store))
    }
  }

  func fail(_ error: DataSourceError) {
    for continuation in state.withLock({ $0.continuations }) {
      continuation.finish(throwing: error)
    }
  }

  /// Returns when a watch has ended.
  func ended() async {
    for await _ in endings.stream { return }
  }

  func watch(_ query: any Query) -> DataStream<StoreSnapshot> {
    let (stream, continuation) = DataStream.makeStream(of: StoreSnapshot.self)
    let endings = endings.continuation
    continuation.onTermination { endings.yield() }
    state.withLock {
      $0.watches += 1
      $0.continuations.append(continuation)
    }
    return stream
  }

  func get(_ query: any Query) async throws(DataSourceError) -> StoreSnapshot {
    throw .notImplemented(source: "HandStore", operation: .get)
  }

  func getAll(_ query: any Query) async throws(DataSourceError) -> [StoreSnapshot] {
    throw .notImplemented(source: "HandStore", operation: .getAll)
  }

  func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot {
    throw .notImplemented(source: "HandStore", operation: .put)
  }

  func putAll(
    _ objects: [StoreSnapshot], in query: any Query
  ) async throws(DataSourceError) -> [StoreSnapshot] {
    throw .notImplemented(source: "HandStore", operation: .putAll)
  }
}
