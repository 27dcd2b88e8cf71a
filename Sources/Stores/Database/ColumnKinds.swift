import GRDB
import GRDBSQLite
import InstaQL
import Triples

/// The kinds of values found in a column.
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

  /// The type of all values seen; nil if there are several types, or no values.
  var onlyType: CheckedType? { seen.count == 1 && !hasOthers ? seen.first : nil }

  /// Returns the type to which SQLite's type affinity converts the values of a column.
  ///
  /// Nil if the column may contain values of several types, such as a column declared as BLOB.
  static func sureType(declared type: String) -> CheckedType? {
    if type.contains("INT") { return .number }
    if type.contains("CHAR") || type.contains("CLOB") || type.contains("TEXT") { return .string }
    if type.contains("BLOB") || type.isEmpty || isDate(type) || type.contains("BOOL") { return nil }
    if type.contains("REAL") || type.contains("FLOA") || type.contains("DOUB") { return .number }
    return nil
  }

  /// Adds the type of a row's value to the types seen so far.
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

/// Reads a column's values and converts them to the column's type.
struct CellReader {
  private let isTruth: Bool
  /// Whether the column is declared for JSON in SQLite.
  private let isJSON: Bool
  /// The maximum size of a text in bytes; longer texts are cut. Nil cuts no text.
  private let maxBytes: Int?
  private let spelling: BlobEncoder?
  /// The type of the column in a database that enforces types; nil in SQLite.
  let form: SQLColumnType?

  /// Creates a reader for a column of the given type.
  ///
  /// - Parameter spelling: Encodes BLOBs. If it is nil, only their sizes are read.
  init(
    _ type: CheckedType?, maxBytes: Int?, spelling: BlobEncoder? = nil,
    form: SQLColumnType? = nil, isJSON: Bool = false
  ) {
    self.form = form
    self.isJSON = isJSON
    isTruth = type == .boolean
    self.maxBytes = maxBytes
    self.spelling = spelling
  }

  func value(_ statement: Statement, _ column: Int32) -> Value {
    switch statement.type(column) {
    case SQLITE_NULL: return .null
    case SQLITE_INTEGER:
      let number = statement.integer(column)
      return isTruth && (number == 0 || number == 1) ? .bool(number == 1) : .integer(number)
    case SQLITE_FLOAT:
      // JSON has no infinity; the greatest finite number replaces it.
      let number = statement.double(column)
      let most = Double.greatestFiniteMagnitude
      return .double(min(max(number, -most), most))
    case SQLITE_TEXT:
      if isJSON {
        let value = JSONCell.value(ofText: statement.text(column))
        guard let maxBytes, case .text(var text) = value else { return value }
        return .text(text.withUTF8 { Self.cut($0, maxBytes) })
      }
      if let maxBytes { return .text(statement.withBytes(column) { Self.cut($0, maxBytes) }) }
      return .text(statement.text(column))
    default:
      if isJSON, let value = JSONCell.value(ofBlob: statement.bytes(column)) { return value }
      return spelling?.text(statement, column).map { .text($0) }
        ?? ["bytes": .integer(Int64(statement.byteCount(column)))]
    }
  }

  private static func cut(_ bytes: UnsafeBufferPointer<UInt8>, _ maxBytes: Int) -> String {
    if bytes.count <= maxBytes { return String(decoding: bytes, as: UTF8.self) }
    // Cuts between two characters, not within a character.
    var end = maxBytes
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: bytes[..<end], as: UTF8.self) + "…"
  }
}
