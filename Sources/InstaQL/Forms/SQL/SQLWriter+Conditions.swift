import Triples

extension SQLWriter {
  mutating func condition(
    _ node: ConditionNode, _ place: Place, depth: Int
  ) throws(QueryError) -> String {
    try Self.checkDepth(depth)
    if let text = try documentCondition(node, place) { return text }
    try checkPlain(node)
    switch node {
    case .compare(let path, let comparison, let value):
      return try follow(path, place, holdsForMissing: comparison == .notEqual) {
        (writer, end) throws(QueryError) in
        try writer.comparison(end, comparison, value)
      }
    case .isIn(let path, let values):
      return try follow(path, place, holdsForMissing: false) { (writer, end) throws(QueryError) in
        try writer.isIn(end, values)
      }
    case .isNull(let path, let isNull):
      return try follow(path, place, holdsForMissing: isNull) {
        (writer, end) throws(QueryError) in
        if end.isKey { return isNull ? Self.never : Self.always }
        if writer.names.isTyped, let type = try writer.type(end) {
          let test = writer.typedNull(end, type)
          return isNull ? test : "NOT (\(test))"
        }
        return end.text + (isNull ? " IS NULL" : " IS NOT NULL")
      }
    case .idStartsWith(let links, let prefix):
      let path = schema.identityPath(along: links, from: place.namespace)
      return try follow(path, place, holdsForMissing: false) { (writer, end) throws(QueryError) in
        if writer.names.isTyped { return try writer.typedKeyTest(end, startsWith: prefix) }
        let length = writer.bind(.integer(Int64(prefix.unicodeScalars.count)))
        return "substr(\(end.text), 1, \(length)) = \(writer.bind(.text(prefix.lowercased())))"
      }
    case .compareFields(let left, let comparison, let right):
      return try fields(left, comparison, right, place)
    case .all(let parts): return try list(parts, " AND ", Self.always, place, depth)
    case .any(let parts): return try list(Self.gathered(parts), " OR ", Self.never, place, depth)
    case .together(let parts):
      // A single path has no other with which to share a linked entity.
      guard parts.count(where: { !$0.isAboutOwnFields }) <= 1 else {
        throw .notInSQL(
          path: place.namespace,
          reason:
            "several conditions on links in 'together' are not supported; use any LINK (…)")
      }
      return try list(parts, " AND ", Self.always, place, depth)
    case .not(let inner): return "NOT (\(try condition(inner, place, depth: depth + 1)))"
    case .quantified(let quantifier, let path, let inner):
      let isEvery = quantifier == .every
      let text = try reach(path.labels[...], place) { (writer, there) throws(QueryError) in
        let text = try writer.condition(inner, there, depth: depth + 1)
        return isEvery ? "NOT (\(text))" : text
      }
      return quantifier == .some ? text : "NOT (\(text))"
    case .linkCount(let path, let comparison, let count):
      let sign = comparison == .notEqual ? "<>" : comparison.spelling
      return "(\(try self.count(of: path, place)) \(sign) \(bind(number: count)))"
    }
  }

  /// Throws `notInSQL` for computed values and regular expressions, because the database does not
  /// evaluate them.
  private func checkPlain(_ node: ConditionNode) throws(QueryError) {
    let paths: [AttributePath] =
      switch node {
      case .compare(let path, _, _), .isIn(let path, _), .isNull(let path, _): [path]
      case .compareFields(let left, _, let right): [left, right]
      case .idStartsWith, .all, .any, .together, .not, .quantified, .linkCount: []
      }
    for path in paths where path.expression != nil {
      throw .notInSQL(path: path.dotted, reason: "computed values are not supported")
    }
    if case .compare(let path, .matches, _) = node {
      throw .notInSQL(path: path.dotted, reason: "regular expressions are not supported")
    }
  }

  private mutating func list(
    _ parts: [ConditionNode], _ word: String, _ empty: String, _ place: Place, _ depth: Int
  ) throws(QueryError) -> String {
    var texts: [String] = []
    for part in parts { texts.append(try condition(part, place, depth: depth + 1)) }
    return texts.isEmpty ? empty : Self.joined(texts[...], word)
  }

  // MARK: Paths

