import GRDB
import GRDBSQLite
import Triples

/// Direct SQLite calls on a prepared statement, for loops over millions of rows.
extension Statement {
  /// Advances to the next row. Returns false at the end; then the statement can be reused.
  func step() throws -> Bool {
    switch sqlite3_step(sqliteStatement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      sqlite3_reset(sqliteStatement)
      return false
    default:
      let error = failure
      sqlite3_reset(sqliteStatement)
      throw error
    }
  }

  /// Discards unread rows.
  func reset() { sqlite3_reset(sqliteStatement) }

  /// Binds values and executes the statement.
  func run(_ bind: (Statement) -> Void) throws {
    bind(self)
    while try step() {}
  }

  private var failure: DatabaseError {
    let connection = sqlite3_db_handle(sqliteStatement)
    let message = String(cString: sqlite3_errmsg(connection))
    return DatabaseError(
      resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)), message: message)
  }

  // MARK: Columns, from 0

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(sqliteStatement, column) }

  func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(sqliteStatement, column) == SQLITE_NULL
  }

  func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

  func bytes(_ column: Int32) -> [UInt8] {
    withBytes(column) { [UInt8]($0) }
  }

  /// Returns the size of a text or BLOB, without reading it.
  func byteCount(_ column: Int32) -> Int { Int(sqlite3_column_bytes(sqliteStatement, column)) }

  /// Passes the bytes of a text in UTF-8, or of a BLOB, to `body` without copying them.
  func withBytes<Result>(
    _ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    let start =
      type(column) == SQLITE_TEXT
      ? sqlite3_column_text(sqliteStatement, column).map { UnsafeRawPointer($0) }
      : sqlite3_column_blob(sqliteStatement, column)
    let count = Int(sqlite3_column_bytes(sqliteStatement, column))
    return try body(
      UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: count))
  }

  /// Returns the storage class of a column, such as `SQLITE_INTEGER`.
  func type(_ column: Int32) -> Int32 { sqlite3_column_type(sqliteStatement, column) }

  func double(_ column: Int32) -> Double { sqlite3_column_double(sqliteStatement, column) }

  // MARK: Parameters, from 1

  /// The destructor `SQLITE_TRANSIENT`, which makes SQLite copy bound values.
  private static var copied: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  func bind(_ place: Int32, _ number: Int64) { sqlite3_bind_int64(sqliteStatement, place, number) }

  func bind(_ place: Int32, _ number: Double) {
    sqlite3_bind_double(sqliteStatement, place, number)
  }

  /// Binds a column of another statement's row.
  func bind(_ place: Int32, _ row: Statement, _ column: Int32) {
    sqlite3_bind_value(sqliteStatement, place, sqlite3_column_value(row.sqliteStatement, column))
  }

  func bindNull(_ place: Int32) { sqlite3_bind_null(sqliteStatement, place) }

  func bind(_ place: Int32, _ text: String) {
    var text = text
    text.withUTF8 { bind(place, text: $0) }
  }

  /// Binds a text from bytes.
  func bind(_ place: Int32, text bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { bind(place, text: $0) }
  }

  private func bind(_ place: Int32, text bytes: UnsafeBufferPointer<UInt8>) {
    // An empty array has no address, and SQLite would bind null.
    let start = UnsafeRawPointer(bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!)
    sqlite3_bind_text64(
      sqliteStatement, place, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count),
      Self.copied, UInt8(SQLITE_UTF8))
  }

  func bind(_ place: Int32, blob: [UInt8]) {
    blob.withUnsafeBytes { bytes in
      if bytes.isEmpty {
        _ = sqlite3_bind_zeroblob(sqliteStatement, place, 0)
      } else {
        _ = sqlite3_bind_blob64(
          sqliteStatement, place, bytes.baseAddress, UInt64(bytes.count), Self.copied)
      }
    }
  }

  /// Binds an entity's id: 16 bytes, or a text.
  func bind(_ place: Int32, _ id: EntityID) {
    guard let (high, low) = id.uuidBits else { return bind(place, id.text) }
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes in
      _ = sqlite3_bind_blob64(sqliteStatement, place, bytes.baseAddress, 16, Self.copied)
    }
  }
}

extension EntityID {
  /// Reads the id in a statement's column; nil if the column contains no id.
  init?(_ statement: Statement, _ column: Int32) {
    switch statement.type(column) {
    case SQLITE_BLOB:
      let halves = statement.withBytes(column) { bytes -> (UInt64, UInt64)? in
        guard bytes.count == 16 else { return nil }
        let raw = UnsafeRawBufferPointer(bytes)
        return (
          UInt64(bigEndian: raw.loadUnaligned(as: UInt64.self)),
          UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
      }
      guard let (high, low) = halves else { return nil }
      self.init(high: high, low: low)
    case SQLITE_TEXT: self.init(statement.text(column))
    default: return nil
    }
  }
}

extension Database {
  /// Executes statements that may be slow or broken.
  ///
  /// - Returns: False if a statement fails, or needs more than `count` steps of SQLite's virtual
  ///   machine.
  func withinSteps(_ count: Int32, _ body: () throws -> Void) throws -> Bool {
    defer { endsStatementsOfCanceledTasks() }
    sqlite3_progress_handler(sqliteConnection, count, { _ in 1 }, nil)
    do {
      try body()
      return true
    } catch let error as DatabaseError where error.resultCode != .SQLITE_CORRUPT {
      return false
    }
  }

  /// Interrupts a statement when its task is canceled, even if it has only just started.
  ///
  /// GRDB interrupts only running statements. A statement that starts a moment later would run to
  /// its end, which can take minutes.
  func endsStatementsOfCanceledTasks() {
    sqlite3_progress_handler(
      sqliteConnection, Self.stepsBetweenLooks, { _ in Task.isCancelled ? 1 : 0 }, nil)
  }

  /// The number of instructions of SQLite's virtual machine between two checks for cancellation.
  /// This number of instructions takes less than a millisecond.
  private static let stepsBetweenLooks: Int32 = 10_000
}
