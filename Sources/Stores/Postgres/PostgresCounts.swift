import InstaQL

/// Counts the rows of small tables, and estimates the rows of other tables from statistics.
enum PostgresCounts {
  static func numbers(
    _ session: PostgresSession, _ shape: SchemaMapping
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
        // The rows of a broken or unpopulated view cannot be counted.
        continue
      }
    }
    return (numbers, estimated)
  }

  /// Returns the number of rows of a table; nil if it exceeds the limit.
  static func count(
    _ table: DatabaseCatalog.Table, _ session: PostgresSession,
    maxCount: Int = PostgresCatalog.maxSmallTable
  ) throws -> Int? {
    let rows = try session.rows(
      "SELECT count(*) FROM (SELECT 1 FROM \(table.sqlName) AS r LIMIT $1::int8) AS t",
      [String(maxCount + 1)])
    guard try rows.step() else { return nil }
    let count = Int(rows.integer(0))
    return count <= maxCount ? count : nil
  }
}
