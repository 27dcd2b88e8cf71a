import Triples

// Conditions on columns with strict types. If the type cannot represent a value, nothing equals the
// value, so it is never sent. Bound values are cast to the type, so that an index can be used.
extension SQLWriter {
  /// Returns the type of a column; nil for the id of an entity.
  ///
  /// - Throws: `notInSQL` if the attribute is not stored in a column.
  func type(_ end: End) throws(QueryError) -> SQLColumnType? {
    guard let attribute = end.attribute, !attribute.isIdentity else { return nil }
    if let type = names.types[attribute.id] { return type }
    throw .notInSQL(path: attribute.label, reason: "it is not stored in a column")
  }

  mutating func typedComparison(
    _ end: End, _ comparison: Comparison, _ value: Value
  ) throws(QueryError) -> String {
    switch comparison {
    case .equal: return try typedTest(end, "=", value)
    case .notEqual: return "NOT (\(try typedTest(end, "=", value)))"
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return try typedTest(end, comparison.spelling, value)
    case .like, .ilike:
      guard case .text(let pattern) = value else { return Self.never }
      return try typedShape(end, pattern, ignoringCase: comparison == .ilike)
    case .matches:
      throw .notInSQL(
        path: end.attribute?.label ?? "id", reason: "regular expressions are not supported")
    }
  }

  private mutating func typedTest(
    _ end: End, _ sign: String, _ value: Value
  ) throws(QueryError) -> String {
    guard let own = try type(end) else { return try typedKeyTest(end, sign, [value]) }
    let (end, type) = compared(end, own, sign)
    guard let (sign, literal) = type.literal(value, sign) else {
      guard sign == "=" || type.isComparedByType(with: value) else {
        throw .notInSQL(
          path: end.attribute?.label ?? "id",
          reason: "the database sorts values of different types in another order than Sonde")
      }
      return Self.never
    }
    if sign != "=", type.comparisonKind == .texts {
      return try typedTextTest(end, type, sign, literal)
    }
    let column = type.operand(end.text, sign)
    return
      "(\(end.text) IS NOT NULL AND \(column) \(sign) \(bind(.text(literal)))::\(type.cast(sign)))"
  }

  /// Returns a `<` or `>` comparison of texts by UTF-16 code units, as in the query language.
  private mutating func typedTextTest(
    _ end: End, _ type: SQLColumnType, _ sign: String, _ literal: String
  ) throws(QueryError) -> String {
    try checkUnicode(end)
    // The collation "C" compares code points. If UTF-16 sorts no character of the bound text
    // differently, the order is the same, and an index can be used.
    guard CodeUnitOrder.differs(for: literal) else {
      return "(\(end.text) IS NOT NULL AND \(type.operand(end.text, sign)) \(sign) "
        + "\(bind(.text(literal)))::\(type.cast(sign)))"
    }
    return "(\(end.text) IS NOT NULL AND \(CodeUnitOrder.key(of: end.text)) \(sign) "
      + "\(CodeUnitOrder.key(of: bind(.text(literal)))))"
  }

  private func checkUnicode(_ end: End) throws(QueryError) {
    guard names.isUnicode else {
      throw .notInSQL(
        path: end.attribute?.label ?? "",
        reason: "the database does not use Unicode, so it sorts strings in another order than Sonde"
      )
    }
  }

  /// Returns the test that a column has one of these values. Values are omitted if the column's
  /// type cannot represent them.
  mutating func typedTest(_ end: End, isIn values: [Value]) throws(QueryError) -> String {
    guard let own = try type(end) else { return try typedKeyTest(end, "=", values) }
    let null = values.contains(.null) ? typedNull(end, own) : nil
    let (end, type) = compared(end, own, "=")
    let literals = values.compactMap { value -> String? in
      type.literal(value, "=").map { $0.literal }
    }
    var tests: [String] = []
    if let null { tests.append(null) }
    if !literals.isEmpty {
      let list = dialect.array(literals)
      tests.append(
        "(\(end.text) IS NOT NULL AND \(type.operand(end.text, "=")) = ANY "
          + "(\(bind(.text(list)))::\(type.cast("="))[]))")
    }
    return tests.isEmpty ? Self.never : "(\(tests.joined(separator: " OR ")))"
  }

  /// Returns the test that a column is NULL, or contains the null of JSON.
  func typedNull(_ end: End, _ type: SQLColumnType) -> String {
    guard type.form == .json else { return "\(end.text) IS NULL" }
    return "(\(end.text) IS NULL OR \(end.text)::pg_catalog.jsonb = 'null'::pg_catalog.jsonb)"
  }

