public import DataSources
import InstaQL
public import LiveQueries
public import Triples

/// Any PostgreSQL database as a store: tables, views and the like are namespaces, rows entities, foreign
/// keys links that are followed both ways.
///
/// A query is put to the server in SQL, and only the rows that are asked for are read, with what they are
/// linked with. What one statement cannot say is answered here, of a small database; of a larger one it is
/// refused with the reason.
public actor PostgresStore: DatabaseStore {
  let parameters: PostgresParameters
  /// Answers what a screen waits for.
  let front: PostgresConnection
  /// Counts, and reads what takes longer.
  let behind: PostgresConnection
  private(set) var shape: DatabaseShape
  private(set) var state = 1
  private(set) var staleness: String?
  private var following: Task<Void, Never>?
  private var counts: (state: Int, numbers: [String: Int], estimated: Set<String>)?
  nonisolated let changed = ChangeSignal()
  /// When the catalog was read.
  private var catalogMoment = ContinuousClock.now
  /// Of the present state.
  private var anchors = PageAnchors()
  /// What of the database is not shown, in a sentence; nil when everything is.
  public nonisolated let remark: String?

  /// Measures when a server that is away is tried again.
  let clock: any Clock<Duration>

  /// Opens a database: that of an Instant server as one of its apps, any other as tables.
  ///
  /// - Throws: ``StoreError`` if the library or the server is unavailable or rejects the login, or
  ///   with the list of apps if the address does not select one.
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
  /// - Throws: ``StoreError`` if the library or the server is unavailable or rejects the login.
  @concurrent
  public static func open(_ parameters: PostgresParameters) async throws(StoreError)
    -> PostgresStore
  {
    try await open(parameters, limits: ReadingLimits())
  }

  /// - Parameters:
  ///   - limits: How much is read at once.
  ///   - clock: Measures when a server that is away is tried again.
  @concurrent
  package static func open(
    _ parameters: PostgresParameters, limits: ReadingLimits,
    clock: any Clock<Duration> = ContinuousClock()
  ) async throws(StoreError) -> PostgresStore {
    do {
      let front = try PostgresConnection(parameters)
      let behind = try PostgresConnection(parameters)
      let watch = try PostgresConnection(parameters)
      // Before the catalog is read, so that no change falls between the two.
      let known = try await watch.read { try PostgresWatching.signs($0, since: nil) }
      let shape = try await front.read { try DatabaseShape(PostgresCatalog($0), limits: limits) }
      let store = PostgresStore(parameters, front, behind, shape, clock)
      await store.begin(watch, since: known)
      return store
    } catch {
      throw StoreError(postgres: error, of: parameters)
    }
  }

  private init(
    _ parameters: PostgresParameters, _ front: PostgresConnection, _ behind: PostgresConnection,
    _ shape: DatabaseShape, _ clock: any Clock<Duration>
  ) {
    (self.parameters, self.front, self.behind, self.shape) = (parameters, front, behind, shape)
    self.clock = clock
    let leftOut =
      shape.leftOut.isEmpty
      ? nil : "Not shown of this database: " + shape.leftOut.joined(separator: ", ") + "."
    let remarks = [leftOut, shape.orderRemark].compactMap { $0 }
    remark = remarks.isEmpty ? nil : remarks.joined(separator: " ")
  }

  private func begin(_ watch: PostgresConnection, since known: PostgresWatching.Signs) {
    following = Self.follow(self, watch, since: known)
  }

  deinit { following?.cancel() }

  // MARK: Following

  /// Acts on what was found out about the database.
  func receive(_ finding: PostgresWatching.Finding) async throws {
    if finding == .tables { try await readCatalog() }
    let wasLost = staleness != nil
    staleness = nil
    if wasLost || finding != .nothing { noteChange() }
  }

  /// Marks answers as perhaps old: the server is gone.
  func lose(_ error: any Error) {
    let reason = StoreError(postgres: error, of: parameters).reason
    guard staleness != reason else { return }
    staleness = reason
    changed.ring()
  }

  /// How changes are noticed, for people.
  public private(set) var changeDetection = "asked each second"

  func setLive(byNotices: Bool) { changeDetection = byNotices ? "notices" : "asked each second" }

  // MARK: As a data source

  @discardableResult
  public func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot {
    throw .readOnly("The database \(parameters.name) is open read-only.")
  }

  public func wholeStore(bytes: AnswerView.Bytes) async throws(DataSourceError) -> WholeStore {
    do {
      return whole(try await everything(bytes, maxRows: nil))
    } catch {
      throw DataSourceError(StoreError(postgres: error, of: parameters))
    }
  }

  // MARK: Answers

  func readBehind<Result: Sendable>(
    _ body: @escaping @Sendable (PostgresSession) throws -> Result
  ) async throws -> Result {
    try await behind.read(isSnapshot: true, body)
  }

  func answer(
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
      do {
        return try await answer(to: document, view, report)
      } catch let error as PostgresError where error.isOfOtherTables {
        guard try await readCatalog() else { throw error }
        noteChange()
        return try await answer(to: document, view, report)
      }
    } catch {
      if let error = error as? PostgresError, error.isConnectionLost { lose(error) }
      throw DataSourceError(StoreError(postgres: error, of: parameters))
    }
  }

  private func answer(
    to document: QueryDocument, _ view: AnswerView?,
    _ report: @escaping @Sendable (StoreSnapshot) -> Void
  ) async throws -> StoreSnapshot {
    let shape = shape
    do {
      if let view, view.explains { return try await explained(document, view) }
      guard let view, view.stretch != nil else { return try await wholeAnswer(to: document, view) }
      let anchors = anchors
      var first = try await front.read { session in
        var reading = PlanReading(session, shape, view, anchors: anchors)
        try reading.read(document)
        return reading.answer
      }
      let shown = snapshot(first.store, first.served)
      if first.isCounted { return shown }
      report(shown)
      first.store = shown.store
      let answer = try await behind.read { [first] session in
        var reading = PlanReading(session, shape, view, from: first)
        try reading.readMore(document)
        return reading.answer
      }
      return snapshot(answer.store, answer.served)
    } catch let error as QueryError {
      // What is no question fails, or finds nothing, without any data.
      guard try document.plans.contains(where: { try $0.needsData(shape.schema) }) else {
        return snapshot(shape.empty, nil)
      }
      return try await everything(
        view?.bytes ?? .counted, maxRows: shape.limits?.rowsInMemory, for: error)
    }
  }

  /// The next row of a plan that matches.
  private func nextRow(_ query: NextRowQuery) async throws -> StoreSnapshot {
    let shape = shape
    let answer = try await behind.read { session in
      var reading = PlanReading(session, shape, AnswerView())
      try reading.read(query)
      return reading.answer
    }
    return snapshot(answer.store, answer.served)
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

  /// - Returns: Whether tables or columns are others now.
  @discardableResult
  private func readCatalog() async throws -> Bool {
    let (known, limits) = (shape, shape.limits ?? ReadingLimits())
    let (new, moment) = try await front.read {
      (try DatabaseShape(PostgresCatalog($0), limits: limits), ContinuousClock.now)
    }
    // Two that read it at once may come back in the other order.
    if moment > catalogMoment { (shape, catalogMoment) = (new, moment) }
    return shape.schema.attributes != known.schema.attributes || shape.sql.types != known.sql.types
  }

  /// Everything that is watched is asked again.
  func noteChange() {
    state += 1
    anchors = PageAnchors()
    changed.ring()
  }
}