  /// The SQL expression for the end of a path: a column, or the key of an entity.
  struct End {
    let text: String
    /// The column's attribute; nil for a key.
    let attribute: Attribute?
    /// The first column of the key's locator, such as the rowid. Empty if the end is not a key.
    var number = ""
    /// The upper 64 bits that all ids of the key's table share. Nil unless the lower 64 bits are
    /// the rowid.
    var high: UInt64?
    /// The namespace of the entity if the end is a key; otherwise empty.
    var namespace = ""
    /// The columns that locate the row if the end is a key; otherwise empty.
    var locator: [String] = []

    var isKey: Bool { attribute == nil }

    /// Returns whether the column's type allows this value.
    func takes(_ value: Value) -> Bool {
      if isKey { return value.isText }
      switch attribute?.checkedType {
      case .string: return value.isText
      case .date: return value.isText && Instant(queryValue: value) != nil
      case .number: return value.isNumber
      case .boolean: if case .bool = value { return true } else { return false }
      case nil: return true
      }
    }

    var isText: Bool {
      switch attribute?.checkedType {
      case .string, .date, nil: true
      case .number, .boolean: false
      }
    }
  }

  /// Returns a condition on the end of a path. `leaf` writes the condition on the column itself.
  ///
  /// Links on the path become EXISTS subqueries. If the path ends with a link, the column is the
  /// target's key.
  mutating func follow(
    _ path: AttributePath, _ place: Place, holdsForMissing: Bool,
    _ leaf: (inout SQLWriter, End) throws(QueryError) -> String
  ) throws(QueryError) -> String {
    try follow(path.labels[...], place, holdsForMissing, leaf)
  }

  private mutating func follow(
    _ labels: ArraySlice<String>, _ place: Place, _ holdsForMissing: Bool,
    _ leaf: (inout SQLWriter, End) throws(QueryError) -> String
  ) throws(QueryError) -> String {
    let label = labels.first ?? schema.identityLabel(of: place.namespace)
    if labels.count < 2, let end = try end(label, place) {
      guard let cell = end.attribute.flatMap({ names.cells[$0.id] }) else {
        return try leaf(&self, end)
      }
      return try test(of: end, in: cell, place, holdsForMissing, leaf)
    }
    let link = try link(label, place)
    let (from, joined, far) = try join(link, place)
    let rest = try follow(labels.dropFirst(), far, holdsForMissing, leaf)
    let found = "EXISTS (SELECT 1 FROM \(from) WHERE \(joined) AND \(rest))"
    guard holdsForMissing else { return found }
    let (any, anyJoined, _) = try join(link, place)
    return "(\(found) OR NOT EXISTS (SELECT 1 FROM \(any) WHERE \(anyJoined)))"
  }

  /// Returns a condition on a value that is stored in a row of its own; see ``SQLNames/cells``.
  private mutating func test(
    of end: End, in cell: String, _ place: Place, _ holdsForMissing: Bool,
    _ leaf: (inout SQLWriter, End) throws(QueryError) -> String
  ) throws(QueryError) -> String {
    let (from, joined, value) = self.cell(cell, place)
    let test = try leaf(&self, End(text: value, attribute: end.attribute))
    // An entity has at most one value, so the negated form also covers a missing value.
    return holdsForMissing
      ? "NOT EXISTS (SELECT 1 FROM \(from) WHERE \(joined) AND NOT (\(test)))"
      : "EXISTS (SELECT 1 FROM \(from) WHERE \(joined) AND \(test))"
  }

  /// Returns how to join the table that stores an attribute's values: the FROM clause, the
  /// condition, and the expression for the value.
  mutating func cell(
    _ table: String, _ place: Place
  ) -> (from: String, condition: String, value: String) {
    let alias = alias()
    return (
      "\(table) AS \(alias)", "\(alias).id = \(locator(place).first ?? "NULL")", "\(alias).value"
    )
  }

  /// Returns the column with a label; nil if the label is a link.
  private func end(_ label: String, _ place: Place) throws(QueryError) -> End? {
    if label == schema.identityLabel(of: place.namespace), !names.isPlainKey {
      if !names.isTyped, names.rowKeys[place.namespace]?.locator.isEmpty == true {
        throw .notInSQL(path: place.namespace, reason: "its rows have no key")
      }
      return End(
        text: key(place), attribute: nil, number: locator(place).first ?? "NULL",
        high: names.rowKeys[place.namespace]?.high, namespace: place.namespace,
        locator: locator(place))
    }
    if let attribute = schema.attribute(place.namespace, label), attribute.valueType == .blob {
      try checkSingle(attribute)
      return End(text: column(place.alias, attribute), attribute: attribute)
    }
    return nil
  }

