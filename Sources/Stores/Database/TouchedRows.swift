import GRDB
import GRDBSQLite
import LiveQueries
import Triples

/// The rows that statements touch, cascades and triggers included, as SQLite tells of them.
///
/// Of tables without row numbers it does not tell.
final class TouchedRows {
  /// By table; of rows whose numbers were changed the new ones, and the old ones that are known.
  private(set) var numbers: [String: Set<Int64>] = [:]
  private(set) var count = 0
  /// What was made, by table.
  private(set) var made: [String: Set<Int64>] = [:]
  /// The new number of a row by its old one, by table.
  private(set) var moved: [String: [Int64: Int64]] = [:]

  /// Notes what is touched while the body runs, which is on the thread of the database.
  func noting<Result>(_ db: Database, _ body: () throws -> Result) rethrows -> Result {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_update_hook(
      db.sqliteConnection,
      { context, operation, _, table, number in
        guard let context, let table else { return }
        let touched = Unmanaged<TouchedRows>.fromOpaque(context).takeUnretainedValue()
        let name = String(cString: table)
        touched.insert(number, of: name)
        if operation == SQLITE_INSERT { touched.made[name, default: []].insert(number) }
      }, context)
    defer { sqlite3_update_hook(db.sqliteConnection, nil, nil) }
    return try body()
  }

  /// Notes that a row has another number: SQLite tells the new one alone.
  func move(_ number: Int64, to new: Int64, of table: String) {
    guard number != new else { return }
    insert(number, of: table)
    moved[table, default: [:]][number] = new
  }

  /// Records that an inserted row has another number than it was inserted with.
  func noteMade(_ number: Int64, of table: String) {
    insert(number, of: table)
    made[table, default: []].insert(number)
  }

  private func insert(_ number: Int64, of table: String) {
    // Rows beyond the limit of undo are only counted.
    if count <= UndoLimits.maxRows, numbers[table, default: []].insert(number).inserted {
      count += 1
    }
  }
}
