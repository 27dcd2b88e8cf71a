public import DataSources
import GRDB
import InstaQL
public import LiveQueries
public import Triples

/// Any SQLite database as a store: tables are namespaces, rows entities, foreign keys links that are
/// followed both ways. A table that only joins two others is a link between these.
///
/// A small database is read into memory as a whole. A large one stays where it is: a query is put to
/// it in its own words, and only the rows that are asked for are read, with what they are linked with.
/// What SQL has no words for is answered from memory there too, once everything was read.
///
/// What other programs commit is noticed, and what is watched is asked again. Rows are made, changed,
/// linked and deleted where that was asked for; the rules of the database hold, and what another
/// program wrote meanwhile is not overwritten.
public actor SQLiteStore: DatabaseStore {
  let path: String
  let access: StoreAccess
  private(set) var connection: DatabaseConnection
  private(set) var shape: DatabaseShape
  private(set) var version: DatabaseConnection.Version
  /// What this store wrote, and what it takes to take it back.
  var written = DatabaseJournal()
  /// How many states of the database were seen: the number of a snapshot's transaction.
  private(set) var state = 1
  private(set) var staleness: String?
  private var following: Task<Void, Never>?
  private var lookingAgain: Task<Void, Never>?
  private let clock: any Clock<Duration>
  /// How long a file that another program holds is left alone before it is tried again.
  private static let pause = Duration.seconds(1)
  /// The whole database at a state, once it was needed.
  private var whole: (state: Int, store: TripleStore)?
  private var loading: (state: Int, task: Task<TripleStore, any Error>)?
  /// The number of rows of each table, and why some could not be counted.
  private var counts: (state: Int, numbers: [String: Int], damage: String?)?
  var known = KnownRows()
  /// Computes the order of a long answer's rows before the user moves in it.
  var learning: (state: Int, question: QueryPlan, task: Task<RowOrder, any Error>)?
  /// How many await that, by the question.
  var awaitedOrders: [QueryPlan: Int] = [:]
  nonisolated let changed = ChangeSignal()
  /// The program that keeps this one from writing.
  private nonisolated let obstruction: Obstruction
  /// Whether each snapshot holds all there is.
  public nonisolated let holdsEverything: Bool

  /// What of the database is not shown, and what of it is not changed though other rows are, in a
  /// sentence; nil when everything is.
  public nonisolated let remark: String?

  /// A database of so many bytes is still read as a whole, which takes less than a tenth of a second.
  public static let mostBytesInMemory = 4 << 20

  /// - Parameters:
  ///   - mostBytesInMemory: Of a larger database no more is read than is asked for.
  ///   - access: Whether rows may be changed.
  ///   - patience: How long another program that holds the file is waited for.
  ///   - clock: Measures when such a file is tried again.
  /// - Throws: ``StoreError`` when the file is missing or is no database.
  /// - Complexity: O(rows) of a small database, O(tables) of a large one.
  @concurrent
  public static func open(
    file path: String, mostBytesInMemory: Int = mostBytesInMemory,
    access: StoreAccess = .readOnly, patience: Duration = .seconds(10),
    clock: any Clock<Duration> = ContinuousClock(), progress: ProgressReport = .unread
  ) async throws(StoreError) -> SQLiteStore {
    guard Files.kind(of: path) == .file else { throw .missing(path: path) }
    do {
      // Watching begins before reading, so that no commit falls between the two.
      let watcher = try? PathWatcher(database: path)
      let obstruction = Obstruction(of: path)
      let connection = try DatabaseConnection(path, patience: patience) { obstruction.isThere = $0 }
      let (shape, version) = try await connection.shape()
      let isSmall = try await connection.size() <= mostBytesInMemory
      let all = isSmall ? try await connection.everything(shape, progress) : nil
      let store = SQLiteStore(path, access, connection, shape, version, all, clock, obstruction)
      await store.follow(connection.isUnchanging ? nil : watcher)
      return store
    } catch {
      throw StoreError(error, of: path)
    }
  }

  /// The data of a database as it is now, to be put into another store: without its NULLs.
  /// - Throws: ``StoreError`` when the file is missing, is no database, or has too many rows.
  @concurrent
  public static func load(
    file path: String, progress: ProgressReport = .unread
  ) async throws(StoreError) -> TripleStore {
    try await read(file: path, progress: progress).store
  }

  /// The same, with a report of the tables and views that are left out.
  /// - Throws: ``StoreError`` when the file is missing, is no database, or has too many rows.
  @concurrent
  static func read(
    file path: String, progress: ProgressReport = .unread
  ) async throws(StoreError) -> FileReading {
    guard Files.kind(of: path) == .file else { throw .missing(path: path) }
    do {
      let connection = try DatabaseConnection(path)
      let shape = try await connection.shape().shape
      let content = try await connection.everything(shape, for: .importing, progress)
      return FileReading(
        content,
        ReadReport(shape.leftOut.map { "\(Files.name(of: path)): \($0) skipped." }))
    } catch {
      throw StoreError(error, of: path)
    }
  }

  private init(
    _ path: String, _ access: StoreAccess, _ connection: DatabaseConnection,
    _ shape: DatabaseShape, _ version: DatabaseConnection.Version, _ all: TripleStore?,
    _ clock: any Clock<Duration>, _ obstruction: Obstruction
  ) {
    self.path = path
    self.obstruction = obstruction
    self.clock = clock
    self.access = access
    self.connection = connection
    self.shape = shape
    self.version = version
    holdsEverything = all != nil
    remark = shape.remark(for: access)
    whole = all.map { (1, $0) }
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
      throw .readOnly("The database \(path) is read-only. Open it with --write to change it.")
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
      note(failure)
      throw DataSourceError(failure)
    }
  }

  // MARK: Answers

  func readBehind<Result: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    try await connection.read(.behind, body)
  }

  func answer(
    _ query: any Query, _ view: AnswerView?,
    report tell: @escaping @Sendable (StoreSnapshot) -> Void
  ) async throws(DataSourceError) -> StoreSnapshot {
    do {
      let bytes = view?.bytes ?? .counted
      if holdsEverything, view?.explains != true { return try await everything(bytes) }
      if query is SchemaQuery {
        return snapshot(shape.empty, ServedAnswer(canGiveAll: true), state)
      }
      if let query = query as? NextRowQuery { return try await nextRow(query) }
      if let query = query as? TallyQuery { return try await tally(query) }
      guard let document = query as? QueryDocument else { return try await summary(tell) }
      return try await answer(to: document, view, tell)
    } catch {
      let failure = StoreError(error, of: path)
      note(failure)
      throw DataSourceError(failure)
    }
  }

  /// Marks the current answers as stale after any failure.
  private func note(_ failure: StoreError) {
    if case .busy = failure {
      // Unlocking a file without a change is not reported by the system.
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
    _ tell: @escaping @Sendable (StoreSnapshot) -> Void
  ) async throws -> StoreSnapshot {
    let (connection, shape, state) = (connection, shape, state)
    do {
      if let view, view.explains { return try await explained(document, view) }
      guard let view, view.stretch != nil else {
        return try await wholeAnswer(to: document, view)
      }
      known.turn(to: state)
      let order = document.plans.first.flatMap { known.order(of: $0) }
      let totals = known.totals
      var first = try await connection.read(.front) { db in
        var reading = PlanReading(db, shape, view, in: order, totals: totals)
        try reading.read(document)
        return reading.answer
      }
      let shown = snapshot(
        first.store, first.served, state)
      tell(shown)
      if first.isCounted {
        learn(from: first, to: document, view, in: state)
        return shown
      }
      // The same store is read on: then a reader sees at once which values are as they were.
      first.store = shown.store
      do {
        let answer = try await connection.read(.behind) { [first] db in
          var reading = PlanReading(db, shape, view, from: first)
          try reading.readMore(document)
          return reading.answer
        }
        learn(from: answer, to: document, view, in: state)
        return snapshot(answer.store, answer.served, state)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
        // What can be read is shown; that there is more, and why it is not there, is said beside it.
        staleness = StoreError(error, of: path).staleness
        return stale(shown)
      }
    } catch is QueryError {
      // What is no question fails, or finds nothing, without any data.
      return try document.plans.contains { try $0.needsData(shape.schema) }
        ? await everything(view?.bytes ?? .counted) : snapshot(shape.empty, nil, state)
    }
  }

  /// The schema, and how many entities there are.
  private func summary(_ tell: (StoreSnapshot) -> Void) async throws -> StoreSnapshot {
    let (connection, shape, state) = (connection, shape, state)
    if let counts, counts.state == state { return summary(counts) }
    tell(
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

  /// All rows of the present state, which are read once. What cannot be read now is as it was.
  func everything() async throws -> StoreSnapshot {
    if let whole, whole.state == state { return snapshot(whole.store, nil, state) }
    let (connection, shape, state) = (connection, shape, state)
    let task =
      loading?.state == state
      ? loading?.task : nil
    let load = task ?? Task { try await connection.everything(shape, .unread) }
    loading = (state, load)
    do {
      var store = try await load.value
      store.transactionID = state
      if whole.map({ $0.state < state }) ?? true { whole = (state, store) }
      if loading?.state == state { loading = nil }
      return snapshot(store, nil, state)
    } catch {
      if loading?.state == state { loading = nil }
      guard let whole else { throw error }
      staleness = StoreError(error, of: path).staleness
      return snapshot(whole.store, nil, whole.state)
    }
  }

  private func stale(_ known: StoreSnapshot) -> StoreSnapshot {
    StoreSnapshot(known.store, freshness: freshness, served: known.served)
  }

  // MARK: Following

  private func follow(_ watcher: PathWatcher?) {
    guard let watcher else {
      staleness =
        connection.isUnchanging
        ? "the folder is read-only, so the write-ahead log cannot be followed"
        : "changes by other programs are not noticed"
      return
    }
    following = Task { [weak self] in
      for await _ in watcher.changes { await self?.look() }
    }
  }

  /// Evaluates everything watched again if another program committed.
  func look() async {
    do {
      try takeWhatIsInPlace()
      let now = try await connection.version()
      if now == version, staleness == nil { return }
      if now.schema != version.schema { shape = try await connection.shape().shape }
      if now != version { state += 1 }
      version = now
      staleness = nil
    } catch {
      return note(StoreError(error, of: path))
    }
    changed.ring()
  }

  /// Turns to another file that came under the name of the one that is open.
  func takeWhatIsInPlace() throws {
    guard let now = Files.Identity(path) else { throw StoreError.gone(path: path) }
    if now == connection.identity { return }
    // The old connection is closed after its last reader.
    connection = try DatabaseConnection(path, patience: connection.patience) {
      [obstruction] in obstruction.isThere = $0
    }
    version = DatabaseConnection.Version(data: -1, schema: -1)
  }
}
