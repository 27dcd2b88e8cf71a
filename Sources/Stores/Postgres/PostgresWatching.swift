import Triples

/// Detects changes of a database through notifications of triggers or logical decoding, and by
/// polling each second.
struct PostgresWatching: Sendable {
  /// Fingerprints of the database's state at one poll; a difference means that the database
  /// changed.
  struct Signs: Sendable, Hashable {
    /// The transaction snapshot, which changes with every write transaction in any database of the
    /// server.
    var snapshot: String
    /// The counters of written rows. The server may update them late. With logical decoding only
    /// those of unlogged tables, which it does not see; empty if there are none.
    var written: String
    /// A fingerprint of all tables and columns and of the trigger function. It changes when a table
    /// or column is added, altered or dropped, and when triggers are installed or removed.
    var tables: String
  }

  static let interval = Duration.seconds(1)
  /// The delays after which queries run again if a transaction happened but no counter changed.
  ///
  /// The server may update its counters 10 s late.
  static let lateStatistics = [Duration.seconds(2), .seconds(11)]

  private(set) var known: Signs
  /// How the current session detects changes.
  private(set) var detection: PostgresDetection
  private let content: PostgresContent
  private let mode: PostgresLiveMode
  /// The number of the session that `detection` prepared; 0 to prepare the session again.
  private var session: Int
  /// Whether changes may have been missed because the session is new.
  private var hasGap = false
  private var doubts: [ContinuousClock.Instant] = []

  /// Starts to watch in a session.
  ///
  /// - Parameters:
  ///   - detection: How the session detects changes.
  ///   - session: The number of the session.
  ///   - known: The fingerprints, read in the session before the catalog.
  init(
    _ content: PostgresContent, _ mode: PostgresLiveMode, _ detection: PostgresDetection,
    session: Int = 1, since known: Signs
  ) {
    (self.content, self.mode, self.detection) = (content, mode, detection)
    (self.session, self.known) = (session, known)
  }

  /// A detected change.
  enum Finding: Equatable {
    case nothing
    /// Rows of the given tables changed. The names are as written in SQL; nil means any table.
    case rows(of: Set<String>?)
    case tables
  }

  mutating func compare(_ signs: Signs, at now: ContinuousClock.Instant) -> Finding {
    defer { known = signs }
    if signs.tables != known.tables { return .tables }
    if signs.written != known.written {
      doubts = []
      return .rows(of: nil)
    }
    if signs.snapshot != known.snapshot, content == .tables, !signs.written.isEmpty {
      doubts = Self.lateStatistics.map { now + $0 }
    }
    guard let first = doubts.first, first <= now else { return .nothing }
    doubts.removeFirst()
    return .rows(of: nil)
  }

  /// Checks for changes since the last call. If it throws, the next call detects them again.
  ///
  /// - Returns: The finding, and whether further changes wait to be read.
  mutating func look(_ connection: PostgresConnection) async throws -> (Finding, hasMore: Bool) {
    var next = self
    if await connection.sessions != session { try await next.begin(connection) }
    let (changed, hasMore) = try await next.decode(connection)
    let isDecoding = next.detection.decoding != nil
    let signs = try await connection.read { [content, known] in
      try Self.signs(of: content, $0, since: known, ofUnlogged: isDecoding)
    }
    var finding = next.compare(signs, at: .now)
    if finding == .nothing, changed != [] { finding = .rows(of: changed) }
    // New tables may have triggers, so the session listens again.
    if finding == .tables, !isDecoding { next.session = 0 }
    self = next
    return (finding, hasMore)
  }

  /// Prepares a new session.
  private mutating func begin(_ connection: PostgresConnection) async throws {
    hasGap = hasGap || detection.decoding != nil
    detection = try await connection.read { [content, mode, detection] session in
      try PostgresDetection.begin(content, mode, session, refusal: detection.refusal)
    }
    session = await connection.sessions
  }

  /// Reads the decoded changes. If that fails or falls behind, the slot is dropped for good.
  ///
  /// - Returns: The changed tables, nil for any, and whether further changes wait to be read.
  private mutating func decode(
    _ connection: PostgresConnection
  ) async throws -> (Set<String>?, hasMore: Bool) {
    defer { hasGap = false }
    guard let decoding = detection.decoding else { return (hasGap ? nil : [], false) }
    do {
      let changes = try await connection.read { try decoding.changes($0) }
      guard changes.heldBytes > decoding.maxHeldBytes else {
        return (hasGap ? nil : changes.tables, changes.hasMore)
      }
      detection.refusal = "decoding fell behind by \(changes.heldBytes >> 20) MB"
    } catch let error as PostgresError where !error.isConnectionLost && !error.isCancelled {
      // A session that was opened just now has no slot yet.
      if await connection.sessions == session {
        detection.refusal = PostgresDecoding.failure(error)
      }
    }
    // The slot is dropped with its session.
    await connection.close()
    try await begin(connection)
    return (nil, false)
  }

