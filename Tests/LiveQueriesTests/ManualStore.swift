import DataSources
import LiveQueries
import Synchronization
import TestSupport
import Triples

/// A store whose snapshots a test provides, directly or by transactions.
final class ManualStore: StoreDataSource {
  let holdsEverything: Bool
  private let state: Mutex<State>
  private let endings = AsyncStream.makeStream(of: Void.self)

  private struct State {
    var snapshot: StoreSnapshot?
    var watches: [Int: DataStream<StoreSnapshot>.Continuation] = [:]
    var asked: [any Query] = []
  }

  init(_ store: TripleStore? = nil, holdsEverything: Bool = true) {
    self.holdsEverything = holdsEverything
    state = Mutex(State(snapshot: store.map { StoreSnapshot($0) }))
  }

  /// The number of started watches.
  var watchCount: Int { state.withLock { $0.asked.count } }

  /// The keys of the watched queries.
  var keys: [String] {
    state.withLock { $0.asked.compactMap { ($0 as? any KeyQuery)?.key } }
  }

  var snapshot: StoreSnapshot? { state.withLock { $0.snapshot } }

  func publish(_ snapshot: StoreSnapshot) {
    state.withLock { state in
      state.snapshot = snapshot
      for watch in state.watches.values { watch.yield(snapshot) }
    }
  }

  func publish(_ store: TripleStore) { publish(StoreSnapshot(store)) }

  /// Ends all watches with an error.
  func fail(_ error: DataSourceError) {
    for watch in state.withLock({ $0.watches.values.map(\.self) }) { watch.finish(throwing: error) }
  }

  /// Waits until a watch has ended.
  func ended() async throws {
    for try await _ in endings.stream.awaited("the end of a watch") { return }
  }

  func watch(_ query: any Query) -> DataStream<StoreSnapshot> {
    let (stream, continuation) = DataStream.makeStream(of: StoreSnapshot.self)
    state.withLock { state in
      let number = state.asked.count
      state.asked.append(query)
      state.watches[number] = continuation
      if let snapshot = state.snapshot { continuation.yield(snapshot) }
      continuation.onTermination { [weak self] in self?.forget(number) }
    }
    return stream
  }

  private func forget(_ number: Int) {
    state.withLock { $0.watches[number] = nil }
    endings.continuation.yield()
  }

  func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot {
    guard let query = query as? TransactionQuery, let snapshot else {
      throw .unsupported(query, source: ManualStore.self, operation: .put)
    }
    do throws(TransactionError) {
      let next = try snapshot.after(query.transaction)
      publish(next)
      return next
    } catch {
      throw DataSourceError(error)
    }
  }

  func get(_ query: any Query) async throws(DataSourceError) -> StoreSnapshot {
    guard let snapshot else { throw .notFound("nothing was published") }
    return snapshot
  }

  func wholeStore(bytes: AnswerView.Bytes) async throws(DataSourceError) -> WholeStore {
    WholeStore(try await get(VoidQuery()))
  }

  func getAll(_ query: any Query) async throws(DataSourceError) -> [StoreSnapshot] {
    throw .notImplemented(source: "ManualStore", operation: .getAll)
  }

  func putAll(
    _ objects: [StoreSnapshot], in query: any Query
  ) async throws(DataSourceError) -> [StoreSnapshot] {
    throw .notImplemented(source: "ManualStore", operation: .putAll)
  }
}

extension StoreSnapshot {
  /// The state after a transaction, with its history.
  func after(
    _ transaction: Transaction, at time: Int64 = 1_000
  ) throws(TransactionError) -> StoreSnapshot {
    var store = store
    var history = history
    let changes = try store.transact(transaction, at: time)
    history.append(changes, from: transactionID, to: store.transactionID)
    return StoreSnapshot(store, history: history, freshness: freshness)
  }

  func standing(_ freshness: Freshness) -> StoreSnapshot {
    StoreSnapshot(store, history: history, freshness: freshness)
  }
}
