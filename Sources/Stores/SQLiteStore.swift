public import DataSources
import GRDB
import InstaQL
public import LiveQueries
public import Triples

/// A SQLite database as a store: tables are namespaces, rows are entities, foreign keys and join
/// tables are links.
///
/// A small database is read into memory, unless the rows of a view take long. Otherwise queries run
/// as SQL, and only matching and linked rows are read. If SQL cannot express a query, the whole
/// database is read, and the query is evaluated in memory.
///
/// The store detects commits of other programs, and evaluates live queries again. With write
/// access, rows can be created, changed, linked and deleted. The database checks its constraints,
/// and newer changes of other programs are not overwritten.
public actor SQLiteStore: DatabaseStore {
  let path: String
  let access: StoreAccess
  private(set) var connection: DatabaseConnection
  private(set) var shape: SchemaMapping
  private(set) var version: DatabaseConnection.Version
  /// The transactions that this store executed, and the data to undo them.
  var written = DatabaseJournal()
  /// The number of the current state. Snapshots use it as their transaction number. It increases
  /// with each detected change.
  private(set) var state = 1
  private(set) var staleness: String?
  private var following: Task<Void, Never>?
  private var lookingAgain: Task<Void, Never>?
  private let clock: any Clock<Duration>
  /// The pause before a locked file is read again.
  private static let pause = Duration.seconds(1)
  /// The whole database at a state; nil unless a query needed the whole database.
  private var whole: (state: Int, views: Set<String>, store: TripleStore)?
  private var loading: (state: Int, views: Set<String>, task: Task<TripleStore, any Error>)?
  /// The number of rows of each table, and the reason why some tables could not be counted.
  private var counts: (state: Int, numbers: [String: Int], damage: String?)?
  var known = RowOrderCache()
  /// The task that computes the row order of a long answer before the user scrolls in it.
  var learning: (state: Int, orderPlan: QueryPlan, task: Task<SortedMatches, any Error>)?
  /// The number of callers that wait for a row order, keyed by ``SortedMatches/orderPlan(of:)``.
  var awaitedOrders: [QueryPlan: Int] = [:]
  nonisolated let changed = ChangeSignal()
  /// Tracks whether another process blocks writing.
  private nonisolated let obstruction: WriteBlocker
  /// Whether each snapshot contains the whole database.
  public nonisolated let holdsEverything: Bool

  /// A sentence about data that is not shown or cannot be changed; nil if there is none.
  public nonisolated let remark: String?

  /// The maximum size of a database that is read into memory, in bytes. Reading this much takes
  /// less than a tenth of a second.
  public static let maxBytesInMemory = 4 << 20

  /// Opens a database.
  ///
  /// - Parameters:
  ///   - maxBytesInMemory: The maximum size of a database that is read into memory, in bytes.
  ///   - access: Whether rows may be changed.
  ///   - lockTimeout: How long to wait for a lock of another process.
  ///   - clock: Measures the pause before a locked file is read again.
  /// - Throws: ``StoreError`` if the file is missing or is not a database.
  /// - Complexity: O(rows) for a small database, O(tables) for a large database.
  @concurrent
  public static func open(
    file path: String, maxBytesInMemory: Int = maxBytesInMemory,
    access: StoreAccess = .readOnly, lockTimeout: Duration = .seconds(10),
    clock: any Clock<Duration> = ContinuousClock(), progress: ProgressReport = .unread
  ) async throws(StoreError) -> SQLiteStore {
    try await open(
      file: path, maxBytesInMemory: maxBytesInMemory, access: access, lockTimeout: lockTimeout,
      limits: ReadingLimits(), clock: clock, progress: progress)
  }

  /// Opens a database with limits.
  ///
  /// - Parameter limits: Only the limit for sorted texts is used.
  @concurrent
  package static func open(
    file path: String, maxBytesInMemory: Int = maxBytesInMemory,
    access: StoreAccess = .readOnly, lockTimeout: Duration = .seconds(10), limits: ReadingLimits,
    clock: any Clock<Duration> = ContinuousClock(), progress: ProgressReport = .unread
  ) async throws(StoreError) -> SQLiteStore {
    guard Files.kind(of: path) == .file else { throw .missing(path: path) }
    do {
      // Watching begins before reading, so that no commit between the two is missed.
      let watcher = try? PathWatcher(database: path)
      let obstruction = WriteBlocker(of: path)
      let connection = try DatabaseConnection(path, lockTimeout: lockTimeout, limits: limits) {
        obstruction.isThere = $0
      }
      var read = try await connection.shape()
      var all: TripleStore?
      if try await connection.size() <= maxBytesInMemory {
        // Reading the rows of a view may take any amount of time. With such a view, queries run as
        // SQL.
        let quick =
          try await read.shape.views.isEmpty ? read : connection.shape(isInMemory: true)
        if quick.shape.views == read.shape.views {
          read = quick
          all = try await connection.everything(quick.shape, views: quick.shape.views, progress)
        }
      }
      let store = SQLiteStore(path, access, connection, read, all, clock, obstruction)
      await store.follow(connection.isUnchanging ? nil : watcher)
      return store
    } catch {
      throw StoreError(error, of: path)
    }
  }

  private init(
    _ path: String, _ access: StoreAccess, _ connection: DatabaseConnection,
    _ read: (shape: SchemaMapping, version: DatabaseConnection.Version), _ all: TripleStore?,
    _ clock: any Clock<Duration>, _ obstruction: WriteBlocker
  ) {
    self.path = path
    self.obstruction = obstruction
    self.clock = clock
    self.access = access
    self.connection = connection
    (shape, version) = read
    holdsEverything = all != nil
    remark = shape.remark(for: access)
    whole = all.map { (1, read.shape.views, $0) }
    whole?.store.transactionID = 1
  }

  deinit {
    following?.cancel()
    lookingAgain?.cancel()
    learning?.task.cancel()
  }

  // MARK: As a data source

  @discardableResult
  public func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot {
    guard access == .readWrite else {
      throw .readOnly(ReadOnlyReason.database(path))
    }
    guard let query = query as? TransactionQuery else {
      throw .unsupported(query, source: SQLiteStore.self, operation: .put)
    }
    do {
      return try await carryOut(query)
    } catch {
      throw failure(toWrite: error)
    }
  }

  public func wholeStore(bytes: AnswerView.Bytes) async throws(DataSourceError) -> WholeStore {
    do {
      return whole(try await everything(bytes))
    } catch {
      let failure = StoreError(error, of: path)
      handleFailure(failure)
      throw DataSourceError(failure)
    }
  }

  // MARK: Answers

  func readInBackground<Result: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    try await connection.read(.background, body)
  }

  func answer(
    _ query: any Query, _ view: AnswerView?,
    report: @escaping @Sendable (StoreSnapshot) -> Void
  ) async throws(DataSourceError) -> StoreSnapshot {
    if let document = query as? QueryDocument {
      // The store stays current, since this concerns only one query.
      do { try checkNames(of: document, shape, in: path) } catch { throw DataSourceError(error) }
    }
    do {
      let bytes = view?.bytes ?? .counted
      if holdsEverything, view?.explains != true {
        return try await everything(bytes, views: shape.views)
      }
      if query is SchemaQuery {
        return snapshot(shape.empty, ServedAnswer(canGiveAll: true), state)
      }
      if let query = query as? FindRowQuery { return try await nextRow(query) }
      if let query = query as? ValueCountsQuery { return try await valueCounts(query) }
      guard let document = query as? QueryDocument else { return try await summary(report) }
      return try await answer(to: document, view, report)
    } catch {
      let failure = StoreError(error, of: path)
      if !isAboutView(error, query) { handleFailure(failure) }
      throw DataSourceError(failure)
    }
  }

  /// Returns whether a query failed because of a view, although the rest of the database can be
  /// read.
  private func isAboutView(_ error: any Error, _ query: any Query) -> Bool {
    let namespaces = (query as? QueryDocument)?.plans.map(\.namespace) ?? []
    guard !shape.views.isDisjoint(with: namespaces) else { return false }
    return error is AnswerLimit || (error as? DatabaseError)?.resultCode == .SQLITE_ERROR
  }

  /// Marks the current answers as possibly out of date after a failure.
  private func handleFailure(_ failure: StoreError) {
    if case .busy = failure {
      // The system does not report that a file was unlocked, so the store reads it again after a
      // pause.
      lookingAgain?.cancel()
      lookingAgain = Task { [weak self, clock] in
        guard (try? await clock.sleep(for: Self.pause)) != nil else { return }
        await self?.look()
      }
    }
    if failure == .cancelled || staleness == failure.staleness { return }
    staleness = failure.staleness
    changed.ring()
  }

  public nonisolated var writeBlockers: AsyncStream<String?> { obstruction.words }

  private func answer(
    to document: QueryDocument, _ view: AnswerView?,
    _ report: @escaping @Sendable (StoreSnapshot) -> Void
  ) async throws -> StoreSnapshot {
    let (connection, shape, state) = (connection, shape, state)
    do {
      if let view, view.explains { return try await explained(document, view) }
      guard let view, view.window != nil else {
        return try await wholeAnswer(to: document, view)
      }
      known.prepare(for: state)
      let order = document.plans.first.flatMap { known.order(of: $0) }
      let totals = known.totals
      var first = try await connection.read(.screen) { db in
        var reading = PlanExecutor(db, shape, view, in: order, totals: totals)
        try reading.read(document)
        return reading.answer
      }
      let shown = snapshot(
        first.store, first.served, state)
      report(shown)
      if first.isCounted {
        learn(from: first, to: document, view, in: state)
        return shown
      }
      // The second reading extends the same store, so that readers quickly find unchanged values.
      first.store = shown.store
      do {
        let answer = try await connection.read(.background) { [first] db in
          var reading = PlanExecutor(db, shape, view, from: first)
          try reading.readMore(document)
          return reading.answer
        }
        learn(from: answer, to: document, view, in: state)
        return snapshot(answer.store, answer.served, state)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
        // The snapshot contains the readable data, and the reason why the rest is missing.
        staleness = StoreError(error, of: path).staleness
        return stale(shown)
      }
    } catch is QueryError {
      // An invalid or empty query needs no data.
      return document.plans.contains { $0.needsData(shape.schema) }
        ? try await everything(
          view?.bytes ?? .counted,
          views: shape.views.intersection(document.plans.map(\.namespace)))
        : snapshot(shape.empty, nil, state)
    }
  }

  /// Reads the schema, and the number of rows of each table.
  private func summary(_ report: (StoreSnapshot) -> Void) async throws -> StoreSnapshot {
    let (connection, shape, state) = (connection, shape, state)
    if let counts, counts.state == state { return summary(counts) }
    report(
      snapshot(shape.empty, ServedAnswer(counts: counts?.numbers ?? [:], canGiveAll: true), state))
    let (numbers, damage) = try await connection.counts(shape)
    let known = (state, numbers, damage.map { StoreError($0, of: path).reason })
    counts = known
    return summary(known)
  }

  private func summary(
    _ counts: (state: Int, numbers: [String: Int], damage: String?)
  ) -> StoreSnapshot {
    let served = ServedAnswer(counts: counts.numbers, canGiveAll: true)
    let known = snapshot(shape.empty, served, counts.state)
    guard let damage = counts.damage, known.freshness == .live else { return known }
    return StoreSnapshot(known.store, freshness: .stale(reason: damage), served: served)
  }

  /// Reads all rows once per state. If they cannot be read, returns the last known rows.
  ///
  /// - Parameter views: The views whose rows are read, too.
  func everything(views: Set<String> = []) async throws -> StoreSnapshot {
    if let whole, whole.state == state, whole.views.isSuperset(of: views) {
      return snapshot(whole.store, nil, state)
    }
    let (connection, shape, state) = (connection, shape, state)
    let task =
      loading?.state == state && loading?.views == views
      ? loading?.task : nil
    let load = task ?? Task { try await connection.everything(shape, views: views, .unread) }
    loading = (state, views, load)
    do {
      var store = try await load.value
      store.transactionID = state
      if whole.map({ $0.state < state || !$0.views.isSuperset(of: views) }) ?? true {
        whole = (state, views, store)
      }
      if loading?.state == state { loading = nil }
      return snapshot(store, nil, state)
    } catch {
      if loading?.state == state { loading = nil }
      // The last known rows do not include all rows of these views.
      guard views.isEmpty, let whole else { throw error }
      staleness = StoreError(error, of: path).staleness
      return snapshot(whole.store, nil, whole.state)
    }
  }

  private func stale(_ known: StoreSnapshot) -> StoreSnapshot {
    StoreSnapshot(known.store, freshness: freshness, served: known.served)
  }

  // MARK: Change detection

  private func follow(_ watcher: PathWatcher?) {
    guard let watcher else {
      staleness =
        connection.isUnchanging
        ? StaleReason.unreadableLog : StaleReason.unwatched
      return
    }
    following = Task { [weak self] in
      for await _ in watcher.changes { await self?.look() }
    }
  }

  /// Checks whether another program committed. If so, all live queries are evaluated again.
  func look() async {
    do {
      try reopenReplacedFile()
      let now = try await connection.version()
      if now == version, staleness == nil { return }
      // In memory, a change of rows may have made a view slow.
      if now.schema != version.schema
        || holdsEverything && now != version && !shape.views.isEmpty
      {
        var new = try await connection.shape(isInMemory: holdsEverything).shape
        new.rememberNames(of: shape)
        shape = new
      }
      if now != version { state += 1 }
      version = now
      staleness = nil
    } catch {
      return handleFailure(StoreError(error, of: path))
    }
    changed.ring()
  }

  /// Opens the file that is now at the path, if it has replaced the open file.
  func reopenReplacedFile() throws {
    guard let now = Files.Identity(path) else { throw StoreError.gone(path: path) }
    if now == connection.identity { return }
    // The old connection closes when its last reader has finished.
    connection = try DatabaseConnection(
      path, lockTimeout: connection.lockTimeout, limits: connection.limits
    ) { [obstruction] in obstruction.isThere = $0 }
    version = DatabaseConnection.Version(data: -1, schema: -1)
  }
}
