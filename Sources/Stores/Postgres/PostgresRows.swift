import InstaQL
import Triples

/// The rows of a result, which arrive in one or several chunks.
final class PostgresRows {
  private let library: LibPQ
  private var result: LibPQ.Result
  private var count: CInt
  private var row: CInt = -1
  /// Fetches the next chunk; nil if there is none.
  private var next: (() throws -> PostgresRows)?

  /// Creates rows from a result of libpq.
  ///
  /// - Parameter result: The result. It is freed together with the rows.
  init(
    _ library: LibPQ, _ result: LibPQ.Result, next: (() throws -> PostgresRows)? = nil
  ) {
    self.library = library
    self.next = next
    self.result = result
    count = library.rowCount(result)
  }

  deinit { if !isLent { library.clear(result) } }

  private var isLent = false

  /// The number of rows that a statement changed.
  var affected: Int {
    library.affectedRows(result).flatMap { Int(String(cString: $0)) } ?? 0
  }

  var rowCount: Int { Int(count) }

  func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
    guard let start = library.value(result, row, column) else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    let length = Int(library.length(result, row, column))
    return UnsafeBufferPointer(
      start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: length)
  }
}

extension PostgresRows: DatabaseRows {
  func step() throws -> Bool {
    row += 1
    if row < count { return true }
    guard let next, count > 0 else { return false }
    let portion = try next()
    swap(&result, &portion.result)
    count = library.rowCount(result)
    row = 0
    return count > 0
  }

  /// Returns the same rows, followed by further chunks.
  func followed(by next: @escaping () throws -> PostgresRows) -> PostgresRows {
    let rows = PostgresRows(library, result, next: next)
    // The returned rows free the result, so this object must not.
    isLent = true
    return rows
  }

  func texts(from column: Int32) -> [String?] {
    (column..<library.columnCount(result)).map { isNull($0) ? nil : text($0) }
  }

  func reset() { (row, next) = (count, nil) }

  func isNull(_ column: Int32) -> Bool { library.isNull(result, row, column) == 1 }

  func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

  func integer(_ column: Int32) -> Int64 {
    var (number, isNegative): (Int64, Bool) = (0, false)
    for byte in bytes(column) {
      if byte == UInt8(ascii: "-") {
        isNegative = true
      } else {
        // The number is accumulated with a negative sign, because the negative range is larger by
        // one.
        number = number &* 10 &- Int64(byte &- UInt8(ascii: "0"))
      }
    }
    return isNegative ? number : 0 &- number
  }

  func double(_ column: Int32) -> Double { Double(text(column)) ?? .nan }

  func bool(_ column: Int32) -> Bool { bytes(column).first == UInt8(ascii: "t") }

  func value(_ column: Int32, _ cell: CellReader) -> Value {
    if isNull(column) { return .null }
    return cell.form.map { $0.value(self, column) } ?? .text(text(column))
  }
}

extension SQLColumnType {
  /// Reads the value of a column that was selected with ``selection(of:isShown:)``.
  fileprivate func value(_ rows: PostgresRows, _ column: Int32) -> Value {
    switch form {
    case .integer: return .integer(rows.integer(column))
    case .float: return Self.double(of: rows.text(column))
    case .numeric:
      let text = rows.text(column)
      return roundsLargeNumbers ? Self.number(of: text) : Value(exactNumber: text) ?? .text(text)
    case .boolean: return .bool(rows.bool(column))
    case .text, .uuid, .enumeration, .other: return .text(rows.text(column))
    case .date: return .text(rows.text(column))
    case .timestamp: return .text(Self.moment(rows.text(column), zone: ""))
    case .timestamptz: return .text(Self.moment(rows.text(column), zone: "Z"))
    case .json, .unordered:
      let text = rows.text(column)
      guard roundsLargeNumbers || !JSONReader.roundsNumbers(of: text),
        let value = try? JSONReader.value(of: Array(text.utf8), options: Self.numberOptions)
      else { return .text(text) }
      return value
    case .bytes:
      let text = rows.text(column)
      if let count = Int64(text) { return ["bytes": .integer(count)] }
      return .text(String(text.dropFirst()))
    }
  }

  /// The options for reading JSON. An integer beyond 64 bits is a double.
  static let numberOptions = JSONOptions(largeIntegers: .doubles)

  /// Converts a number to JSON, and rounds it if no double represents it exactly. NaN and infinities
  /// become texts, since JSON does not have them.
  private static func number(of text: String) -> Value {
    Int64(text).map { .integer($0) } ?? double(of: text)
  }

  private static func double(of text: String) -> Value {
    guard let number = Double(text), number.isFinite else { return .text(text) }
    return .double(number)
  }

  /// Converts a timestamp such as `2025-01-10 10:00:00.5+00` to ISO 8601. Dates beyond ISO 8601
  /// (`infinity`, BC, after the year 9999) stay as the server prints them.
  private static func moment(_ text: String, zone: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.count >= 19, bytes[10] == UInt8(ascii: " "), !text.hasSuffix("BC") else {
      return text
    }
    let time = text.dropFirst(11)
    return "\(text.prefix(10))T\(time.hasSuffix("+00") ? time.dropLast(3) : time)\(zone)"
  }
}
