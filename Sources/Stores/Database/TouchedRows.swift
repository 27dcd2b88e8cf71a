import GRDB
import GRDBSQLite
import LiveQueries
import Triples

/// The rows that statements touch, cascades and triggers included, as SQLite tells of them.
///
/// Of tables without row numbers it does not tell.
final class TouchedRows {
  /// By table.
  private(set) var numbers: [String: Set<Int64>] = [:]
  private(set) var count = 0

  /// Notes what is touched while the body runs, which is on the thread of the database.
  func noting<Result>(_ db: Database, _ body: () throws -> Result) rethrows -> Result {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_update_hook(
      db.sqliteConnection,
      { context, _, _, table, number in
        guard let context, let table else { return }
        Unmanaged<TouchedRows>.fromOpaque(context).takeUnretainedValue()
          .insert(number, of: String(cString: table))
      }, context)
    defer { sqlite3_update_hook(db.sqliteConnection, nil, nil) }
    return try body()
  }

  private func insert(_ number: Int64, of table: String) {
    // More than can be taken back are counted, and not kept.
    if count <= UndoReach.mostRows, numbers[table, default: []].insert(number).inserted {
      count += 1
    }
  }
}
