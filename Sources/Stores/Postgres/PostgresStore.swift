public import DataSources
public import InstaQL
public import LiveQueries
public import Triples

/// Any PostgreSQL database as a store: tables, views and the like are namespaces, rows entities, foreign
/// keys links that are followed both ways.
///
/// A query is put to the server in SQL, and only the rows that are asked for are read, with what they are
/// linked with. What one statement cannot say is answered here, of a small database; of a larger one it is
/// refused with the reason.
public actor PostgresStore: StoreDataSource {
  let parameters: PostgresParameters
  /// Answers what a screen waits for.
  let front: PostgresConnection
  /// Counts, and reads what takes longer.
  let behind: PostgresConnection
  private(set) var shape: DatabaseShape
  private(set) var state = 1
  private var staleness: String?
  private var following: Task<Void, Never>?
  private var counts: (state: Int, numbers: [String: Int], estimated: Set<String>)?
  nonisolated let changed = ChangeSignal()
  /// Of the present state.
  private var anchors = PageAnchors()
  /// What of the database is not shown, in a sentence; nil when everything is.
  public nonisolated let remark: String?

  /// Of a larger database no more is read than is asked for, by the statistics in rows.
  static let maxRowsInMemory = 200_000

  /// Opens a database: that of an Instant server as one of its apps, any other as tables.
  ///
  /// - Throws: ``StoreError`` when the library or the server is not there, or lets nobody in; which apps
  ///   there are where none is meant for certain.
  @concurrent
  public static func openAny(
    _ parameters: PostgresParameters
  ) async throws(StoreError) -> any StoreDataSource {
    do {
      let first = try PostgresConnection(parameters)
      let apps = try await first.read { session in
        try InstantApps.areIn(session) ? try InstantApps(session) : nil
      }
      await first.close()
      if let apps { return try await InstantAppStore.open(apps, parameters) }
      if let app = parameters.app {
        throw StoreError.broken(
          path:
            "\(parameters.shown) is not the database of an Instant server: there is no app '\(app)'."
        )
      }
    } catch {
      throw StoreError(postgres: error, of: parameters)
    }
    return try await open(parameters)
  }

  /// Opens a database as tables.
  ///
  /// - Throws: ``StoreError`` when the library or the server is not there, or lets nobody in.
  @concurrent
  public static func open(_ parameters: PostgresParameters) async throws(StoreError)
    -> PostgresStore
  {
    do {
      let front = try PostgresConnection(parameters)
      let behind = try PostgresConnection(parameters)
      let watch = try PostgresConnection(parameters)
      let shape = try await front.read { DatabaseShape(try PostgresCatalog($0)) }
      let store = PostgresStore(parameters, front, behind, shape)
      await store.begin(watch)
      return store
    } catch {
      throw StoreError(postgres: error, of: parameters)
    }
  }

  private init(
    _ parameters: PostgresParameters, _ front: PostgresConnection, _ behind: PostgresConnection,
    _ shape: DatabaseShape
  ) {
    (self.parameters, self.front, self.behind, self.shape) = (parameters, front, behind, shape)
    remark =
      shape.leftOut.isEmpty
      ? nil : "Not shown of this database: " + shape.leftOut.joined(separator: ", ")
  }

  private func begin(_ watch: PostgresConnection) { following = Self.follow(self, watch) }

  deinit { following?.cancel() }

  // MARK: Following

  /// Takes what was found out about the database.
  func take(_ finding: PostgresWatching.Finding) async {
    let wasLost = staleness != nil
    staleness = nil
    switch finding {
    case .nothing: if wasLost { noteChange() }
    case .rows: noteChange()
    case .tables: await readCatalogAgain()
    }
  }

  /// The server is gone: who has an answer learns that it may be old.
  func lose(_ error: any Error) {
    let reason = StoreError(postgres: error, of: parameters).reason
    guard staleness != reason else { return }
    staleness = reason
    changed.ring()
  }

  /// How changes are noticed, for people.
  public private(set) var howLive = "asked each second"

  func setLive(byNotices: Bool) { howLive = byNotices ? "notices" : "asked each second" }

  // MARK: As a data source

  public func get(_ query: any Query) async throws(DataSourceError) -> StoreSnapshot {
    try await answer(query, nil) { _ in }
  }

  public func getAll(_ query: any Query) async throws(DataSourceError) -> [StoreSnapshot] {
    [try await get(query)]
  }

  @discardableResult
  public func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot {
    throw .readOnly("The database \(parameters.name) is open read-only.")
  }

  @discardableResult
  public func putAll(
    _ objects: [StoreSnapshot], in query: any Query
  ) async throws(DataSourceError) -> [StoreSnapshot] {
    throw .notImplemented(source: "PostgresStore", operation: .putAll)
  }

  public func wholeStore(bytes: AnswerView.Bytes) async throws(DataSourceError) -> WholeStore {
    do {
      var whole = WholeStore(try await everything(bytes, maxRows: nil))
      if !shape.leftOut.isEmpty {
        whole.remarks.append(
          "Left out of this database: \(shape.leftOut.joined(separator: ", ")).")
      }
      return whole
    } catch {
      throw DataSourceError(StoreError(postgres: error, of: parameters))
    }
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
          let stale = await self.stale(known)
          continuation.yield(stale)
          last = stale
        }
      }
    }
  }

  public nonisolated var secondChances: AsyncStream<Void> { changed.ringsToCome() }

  // MARK: Answers

  /// - Parameters:
  ///   - view: What the reader looks at; nil is all that it might.
  ///   - report: Receives an answer that is not complete yet.
  private func answer(
    _ query: any Query, _ view: AnswerView?,
    report: @escaping @Sendable (StoreSnapshot) -> Void
  ) async throws(DataSourceError) -> StoreSnapshot {
    do {
      if query is SchemaQuery {
        return snapshot(shape.empty, ServedAnswer(canGiveAll: true))
      }
      if let query = query as? NextRowQuery { return try await nextRow(query) }
      if let query = query as? TallyQuery { return try await tally(query) }
      guard let document = query as? QueryDocument else { return try await summary() }
      staleness = nil
      return try await answer(to: document, view, report)
    } catch let error as PostgresError where error.isOfOtherTables {
      await readCatalogAgain()
      throw DataSourceError(StoreError(postgres: error, of: parameters))
    } catch {
      let failure = StoreError(postgres: error, of: parameters)
      if failure != .cancelled { staleness = failure.reason }
      throw DataSourceError(failure)
    }
  }

  private func answer(
    to document: QueryDocument, _ view: AnswerView?,
    _ report: @escaping @Sendable (StoreSnapshot) -> Void
  ) async throws -> StoreSnapshot {
    let shape = shape
    do {
      if let view, view.explains { return try await explained(document, view) }
      guard let view, view.stretch != nil else {
        let answer = try await behind.read(isSnapshot: true) { session in
          try PlanReading.wholeAnswer(document, session, shape, view)
        }
        return snapshot(answer.store, ServedAnswer(found: answer.found, canGiveAll: true))
      }
      let anchors = anchors
      var first = try await front.read { session in
        var reading = PlanReading(session, shape, view, anchors: anchors)
        try reading.read(document)
        return reading.answer
      }
      let shown = snapshot(first.store, ServedAnswer(found: first.found, canGiveAll: true))
      if first.isCounted { return shown }
      report(shown)
      first.store = shown.store
      let answer = try await behind.read { [first] session in
        var reading = PlanReading(session, shape, view, from: first)
        try reading.readMore(document)
        return reading.answer
      }
      return snapshot(answer.store, ServedAnswer(found: answer.found, canGiveAll: true))
    } catch let error as QueryError {
      // What is no question fails, or finds nothing, without any data.
      guard try document.plans.contains(where: { try $0.needsData(shape.schema) }) else {
        return snapshot(shape.empty, nil)
      }
      return try await everything(
        view?.bytes ?? .counted, maxRows: Self.maxRowsInMemory, for: error)
    }
  }

  /// The answer with the statements that it took.
  private func explained(
    _ document: QueryDocument, _ view: AnswerView
  ) async throws -> StoreSnapshot {
    let shape = shape
    let (answer, statements) = try await behind.read(isSnapshot: true) { session in
      let recording = RecordingSession(session)
      let answer = try PlanReading.wholeAnswer(document, recording, shape, view)
      return (answer, try recording.statements())
    }
    var served = ServedAnswer(found: answer.found, canGiveAll: true)
    served.statements = statements
    return snapshot(answer.store, served)
  }

  /// The next row of a plan that matches.
  private func nextRow(_ query: NextRowQuery) async throws -> StoreSnapshot {
    let shape = shape
    let answer = try await behind.read { session in
      var reading = PlanReading(session, shape, AnswerView())
      try reading.read(query)
      return reading.answer
    }
    return snapshot(answer.store, ServedAnswer(found: answer.found, canGiveAll: true))
  }

  /// The schema, and how many entities there are: exactly of small tables, by the statistics of others.
  private func summary() async throws -> StoreSnapshot {
    if let counts, counts.state == state {
      var served = ServedAnswer(counts: counts.numbers, canGiveAll: true)
      served.estimated = counts.estimated
      return snapshot(shape.empty, served)
    }
    let (shape, state) = (shape, state)
    let (numbers, estimated) = try await behind.read { try PostgresCounts.numbers($0, shape) }
    counts = (state, numbers, estimated)
    return try await summary()
  }

  /// All rows, as of one moment.
  ///
  /// - Parameters:
  ///   - maxRows: More are not read; nil is the limit of memory.
  ///   - reason: Why all of them are needed, which is thrown where there are more.
  private func everything(
    _ bytes: AnswerView.Bytes, maxRows: Int?, for reason: QueryError? = nil
  ) async throws -> StoreSnapshot {
    let (shape, name) = (shape, parameters.shown)
    if let maxRows {
      let size = try await behind.read { session in
        try shape.names.namespaces.reduce(0) { size, namespace in
          // Views have no statistics.
          size > maxRows
            ? size
            : try size
              + (namespace.table.estimate
                ?? PostgresCounts.count(namespace.table, session, most: maxRows) ?? maxRows + 1)
        }
      }
      guard size <= maxRows else {
        throw StoreError.unreadable(
          path: name,
          reason: (reason?.message ?? "It is large.")
            + " With more than \(maxRows) rows the database is too large to be answered here")
      }
    }
    let store = try await behind.read(isSnapshot: true) { session in
      try DatabaseReading.load(
        shape, session, path: name, for: bytes == .counted ? .showing : .writing, progress: .unread)
    }
    return snapshot(store, nil)
  }

  private func readCatalogAgain() async {
    // Where that fails too, the next question says so.
    if let new = try? await front.read({ DatabaseShape(try PostgresCatalog($0)) }) { shape = new }
    noteChange()
  }

  /// Everything that is watched is asked again.
  func noteChange() {
    state += 1
    anchors = PageAnchors()
    changed.ring()
  }

  /// How often each value is there.
  private func tally(_ query: TallyQuery) async throws -> StoreSnapshot {
    let shape = shape
    var served = ServedAnswer(canGiveAll: true)
    do {
      served.tally = try await behind.read { try TallyReading.tally(query, $0, shape) }
    } catch is QueryError {
      // What SQL cannot say is counted by the reader.
    }
    return snapshot(shape.empty, served)
  }

  private func snapshot(_ store: TripleStore, _ served: ServedAnswer?) -> StoreSnapshot {
    var store = store
    if store.transactionID != state { store.transactionID = state }
    return StoreSnapshot(
      store, freshness: staleness.map { .stale(reason: $0) } ?? .live, served: served)
  }

  private func stale(_ known: StoreSnapshot) -> StoreSnapshot {
    StoreSnapshot(
      known.store, freshness: staleness.map { .stale(reason: $0) } ?? .live, served: known.served)
  }
}

