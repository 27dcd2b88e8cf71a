import Triples

/// Finds out that a database changed: by notices where triggers send them, and by asking each second.
struct PostgresWatching: Sendable {
  /// What was seen of the database when it was last asked.
  struct Signs: Sendable, Hashable {
    /// Moves with every transaction that writes, in any database of the server.
    var snapshot: String
    /// Rows that were written, by the statistics, which may be late.
    var written: String
    /// Of the tables and their columns.
    var tables: String
  }

  static let interval = Duration.seconds(1)
  /// After writes that no statistics tell of, questions are asked again this much later: statistics come up
  /// to 10 s late.
  static let lateStatistics = [Duration.seconds(2), .seconds(11)]

  private var known: Signs?
  private var doubts: [ContinuousClock.Instant] = []

  /// What follows from what was seen.
  enum Finding: Equatable { case nothing, rows, tables }

  mutating func compare(_ signs: Signs, at now: ContinuousClock.Instant) -> Finding {
    defer { known = signs }
    guard let known else { return .nothing }
    if signs.tables != known.tables { return .tables }
    if signs.written != known.written {
      doubts = []
      return .rows
    }
    if signs.snapshot != known.snapshot { doubts = Self.lateStatistics.map { now + $0 } }
    guard let first = doubts.first, first <= now else { return .nothing }
    doubts.removeFirst()
    return .rows
  }

  /// Asks for the signs; the costly ones only when something was written at all.
  static func signs(_ session: PostgresSession, since known: Signs?) throws -> Signs {
    let snapshot = try text(
      "SELECT CASE WHEN pg_catalog.pg_is_in_recovery() THEN pg_catalog.pg_last_wal_replay_lsn()::text "
        + "ELSE pg_catalog.pg_current_snapshot()::text END LIMIT 1", session)
    if let known, known.snapshot == snapshot { return known }
    let written = try text(
      """
      SELECT coalesce(pg_catalog.sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::text
      FROM pg_catalog.pg_stat_all_tables WHERE schemaname NOT LIKE 'pg\\_%' LIMIT 1
      """, session)
    let tables = try text(
      """
      SELECT coalesce(pg_catalog.sum(pg_catalog.hashtextextended(
        c.oid::text || c.relname || c.relnatts::text || n.nspname, 0)::numeric), 0)::text
      FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT LIKE 'pg\\_%' LIMIT 1
      """, session)
    return Signs(snapshot: snapshot, written: written, tables: tables)
  }

  private static func text(_ sql: String, _ session: PostgresSession) throws -> String {
    let rows = try session.rows(sql)
    return try rows.step() ? rows.text(0) : ""
  }

  /// Begins to listen; false where no triggers send notices.
  static func listen(_ session: PostgresSession) throws -> Bool {
    let installed = try text(
      "SELECT (pg_catalog.to_regprocedure('\(PostgresTriggers.schema).notify()') IS NOT NULL)::text "
        + "LIMIT 1", session)
    guard installed == "true" else { return false }
    try session.run("LISTEN \(PostgresTriggers.channel)")
    return true
  }
}

// Following what others write.
extension PostgresStore {
  /// Watches as long as the store is there.
  static func follow(_ store: PostgresStore, _ connection: PostgresConnection) -> Task<Void, Never>
  {
    Task { [weak store] in
      var watching = PostgresWatching()
      var known: PostgresWatching.Signs?
      var (session, isListening) = (0, false)
      while !Task.isCancelled {
        do {
          if await connection.sessions != session || session == 0 {
            isListening = try await connection.read { try PostgresWatching.listen($0) }
            session = await connection.sessions
            await store?.setLive(byNotices: isListening)
          }
          let signs = try await connection.read { [known] in
            try PostgresWatching.signs($0, since: known)
          }
          let finding = watching.compare(signs, at: .now)
          known = signs
          guard await store?.take(finding) != nil else { return }
          if isListening {
            let notices = try await connection.notices(within: PostgresWatching.interval)
            if !notices.isEmpty { await store?.take(.rows) }
          } else {
            try await Task.sleep(for: PostgresWatching.interval)
          }
        } catch is CancellationError {
          return
        } catch {
          guard await store?.lose(error) != nil else { return }
          await connection.close()
          session = 0
          known = nil
          // A cancelled wait ends with the loop.
          try? await Task.sleep(for: PostgresWatching.interval)
        }
      }
    }
  }
}
