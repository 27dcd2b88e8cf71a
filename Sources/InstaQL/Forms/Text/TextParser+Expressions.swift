import Triples

/// Parses computed values: paths, constants, functions and arithmetic.
extension TextParser {
  /// A parsed value with its type and position.
  struct Operand {
    var value: ValueExpression
    /// The type of the value; nil if it is unknown.
    var kind: ValueKind?
    /// The first token of the value.
    var start: Token
    /// The first many-valued link on the path; nil if every link leads to a single entity.
    var manyLink: Token?
    /// Whether the path continues into the JSON of an attribute, as `meta.size` does.
    var isJSON = false

    /// The value as a path. Conditions, orders and groups contain paths.
    var path: AttributePath {
      if isJSON, case .path(let path) = value { return AttributePath(json: path) }
      return AttributePath(computing: value)
    }

    var isPath: Bool { if case .path = value { true } else { false } }
  }

  /// Parses the whole text as an expression. If `allowsName` is true, `as NAME` may follow the
  /// expression.
  mutating func wholeExpression(
    allowsName: Bool = false
  ) throws(QueryError) -> (value: ValueExpression, name: String?) {
    let value = try operand().value
    let name = allowsName ? try givenName() : nil
    guard token.kind == .end else { throw fault("an operator or the end of the expression") }
    return (value, name)
  }

  /// Parses `as NAME`; returns nil when it does not follow.
  mutating func givenName() throws(QueryError) -> String? {
    if try skip(word: "as") { return try columnName() }
    endedWithExpression = token.kind == .end
    return nil
  }

  /// Parses a path or an expression.
  ///
  /// - Parameter names: The path at the beginning of the expression, if the caller has already
  ///   parsed it.
  mutating func operand(after names: [Token]? = nil) throws(QueryError) -> Operand {
    parts = 0
    return try sum(after: names)
  }

  /// Whether an arithmetic operator follows. In `a -5`, the minus sign counts as an operator.
  var isAtArithmetic: Bool { token.arithmetic != nil || isNegativeNumber(token) }

  func isNegativeNumber(_ token: Token) -> Bool {
    switch token.kind {
    case .integer, .double: lexer.bytes[token.start] == UInt8(ascii: "-")
    case .name, .text, .sign, .bound, .end: false
    }
  }

  // MARK: Operations

  mutating func sum(after names: [Token]? = nil) throws(QueryError) -> Operand {
    var left = try product(after: names)
    while true {
      if isNegativeNumber(token) { try splitNegativeNumber() }
      guard let operation = token.arithmetic, !operation.isProduct else { return left }
      try advance()
      left = try combined(left, operation, try product())
    }
  }

  private mutating func product(after names: [Token]? = nil) throws(QueryError) -> Operand {
    var left = try factor(after: names)
    while let operation = token.arithmetic, operation.isProduct {
      let sign = try advance()
      if operation == .remainder { try checkNoPercentage(left, sign) }
      left = try combined(left, operation, try factor())
    }
    return left
  }

  private mutating func factor(after names: [Token]? = nil) throws(QueryError) -> Operand {
    try countPart()
    if let names { return try pathOperand(names) }
    if token.isSign(.minus) {
      let start = try advance()
      let inner = try nested { parser throws(QueryError) in try parser.factor() }
      try checkNumber(inner)
      return Operand(value: .negated(inner.value), kind: .number, start: start)
    }
    if token.isSign(.open) {
      let start = try advance()
      var inner = try nested { parser throws(QueryError) in try parser.sum() }
      try expect(.close)
      inner.start = start
      return inner
    }
    return try primary()
  }

  private mutating func combined(
    _ left: Operand, _ operation: ValueExpression.Arithmetic, _ right: Operand
  ) throws(QueryError) -> Operand {
    try countPart()
    try checkNumber(left)
    try checkNumber(right)
    return Operand(
      value: .arithmetic(left.value, operation, right.value), kind: .number, start: left.start)
  }

  private mutating func countPart() throws(QueryError) {
    parts += 1
    guard parts <= ValueExpression.maxParts else {
      throw fault("an expression of at most \(ValueExpression.maxParts) parts")
    }
  }

  /// Throws a syntax error for a number such as `5%`, which would be the beginning of a remainder.
  private func checkNoPercentage(_ number: Operand, _ sign: Token) throws(QueryError) {
    guard case .constant = number.value, number.start.end == sign.start,
      token.kind == .end || token.start > sign.end || token.isSign(.close)
    else { return }
    throw fault(
      at: sign, "a number without '%'",
      hint: "There are no percentages. For the remainder, write a space before '%'.")
  }

  private func checkNumber(_ operand: Operand) throws(QueryError) {
    try check(operand, isOneOf: [.number])
  }

  /// Throws a syntax error if the operand is a link, or if it leads to several entities.
  func checkColumn(_ operand: Operand) throws(QueryError) { try check(operand, isOneOf: []) }

