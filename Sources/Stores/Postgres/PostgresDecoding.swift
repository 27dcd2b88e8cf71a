import InstaQL

/// Detects which tables other programs changed, by logical decoding.
///
/// The changes are read through a temporary replication slot with the plugin `test_decoding`. The
/// server drops the slot when its session ends, and ends a session that has read nothing for a
/// minute. It computes the names of the changed tables, so that rows are not transferred.
///
/// - Source: PostgreSQL's manual, chapter 49.
struct PostgresDecoding: Sendable, Hashable {
  /// The result of reading the slot.
  struct Changes: Sendable, Hashable {
    /// The changed tables as written in SQL, with the parents of partitions; nil if a change could
    /// belong to any table.
    var tables: Set<String>?
    /// Whether unread changes remain.
    var hasMore: Bool
    /// The size of the write-ahead log that the server keeps for the slot.
    var heldBytes: Int
  }

  /// The name of the slot.
  let slot: String
  /// The maximum size of the write-ahead log that the server may keep for the slot.
  let maxHeldBytes: Int

  /// The maximum number of changes per reading. A transaction is read completely.
  private static let maxChanges = 50_000
  /// The time after which the server ends a session that reads nothing, such as that of a stopped
  /// process.
  private static let maxIdleSeconds = 60

  /// Creates a slot in a session.
  ///
  /// It fails with a lock timeout while a transaction that began earlier is open.
  init(_ session: PostgresSession, maxHeldBytes: Int) throws(PostgresError) {
    slot = "sonde_\(session.backendID)_\(UInt32.random(in: 0 ... .max))"
    self.maxHeldBytes = maxHeldBytes
    try session.rows(
      "SELECT pg_catalog.pg_create_logical_replication_slot($1, 'test_decoding', true) LIMIT 1",
      [slot])
    // Servers before version 14 do not have this setting.
    try session.rows(
      """
      SELECT pg_catalog.set_config(name, $1, false) FROM pg_catalog.pg_settings
      WHERE name = 'idle_session_timeout' LIMIT 1
      """, ["\(Self.maxIdleSeconds)s"])
  }

  /// Returns the reason for an error of reading the slot, as a short text for the header.
  static func failure(_ error: PostgresError) -> String {
    error.isTimeout
      ? "decoding takes longer than \(PostgresSettings.statementTimeoutSeconds) s" : error.message
  }

  /// Returns the reason for an error of creating the slot, as a short text for the header.
  static func refusal(_ error: PostgresError) -> String {
    switch error.state {
    case "42501": "your role lacks REPLICATION"
    case "53400": "no replication slot is free"
    case "55P03", "57014": "another transaction stays open too long"
    case "58P01": "the server lacks the plugin test_decoding"
    case "55000" where error.message.contains("wal_level"): "wal_level is not logical"
    case "55000" where error.message.contains("recovery"): "the server is a standby"
    default: error.message
    }
  }

  /// Reads the changes since the last call.
  func changes(_ session: PostgresSession) throws -> Changes {
    let rows = try session.rows(
      """
      WITH changes AS MATERIALIZED (
        SELECT pg_catalog.left(data, 8000) AS data
        FROM pg_catalog.pg_logical_slot_get_changes(
          $1, NULL, $2::int4, 'include-xids', '0', 'skip-empty-xacts', '1'))
      SELECT substring(data FROM '^table (\(Self.name)(?:, \(Self.name))*): [A-Z]'),
        data LIKE 'table %', count(*)
      FROM changes GROUP BY 1, 2 LIMIT 100000
      """, [slot, String(Self.maxChanges)])
    var (count, texts, isKnown) = (0, [] as [String], true)
    while try rows.step() {
      count += Int(rows.integer(2))
      guard rows.bool(1) else { continue }
      if rows.isNull(0) { isKnown = false } else { texts.append(rows.text(0)) }
    }
    let tables = try isKnown ? Self.shownTables(texts, session) : nil
    return Changes(
      tables: tables, hasMore: count >= Self.maxChanges, heldBytes: try heldBytes(session))
  }

  /// A regular expression for a table's name as the plugin writes it.
  private static let name = #"\#(word)\.\#(word)"#
  private static let word = #"(?:"(?:[^"]|"")+"|[a-z0-9_]+)"#

  /// Returns the tables that the plugin named, and the tables whose partitions or inheriting tables
  /// they are; nil if one of them no longer exists.
  private static func shownTables(
    _ texts: [String], _ session: PostgresSession
  ) throws -> Set<String>? {
    if texts.isEmpty { return [] }
    let rows = try session.rows(
      """
      WITH RECURSIVE named AS MATERIALIZED (
        SELECT DISTINCT found[1] AS name FROM pg_catalog.unnest($1::text[]) AS texts(text),
          pg_catalog.regexp_matches(text, '(\(name))', 'g') AS found),
      above(oid, isnamed) AS (
        SELECT c.oid, true FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        JOIN named ON named.name = pg_catalog.format('%I.%I', n.nspname, c.relname)
        UNION SELECT i.inhparent, false FROM above JOIN pg_catalog.pg_inherits AS i
          ON i.inhrelid = above.oid)
      SELECT n.nspname, c.relname, above.isnamed, (SELECT count(*) FROM named)
      FROM above JOIN pg_catalog.pg_class AS c ON c.oid = above.oid
      JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace LIMIT 100000
      """, [SQLDialect.postgres.array(texts)])
    var (tables, found, named) = (Set<String>(), 0, 1)
    while try rows.step() {
      tables.insert("\(rows.text(0).quotedSQL).\(rows.text(1).quotedSQL)")
      if rows.bool(2) { found += 1 }
      named = Int(rows.integer(3))
    }
    return found == named ? tables : nil
  }

  private func heldBytes(_ session: PostgresSession) throws -> Int {
    let rows = try session.rows(
      """
      SELECT pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_lsn(), restart_lsn)::int8
      FROM pg_catalog.pg_replication_slots WHERE slot_name = $1 LIMIT 1
      """, [slot])
    return try rows.step() ? Int(rows.integer(0)) : 0
  }
}
