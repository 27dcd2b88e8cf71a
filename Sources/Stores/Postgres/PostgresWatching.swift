import Triples

/// Detects changes of a database through notifications of triggers, and by polling each second.
struct PostgresWatching: Sendable {
  /// Fingerprints of the database's state at one poll; a difference means that the database
  /// changed.
  struct Signs: Sendable, Hashable {
    /// The transaction snapshot, which changes with every write transaction in any database of the
    /// server.
    var snapshot: String
    /// The counters of written rows. The server may update them late.
    var written: String
    /// A fingerprint of all tables and columns. It changes when a table or column is added, altered
    /// or dropped.
    var tables: String
  }

  static let interval = Duration.seconds(1)
  /// The delays after which queries run again if a transaction happened but no counter changed.
  ///
  /// The server may update its counters 10 s late.
  static let lateStatistics = [Duration.seconds(2), .seconds(11)]

  private(set) var known: Signs
  private let content: PostgresContent
  private var doubts: [ContinuousClock.Instant] = []

  /// Starts from known fingerprints.
  ///
  /// - Parameter known: The fingerprints, read before the catalog.
  init(_ content: PostgresContent, since known: Signs) {
    (self.content, self.known) = (content, known)
  }

  /// A detected change.
  enum Finding: Equatable { case nothing, rows, tables }

  mutating func compare(_ signs: Signs, at now: ContinuousClock.Instant) -> Finding {
    defer { known = signs }
    if signs.tables != known.tables { return .tables }
    if signs.written != known.written {
      doubts = []
      return .rows
    }
    if signs.snapshot != known.snapshot, content == .tables {
      doubts = Self.lateStatistics.map { now + $0 }
    }
    guard let first = doubts.first, first <= now else { return .nothing }
    doubts.removeFirst()
    return .rows
  }

  /// Reads the current fingerprints. Fingerprints that are slow to compute are read only if the
  /// transaction snapshot changed.
  static func signs(
    of content: PostgresContent, _ session: PostgresSession, since known: Signs?
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
    let written = try text(
      """
      SELECT coalesce(pg_catalog.sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::text
      FROM pg_catalog.pg_stat_all_tables WHERE schemaname NOT LIKE 'pg\\_%' LIMIT 1
      """, session)
    // ALTER TABLE updates one of these catalog rows, which changes its `xmin`.
    let tables = try text(
      """
      SELECT pg_catalog.sum(pg_catalog.hashtextextended(t.sign, 0)::numeric)::text FROM (
        SELECT c.oid::text || ' ' || c.xmin::text AS sign FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT LIKE 'pg\\_%'
        UNION ALL SELECT oid::text || ' ' || xmin::text FROM pg_catalog.pg_constraint
      ) AS t LIMIT 1
      """, session)
    return Signs(snapshot: snapshot, written: written, tables: tables)
  }

  private static func text(_ sql: String, _ session: PostgresSession) throws -> String {
    let rows = try session.rows(sql)
    return try rows.step() ? rows.text(0) : ""
  }

  /// Starts listening for notifications; returns false if no triggers send them.
  static func listen(_ session: PostgresSession) throws -> Bool {
    let installed = try text(
      "SELECT (pg_catalog.to_regprocedure('\(PostgresTriggers.schema).notify()') IS NOT NULL)::text "
        + "LIMIT 1", session)
    guard installed == "true" else { return false }
    try session.run("LISTEN \(PostgresTriggers.channel)")
    return true
  }
}

// Detects changes by other programs.
extension PostgresStore {
  /// Watches the database until the store is deallocated.
  ///
  /// - Parameter known: The fingerprints, read before the store's catalog so that no change is
  ///   missed.
  static func follow(
    _ store: PostgresStore, _ connection: PostgresConnection, since known: PostgresWatching.Signs
  ) -> Task<Void, Never> {
    Task { [weak store, clock = store.clock] in
      guard let content = store?.content else { return }
      var watching = PostgresWatching(content, since: known)
      var (session, isListening) = (0, false)
      while !Task.isCancelled {
        do {
          if await connection.sessions != session || session == 0 {
            isListening = try await connection.read { session in
              try content == .tables && PostgresWatching.listen(session)
            }
            session = await connection.sessions
            await store?.setLive(byNotices: isListening)
          }
          let signs = try await connection.read { [known = watching.known] in
            try PostgresWatching.signs(of: content, $0, since: known)
          }
          var next = watching
          let finding = next.compare(signs, at: .now)
          // If this fails, `watching` is not updated, so the same change is detected again.
          guard try await store?.applyFinding(finding) != nil else { return }
          watching = next
          // New tables may have triggers, so the store listens again.
          if finding == .tables { session = 0 }
          // The socket becomes readable when a notification arrives or the server closes the
          // connection.
          let notices = try await connection.notices(within: PostgresWatching.interval)
          if !notices.isEmpty { try await store?.applyFinding(.rows) }
        } catch is CancellationError {
          return
        } catch {
          guard await store?.lose(error) != nil else { return }
          await connection.close()
          session = 0
          guard (try? await clock.sleep(for: PostgresWatching.interval)) != nil else { return }
        }
      }
    }
  }
}