  private mutating func typedShape(
    _ end: End, _ pattern: String, ignoringCase: Bool
  ) throws(QueryError) -> String {
    guard let own = try type(end) else {
      throw .notInSQL(path: "id", reason: "ids are not stored in the database")
    }
    let hasTexts = own.form == .json && end.attribute?.checkedType == nil
    let (end, type) = hasTexts ? extracted(end, own, .string) : compared(end, own, "LIKE")
    switch type.form {
    case .text, .uuid, .enumeration, .other: break
    case .date, .timestamp, .timestamptz:
      throw .notInSQL(
        path: end.attribute?.label ?? "", reason: "the database does not store dates as text")
    case .integer, .float, .numeric, .boolean, .unordered, .bytes, .json: return Self.never
    }
    guard !pattern.utf8.contains(0) else { return Self.never }
    let plain = "\(type.text(of: end.text)) COLLATE \"C\""
    if ignoringCase, !pattern.utf8.allSatisfy({ $0 < 0x80 }) {
      try checkUnicode(end)
      let expression = PatternExpression.ignoringCase(pattern)
      return "(\(end.text) IS NOT NULL AND \(plain) ~ \(bind(.text(expression))))"
    }
    // The collation "C" knows upper and lower case only for ASCII letters. For an ASCII pattern,
    // that is enough.
    let isPlain =
      type.isDeterministic && type.form == .text && !type.isPadded && !ignoringCase
    return "(\(end.text) IS NOT NULL AND \(isPlain ? end.text : plain) "
      + "\(ignoringCase ? "ILIKE" : "LIKE") \(bind(.text(Self.closed(pattern)))) ESCAPE '\\')"
  }

  /// Returns the pattern with a backslash at its end doubled, because PostgreSQL rejects an
  /// incomplete escape.
  private static func closed(_ pattern: String) -> String {
    let backslashes = pattern.reversed().prefix { $0 == "\\" }.count
    return backslashes.isMultiple(of: 2) ? pattern : pattern + "\\"
  }

  // MARK: Ids

  /// Returns the test that a row's id is one of these values.
  private mutating func typedKeyTest(
    _ end: End, _ sign: String, _ values: [Value]
  ) throws(QueryError) -> String {
    guard sign == "=" else {
      throw .notInSQL(
        path: "id",
        reason: "ids are not stored in the database, so they can only be compared with =")
    }
    guard let key = names.rowKeys[end.namespace], !key.locator.isEmpty else {
      throw .notInSQL(path: end.namespace, reason: "its rows have no key")
    }
    let ids = values.compactMap { value -> EntityID? in
      // Ids are lowercase.
      if case .text(let text) = value, EntityID(text).text == text { EntityID(text) } else { nil }
    }
    let rows = ids.compactMap { key.locator(of: $0) }
    if rows.isEmpty {
      guard key.canFind(ids) else {
        throw .notInSQL(
          path: end.namespace,
          reason: "rows with this id must be read first, because the database does not store ids")
      }
      return Self.never
    }
    let lists = dialect.list(rows, columns: key.locator.count, areNumbers: key.high != nil)
    let columns = zip(lists, key.locator).map { (parameter: bind($0), type: $1.type) }
    if columns.count == 1, !SQLDialect.isArray(columns[0].type) {
      return "\(end.locator[0]) = ANY (\(columns[0].parameter)::\(columns[0].type)[])"
    }
    return "(\(end.locator.joined(separator: ", "))) IN \(SQLDialect.unnested(columns))"
  }

  /// Returns the test that a row's id begins with these hexadecimal digits.
  mutating func typedKeyTest(_ end: End, startsWith prefix: String) throws(QueryError) -> String {
    guard let key = names.rowKeys[end.namespace], !key.locator.isEmpty else {
      throw .notInSQL(path: end.namespace, reason: "its rows have no key")
    }
    let prefix = prefix.lowercased()
    if let high = key.high {
      guard let range = EntityID.numbers(startingWith: prefix, in: high) else { return Self.never }
      let (least, most) = (bind(.integer(range.lowerBound)), bind(.integer(range.upperBound)))
      return "(\(end.locator[0]) BETWEEN \(least)::pg_catalog.int8 AND \(most)::pg_catalog.int8)"
    }
    guard key.isUUID else {
      throw .notInSQL(path: end.namespace, reason: "its ids are not stored in the database")
    }
    let length = bind(.integer(Int64(prefix.unicodeScalars.count)))
    return "pg_catalog.left(\(end.locator[0])::text, \(length)::int) = \(bind(.text(prefix)))::text"
  }

