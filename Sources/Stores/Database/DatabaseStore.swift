import DataSources
import InstaQL
import LiveQueries
import Triples

/// A store that leaves its data in a database: a query is put to it in its own words, and only the rows that
/// are asked for are read.
protocol DatabaseStore: StoreDataSource, Actor {
  associatedtype Session: DatabaseSession

  var shape: DatabaseShape { get }
  /// The number of the present state: the transaction of its snapshots.
  var state: Int { get }
  /// Why what is shown may be old; nil when it is not.
  var staleness: String? { get }
  /// Rung after each change.
  nonisolated var changed: ChangeSignal { get }

  /// - Parameters:
  ///   - view: What the reader looks at; nil is all that it might.
  ///   - report: Receives an answer that is not complete yet.
  func answer(
    _ query: any Query, _ view: AnswerView?,
    report: @escaping @Sendable (StoreSnapshot) -> Void
  ) async throws(DataSourceError) -> StoreSnapshot

  /// Reads as of one moment, beside what a screen waits for.
  func readBehind<Result: Sendable>(
    _ body: @escaping @Sendable (Session) throws -> Result
  ) async throws -> Result
}

extension DatabaseStore {
  public func get(_ query: any Query) async throws(DataSourceError) -> StoreSnapshot {
    try await answer(query, nil) { _ in }
  }

  public func getAll(_ query: any Query) async throws(DataSourceError) -> [StoreSnapshot] {
    [try await get(query)]
  }

  /// A store is changed by transactions, never by handing it snapshots.
  @discardableResult
  public func putAll(
    _ objects: [StoreSnapshot], in query: any Query
  ) async throws(DataSourceError) -> [StoreSnapshot] {
    throw .notImplemented(source: "\(Self.self)", operation: .putAll)
  }

  public nonisolated func watch(_ query: any Query) -> DataStream<StoreSnapshot> {
    watch(query, view: nil)
  }

  public nonisolated func watch(
    _ document: QueryDocument, showing view: AnswerView
  ) -> DataStream<StoreSnapshot> {
    watch(document, view: view)
  }

  private nonisolated func watch(
    _ query: any Query, view: AnswerView?
  ) -> DataStream<StoreSnapshot> {
    let rings = changed.rings()
    return .filled { continuation throws(DataSourceError) in
      var last: StoreSnapshot?
      for await _ in rings {
        do throws(DataSourceError) {
          let snapshot = try await self.answer(query, view) { continuation.yield($0) }
          continuation.yield(snapshot)
          last = snapshot
        } catch {
          // A reader with an answer keeps it, and learns that it may be old.
          guard let known = last, error.code != .cancelled else { throw error }
          let stale = StoreSnapshot(
            known.store, freshness: .stale(reason: await self.staleness ?? error.message),
            served: known.served)
          continuation.yield(stale)
          last = stale
        }
      }
    }
  }

  public nonisolated var retrySignals: AsyncStream<Void> { changed.ringsToCome() }

  // MARK: Answers

  var freshness: StoreSnapshot.Freshness { staleness.map { .stale(reason: $0) } ?? .live }

  /// - Parameter state: The state of the data; nil for the present one.
  func snapshot(
    _ store: TripleStore, _ served: ServedAnswer?, _ state: Int? = nil
  ) -> StoreSnapshot {
    let state = state ?? self.state
    var store = store
    if store.transactionID != state { store.transactionID = state }
    return StoreSnapshot(store, freshness: freshness, served: served)
  }

  /// The whole of an answer.
  func wholeAnswer(
    to document: QueryDocument, _ view: AnswerView?
  ) async throws -> StoreSnapshot {
    let (shape, state) = (shape, state)
    let answer = try await readBehind { session in
      try PlanReading.wholeAnswer(document, session, shape, view)
    }
    return snapshot(answer.store, answer.served, state)
  }

  /// The answer with the statements that it took.
  func explained(_ document: QueryDocument, _ view: AnswerView) async throws -> StoreSnapshot {
    let (shape, state) = (shape, state)
    let (answer, statements) = try await readBehind { session in
      let recording = RecordingSession(session)
      let answer = try PlanReading.wholeAnswer(document, recording, shape, view)
      return (answer, try recording.statements())
    }
    var served = answer.served
    served.statements = statements
    return snapshot(answer.store, served, state)
  }

  /// How often each value is there; without that where SQL cannot say which rows are meant, for the reader
  /// to count.
  func tally(_ query: TallyQuery) async throws -> StoreSnapshot {
    let (shape, state) = (shape, state)
    var served = ServedAnswer(canGiveAll: true)
    do {
      served.tally = try await readBehind { try TallyReading.tally(query, $0, shape) }
    } catch is QueryError {}
    return snapshot(shape.empty, served, state)
  }

  /// Everything that is in the database, with a word about what is not shown of it.
  func whole(_ snapshot: StoreSnapshot) -> WholeStore {
    var whole = WholeStore(snapshot)
    if !shape.leftOut.isEmpty {
      whole.remarks.append("Left out of this database: \(shape.leftOut.joined(separator: ", ")).")
    }
    return whole
  }
}