  private func link(_ label: String, _ place: Place) throws(QueryError) -> Link {
    if let link = schema.link(place.namespace, label) { return link }
    throw schema.attribute(place.namespace, label) == nil
      ? unknown(label, of: place.namespace) : .notALink(label: label, namespace: place.namespace)
  }

  /// Returns the condition that at least one entity at the end of the links satisfies `more`.
  private mutating func reach(
    _ labels: ArraySlice<String>, _ place: Place,
    _ more: (inout SQLWriter, Place) throws(QueryError) -> String
  ) throws(QueryError) -> String {
    guard let label = labels.first else { return try more(&self, place) }
    let link = try link(label, place)
    let (from, joined, far) = try join(link, place)
    let rest = try reach(labels.dropFirst(), far, more)
    return "EXISTS (SELECT 1 FROM \(from) WHERE \(joined) AND \(rest))"
  }

  // MARK: Single conditions

  private mutating func comparison(
    _ end: End, _ comparison: Comparison, _ value: Value
  ) throws(QueryError) -> String {
    switch (comparison, value) {
    case (_, .array), (_, .object):
      throw .invalid(
        path: end.attribute?.label ?? "id",
        reason: "comparisons with lists and objects are not supported")
    case (.equal, .null):
      throw .invalid(
        path: end.attribute?.label ?? "id",
        reason: "a value cannot be compared with null; use $isNull, or 'is null' in query text")
    case (.notEqual, .null): return Self.always
    case (_, .null): return Self.never
    case (_, _) where names.isTyped: return try typedComparison(end, comparison, value)
    case (.equal, _) where names.isLoose: return try looseTest(end, "=", value)
    case (.notEqual, _) where names.isLoose: return "NOT (\(try looseTest(end, "=", value)))"
    case (.less, _) where names.isLoose, (.lessOrEqual, _) where names.isLoose,
      (.greater, _) where names.isLoose, (.greaterOrEqual, _) where names.isLoose:
      try checkComparable(end, value)
      return try looseTest(end, comparison.spelling, value)
    case (.like, .text(let pattern)), (.ilike, .text(let pattern)):
      guard end.isText || names.isLoose else { return Self.never }
      return shape(end, pattern, ignoringCase: comparison == .ilike)
    case (.like, _), (.ilike, _), (.matches, _): return Self.never
    case (.notEqual, _):
      try checkMoment(end, value)
      guard end.takes(value) else { return Self.always }
      return "(\(end.text) IS NULL OR \(end.text) <> \(bind(value)))"
    case (.equal, _):
      try checkMoment(end, value)
      guard end.takes(value) else { return Self.never }
      return "(\(end.text) IS NOT NULL AND \(end.text) = \(bind(value)))"
    case (.less, _), (.lessOrEqual, _), (.greater, _), (.greaterOrEqual, _):
      try checkComparable(end, value)
      return "(\(end.text) IS NOT NULL AND \(end.text) \(comparison.spelling) \(bind(value)))"
    }
  }

  private func checkComparable(_ end: End, _ value: Value) throws(QueryError) {
    let isMixed = names.isLoose && !end.isKey && end.attribute?.checkedType == nil
    guard end.takes(value), !isMixed else {
      throw .notInSQL(
        path: end.attribute?.label ?? "id",
        reason: "the database sorts values of different types in another order than Sonde")
    }
  }

  /// Throws `notInSQL` for a comparison of a date with a number, since date columns contain texts.
  private func checkMoment(_ end: End, _ value: Value) throws(QueryError) {
    guard value.isNumber, end.attribute?.checkedType == .date else { return }
    throw .notInSQL(
      path: end.attribute?.label ?? "id",
      reason: "the database stores dates as text; compare with a string")
  }

