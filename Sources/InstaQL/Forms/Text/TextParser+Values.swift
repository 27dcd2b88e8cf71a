import Triples

extension TextParser {
  /// Parses the right side of a comparison, and returns the condition.
  mutating func compared(
    _ path: AttributePath, _ comparison: Comparison, _ kind: ValueKind?
  ) throws(QueryError) -> ConditionNode {
    let start = token
    comparedStart = start.start
    if let other = try otherOperand(kind) { return .compareFields(path, comparison, other) }
    if token.word == "null" {
      guard !comparison.isOrdering else { throw fault(.value("a value other than null")) }
      try advance()
      return .isNull(path, comparison == .equal)
    }
    if let condition = try comparedWithPeriod(path, comparison, kind) { return condition }
    if let condition = try comparedWithName(path, comparison, kind) { return condition }
    if !comparison.isOrdering, let original = originalID(path, kind, token) {
      return .compare(original.path, comparison, try value(original.kind, comparison))
    }
    let value = try value(kind, comparison)
    if path.label == ConditionNode.idStartsWithKey, comparison == .equal {
      guard case .text(let prefix) = value else {
        throw fault(at: start, .value("a string in quotes"))
      }
      return .idStartsWith(Array(path.links), prefix)
    }
    return .compare(path, comparison, value)
  }

  /// Parses a field or an expression on the right side of a comparison. Returns nil if a constant
  /// follows instead.
  private mutating func otherOperand(_ kind: ValueKind?) throws(QueryError) -> AttributePath? {
    if case .bound(.path) = token.kind { return try fieldReference() }
    guard try isAtExpression() else { return nil }
    let other = try operand()
    if kind == .date { try checkWholeDate(other) }
    let typed: [ValueKind] = [.text, .number, .boolean]
    if !other.isPath, let kind, let found = other.kind, kind != found, typed.contains(kind),
      typed.contains(found)
    {
      throw fault(
        at: other.start, .other(kind.description), hint: "The expression is \(found.singular).")
    }
    return other.path
  }

  /// Parses the name of a linked entity: `country = "France"` means `country.name = "France"`.
  ///
  /// Returns nil if the path does not end with a link, or if the names of its targets are not
  /// unique.
  private mutating func comparedWithName(
    _ path: AttributePath, _ comparison: Comparison, _ kind: ValueKind?
  ) throws(QueryError) -> ConditionNode? {
    guard kind == .link, isLink(path), !comparison.isOrdering,
      case .text(let text, _) = token.kind, !EntityID(text).isUUID,
      let label = uniqueName(at: path)
    else { return nil }
    return .compare(AttributePath(path.labels + [label]), comparison, .text(try plainText()))
  }

  /// Returns the path to compare with the names in a list, as in `country in ("France")`, or with
  /// a file's own ids, and the type of its values. Nil if no such list follows.
  func namedPath(
    _ path: AttributePath, _ kind: ValueKind?
  ) throws(QueryError) -> (path: AttributePath, kind: ValueKind)? {
    guard kind == .link, token.isSign(.open) else { return nil }
    let first = try peek()
    if let original = originalID(path, kind, first) { return original }
    guard isLink(path), case .text(let text, _) = first.kind, !EntityID(text).isUUID,
      let label = uniqueName(at: path)
    else { return nil }
    return (AttributePath(path.labels + [label]), .text)
  }

  /// Returns the path to a file's own ids if an id is compared with one: `id = 5` means `key = 5`.
  /// Nil if the value is a UUID, or if the namespace has no such ids.
  private func originalID(
    _ path: AttributePath, _ kind: ValueKind?, _ value: Token
  ) -> (path: AttributePath, kind: ValueKind)? {
    guard kind == .link, let key = originalIDs(at: path) else { return nil }
    let original = AttributePath(Array(path.labels.dropLast()) + [key.label])
    switch (key.checkedType, value.kind) {
    case (.number, .integer): return (original, .number)
    case (.string, .text(let text, _)) where !EntityID(text).isUUID: return (original, .text)
    default: return nil
    }
  }

