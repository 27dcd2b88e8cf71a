import Triples

/// The type of a field's values, for checking comparisons.
enum ValueKind: String, Hashable, Sendable {
  case text, number, boolean, date, link

  func admits(_ value: Value) -> Bool {
    switch (self, value) {
    case (.text, .text), (.number, .integer), (.number, .double), (.boolean, .bool),
      (.date, .text), (.date, .integer), (.date, .double), (.link, .text):
      true
    default: false
    }
  }

  /// The type as a plural noun, for messages: "strings".
  var plural: String {
    switch self {
    case .text: "strings"
    case .number: "numbers"
    case .boolean: "booleans"
    case .date: "dates"
    case .link: "ids"
    }
  }

  /// The type as a singular noun with its article, for messages.
  var singular: String {
    switch self {
    case .text: "a string"
    case .number: "a number"
    case .boolean: "true or false"
    case .date: "a date"
    case .link: "an id"
    }
  }

  var description: String {
    switch self {
    case .text: "a string in quotes"
    case .number: "a number"
    case .boolean: "true or false"
    case .date: "a date such as 2026-10-01, or milliseconds since 1970"
    case .link: "an id in quotes"
    }
  }
}

extension ValueKind {
  init(_ type: CheckedType) {
    self =
      switch type {
      case .string: .text
      case .number: .number
      case .boolean: .boolean
      case .date: .date
      }
  }
}

extension TextParser {
  /// Parses a path. Returns it with the type of its value; the type is nil if it is unknown.
  mutating func fieldPath() throws(QueryError) -> (AttributePath, ValueKind?) {
    try fieldPath(of: try pathNames())
  }

  /// Returns the path that these names form, with the type of its value; the type is nil if it is
  /// unknown.
  mutating func fieldPath(of names: [Token]) throws(QueryError) -> (AttributePath, ValueKind?) {
    if let columns { return try column(of: names, columns) }
    lastField = (path(of: names), namespace)
    for token in names.dropLast() { meanings[token.start] = .link }
    meanings[names[names.count - 1].start] = .attribute
    guard let schema, var place = namespace else { return (path(of: names), nil) }
    for (number, token) in names.dropLast().enumerated() {
      if let attribute = schema.attribute(place, token.name ?? ""), attribute.valueType == .blob,
        schema.link(place, token.name ?? "") == nil
      {
        try checkJSON(attribute, names[number...])
        return (AttributePath(json: path(of: names)), nil)
      }
      place = try target(of: token, in: place, schema)
    }
    return (path(of: names), try kind(of: names[names.count - 1], in: place, schema))
  }

  /// Throws a syntax error if a path continues after an attribute whose values are not JSON, such
  /// as `name.x`.
  private mutating func checkJSON(
    _ attribute: Attribute, _ names: ArraySlice<Token>
  ) throws(QueryError) {
    for token in names { meanings[token.start] = .attribute }
    guard let type = attribute.checkedType, let part = names.dropFirst().first else { return }
    let kind = ValueKind(type)
    let label = Words.written(attribute.label)
    let hint: String? =
      if kind == .date {
        "Write year(\(label)), month(…) or day(…)."
      } else if attribute.containsJSONTexts {
        "The database stores this JSON as text; search it with: \(label) contains \"…\"."
      } else {
        nil
      }
    throw fault(
      at: part, "the path to end with '\(attribute.label)', which contains \(kind.plural)",
      hint: hint)
  }

  /// Parses a path of links. Returns it with its target namespace, which is nil if it is unknown.
  mutating func linkPath() throws(QueryError) -> (AttributePath, String?) {
    let names = try pathNames()
    for token in names { meanings[token.start] = .link }
    guard let schema, var place = namespace else { return (path(of: names), nil) }
    for token in names { place = try target(of: token, in: place, schema) }
    return (path(of: names), place)
  }

  /// Returns the column with this name in a `having` condition, with its type.
  private mutating func column(
    of names: [Token], _ columns: [(name: String, kind: ValueKind?)]
  ) throws(QueryError) -> (AttributePath, ValueKind?) {
    let path = path(of: names)
    lastField = (path, nil)
    for token in names { meanings[token.start] = .name }
    if let column = columns.first(where: { $0.name == path.dotted }) { return (path, column.kind) }
    throw fault(
      at: names[0], Self.columnOfGroups,
      hint: hintOnColumn(path.dotted, among: columns.map(\.name)))
  }

