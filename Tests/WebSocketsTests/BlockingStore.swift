import DataSources
import LiveQueries
import Stores
import Triples

/// A store in which operations wait until a test releases them.
struct BlockingStore: StoreDataSource {
  enum Held { case changes, answers }

  let base: MemoryStore
  let gate: Gate
  var held = Held.changes

  var holdsEverything: Bool { get async { true } }

  func get(_ query: any Query) async throws(DataSourceError) -> StoreSnapshot {
    try await base.get(query)
  }

  func getAll(_ query: any Query) async throws(DataSourceError) -> [StoreSnapshot] {
    try await base.getAll(query)
  }

  func wholeStore(bytes: AnswerView.Bytes) async throws(DataSourceError) -> WholeStore {
    try await base.wholeStore(bytes: bytes)
  }

  func watch(_ query: any Query) -> DataStream<StoreSnapshot> {
    guard held == .answers else { return base.watch(query) }
    let (stream, continuation) = DataStream.makeStream(of: StoreSnapshot.self)
    let snapshots = base.watch(query)
    let task = Task {
      await gate.pass()
      do throws(DataSourceError) {
        for try await snapshot in snapshots { continuation.yield(snapshot) }
        continuation.finish()
      } catch { continuation.finish(throwing: error) }
    }
    continuation.onTermination { task.cancel() }
    return stream
  }

  func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot {
    if held == .changes { await gate.pass() }
    if Task.isCancelled {
      throw DataSourceError(.cancelled, "The change was taken back.", operation: .put)
    }
    return try await base.put(object, in: query)
  }

  func putAll(
    _ objects: [StoreSnapshot], in query: any Query
  ) async throws(DataSourceError) -> [StoreSnapshot] {
    try await base.putAll(objects, in: query)
  }
}

/// A gate that blocks until it is opened or the caller is canceled.
actor Gate {
  private var isOpen = false
  private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  private var lastNumber = 0

  /// The number of waiting callers.
  var count: Int { waiting.count }

  func open() {
    isOpen = true
    for continuation in waiting.values { continuation.resume() }
    waiting = [:]
  }

  func pass() async {
    if isOpen { return }
    lastNumber += 1
    let number = lastNumber
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if isOpen || Task.isCancelled {
          continuation.resume()
        } else {
          waiting[number] = continuation
        }
      }
    } onCancel: {
      Task { await self.giveUp(number) }
    }
  }

  private func giveUp(_ number: Int) { waiting.removeValue(forKey: number)?.resume() }
}