  /// Parses a word without quotes after `path:`, as in `name:Lyon`, and returns the condition.
  /// Returns nil if no such word follows.
  mutating func bareText(
    _ path: AttributePath, _ kind: ValueKind?
  ) throws(QueryError) -> ConditionNode? {
    var path = path
    if kind == .link, isLink(path), let label = uniqueName(at: path) {
      path = AttributePath(path.labels + [label])
    } else if kind != nil, kind != .text {
      return nil
    }
    guard case .name(let name, quoted: false) = token.kind, let word = token.word,
      !Words.reserved.contains(word)
    else { return nil }
    switch try peek().kind {
    // The word is the beginning of `field(…)`, `date "…"` or `json "…"`.
    case .sign(.open), .text: return nil
    default: break
    }
    try advance()
    return .compare(path, .equal, .text(name))
  }

  /// Parses `field(name)` in place of a value.
  private mutating func fieldReference() throws(QueryError) -> AttributePath? {
    if case .bound(.path(let path)) = token.kind {
      try advance()
      return path
    }
    guard token.word == "field", try peek().isSign(.open) else { return nil }
    try advance()
    try advance()
    let (path, _) = try fieldPath()
    try expect(.close)
    return path
  }

  /// Parses a constant. Throws a syntax error if the constant does not have the type of the
  /// compared field.
  mutating func value(
    _ kind: ValueKind?, _ comparison: Comparison? = nil
  ) throws(QueryError) -> Value {
    if let hint = dayHint(kind) {
      throw fault(kind == .date ? "a date" : "a string in quotes", hint: hint)
    }
    let start = token
    let value = try anyValue()
    if kind == .date, case .integer = start.kind {
      try checkWholeDate(Operand(value: .constant(value), kind: .number, start: start))
    }
    guard let kind, let field = lastField else { return value }
    if start.word == "date", kind != .date {
      throw fault(
        at: start, .other(kind.description),
        hint: "'\(field.path)' contains \(kind.plural), not dates.")
    }
    if !kind.admits(value), comparison?.isOrdering == true || !mayContain(value, field.path) {
      throw fault(at: start, .other(kind.description), hint: hintOnCount(field.path, value))
    }
    guard case .text(let text) = value else { return value }
    switch kind {
    case .date: return .text(try date(text, at: start))
    case .link where isLink(field.path) && !EntityID(text).isUUID:
      throw fault(at: start, "the id of an entity", hint: linkHint(field.path, comparison, value))
    case .link, .text, .number, .boolean: return value
    }
  }

  private mutating func anyValue() throws(QueryError) -> Value {
    switch token.kind {
    case .integer(let number):
      try advance()
      return .integer(number)
    case .double(let number):
      try advance()
      return .double(number)
    case .text: return .text(try plainText())
    case .bound(.value(let value)):
      try advance()
      return value
    case .name(let name, let quoted): return try namedValue(name, quoted)
    case .sign, .bound, .end: throw fault(.value())
    }
  }

  private mutating func namedValue(_ name: String, _ quoted: Bool) throws(QueryError) -> Value {
    if token.word == "date", case .text = try peek().kind {
      try advance()
      return try date()
    }
    if token.word != "null", let constant = try namedConstant() { return constant }
    let words = quoted ? [name] : [name] + wordsAhead
    let hint = "Put a string in quotes: \"\(words.joined(separator: " "))\"."
    throw fault(
      .value(),
      hint: words.count > 1 ? hint : hint + " For a field, write field(\(Words.written(name))).")
  }

  /// The words after the current token, up to the next keyword.
  private var wordsAhead: [String] {
    var (ahead, words) = (lexer, [String]())
    while let next = try? ahead.next(), case .name(let name, quoted: false) = next.kind,
      let word = next.word, !Words.reserved.contains(word), !Words.clauses.contains(word)
    {
      words.append(name)
    }
    return words
  }

  /// Parses a quoted date, and returns its text, rewritten if it could be misread.
  private mutating func date() throws(QueryError) -> Value {
    let start = token
    return .text(try date(try plainText(), at: start))
  }

