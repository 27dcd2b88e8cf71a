import DataSources
import InstaQL
import LiveQueries
import Triples

/// A store that evaluates queries as SQL in a database and reads only the matching rows.
protocol DatabaseStore: StoreDataSource, Actor {
  associatedtype Session: DatabaseSession

  var shape: SchemaMapping { get }
  /// Returns the mapping for the namespaces of queries, which can name more than those of ``shape``.
  /// The default is ``shape``.
  func shape(for plans: [QueryPlan]) async throws -> SchemaMapping
  /// The number of the database's current state, used as the transaction number of snapshots.
  var state: Int { get }
  /// The reason why the shown data may be out of date; nil if it is current.
  var staleness: String? { get }
  /// How changes of other programs are detected, as a text for display; nil if that never changes.
  var changeDetection: String? { get }
  /// The reason why the store can never be changed; nil if that depends on its access.
  var readOnlyReason: String? { get }
  /// Signals each change.
  nonisolated var changed: ChangeSignal { get }

  /// Evaluates a query, and returns the part of the answer that the reader displays.
  ///
  /// - Parameters:
  ///   - view: The part that the reader displays; nil for everything.
  ///   - report: Receives partial answers.
  func answer(
    _ query: any Query, _ view: AnswerView?,
    report: @escaping @Sendable (StoreSnapshot) -> Void
  ) async throws(DataSourceError) -> StoreSnapshot

  /// Returns whether an answer is still current, so that it need not be read again. The default is
  /// false.
  ///
  /// - Parameter state: The state of the database before the answer was read.
  func isCurrent(_ answer: StoreSnapshot, to query: any Query, since state: Int) -> Bool

  /// Runs `body`, which reads from one commit, on the connection for counting.
  func readInBackground<Result: Sendable>(
    _ body: @escaping @Sendable (Session) throws -> Result
  ) async throws -> Result
}

extension DatabaseStore {
  var changeDetection: String? { nil }
  var readOnlyReason: String? { nil }

  func shape(for plans: [QueryPlan]) async throws -> SchemaMapping { shape }

  func isCurrent(_ answer: StoreSnapshot, to query: any Query, since state: Int) -> Bool { false }

  public func get(_ query: any Query) async throws(DataSourceError) -> StoreSnapshot {
    try await answer(query, nil) { _ in }
  }

  public func getAll(_ query: any Query) async throws(DataSourceError) -> [StoreSnapshot] {
    [try await get(query)]
  }

  /// Throws an error, because only transactions change a database.
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
      var (last, state) = (nil as StoreSnapshot?, 0)
      for await _ in rings {
        do throws(DataSourceError) {
          if let last, await self.isCurrent(last, to: query, since: state) { continue }
          state = await self.state
          let snapshot = try await self.answer(query, view) { continuation.yield($0) }
          continuation.yield(snapshot)
          last = snapshot
        } catch {
          // The reader keeps the last answer, marked as possibly out of date.
          guard let known = last, error.code != .cancelled else { throw error }
          let stale = StoreSnapshot(
            known.store, freshness: .stale(reason: await self.staleness ?? error.message),
            served: known.served
          ).readOnly(because: await self.readOnlyReason).detecting(await self.changeDetection)
          continuation.yield(stale)
          last = stale
        }
      }
    }
  }

  public nonisolated var retrySignals: AsyncStream<Void> { changed.ringsToCome() }

  // MARK: Answers

  /// Throws an error if a query reads a table or column that no longer exists. Otherwise the answer
  /// would seem to be empty.
  ///
  /// - Parameter otherReason: Another possible reason, as the end of the sentence.
  func checkNames(
    of document: QueryDocument, _ shape: SchemaMapping, in path: String, otherReason: String = ""
  ) throws(StoreError) {
    for plan in document.plans {
      guard let name = plan.lostName(in: shape.schema) else { continue }
      throw .unreadable(path: path, reason: "the \(name) no longer exists\(otherReason)")
    }
  }

  var freshness: StoreSnapshot.Freshness { staleness.map { .stale(reason: $0) } ?? .live }

  /// Creates a snapshot whose transaction number is the number of a database state.
  ///
  /// - Parameter state: The state that the data was read in; nil for the current state.
  func snapshot(
    _ store: TripleStore, _ served: ServedAnswer?, _ state: Int? = nil
  ) -> StoreSnapshot {
    let state = state ?? self.state
    var store = store
    if store.transactionID != state { store.transactionID = state }
    return StoreSnapshot(store, freshness: freshness, served: served)
      .readOnly(because: readOnlyReason).detecting(changeDetection)
  }

  /// Reads the complete answer, not only the rows that a screen shows.
  func wholeAnswer(
    to document: QueryDocument, _ view: AnswerView?
  ) async throws -> StoreSnapshot {
    let state = state
    let shape = try await shape(for: document.plans)
    let answer = try await readInBackground { session in
      try PlanExecutor.wholeAnswer(document, session, shape, view)
    }
    return snapshot(answer.store, answer.served, state)
  }

  /// Reads the answer and records the executed SQL statements.
  func explained(_ document: QueryDocument, _ view: AnswerView) async throws -> StoreSnapshot {
    let state = state
    let shape = try await shape(for: document.plans)
    let (answer, statements) = try await readInBackground { session in
      let recording = RecordingSession(session)
      let answer = try PlanExecutor.wholeAnswer(document, recording, shape, view)
      return (answer, try recording.statements())
    }
    var served = answer.served
    served.statements = statements
    return snapshot(answer.store, served, state)
  }

  /// Counts the values of a column in SQL. The snapshot has no counts if SQL cannot express the
  /// query.
  func valueCounts(_ query: ValueCountsQuery) async throws -> StoreSnapshot {
    let state = state
    let shape = try await shape(for: [query.plan])
    var served = ServedAnswer(canGiveAll: true)
    do {
      served.valueCounts = try await readInBackground { try ValueCounter.counts(query, $0, shape) }
    } catch is QueryError {}
    return snapshot(shape.empty, served, state)
  }

  /// Returns the whole database without views, with remarks about the parts that are left out.
  ///
  /// - Parameter unreadable: The reasons why foreign tables cannot be read, keyed by namespace.
  func whole(
    _ snapshot: StoreSnapshot, without unreadable: [String: String] = [:]
  ) -> WholeStore {
    var whole = WholeStore(snapshot)
    for view in shape.names.namespaces
    where view.table.isView || unreadable[view.table.name] != nil {
      for attribute in [view.identity] + view.values.map(\.attribute) {
        _ = whole.store.removeAttribute(attribute.id)
      }
    }
    if !shape.leftOut.isEmpty {
      whole.remarks.append(ExportRemark.notIncluded(shape.leftOut))
    }
    let views = shape.names.namespaces.map(\.table).filter(\.isView)
    for (isPopulated, remark) in [
      (true, ExportRemark.withoutViews), (false, ExportRemark.withoutUnpopulated),
    ] {
      let names = views.filter { $0.isPopulated == isPopulated }.map(\.name).sorted()
      if !names.isEmpty { whole.remarks.append(remark(names)) }
    }
    whole.unreadable = Dictionary(grouping: unreadable, by: \.value)
      .map { ExportRemark.unreadable($0.value.map(\.key).sorted(), because: $0.key) }.sorted()
    whole.remarks += whole.unreadable
    return whole
  }
}
