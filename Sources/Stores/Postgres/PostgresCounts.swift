import InstaQL

/// The numbers of rows of tables: counted if small, and otherwise estimated from statistics.
struct PostgresCounts: Sendable {
  private(set) var numbers: [String: Int] = [:]
  private(set) var estimated: Set<String> = []
  /// The relations whose rows cannot be counted in time. They are not counted again.
  private(set) var slow: Set<String> = []

  /// The maximum time for counting a relation without statistics, such as a view, in seconds.
  private static let maxSeconds = 1

  init() {}

  /// Counts the rows, except of relations that earlier counts found to be slow.
  init(_ session: PostgresSession, _ shape: SchemaMapping, after earlier: PostgresCounts) throws {
    slow = earlier.slow
    for namespace in shape.names.namespaces where !slow.contains(namespace.table.name) {
      let table = namespace.table
      if let estimate = table.estimate, estimate > PostgresCatalog.maxSmallTable {
        numbers[table.name] = estimate
        estimated.insert(table.name)
        continue
      }
      do {
        numbers[table.name] = try Self.countInTime(table, session)
      } catch let error as PostgresError where !error.isConnectionLost && !error.isCancelled {
        // The rows of a broken or unpopulated view cannot be counted.
        if error.isTimeout { slow.insert(table.name) }
      }
    }
  }

  private static func countInTime(
    _ table: DatabaseCatalog.Table, _ session: PostgresSession
  ) throws -> Int? {
    guard table.estimate == nil else { return try count(table, session) }
    // The timeout ends with the transaction, also if the count is canceled.
    try session.run("BEGIN READ ONLY; SET LOCAL statement_timeout = '\(maxSeconds)s'")
    let result = Result { try count(table, session) }
    try session.run("ROLLBACK")
    return try result.get()
  }

  /// Returns the number of rows of a table; nil if it exceeds the limit.
  static func count(
    _ table: DatabaseCatalog.Table, _ session: PostgresSession,
    maxCount: Int = PostgresCatalog.maxSmallTable
  ) throws -> Int? {
    let rows = try session.rows(
      "SELECT count(*) FROM (SELECT 1 FROM \(table.sqlRows) AS r LIMIT $1::int8) AS t",
      [String(maxCount + 1)])
    guard try rows.step() else { return nil }
    let count = Int(rows.integer(0))
    return count <= maxCount ? count : nil
  }
}