  private func date(_ text: String, at start: Token) throws(QueryError) -> String {
    if let literal = DateLiteral(text) { return literal.text }
    throw lexer.fault(
      at: start.start, expected: "a date", found: "'\(text)'",
      hint: "Write 2025-01-31, or 2025-01-31T10:00:00Z.")
  }

  /// Parses the JSON of `json "…"`.
  mutating func jsonLiteral() throws(QueryError) -> Value {
    let start = token
    let text = try plainText()
    do throws(QueryError) {
      return try InstaQLReader.value(ofJSON: Array(text.utf8))
    } catch {
      throw fault(at: start, "JSON in quotes", hint: error.message)
    }
  }

  /// Parses a quoted text, in which escaped wildcards (`\%`) are an error.
  mutating func plainText() throws(QueryError) -> String {
    guard case .text(let content, let wildcard) = token.kind else {
      throw fault(.value("a string in quotes"))
    }
    if let wildcard { throw Lexer.unknownEscape(in: lexer, wildcard) }
    try advance()
    return content
  }

  private mutating func textToken() throws(QueryError) -> (content: String, wildcard: Int?) {
    guard case .text(let content, let wildcard) = token.kind else {
      throw fault(.value("a string in quotes"))
    }
    try advance()
    return (content, wildcard)
  }

  /// Parses the operand of a text operator (`like`, `contains`, …), and returns the condition.
  mutating func textTest(
    _ path: AttributePath, _ chosen: WhereOperator
  ) throws(QueryError) -> ConditionNode {
    patternStart = token.start
    if let comparison = chosen.comparison {
      if let other = try fieldReference() { return .compareFields(path, comparison, other) }
      if token.word == "json" {
        try advance()
        return .compare(path, comparison, try jsonLiteral())
      }
      if case .bound(.value(let value)) = token.kind, case .text = value {
        try advance()
        return .compare(path, comparison, value)
      }
      let start = token
      let pattern = try textToken().content
      if comparison == .matches { try checkPattern(pattern, at: start) }
      return .compare(path, comparison, .text(pattern))
    }
    var text = ""
    if case .bound(.value(.text(let bound))) = token.kind {
      text = bound
      try advance()
    } else {
      text = try plainText()
    }
    return chosen.condition(path, [.text(text)]) ?? .any([])
  }

  private func checkPattern(_ pattern: String, at start: Token) throws(QueryError) {
    do throws(PatternError) {
      _ = try RegularExpression(pattern)
    } catch {
      throw fault(at: start, "a regular expression", hint: error.message)
    }
  }

  /// Parses the values in parentheses after `in`, and returns the condition. A date must be within
  /// one of the days or times.
  mutating func isIn(
    _ path: AttributePath, _ kind: ValueKind?
  ) throws(QueryError) -> ConditionNode {
    var periods: [Period] = []
    let values = try list(kind, &periods)
    if periods.isEmpty { return .isIn(path, values) }
    let parts =
      periods.map { $0.contain(path) } + (values.isEmpty ? [] : [.isIn(path, values)])
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func list(
    _ kind: ValueKind?, _ periods: inout [Period]
  ) throws(QueryError) -> [Value] {
    if case .bound(.list(let values)) = token.kind {
      try advance()
      return values
    }
    lexer.hasCommasInNumbers = false
    defer { lexer.hasCommasInNumbers = true }
    try expect(.open)
    if try skip(.close) { return [] }
    var values = try listValues(kind, &periods)
    while try skip(.comma) { values += try listValues(kind, &periods) }
    guard try skip(.close) else { throw fault(.words([",", ")"])) }
    return values
  }

  /// Parses one item of a list: a value, a bound list of values, or a day or a time, which is added
  /// to `periods`.
  private mutating func listValues(
    _ kind: ValueKind?, _ periods: inout [Period]
  ) throws(QueryError) -> [Value] {
    if case .bound(.list(let values)) = token.kind {
      try advance()
      return values
    }
    if try skip(word: "null") { return [.null] }
    if let period = try period(kind) {
      periods.append(period)
      return []
    }
    return [try value(kind)]
  }
}
