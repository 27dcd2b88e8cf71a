import GRDB
import GRDBSQLite

/// Reads the BLOBs of a column directly into arrays, without the copy that a statement makes.
///
/// It must be used on the database's queue within one transaction.
final class BlobReader {
  private let connection: SQLiteConnection?
  private let table: String
  private let column: String
  private var blob: OpaquePointer?

  init(_ db: Database, table: String, column: String) {
    (connection, self.table, self.column) = (db.sqliteConnection, table, column)
  }

  deinit { sqlite3_blob_close(blob) }

  /// Reads the bytes of a row's BLOB; nil if the row or the BLOB is missing or unreadable.
  func bytes(ofRow row: Int64) -> [UInt8]? {
    guard turn(to: row) else { return nil }
    let count = sqlite3_blob_bytes(blob)
    if count == 0 { return [] }
    var status = SQLITE_OK
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, initialized in
      status = sqlite3_blob_read(blob, buffer.baseAddress, count, 0)
      initialized = status == SQLITE_OK ? Int(count) : 0
    }
    return status == SQLITE_OK ? bytes : nil
  }

  private func turn(to row: Int64) -> Bool {
    if blob != nil, sqlite3_blob_reopen(blob, row) == SQLITE_OK { return true }
    sqlite3_blob_close(blob)
    blob = nil
    return sqlite3_blob_open(connection, "main", table, column, row, 0, &blob) == SQLITE_OK
  }
}
