import Triples

// Conditions on columns that may contain values of any type. By the column's affinity, SQLite would
// convert between texts and numbers; the query engine never does.
extension SQLWriter {
  /// Returns a comparison for columns with values of several types. It is never null, and true only
  /// if the value has the type of the operand.
  mutating func looseTest(
    _ end: End, _ sign: String, _ value: Value
  ) throws(QueryError) -> String {
    guard let attribute = end.attribute else { return keyTest(end, sign, value) }
    if attribute.checkedType == .date { return try instantTest(end, sign, value) }
    let text = end.text
    let isNumber = "typeof(\(text)) IN ('integer', 'real')"
    switch value {
    case .text:
      return "(typeof(\(text)) = 'text' AND \(text) \(sign) \(bind(value)) COLLATE BINARY)"
    case .integer, .double:
      // In boolean columns, 0 and 1 are not numbers.
      let others = attribute.checkedType == .boolean ? " AND \(text) NOT IN (0, 1)" : ""
      return "(\(isNumber)\(others) AND \(text) \(sign) \(bind(value)))"
    case .bool(let flag):
      guard attribute.checkedType == .boolean else { return Self.never }
      return "(typeof(\(text)) = 'integer' AND \(text) IN (0, 1) AND \(text) \(sign) "
        + "\(bind(.integer(flag ? 1 : 0))))"
    case .null, .array, .object: return Self.never
    }
  }

  /// The maximum number of separate tests for each row. If there are more, reading all rows is
  /// faster.
  private static let maxTests = 1_000

  /// Returns tests that a column has one of these values. The caller must join the tests with OR.
  ///
  /// If there are many values, they are bound as one list, provided that JSON represents them
  /// exactly.
  mutating func looseTests(_ end: End, isAnyOf values: [Value]) throws(QueryError) -> [String] {
    var (texts, integers, others) = ([Value](), [Value](), [Value]())
    let isListed = values.count > Self.maxFlatTests && end.attribute?.checkedType != .date
    for value in values {
      switch value {
      case .text(let text) where isListed && !text.utf8.contains(0): texts.append(value)
      case .integer where isListed: integers.append(value)
      case .text, .integer, .bool, .double, .null, .array, .object: others.append(value)
      }
    }
    guard others.count <= Self.maxTests else {
      throw .notInSQL(
        path: end.attribute?.label ?? "id", reason: "the list has too many values")
    }
    var tests: [String] = []
    if !texts.isEmpty {
      tests.append(
        "(typeof(\(end.text)) = 'text' AND \(end.text) COLLATE BINARY IN \(bind(list: texts)))")
    }
    if !integers.isEmpty {
      // In boolean columns, 0 and 1 are not numbers.
      let others =
        end.attribute?.checkedType == .boolean ? " AND \(end.text) NOT IN (0, 1)" : ""
      tests.append(
        "(typeof(\(end.text)) IN ('integer', 'real')\(others)"
          + " AND \(end.text) IN \(bind(list: integers)))")
    }
    for value in others { tests.append(try looseTest(end, "=", value)) }
    return tests
  }

  /// Binds the values as one JSON list, and returns a subquery with a row for each value.
  private mutating func bind(list values: [Value]) -> String {
    "(SELECT value FROM json_each(\(bind(.text(JSONWriter.text(.array(values)))))))"
  }

  private mutating func keyTest(_ end: End, _ sign: String, _ value: Value) -> String {
    guard case .text(let text) = value else { return Self.never }
    let id = EntityID(text)
    if sign == "=", let high = end.high {
      guard let number = id.number(in: high) else { return Self.never }
      return "\(end.number) = \(bind(.integer(number)))"
    }
    return "\(end.text) \(sign) \(bind(.text(id.text)))"
  }

  /// Returns the test that a key is one of these ids, which are bound as one list.
  mutating func keyTest(_ end: End, isIn values: [Value]) -> String {
    let ids = values.compactMap { value -> EntityID? in
      if case .text(let text) = value { EntityID(text) } else { nil }
    }
    let listed: [String]
    if let high = end.high {
      listed = ids.compactMap { $0.number(in: high) }.map(String.init)
    } else {
      listed = ids.map { JSONWriter.text(.text($0.text)) }
    }
    let list = bind(.text("[" + listed.joined(separator: ",") + "]"))
    return "\(end.high == nil ? end.text : end.number) IN (SELECT value FROM json_each(\(list)))"
  }

  private mutating func instantTest(
    _ end: End, _ sign: String, _ value: Value
  ) throws(QueryError) -> String {
    guard let instants = names.instants, let instant = Instant(queryValue: value) else {
      throw .notInSQL(
        path: end.attribute?.label ?? "", reason: "the compared string is not a date")
    }
    let moment = "\(instants)(\(end.text))"
    return
      "(\(moment) IS NOT NULL AND \(moment) \(sign) \(bind(.integer(instant.milliseconds))))"
  }
}