  /// Throws a syntax error if the operand leads to several entities, or if its type is not in
  /// `kinds`.
  ///
  /// If `kinds` is empty, any type is accepted, but not a link.
  func check(_ operand: Operand, isOneOf kinds: [ValueKind]) throws(QueryError) {
    if let link = operand.manyLink {
      let label = Words.written(link.name ?? "")
      throw fault(
        at: link, "a single value",
        hint:
          "'\(label)' is a link to many entities; use sum, min, max or count, "
          + "or test them with 'any \(label) (…)'."
      )
    }
    guard var kind = operand.kind else { return }
    if kind == .link, case .path(let path) = operand.value {
      if isLink(path) {
        throw fault(
          at: operand.start, "a field that is not a link", hint: linkHint(path))
      }
      kind = .text
    }
    guard !kinds.isEmpty, !kinds.contains(kind) else { return }
    var hint = "The expression is \(kind.singular)."
    if case .path(let path) = operand.value { hint = "'\(path)' contains \(kind.plural)." }
    throw fault(at: operand.start, .other(kinds[0].singular), hint: hint)
  }

  // MARK: Values

  private mutating func primary() throws(QueryError) -> Operand {
    let start = token
    switch token.kind {
    case .integer(let number):
      try advance()
      return Operand(value: .constant(.integer(number)), kind: .number, start: start)
    case .double(let number):
      try advance()
      return Operand(value: .constant(.double(number)), kind: .number, start: start)
    case .text: return Operand(value: .constant(.text(try plainText())), kind: .text, start: start)
    case .bound(.value(let value)):
      try advance()
      return Operand(value: .constant(value), start: start)
    case .name, .sign, .bound, .end: break
    }
    if let constant = try namedConstant() {
      return Operand(value: .constant(constant), kind: constant.kind, start: start)
    }
    if token.word != nil, case let next = try peek(), next.isSign(.open) {
      if let call = try call() { return call }
      if next.start == token.end { throw unknownFunction() }
    }
    return try pathOperand(try pathNames())
  }

  /// Parses `true`, `false`, `null` or `json "…"`. Returns nil for anything else.
  mutating func namedConstant() throws(QueryError) -> Value? {
    switch token.word {
    case "true", "false":
      let isTrue = token.word == "true"
      try advance()
      return .bool(isTrue)
    case "null":
      try advance()
      return .null
    case "json":
      guard case .text = try peek().kind else { return nil }
      try advance()
      return try jsonLiteral()
    default: return nil
    }
  }

  /// Returns the value at a parsed path. For a path such as `cities.count`, the value is the number
  /// of linked entities.
  mutating func pathOperand(_ names: [Token]) throws(QueryError) -> Operand {
    if columns == nil, isCount(names) {
      return Operand(
        value: .aggregate(.count, countedLinks(names)), kind: .number, start: names[0])
    }
    let (path, kind) = try fieldPath(of: names)
    let isJSON = path.expression != nil
    var plain = path
    if case .path(let inner)? = path.expression { plain = inner }
    return Operand(
      value: .path(plain), kind: kind, start: names[0], manyLink: manyLink(in: names),
      isJSON: isJSON)
  }

  /// Returns the first many-valued link on a path; nil if every link leads to a single entity.
  func manyLink(in names: [Token]) -> Token? {
    guard columns == nil, let schema, let namespace else { return nil }
    return schema.follow(names.dropLast().compactMap(\.name), from: namespace).links
      .firstIndex { $0.cardinality == .many }.map { names[$0] }
  }

  /// Splits a token such as `-5` into a minus sign and a number, because it follows a value.
  private mutating func splitNegativeNumber() throws(QueryError) {
    let start = token.start
    lexer.rewind(to: start + 1)
    replaceToken(Token(kind: .sign(.minus), start: start, end: start + 1))
  }

  /// Returns whether the right side of a comparison is an expression or a field, rather than a
  /// constant.
  func isAtExpression() throws(QueryError) -> Bool {
    switch token.kind {
    case .sign(.open), .sign(.minus): return true
    case .integer, .double:
      let next = try peek()
      return next.arithmetic != nil || isNegativeNumber(next)
    case .name(let name, let isQuoted):
      if !isQuoted, Words.neverNames.contains(name.lowercased()) { return false }
      let next = try peek()
      if next.isSign(.open) { return !isQuoted }
      if next.arithmetic != nil || next.isSign(.dot) || next.isSign(.openBracket) { return true }
      if case .text = next.kind { return false }
      if checksOnlySyntax { return true }
      guard columns == nil, let schema, let namespace else { return false }
      return schema.attribute(namespace, name)?.valueType == .blob
    case .sign, .text, .bound, .end: return false
    }
  }

  /// Returns whether the parentheses that begin here surround a value, as in `(a + b) * 2 > 5`.
  /// Otherwise they surround a condition.
  func areParenthesesValue() -> Bool {
    var ahead = lexer
    var depth = 1
    while depth > 0 {
      guard let next = try? ahead.next(), next.kind != .end else { return false }
      if next.isSign(.open) { depth += 1 } else if next.isSign(.close) { depth -= 1 }
    }
    guard let next = try? ahead.next() else { return false }
    if next.arithmetic != nil || isNegativeNumber(next) { return true }
    if case .sign(let sign) = next.kind { return sign.comparison != nil }
    return next.word.map { Words.comparisons.contains($0) || $0 == "not" } ?? false
  }
}

extension Token {
  /// The arithmetic operator; nil for any other token.
  var arithmetic: ValueExpression.Arithmetic? {
    guard case .sign(let sign) = kind else { return nil }
    return ValueExpression.Arithmetic(rawValue: sign.rawValue)
  }
}

extension Value {
  /// The type of the constant; nil for null, lists and objects.
  fileprivate var kind: ValueKind? {
    switch self {
    case .bool: .boolean
    case .integer, .double: .number
    case .text: .text
    case .null, .array, .object: nil
    }
  }
}