  /// Reads the current fingerprints. Fingerprints that are slow to compute are read only if the
  /// transaction snapshot changed.
  ///
  /// - Parameter ofUnlogged: Whether only the counters of unlogged tables are read.
  static func signs(
    of content: PostgresContent, _ session: PostgresSession, since known: Signs?,
    ofUnlogged: Bool = false
  ) throws -> Signs {
    let snapshot = try text(
      "SELECT CASE WHEN pg_catalog.pg_is_in_recovery() THEN pg_catalog.pg_last_wal_replay_lsn()::text "
        + "ELSE pg_catalog.pg_current_snapshot()::text END LIMIT 1", session)
    if let known, known.snapshot == snapshot { return known }
    if case .app(let app) = content {
      return Signs(
        snapshot: snapshot, written: try InstantApps.sign(of: app, session),
        tables: try InstantApps.signOfAttributes(of: app, session))
    }
    let condition =
      ofUnlogged
      ? "relid IN (SELECT oid FROM pg_catalog.pg_class WHERE relpersistence = 'u')"
      : "schemaname NOT LIKE 'pg\\_%'"
    let written = try text(
      "SELECT pg_catalog.sum(n_tup_ins + n_tup_upd + n_tup_del)::text "
        + "FROM pg_catalog.pg_stat_all_tables WHERE \(condition) LIMIT 1", session)
    return Signs(snapshot: snapshot, written: written, tables: try text(signOfTables, session))
  }

  /// A query for the fingerprint of all tables and columns and of the trigger function.
  ///
  /// A statement that alters them updates one of these catalog rows, which changes its `xmin`.
  /// Renaming or dropping a column updates only the row of the column. Removing the triggers of a
  /// table updates none of these rows, so the trigger function is included.
  private static let signOfTables = """
    WITH shown AS (
      SELECT c.oid, c.xmin FROM pg_catalog.pg_class AS c
      JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT LIKE 'pg\\_%')
    SELECT pg_catalog.sum(pg_catalog.hashtextextended(t.sign, 0)::numeric)::text FROM (
      SELECT oid::text || ' ' || xmin::text AS sign FROM shown
      UNION ALL SELECT oid::text || ' ' || xmin::text FROM pg_catalog.pg_constraint
      UNION ALL SELECT count(*)::text || ' ' || pg_catalog.sum(xmin::text::int8)::text
        FROM pg_catalog.pg_attribute
        WHERE attnum > 0 AND attrelid IN (SELECT oid FROM shown)
      UNION ALL SELECT \(triggerFunction)::oid::text
    ) AS t LIMIT 1
    """

  /// The trigger function in SQL; NULL if it is not installed.
  private static let triggerFunction =
    "pg_catalog.to_regprocedure('\(PostgresTriggers.schema).notify()')"

  private static func text(_ sql: String, _ session: PostgresSession) throws -> String {
    let rows = try session.rows(sql)
    return try rows.step() ? rows.text(0) : ""
  }

  /// Starts listening for notifications; returns false if no triggers send them.
  static func listen(_ session: PostgresSession) throws -> Bool {
    let installed = try text(
      "SELECT (\(triggerFunction) IS NOT NULL)::text LIMIT 1", session)
    guard installed == "true" else { return false }
    try session.run("LISTEN \(PostgresTriggers.channel)")
    return true
  }
}

// Detects changes by other programs.
extension PostgresStore {
  /// Watches the database until the store is deallocated.
  ///
  /// - Parameter watching: The state of the database before the store's catalog was read, so that no
  ///   change is missed.
  static func follow(
    _ store: PostgresStore, _ connection: PostgresConnection, _ watching: PostgresWatching
  ) -> Task<Void, Never> {
    Task { [weak store, clock = store.clock] in
      var watching = watching
      while !Task.isCancelled {
        do {
          var next = watching
          let (finding, hasMore) = try await next.look(connection)
          await store?.show(next.detection)
          // If reading fails, the change is detected again, since the state was not updated.
          guard try await store?.applyFinding(finding) != nil else { return }
          watching = next
          // The socket becomes readable when a notification arrives or the server closes the
          // connection.
          let notices = try await connection.notices(
            within: hasMore ? .zero : PostgresWatching.interval)
          if !notices.isEmpty { try await store?.applyFinding(.rows(of: nil)) }
        } catch is CancellationError {
          return
        } catch {
          guard await store?.lose(error) != nil else { return }
          await connection.close()
          guard (try? await clock.sleep(for: PostgresWatching.interval)) != nil else { return }
        }
      }
    }
  }
}
