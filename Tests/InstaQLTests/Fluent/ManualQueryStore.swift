import DataSources
import InstaQL
import Synchronization
import TestSupport
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A store whose snapshots a test provides, and which records its queries.
final class ManualQueryStore: QueryStore {
  private struct State {
    var snapshot: StoreSnapshot
    var failure: DataSourceError?
    var asked: [QueryDocument] = []
    var watchers: [Int: DataStream<StoreSnapshot>.Continuation] = [:]
    var lastWatcher = 0
  }

  private let state: Mutex<State>
  private let endings = AsyncStream.makeStream(of: Void.self)

  init(_ store: TripleStore) { state = Mutex(State(snapshot: StoreSnapshot(store))) }

  /// The number of queries.
  var calls: Int { state.withLock { $0.asked.count } }

  var asked: [QueryDocument] { state.withLock { $0.asked } }

  func fail(_ error: DataSourceError) {
    let watchers = state.withLock {
      $0.failure = error
      return $0.watchers
    }
    for watcher in watchers.values { watcher.finish(throwing: error) }
  }

  /// Changes the store and notifies watchers.
  func transact(_ change: (inout TransactionBuilder) -> Void) throws {
    var builder = TransactionBuilder()
    change(&builder)
    var (store, history) = state.withLock { ($0.snapshot.store, $0.snapshot.history) }
    let before = store.transactionID
    let changes = try store.transact(builder.transaction(in: store))
    history.append(changes, from: before, to: store.transactionID)
    publish(StoreSnapshot(store, history: history))
  }

  func publish(_ snapshot: StoreSnapshot) {
    let watchers = state.withLock {
      $0.snapshot = snapshot
      return $0.watchers
    }
    for watcher in watchers.values { watcher.yield(snapshot) }
  }

  /// Waits until a watch has ended.
  func ended() async throws {
    for try await _ in endings.stream.awaited("the end of a watch") { return }
  }

  func get(_ query: any Query) async throws(DataSourceError) -> StoreSnapshot {
    let (failure, snapshot) = state.withLock {
      if let document = query as? QueryDocument { $0.asked.append(document) }
      return ($0.failure, $0.snapshot)
    }
    if let failure { throw failure }
    return snapshot
  }

  func getAll(_ query: any Query) async throws(DataSourceError) -> [StoreSnapshot] {
    [try await get(query)]
  }

  func watch(_ query: any Query) -> DataStream<StoreSnapshot> {
    let (stream, continuation) = DataStream.makeStream(of: StoreSnapshot.self)
    let number = state.withLock { state in
      if let document = query as? QueryDocument { state.asked.append(document) }
      state.lastWatcher += 1
      state.watchers[state.lastWatcher] = continuation
      continuation.yield(state.snapshot)
      return state.lastWatcher
    }
    continuation.onTermination { [weak self] in
      self?.state.withLock { _ = $0.watchers.removeValue(forKey: number) }
      self?.endings.continuation.yield()
    }
    return stream
  }
}

/// The bundled company: 200 employees in 9 departments.
enum CompanyData {
  static let store: TripleStore = {
    do {
      return try load("company")
    } catch {
      fatalError("the company cannot be read: \(error)")
    }
  }()

  static func source() -> ManualQueryStore { ManualQueryStore(store) }

  /// The demo data with this name, for small datasets.
  static func load(_ name: String) throws -> TripleStore {
    let parts = #filePath.split(separator: "/").dropLast(4)
    let folder = "/" + parts.joined(separator: "/") + "/demo-data/\(name)/"
    let names =
      name == "company"
      ? ["departments", "employees", "offices", "projects", "schema"]
      : ["goals", "todos", "people", "tags", "schema"]
    return try Dataset.load(
      names.map { (name: $0 + ".json", bytes: bytes(folder + $0 + ".json")) })
  }

  private static func bytes(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { return [] }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: ftell(file))
    rewind(file)
    _ = fread(&bytes, 1, bytes.count, file)
    return bytes
  }
}