  /// Returns a hint for an unknown column of groups, which may be the name of an aggregate.
  func hintOnColumn(_ name: String, among columns: [String]) -> String? {
    guard let function = Self.function(name.lowercased()) else {
      return suggestion(name, among: columns)
    }
    return "Write the aggregate with parentheses: "
      + (function == .count ? "count()." : "\(function.rawValue)(FIELD).")
  }

  /// What errors expect instead of an unknown column of groups.
  static let columnOfGroups: Continuation = "a group or an aggregate of the query"

  mutating func pathNames() throws(QueryError) -> [Token] {
    if case .bound(.path(let path)) = token.kind {
      let bound = try advance()
      return path.labels.map {
        Token(kind: .name($0, quoted: true), start: bound.start, end: bound.end)
      }
    }
    var names = [try fieldName()]
    while token.isSign(.dot) || token.isSign(.openBracket) {
      if token.isSign(.openBracket) {
        names.append(try index())
        continue
      }
      try advance()
      unfinishedPath = names.compactMap(\.name)
      names.append(try fieldName())
    }
    unfinishedPath = []
    return names
  }

  /// Parses the index of a JSON list: `[0]`, `[-1]`.
  private mutating func index() throws(QueryError) -> Token {
    try expect(.openBracket)
    guard case .integer(let number) = token.kind, number.magnitude < 1_000_000_000 else {
      throw fault("the index of an element", hint: "The first element is [0], the last is [-1].")
    }
    let place = try advance()
    try expect(.closeBracket)
    return Token(kind: .name(String(number), quoted: true), start: place.start, end: place.end)
  }

  private mutating func fieldName() throws(QueryError) -> Token {
    if let word = token.word, Words.neverNames.contains(word) { throw fault(.field) }
    return try name(.field)
  }

  func path(of names: [Token]) -> AttributePath {
    AttributePath(names.compactMap(\.name))
  }

  /// Returns the namespace of a path's last name; nil if a name before it is not a link.
  func owner(of names: [Token]) -> String? {
    guard let schema, let namespace else { return nil }
    return schema.namespace(from: namespace, along: names.dropLast().compactMap(\.name))
  }

  /// Returns the target namespace of the link that `token` names. Throws a syntax error if there is
  /// no such link.
  func target(
    of token: Token, in namespace: String, _ schema: Schema
  ) throws(QueryError) -> String {
    let label = token.name ?? ""
    if let link = schema.link(namespace, label) { return link.target }
    let isField = givesHints && schema.attribute(namespace, label) != nil
    throw fault(
      at: token, "a link of '\(namespace)'",
      hint: isField
        ? "'\(label)' is a field, not a link."
        : suggestion(label, among: schema.links(of: namespace).map(\.label)))
  }

  private mutating func kind(
    of token: Token, in namespace: String, _ schema: Schema
  ) throws(QueryError) -> ValueKind? {
    let label = token.name ?? ""
    if label == schema.identityLabel(of: namespace) || label == ConditionNode.idStartsWithKey {
      return .link
    }
    if let attribute = schema.attribute(namespace, label), attribute.valueType == .blob {
      return attribute.checkedType.map(ValueKind.init)
    }
    if schema.link(namespace, label) != nil {
      meanings[token.start] = .link
      return .link
    }
    let hint =
      token.word.map(Self.timeWords.contains) == true
      ? "Days and times are compared with dates, FIELD < \(label), or are arguments: year(\(label))."
      : hintOnNamedColumn(label)
        ?? suggestion(
          schema.renamed(label, in: namespace) ?? label,
          among: schema.attributes(of: namespace).map(\.label)
            + schema.links(of: namespace).map(\.label))
    throw fault(at: token, .fieldOf(namespace), hint: hint)
  }

  /// Returns a hint for the name of a computed column where an expression must be written; nil for
  /// any other name.
  private func hintOnNamedColumn(_ name: String) -> String? {
    namedColumns.first { $0.isNamed && $0.label == name }.map {
      "Only 'order' and 'having' can name a computed column. Write its expression: \($0.written)."
    }
  }

  /// Throws a syntax error if the attribute is unknown, or if the name is a link.
  mutating func checkField(_ token: Token) throws(QueryError) {
    meanings[token.start] = .attribute
    guard let schema, let namespace else { return }
    guard try kind(of: token, in: namespace, schema) == .link, let label = token.name,
      label != schema.identityLabel(of: namespace)
    else { return }
    throw fault(
      at: token, "a field that is not a link",
      hint: "'\(Words.written(label))' is a link; use 'with \(Words.written(label))'.")
  }
}
