import GRDB
import GRDBSQLite
import InstaQL
import Triples

/// Which kinds of values a column holds.
struct ColumnKinds {
  private let isTruth: Bool
  private let isDate: Bool
  private var seen: Set<CheckedType> = []
  private var hasOthers = false

  init(declared type: String) {
    isTruth = type.contains("BOOL")
    isDate = Self.isDate(type)
  }

  private static func isDate(_ type: String) -> Bool {
    type.contains("DATE") || type.contains("TIME")
  }

  /// The one type that all values seen are of.
  var onlyType: CheckedType? { seen.count == 1 && !hasOthers ? seen.first : nil }

  /// What SQLite turns all values of a column into that can be turned; nil where it lets any value be.
  static func sureType(declared type: String) -> CheckedType? {
    if type.contains("INT") { return .number }
    if type.contains("CHAR") || type.contains("CLOB") || type.contains("TEXT") { return .string }
    if type.contains("BLOB") || type.isEmpty || isDate(type) || type.contains("BOOL") { return nil }
    if type.contains("REAL") || type.contains("FLOA") || type.contains("DOUB") { return .number }
    return nil
  }

  /// Looks at a value of the column.
  mutating func see(_ statement: Statement, _ column: Int32) {
    switch statement.type(column) {
    case SQLITE_NULL: break
    case SQLITE_INTEGER:
      let number = statement.integer(column)
      seen.insert(isTruth && (number == 0 || number == 1) ? .boolean : .number)
    case SQLITE_FLOAT: seen.insert(.number)
    case SQLITE_TEXT:
      seen.insert(isDate && Instant(statement.text(column)) != nil ? .date : .string)
    default: hasOthers = true
    }
  }
}

/// The values of a column as they are meant.
struct CellReader {
  private let isTruth: Bool
  /// Longer texts are cut; nil cuts none.
  private let mostBytes: Int?
  private let spelling: BytesSpelling?
  /// The type of the column, of a database that keeps to it.
  let form: SQLColumnType?

  /// - Parameter spelling: Says bytes; nil says how many they are.
  init(
    _ type: CheckedType?, mostBytes: Int?, spelling: BytesSpelling? = nil,
    form: SQLColumnType? = nil
  ) {
    self.form = form
    isTruth = type == .boolean
    self.mostBytes = mostBytes
    self.spelling = spelling
  }

  func value(_ statement: Statement, _ column: Int32) -> Value {
    switch statement.type(column) {
    case SQLITE_NULL: return .null
    case SQLITE_INTEGER:
      let number = statement.integer(column)
      return isTruth && (number == 0 || number == 1) ? .bool(number == 1) : .integer(number)
    case SQLITE_FLOAT:
      // JSON has no infinity; the greatest number there is stands in its place.
      let number = statement.double(column)
      let most = Double.greatestFiniteMagnitude
      return .double(min(max(number, -most), most))
    case SQLITE_TEXT:
      if let mostBytes { return .text(cut(statement, column, mostBytes)) }
      return .text(statement.text(column))
    default:
      return spelling?.text(statement, column).map { .text($0) }
        ?? ["bytes": .integer(Int64(statement.byteCount(column)))]
    }
  }

  private func cut(_ statement: Statement, _ column: Int32, _ most: Int) -> String {
    statement.withBytes(column) { bytes in
      if bytes.count <= most { return String(decoding: bytes, as: UTF8.self) }
      // Not in the middle of a character.
      var end = most
      while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
      return String(decoding: bytes[..<end], as: UTF8.self) + "…"
    }
  }
}
