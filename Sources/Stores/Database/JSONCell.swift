import FoundationEssentials
import GRDB
import GRDBSQLite
import Triples

/// A cell of a SQLite column that is declared for JSON.
///
/// Such a column may contain JSON text, JSONB, numbers, and any other text or BLOB. A text that is
/// not JSON is read as that text.
enum JSONCell {
  /// Returns the value of a text: the JSON, or the text itself if it is not JSON or if one of its
  /// numbers would be rounded.
  static func value(ofText text: String) -> Value { document(text) ?? .text(text) }

  /// Returns the value of a BLOB; nil if the BLOB is not JSONB.
  static func value(ofBlob bytes: [UInt8]) -> Value? {
    guard let text = BinaryJSON.text(of: bytes) else { return nil }
    return document(text) ?? (JSONReader.isExactDocument(text) ? .text(text) : nil)
  }

  /// Returns the value of a cell as ``CellReader`` reads it.
  static func value(of cell: DatabaseValue) -> Value {
    switch cell.storage {
    case .null: .null
    case .int64(let number): .integer(number)
    case .double(let number):
      .double(min(max(number, -.greatestFiniteMagnitude), .greatestFiniteMagnitude))
    case .string(let text): value(ofText: text)
    case .blob(let data):
      value(ofBlob: [UInt8](data)) ?? ["bytes": .integer(Int64(data.count))]
    }
  }

  private static func document(_ text: String) -> Value? {
    guard !JSONReader.roundsNumbers(of: text) else { return nil }
    return try? JSONReader.value(of: text, options: JSONOptions(largeIntegers: .doubles))
  }

  // MARK: Writing

  /// Returns the text that represents a value: JSON, or an exact document as it is.
  static func text(of value: Value) -> String {
    if case .text(let text) = value, JSONReader.isExactDocument(text) { return text }
    return JSONWriter.text(value)
  }

  /// Converts a value to a cell of the same kind as the cell that it replaces: JSONB replaces
  /// JSONB, and a text that is not JSON replaces such a text. Otherwise the cell contains JSON text.
  static func cell(of value: Value, replacing old: DatabaseValue?) -> DatabaseValue {
    switch (value, old?.storage) {
    case (.null, _): return .null
    case (_, .blob(let data)?) where self.value(ofBlob: [UInt8](data)) != nil:
      if case .text(let text) = value, JSONReader.isExactDocument(text) {
        return text.databaseValue
      }
      return Data(BinaryJSON.blob(of: value)).databaseValue
    case (.text(let text), .string(let old)?)
    where !isJSON(old) && !isJSON(text):
      return text.databaseValue
    case (.integer(let number), _): return number.databaseValue
    case (.double(let number), _) where abs(number) == .greatestFiniteMagnitude:
      // JSON has no infinity, so it was read as the greatest finite number.
      return (number < 0 ? -Double.infinity : .infinity).databaseValue
    case (.double(let number), _): return number.databaseValue
    case (.bool, _), (.text, _), (.array, _), (.object, _): return text(of: value).databaseValue
    }
  }

  private static func isJSON(_ text: String) -> Bool {
    document(text) != nil || JSONReader.isExactDocument(text)
  }
}

extension ColumnValue {
  /// Reads a cell of a JSON column that is not written like this when its ``Value`` is written;
  /// nil for any other cell.
  init?(json statement: Statement, _ column: Int32) {
    switch statement.type(column) {
    case SQLITE_TEXT:
      guard let text = String(validating: statement.bytes(column), as: UTF8.self) else {
        self.init(unrepresentable: statement, column, of: nil)
        return
      }
      let value = JSONCell.value(ofText: text)
      if value != .null, JSONCell.text(of: value).isExactly(text) { return nil }
      self = .spelled(text, shown: value)
    case SQLITE_BLOB:
      let bytes = statement.bytes(column)
      guard let value = JSONCell.value(ofBlob: bytes) else {
        self.init(unrepresentable: statement, column, of: nil)
        return
      }
      self = .binary(bytes, shown: value)
    default: self.init(unrepresentable: statement, column, of: nil)
    }
  }

  /// Whether writing the shown value gives equal JSON in another format.
  var isReformatted: Bool {
    if case .spelled(_, let shown) = self {
      switch shown {
      case .array, .object, .bool: return true
      case .null, .integer, .double, .text: return false
      }
    }
    return false
  }

  /// The cell as a value of GRDB; nil for a text that is not UTF-8.
  var databaseValue: DatabaseValue? {
    switch self {
    case .value(let value): value
    case .spelled(let text, _): text.databaseValue
    case .binary(let bytes, _): Data(bytes).databaseValue
    case .text: nil
    }
  }
}
