import GRDB
import GRDBSQLite

/// The number of foreign-key violations per table.
struct ForeignKeyViolations {
  private(set) var counts: [String: Int] = [:]

  /// Counts the violations of foreign keys that reference any of the given tables.
  ///
  /// - Complexity: O(rows of the referencing tables).
  init(to tables: Set<String>, _ db: Database, _ names: DatabaseNames) throws {
    var sources: Set<String> = []
    for link in names.links {
      if tables.contains(link.key.target) { sources.insert(link.table) }
      if let joined = link.joined, tables.contains(joined.target) { sources.insert(link.table) }
    }
    for source in sources {
      let count = try Int.fetchOne(
        db, sql: "SELECT count(*) FROM pragma_foreign_key_check(?)", arguments: [source])
      if let count, count > 0 { counts[source] = count }
    }
  }

  /// Returns whether the current transaction violates foreign keys, so that its commit would fail.
  static func areLeft(in db: Database) -> Bool {
    var (now, highest): (Int32, Int32) = (0, 0)
    sqlite3_db_status(db.sqliteConnection, SQLITE_DBSTATUS_DEFERRED_FKS, &now, &highest, 0)
    return now != 0
  }

  /// Returns how many more violations each table has than in `others`.
  func without(_ others: ForeignKeyViolations) -> [(table: String, rows: Int)] {
    counts.map { table, count in (table, count - others.counts[table, default: 0]) }
      .filter { $0.1 > 0 }.sorted { $0.0 < $1.0 }
  }
}
