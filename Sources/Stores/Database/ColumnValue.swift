import FoundationEssentials
import GRDB
import GRDBSQLite
import Triples

/// A value to write to a column, in a form that a ``Value`` may not represent.
enum ColumnValue: Sendable {
  case value(DatabaseValue)
  /// A text that is not UTF-8.
  case text([UInt8])
  /// The text of PostgreSQL or of a JSON column, and the ``Value`` that represents it on the screen.
  case spelled(String, shown: Value)
  /// JSONB, and the ``Value`` that represents it on the screen.
  case binary([UInt8], shown: Value)

  /// Returns whether the screen displays this value as `value`.
  func isShown(as value: Value) -> Bool {
    switch self {
    case .text(let bytes): return value == .text(String(decoding: bytes, as: UTF8.self))
    case .spelled(_, let shown), .binary(_, let shown): return value == shown
    case .value(let stored):
      switch stored.storage {
      case .null: return value == .null
      case .int64(let number):
        return value == .integer(number) || value == .bool(number == 1)
      case .double(let number):
        let most = Double.greatestFiniteMagnitude
        return value == .double(min(max(number, -most), most))
      case .string(let text): return value == .text(text)
      case .blob(let data): return value == ["bytes": .integer(Int64(data.count))]
      }
    }
  }

  var isNull: Bool {
    switch self {
    case .value(let value): value.isNull
    case .text, .spelled, .binary: false
    }
  }

  /// The size of the PostgreSQL text in bytes; 0 for other values.
  var byteCount: Int {
    if case .spelled(let text, _) = self { text.utf8.count } else { 0 }
  }

  /// Reads a cell that no ``Value`` of the column's type represents exactly; nil for any other
  /// cell.
  ///
  /// Such cells contain BLOBs, invalid UTF-8, infinities or values of another type.
  init?(unrepresentable statement: Statement, _ column: Int32, of type: CheckedType?) {
    switch statement.type(column) {
    case SQLITE_NULL: return nil
    case SQLITE_BLOB: self = .value(Data(statement.bytes(column)).databaseValue)
    case SQLITE_TEXT:
      let bytes = statement.bytes(column)
      guard let text = String(validating: bytes, as: UTF8.self) else {
        self = .text(bytes)
        return
      }
      let isRepresentable =
        type == .date ? Instant(text) != nil : type?.accepts(.text(text)) ?? true
      if isRepresentable { return nil }
      self = .value(text.databaseValue)
    default:
      let value = CellReader(type, maxBytes: nil).value(statement, column)
      let number = statement.double(column)
      // A number beyond 64 bits cannot be written to an INTEGER column as a `Value`, so its cell is
      // kept.
      let isTaken = abs(number) < 0x1p63
      if isTaken, type?.accepts(value) ?? true { return nil }
      let isWhole = statement.type(column) == SQLITE_INTEGER
      self = .value(isWhole ? statement.integer(column).databaseValue : number.databaseValue)
    }
  }
}

extension Database {
  /// Executes a statement. Texts are bound with their length, since GRDB would cut them at a NUL.
  func run(_ sql: String, _ values: [ColumnValue]) throws {
    try makeStatement(sql: sql).run { statement in
      for (place, value) in zip(Int32(1)..., values) { statement.bind(place, value) }
    }
  }
}

extension Statement {
  fileprivate func bind(_ place: Int32, _ value: ColumnValue) {
    switch value {
    case .text(let bytes): bind(place, text: bytes)
    case .spelled(let text, _): bind(place, text)
    case .binary(let bytes, _): bind(place, blob: bytes)
    case .value(let value):
      switch value.storage {
      case .null: bindNull(place)
      case .int64(let number): bind(place, number)
      case .double(let number): bind(place, number)
      case .string(let text): bind(place, text)
      case .blob(let data): bind(place, blob: [UInt8](data))
      }
    }
  }
}
