import GRDB
import GRDBSQLite
import LiveQueries
import Triples

/// The rows that statements change, as SQLite's update hook reports them, including cascades and
/// triggers.
///
/// SQLite does not report rows of tables WITHOUT ROWID.
final class TouchedRows {
  /// The rowids of touched rows, keyed by table. For a row whose rowid changed, the set includes
  /// the new rowid, and the old rowid if it is known.
  private(set) var numbers: [String: Set<Int64>] = [:]
  private(set) var count = 0
  /// The rowids of inserted rows, keyed by table.
  private(set) var inserted: [String: Set<Int64>] = [:]
  /// The new rowid of each row whose rowid changed, keyed by table and then by the old rowid.
  private(set) var moved: [String: [Int64: Int64]] = [:]

  /// Records touched rows while `body` runs on the database's thread.
  func recordingChanges<Result>(_ db: Database, _ body: () throws -> Result) rethrows -> Result {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_update_hook(
      db.sqliteConnection,
      { context, operation, _, table, number in
        guard let context, let table else { return }
        let touched = Unmanaged<TouchedRows>.fromOpaque(context).takeUnretainedValue()
        let name = String(cString: table)
        touched.insert(number, of: name)
        if operation == SQLITE_INSERT { touched.inserted[name, default: []].insert(number) }
      }, context)
    defer { sqlite3_update_hook(db.sqliteConnection, nil, nil) }
    return try body()
  }

  /// Records a changed rowid, since SQLite reports only the new rowid.
  func move(_ number: Int64, to new: Int64, of table: String) {
    guard number != new else { return }
    insert(number, of: table)
    moved[table, default: [:]][number] = new
  }

  /// Records the final rowid of a row that was inserted with a temporary rowid.
  func recordInserted(_ number: Int64, of table: String) {
    insert(number, of: table)
    inserted[table, default: []].insert(number)
  }

  private func insert(_ number: Int64, of table: String) {
    // Rows beyond the limit of undo are only counted.
    if count <= UndoLimits.maxRows, numbers[table, default: []].insert(number).inserted {
      count += 1
    }
  }
}