/// Counts rows of small tables, and takes the numbers of others from the statistics.
enum PostgresCounts {
  static func numbers(
    _ session: PostgresSession, _ shape: DatabaseShape
  ) throws -> ([String: Int], estimated: Set<String>) {
    var numbers: [String: Int] = [:]
    var estimated: Set<String> = []
    for namespace in shape.names.namespaces {
      let table = namespace.table
      if let estimate = table.estimate, estimate > PostgresCatalog.maxSmallTable {
        numbers[table.name] = estimate
        estimated.insert(table.name)
        continue
      }
      do {
        numbers[table.name] = try count(table, session)
      } catch let error as PostgresError where !error.isConnectionLost && !error.isCancelled {
        // A view that is broken or not filled has no number; the others do.
        continue
      }
    }
    return (numbers, estimated)
  }

  /// Nil where there are more.
  static func count(
    _ table: DatabaseCatalog.Table, _ session: PostgresSession,
    most: Int = PostgresCatalog.maxSmallTable
  ) throws -> Int? {
    let rows = try session.rows(
      "SELECT count(*) FROM (SELECT 1 FROM \(table.sqlName) LIMIT $1::int8) AS t",
      [String(most + 1)])
    guard try rows.step() else { return nil }
    let count = Int(rows.integer(0))
    return count <= most ? count : nil
  }
}

extension StoreError {
  /// Why a PostgreSQL database does not do what it was asked.
  init(postgres error: any Error, of parameters: PostgresParameters) {
    switch error {
    case let error as PostgresError where error.isCancelled: self = .cancelled
    case let error as PostgresError:
      self = .unreadable(path: parameters.shown, reason: error.reason)
    default: self.init(error, of: parameters.shown)
    }
  }
}