  private mutating func isIn(_ end: End, _ values: [Value]) throws(QueryError) -> String {
    if names.isTyped { return try typedTest(end, isIn: values) }
    if end.isKey, names.isLoose { return keyTest(end, isIn: values) }
    var takesNull = false
    var wanted: [Value] = []
    for value in values {
      switch value {
      case .array, .object: continue
      case .null: takesNull = !end.isKey
      case .bool, .integer, .double, .text:
        try checkMoment(end, value)
        if names.isLoose || end.takes(value) { wanted.append(value) }
      }
    }
    if names.isLoose {
      var tests = try looseTests(end, isAnyOf: wanted)
      if takesNull { tests.append("\(end.text) IS NULL") }
      return tests.isEmpty ? Self.never : Self.joined(tests[...], " OR ")
    }
    var numbers: [String] = []
    for value in wanted { numbers.append(bind(value)) }
    let listed =
      numbers.isEmpty
      ? Self.never
      : "\(end.text) IS NOT NULL AND \(end.text) IN (\(numbers.joined(separator: ", ")))"
    return takesNull ? "(\(end.text) IS NULL OR \(listed))" : "(\(listed))"
  }

  /// The maximum number of tests that are written as a flat list. If there are more, they are bound
  /// as one list if possible.
  static let maxFlatTests = 50

  /// Joins tests with an operator. A long list is split into nested halves, because SQLite limits
  /// the depth of expressions to 1,000.
  private static func joined(_ tests: ArraySlice<String>, _ word: String) -> String {
    if tests.count <= maxFlatTests { return "(" + tests.joined(separator: word) + ")" }
    let middle = tests.startIndex + tests.count / 2
    return "(\(joined(tests[..<middle], word))\(word)\(joined(tests[middle...], word)))"
  }

  /// Replaces many equality tests of the same path with one list test.
  private static func gathered(_ parts: [ConditionNode]) -> [ConditionNode] {
    if parts.count <= maxFlatTests { return parts }
    var values: [AttributePath: [Value]] = [:]
    for part in parts {
      if let (path, value) = part.scalarEquality { values[path, default: []].append(value) }
    }
    return parts.compactMap { part in
      guard let (path, _) = part.scalarEquality, let all = values[path] else {
        // The list test has replaced the first equality test of this path. The others are dropped.
        return part.scalarEquality == nil ? part : nil
      }
      if all.count <= maxFlatTests { return part }
      values[path] = nil
      return .isIn(path, all)
    }
  }

  /// Returns a comparison of the values at two paths. It is true if any pair of values matches, but
  /// `!=` is true only if no pair is equal.
  private mutating func fields(
    _ left: AttributePath, _ comparison: Comparison, _ right: AttributePath, _ place: Place
  ) throws(QueryError) -> String {
    guard !comparison.isPattern else {
      throw .invalid(
        path: left.dotted, reason: "two fields cannot be compared with '\(comparison.spelling)'")
    }
    let sign = comparison == .notEqual ? "=" : comparison.spelling
    if names.isLoose {
      throw .notInSQL(path: left.dotted, reason: "its values may have different types")
    }
    let text = try reach(left.links, place) { (writer, here) throws(QueryError) in
      let first = try writer.value(left.label, here)
      return try writer.reach(right.links, place) { (writer, there) throws(QueryError) in
        let second = try writer.value(right.label, there)
        if writer.names.isTyped { return try writer.typed(first, second, sign) }
        return "(\(first.text) IS NOT NULL AND \(second.text) IS NOT NULL AND "
          + "\(first.text) \(sign) \(second.text))"
      }
    }
    return comparison == .notEqual ? "NOT (\(text))" : text
  }

  private func value(_ label: String, _ place: Place) throws(QueryError) -> End {
    guard let end = try end(label, place) else { throw unknown(label, of: place.namespace) }
    return end
  }
}

extension ConditionNode {
  /// The path and the value of an equality test; nil for any other condition.
  fileprivate var scalarEquality: (path: AttributePath, value: Value)? {
    guard case .compare(let path, .equal, let value) = self else { return nil }
    switch value {
    case .bool, .integer, .double, .text: return (path, value)
    case .null, .array, .object: return nil
    }
  }

  /// Whether no path of the condition follows a link.
  fileprivate var isAboutOwnFields: Bool {
    var isOwn = true
    forEachPath { if !$0.isOwn { isOwn = false } }
    return isOwn
  }
}

extension Value {
  fileprivate var isText: Bool { if case .text = self { true } else { false } }

  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .double: true
    case .null, .bool, .text, .array, .object: false
    }
  }
}