  // MARK: Two columns

  /// Returns a comparison of two columns. It is false if either of them is NULL.
  func typed(_ left: End, _ right: End, _ sign: String) throws(QueryError) -> String {
    guard let own = try type(left), let other = try type(right) else {
      throw .notInSQL(path: "id", reason: "ids are not stored in the database")
    }
    let ((left, first), (right, second)) = (comparable(left, own), comparable(right, other))
    let (low, high) =
      sign == "=" && first.form == .json && second.form == .json
      ? (left.text, right.text) : try typedOperands(left, first, right, second, sign)
    return "(\(left.text) IS NOT NULL AND \(right.text) IS NOT NULL AND \(low) \(sign) \(high))"
  }

  private func typedOperands(
    _ left: End, _ first: SQLColumnType, _ right: End, _ second: SQLColumnType, _ sign: String
  ) throws(QueryError) -> (String, String) {
    guard let kind = first.comparisonKind, kind == second.comparisonKind else {
      throw .notInSQL(
        path: left.attribute?.label ?? "",
        reason: "the database cannot compare values of different types")
    }
    let (text, other) = (first.text(of: left.text), second.text(of: right.text))
    switch kind {
    case .numbers, .truths: return (left.text, right.text)
    case .texts where sign != "=":
      try checkUnicode(left)
      return (CodeUnitOrder.key(of: text), CodeUnitOrder.key(of: other))
    case .texts: return ("\(text) COLLATE \"C\"", "\(other) COLLATE \"C\"")
    case .moments:
      let type = "::pg_catalog.timestamptz"
      return (left.text + type, right.text + type)
    }
  }

  // MARK: Order

  /// Returns the expressions that sort by a column, with the types to which texts are cast to
  /// compare them. `text` is the SQL text of the column.
  func typedOrder(
    _ text: String, _ attribute: Attribute
  ) throws(QueryError) -> [(text: String, type: String)] {
    guard let type = names.types[attribute.id] else {
      throw .notInSQL(path: attribute.label, reason: "it is not stored in a column")
    }
    switch type.form {
    case .integer, .float, .numeric, .boolean, .date, .timestamp, .timestamptz, .uuid:
      return [(text, type.name)]
    case .text:
      return [(type.ordered(type.name == "pg_catalog.text" ? text : "\(text)::text"), "text")]
    case .enumeration, .other: return [(type.ordered(type.text(of: text)), "text")]
    case .json:
      guard let kind = attribute.checkedType else { return type.jsonOrder(text) }
      let (value, extracted) = (type.extracted(kind, from: text), type.extractedType(kind))
      return [(kind == .string ? extracted.ordered(value) : value, extracted.name)]
    case .unordered, .bytes:
      throw .notInSQL(path: attribute.label, reason: "its values have different types")
    }
  }
}

extension EntityID {
  /// Returns the range of rowids whose ids begin with this prefix, which has hexadecimal digits and
  /// hyphens. Nil if there are no such rowids.
  ///
  /// - Parameter high: The upper 64 bits of all ids.
  static func numbers(startingWith prefix: String, in high: UInt64) -> ClosedRange<Int64>? {
    let digits = prefix.filter { $0 != "-" }
    guard digits.count <= 32, digits.allSatisfy(\.isHexDigit) else { return nil }
    let least = digits + String(repeating: "0", count: 32 - digits.count)
    let most = digits + String(repeating: "f", count: 32 - digits.count)
    guard let lowHigh = UInt64(least.prefix(16), radix: 16),
      let highHigh = UInt64(most.prefix(16), radix: 16), (lowHigh...highHigh).contains(high),
      let first = UInt64(least.suffix(16), radix: 16),
      let last = UInt64(most.suffix(16), radix: 16)
    else { return nil }
    // The variant of a UUID occupies two bits, so the lower halves of all ids are in this range.
    let all = (UInt64(0b10) << 62)...(UInt64(0b10) << 62 | (1 << 62 - 1))
    let from = digits.count > 16 ? max(first, all.lowerBound) : all.lowerBound
    let to = digits.count > 16 ? min(last, all.upperBound) : all.upperBound
    guard from <= to else { return nil }
    let half = Int64(1) << 61
    return Int64(from & (1 << 62 - 1)) - half...Int64(to & (1 << 62 - 1)) - half
  }
}
