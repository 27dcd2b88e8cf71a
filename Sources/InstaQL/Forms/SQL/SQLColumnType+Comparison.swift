import Triples

// How SQL compares the values of a column type, and writes them as literals.
extension SQLColumnType {
  enum ComparisonKind { case numbers, truths, texts, moments }

  var comparisonKind: ComparisonKind? {
    switch form {
    case .integer, .float, .numeric: .numbers
    case .boolean: .truths
    case .text, .uuid, .enumeration, .other: .texts
    case .date, .timestamp, .timestamptz: .moments
    case .json, .unordered, .bytes: nil
    }
  }

  /// Returns whether columns of this type can be compared with this kind of value.
  ///
  /// If so, but the type has no literal for the value, such as 5.5 for an integer, no row is equal
  /// to the value.
  func isComparedByType(with value: Value) -> Bool {
    switch (comparisonKind, value) {
    case (.numbers, .integer), (.numbers, .double), (.texts, .text), (.truths, .bool): true
    default: false
    }
  }

  /// Whether values are padded with spaces, as of CHAR(n). Converted to text, they are not.
  var isPadded: Bool { name == "pg_catalog.bpchar" }

  /// Returns the SQL expression for the column as an operand of the operator `sign`.
  func operand(_ column: String, _ sign: String) -> String {
    let isEquality = sign == "="
    switch form {
    case .integer:
      return ["pg_catalog.int8", "pg_catalog.int4", "pg_catalog.int2"].contains(name)
        ? column : "\(column)::pg_catalog.int8"
    case .float, .boolean, .date, .timestamp, .timestamptz: return column
    case .numeric: return name == "pg_catalog.money" ? "\(column)::pg_catalog.numeric" : column
    case .text:
      if isEquality, isDeterministic { return column }
      return "\(isPadded ? "\(column)::text" : column) COLLATE \"C\""
    case .uuid, .enumeration:
      return isEquality ? column : "\(column)::text COLLATE \"C\""
    case .json: return "\(column)::pg_catalog.jsonb"
    case .other, .unordered, .bytes: return "\(text(of: column)) COLLATE \"C\""
    }
  }

  /// Returns the type to which a bound text is cast when it is an operand of the operator `sign`.
  func cast(_ sign: String) -> String {
    switch form {
    case .integer: "pg_catalog.int8"
    case .float: name
    case .numeric: "pg_catalog.numeric"
    case .boolean: "pg_catalog.bool"
    case .text where isPadded: sign == "=" ? "pg_catalog.bpchar" : "text"
    case .text: "text"
    case .uuid: sign == "=" ? "pg_catalog.uuid" : "text"
    case .enumeration: sign == "=" ? name : "text"
    case .date, .timestamp: "pg_catalog.timestamp"
    case .timestamptz: "pg_catalog.timestamptz"
    case .json: "pg_catalog.jsonb"
    case .unordered, .bytes, .other: "text"
    }
  }

  /// Returns the value as a text that the type can parse, and the operator to use with it. Nil if
  /// no row can match.
  ///
  /// For an integer column, `< 5.5` becomes `<= 5`.
  func literal(_ value: Value, _ sign: String) -> (sign: String, literal: String)? {
    switch (form, value) {
    case (.integer, .integer(let number)): return (sign, String(number))
    case (.integer, .double(let number)): return Self.whole(number, sign)
    case (.float, .integer(let number)): return (sign, String(number))
    case (.float, .double(let number)): return (sign, "\(number)")
    case (.numeric, .integer(let number)): return (sign, String(number))
    case (.numeric, .double(let number)): return (sign, "\(number)")
    case (.float, .text(let text)), (.numeric, .text(let text)):
      return sign == "=" && value.isNonFiniteNumber ? (sign, text) : nil
    case (.boolean, .bool(let flag)): return (sign, flag ? "t" : "f")
    case (.text, .text(let text)) where isPadded && sign == "=":
      // In CHAR(n), trailing spaces are padding, which the server ignores in comparisons.
      return text.utf8.contains(0) || text.hasSuffix(" ") ? nil : (sign, text)
    case (.text, .text(let text)), (.other, .text(let text)):
      return text.utf8.contains(0) ? nil : (sign, text)
    case (.uuid, .text(let text)):
      if sign != "=" { return text.utf8.contains(0) ? nil : (sign, text) }
      // Stored UUIDs are lowercase.
      return EntityID(text).isUUID && EntityID(text).text == text ? (sign, text) : nil
    case (.enumeration(let labels), .text(let text)):
      if sign != "=" { return text.utf8.contains(0) ? nil : (sign, text) }
      return labels.contains(text) ? (sign, text) : nil
    case (.date, _), (.timestamp, _), (.timestamptz, _):
      return Self.moment(value, sign)
    case (.json, .bool), (.json, .integer), (.json, .double), (.json, .text):
      guard sign == "=" else { return nil }
      if case .text(let text) = value, text.utf8.contains(0) { return nil }
      return (sign, JSONWriter.text(value))
    default: return nil
    }
  }

  private static func whole(_ number: Double, _ sign: String) -> (String, String)? {
    if let exact = Int64(exactly: number) { return (sign, String(exact)) }
    guard sign != "=", !number.isNaN else { return nil }
    let isBelow = sign.hasPrefix("<")
    if number >= 0x1p63 { return isBelow ? ("<=", String(Int64.max)) : nil }
    if number < -0x1p63 { return isBelow ? nil : (">=", String(Int64.min)) }
    return isBelow
      ? ("<=", String(Int64(number.rounded(.down)))) : (">=", String(Int64(number.rounded(.up))))
  }

  /// The earliest date that PostgreSQL has, except for `-infinity`.
  private static let earliest = (text: "4714-11-24 BC", milliseconds: -210_866_803_200_000 as Int64)

  /// Returns a date as a text that PostgreSQL accepts, with the operator to use; nil if no row can
  /// match. A text that is already plain keeps all digits of its fraction.
  private static func moment(_ value: Value, _ sign: String) -> (String, String)? {
    if case .text(let text) = value, DateLiteral.isInfinite(text) { return (sign, text) }
    guard let instant = Instant(queryValue: value) else { return nil }
    if instant.milliseconds < earliest.milliseconds {
      // The earliest date is greater than the value, too.
      return sign == "=" ? nil : (sign.hasPrefix("<") ? "<" : ">=", earliest.text)
    }
    if case .text(let text) = value, isPlain(text) || DistantDate(text) != nil {
      return (sign, text)
    }
    return (sign, instant.postgresText)
  }

  /// Returns whether a text is like `2025-01-10T10:00:00.123456Z`, or ends earlier, after the date
  /// or the time. PostgreSQL and the query engine parse such texts in the same way.
  private static func isPlain(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let shape = Array("dddd-dd-ddTdd:dd:dd".utf8)
    guard bytes.count >= 10 else { return false }
    for (byte, sign) in zip(bytes, shape) {
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      guard sign == UInt8(ascii: "d") ? isDigit : byte == sign else { return false }
    }
    if bytes.count == 10 { return true }
    guard bytes.count >= shape.count else { return false }
    var rest = bytes[shape.count...]
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst().drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
    return rest.isEmpty || rest.elementsEqual([UInt8(ascii: "Z")])
  }
}
