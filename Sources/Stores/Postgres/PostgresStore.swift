public import DataSources
import InstaQL
public import LiveQueries
public import Triples

/// A PostgreSQL database as a store: tables and views are namespaces, rows are entities, foreign
/// keys are links.
///
/// Queries run as SQL, and only matching and linked rows are read. If SQL cannot express a query,
/// it is evaluated in memory if the database is small, and otherwise rejected.
///
/// With write access, rows can be created, changed, linked and deleted. Each transaction of the
/// store is one transaction on the server. Newer changes of other programs are not overwritten.
public actor PostgresStore: DatabaseStore {
  let parameters: PostgresParameters
  let content: PostgresContent
  let access: StoreAccess
  /// The connection for queries of the screen.
  let screenConnection: PostgresConnection
  /// The connection for counts and slow queries.
  let backgroundConnection: PostgresConnection
  /// The connection for changes, which opens with the first change.
  let writer: PostgresConnection
  /// The transactions that this store executed, and the data for their undo.
  var written = DatabaseJournal()
  private(set) var shape: SchemaMapping
  /// The mapping that has the partitions which queries named as tables, too; nil without such
  /// queries.
  private var reached: (partitions: Set<String>, shape: SchemaMapping)?
  private(set) var state = 1
  private(set) var staleness: String?
  private var following: Task<Void, Never>?
  /// How changes of other programs are detected.
  private var detection: PostgresDetection
  /// The states in which tables changed.
  private var changes = TableChanges()
  /// The newest counts of rows, and the state in which they were read; 0 before the first.
  private var counts = (state: 0, known: PostgresCounts())
  nonisolated let changed = ChangeSignal()
  /// The time when the catalog was read.
  private var catalogMoment = ContinuousClock.now
  /// The page anchors of the current state.
  private var anchors = PageAnchors()
  /// A sentence about the data that is not shown; nil if all data is shown.
  public nonisolated let remark: String?

  /// Measures the delay before the store tries to reconnect.
  let clock: any Clock<Duration>

  /// Opens the database of a self-hosted Instant server as an app, and any other database as
  /// tables.
  ///
  /// - Throws: ``StoreError`` if the library or the server is unavailable or rejects the login, or
  ///   with the list of apps if the address does not select one.
  @concurrent
  public static func openAny(
    _ parameters: PostgresParameters, access: StoreAccess = .readOnly
  ) async throws(StoreError) -> any StoreDataSource {
    try await openAny(
      parameters, access: access, maxLoadedTriples: InstantApps.maxLoadedTriples)
  }

  /// Opens the database of a self-hosted Instant server as an app, and any other database as
  /// tables.
  ///
  /// - Parameter maxLoadedTriples: The maximum number of triples of an app that is loaded.
  @concurrent
  package static func openAny(
    _ parameters: PostgresParameters, access: StoreAccess = .readOnly, maxLoadedTriples: Int
  ) async throws(StoreError) -> any StoreDataSource {
    do {
      let first = try PostgresConnection(parameters)
      let found = try await first.read { session -> (InstantApps.App, isLarge: Bool)? in
        guard try InstantApps.areIn(session) else { return nil }
        if parameters.opensTables {
          if access == .readWrite { throw StoreError.broken(path: ReadOnlyReason.instantTables) }
          return nil
        }
        let app = try InstantApps(session, for: parameters).readableApp(parameters, access)
        return (app, try InstantApps.isLarge(app, session, limit: maxLoadedTriples))
      }
      await first.close()
      if let (app, isLarge) = found {
        guard isLarge else { return try await InstantAppStore.open(app, parameters) }
        return try await open(.app(app), parameters, .readOnly, ReadingLimits())
      }
      if let app = parameters.app, !parameters.opensTables {
        throw StoreError.broken(
          path:
            "\(parameters.shown) is not the database of an Instant server: there is no app '\(app)'."
        )
      }
    } catch {
      throw StoreError(postgres: error, of: parameters)
    }
    return try await open(parameters, access: access)
  }

  /// Opens a database whose tables become namespaces, even if it belongs to an Instant server.
  ///
  /// - Throws: ``StoreError`` if the library or the server is unavailable or rejects the login.
  @concurrent
  public static func open(
    _ parameters: PostgresParameters, access: StoreAccess = .readOnly
  ) async throws(StoreError) -> PostgresStore {
    try await open(parameters, access: access, limits: ReadingLimits())
  }

  /// Opens a database as tables, with limits and a clock.
  ///
  /// - Parameters:
  ///   - limits: The limits for reading one result.
  ///   - clock: Measures the delay before the store tries to reconnect.
  @concurrent
  package static func open(
    _ parameters: PostgresParameters, access: StoreAccess = .readOnly, limits: ReadingLimits,
    clock: any Clock<Duration> = ContinuousClock()
  ) async throws(StoreError) -> PostgresStore {
    try await open(.tables, parameters, access, limits, clock)
  }

  @concurrent
  private static func open(
    _ content: PostgresContent, _ parameters: PostgresParameters, _ access: StoreAccess,
    _ limits: ReadingLimits, _ clock: any Clock<Duration> = ContinuousClock()
  ) async throws(StoreError) -> PostgresStore {
    do {
      let screenConnection = try PostgresConnection(parameters)
      let watch = try PostgresConnection(parameters)
      // The version is read before the catalog, so that no change between the two is missed.
      let (detection, known) = try await watch.read { session in
        let detection = try PostgresDetection.begin(content, parameters.liveMode, session)
        let signs = try PostgresWatching.signs(
          of: content, session, since: nil, ofUnlogged: detection.decoding != nil)
        return (detection, signs)
      }
      let watching = PostgresWatching(
        content, parameters.liveMode, detection, session: await watch.sessions, since: known)
      let shape = try await screenConnection.read { try content.shape($0, limits: limits) }
      let store = try PostgresStore(
        content, parameters, access, screenConnection, shape, detection, clock)
      await store.begin(watch, watching)
      return store
    } catch {
      throw StoreError(postgres: error, of: parameters)
    }
  }

  private init(
    _ content: PostgresContent, _ parameters: PostgresParameters, _ access: StoreAccess,
    _ screenConnection: PostgresConnection, _ shape: SchemaMapping, _ detection: PostgresDetection,
    _ clock: any Clock<Duration>
  ) throws(PostgresError) {
    self.detection = detection
    backgroundConnection = try PostgresConnection(parameters)
    writer = try PostgresConnection(parameters, isWritable: true)
    (self.content, self.parameters, self.access) = (content, parameters, access)
    (self.screenConnection, self.shape, self.clock) = (screenConnection, shape, clock)
    let remarks = [
      content.remark, detection.remark, shape.remark(for: access).map { $0 + "." },
    ].compactMap { $0 }
    remark = remarks.isEmpty ? nil : remarks.joined(separator: " ")
  }

  private func begin(_ watch: PostgresConnection, _ watching: PostgresWatching) {
    following = Self.follow(self, watch, watching)
  }

  deinit { following?.cancel() }

  // MARK: Change detection

  /// Reacts to a detected change: reads the catalog again if tables changed, and starts a new
  /// state.
  func applyFinding(_ finding: PostgresWatching.Finding) async throws {
    if finding == .tables { try await readCatalog() }
    let wasLost = staleness != nil
    staleness = nil
    switch finding {
    case .rows(let tables) where !wasLost: startNewState(changing: tables)
    case .nothing where !wasLost: break
    case .nothing, .rows, .tables: startNewState()
    }
  }

  func isCurrent(_ answer: StoreSnapshot, to query: any Query, since state: Int) -> Bool {
    guard let document = query as? QueryDocument, answer.served != nil, content == .tables,
      staleness == nil, answer.freshness == .live, answer.changeDetection == changeDetection,
      let tables = ReadTables(of: document, shape).names
    else { return false }
    return !changes.haveChanged(tables, since: state)
  }

  /// Marks results as possibly out of date after a connection was lost.
  func lose(_ error: any Error) {
    let reason = StoreError(postgres: error, of: parameters).reason
    guard staleness != reason else { return }
    staleness = reason
    changed.ring()
  }

  package var changeDetection: String? {
    content == .tables ? detection.text : InstantWords.detection
  }

  /// The reason why the store can never be changed; nil if that depends on its access.
  package var readOnlyReason: String? {
    content == .tables ? nil : content.readOnlyReason(of: parameters.name)
  }

  /// Shows how changes are detected.
  func show(_ detection: PostgresDetection) {
    guard self.detection != detection else { return }
    let hasNewText = self.detection.text != detection.text
    self.detection = detection
    if hasNewText { changed.ring() }
  }

  // MARK: As a data source

  @discardableResult
  public func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot {
    guard access == .readWrite else {
      throw .readOnly(content.readOnlyReason(of: parameters.name))
    }
    guard let query = query as? TransactionQuery else {
      throw .unsupported(query, source: PostgresStore.self, operation: .put)
    }
    do {
      return try await carryOut(query)
    } catch {
      throw failure(toWrite: error)
    }
  }

  public func wholeStore(bytes: AnswerView.Bytes) async throws(DataSourceError) -> WholeStore {
    do {
      switch content {
      case .tables: return try await wholeTables(bytes)
      case .app(let app):
        // An app is loaded with all its attributes.
        return WholeStore(try await everything(of: app, for: nil), hiding: app.hiddenRows)
      }
    } catch {
      throw DataSourceError(StoreError(postgres: error, of: parameters))
    }
  }

  // MARK: Answers

  func readInBackground<Result: Sendable>(
    _ body: @escaping @Sendable (PostgresSession) throws -> Result
  ) async throws -> Result {
    try await backgroundConnection.read(isSnapshot: true, body)
  }

  func answer(
    _ query: any Query, _ view: AnswerView?,
    report: @escaping @Sendable (StoreSnapshot) -> Void
  ) async throws(DataSourceError) -> StoreSnapshot {
    do {
      if query is SchemaQuery {
        return snapshot(shape.empty, ServedAnswer(canGiveAll: true))
      }
      if let query = query as? FindRowQuery { return try await nextRow(query) }
      if let query = query as? ValueCountsQuery { return try await valueCounts(query) }
      guard let document = query as? QueryDocument else { return try await summary(report) }
      let known = shape
      do {
        return try await answer(to: document, view, report)
      } catch let error as PostgresError where error.isOfOtherTables {
        try await readCatalog()
        // Another task may have read the new catalog before.
        guard shape.schema != known.schema || shape.sql.types != known.sql.types else {
          throw error
        }
        startNewState()
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
    let shape = try await shape(for: document.plans)
    try checkNames(
      of: document, shape, in: parameters.shown,
      otherReason: ", or your database role may not read it")
    do {
      if let view, view.explains { return try await explained(document, view) }
      guard let view, view.window != nil else { return try await wholeAnswer(to: document, view) }
      let anchors = anchors
      var first = try await screenConnection.read { session in
        var reading = PlanExecutor(session, shape, view, anchors: anchors)
        try reading.read(document)
        return reading.answer
      }
      let shown = snapshot(first.store, first.served)
      if first.isCounted { return shown }
      report(shown)
      first.store = shown.store
      let answer = try await backgroundConnection.read { [first] session in
        var reading = PlanExecutor(session, shape, view, from: first)
        try reading.readMore(document)
        return reading.answer
      }
      return snapshot(answer.store, answer.served)
    } catch let error as QueryError {
      // An invalid or empty query needs no data.
      guard document.plans.contains(where: { $0.needsData(shape.schema) }) else {
        return snapshot(shape.empty, nil)
      }
      return try await everything(
        view?.bytes ?? .counted, for: error,
        views: shape.views.union(shape.foreignTables)
          .intersection(document.plans.map(\.namespace)), in: shape)
    }
  }

  func shape(for plans: [QueryPlan]) async throws -> SchemaMapping {
    let named = Set(plans.map(\.namespace).filter { shape.schema.partitions[$0] != nil })
    if named.isEmpty { return shape }
    if let reached, reached.partitions.isSuperset(of: named) { return reached.shape }
    let partitions = named.union(reached?.partitions ?? [])
    let (moment, limits) = (catalogMoment, shape.limits ?? ReadingLimits())
    var found = try await screenConnection.read { [content] in
      try content.shape($0, limits: limits, partitions: partitions)
    }
    found.rememberNames(of: shape)
    if moment == catalogMoment { reached = (partitions, found) }
    return found
  }

  /// Reads the next row of the shown results that matches the condition of `query`.
  private func nextRow(_ query: FindRowQuery) async throws -> StoreSnapshot {
    let shape = try await shape(for: [query.plan])
    let answer = try await backgroundConnection.read { session in
      var reading = PlanExecutor(session, shape, AnswerView())
      try reading.read(query)
      return reading.answer
    }
    return snapshot(answer.store, answer.served)
  }

  /// Reads the schema, and the number of rows of each table: exact if small, otherwise estimated.
  ///
  /// - Parameter report: Receives the schema with the last known numbers before rows are counted.
  private func summary(_ report: (StoreSnapshot) -> Void) async throws -> StoreSnapshot {
    if counts.state != state {
      report(snapshot(shape.empty, servedCounts))
      let (shape, state, earlier) = (shape, state, counts.known)
      let known = try await backgroundConnection.read {
        try PostgresCounts($0, shape, after: earlier)
      }
      counts = (state, known)
    }
    return snapshot(shape.empty, servedCounts)
  }

  private var servedCounts: ServedAnswer {
    var served = ServedAnswer(counts: counts.known.numbers, canGiveAll: true)
    served.estimated = counts.known.estimated
    return served
  }

  /// Reads the catalog again.
  func readCatalog() async throws {
    let (known, limits) = (shape, shape.limits ?? ReadingLimits())
    var (new, moment) = try await screenConnection.read { [content] in
      (try content.shape($0, limits: limits), ContinuousClock.now)
    }
    new.rememberNames(of: known)
    // If the catalog is read concurrently, an older result may arrive last.
    if moment > catalogMoment { (shape, catalogMoment, reached) = (new, moment, nil) }
  }

  /// Starts a new state, so that the live queries of changed tables are evaluated again.
  ///
  /// - Parameter tables: The tables whose rows changed, as written in SQL; nil for any.
  func startNewState(changing tables: Set<String>? = nil) {
    state += 1
    changes.record(tables, in: state)
    anchors = PageAnchors()
    changed.ring()
  }
}
