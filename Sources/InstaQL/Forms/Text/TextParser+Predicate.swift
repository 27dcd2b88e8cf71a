import Triples

extension TextParser {
  mutating func predicate() throws(QueryError) -> ConditionNode {
    var parts = [try conjunction()]
    while try skip(word: "or", or: .or) { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction() throws(QueryError) -> ConditionNode {
    var parts = [try unary()]
    while try skip(word: "and", or: .and) { parts.append(try unary()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func unary() throws(QueryError) -> ConditionNode {
    conditionStart = token.start
    if try skip(word: "not", or: .not) {
      return .not(try nested { parser throws(QueryError) in try parser.unary() })
    }
    if token.isSign(.open), !areParenthesesValue() {
      return try nested { parser throws(QueryError) in try parser.parenthesized() }
    }
    if let list = try listed() { return list }
    if let quantified = try quantified() { return quantified }
    let (start, before) = (token.start, relativeDays + relativeMinutes)
    let condition = try test()
    let count = relativeDays + relativeMinutes - before
    if count > 0 {
      relativesInConditions += count
      recordWords(of: .condition(condition), from: start)
    }
    return condition
  }

  private mutating func parenthesized() throws(QueryError) -> ConditionNode {
    try expect(.open)
    let inner = try predicate()
    try expect(.close)
    return inner
  }

  /// Parses a list of conditions of any length: `all(…)`, `any(…)` or `together(…)`.
  private mutating func listed() throws(QueryError) -> ConditionNode? {
    guard let word = token.word, ["all", "any", "together"].contains(word),
      try peek().isSign(.open)
    else { return nil }
    try advance()
    let parts = try nested { parser throws(QueryError) in try parser.conditionsInParentheses() }
    switch word {
    case "all": return .all(parts)
    case "any": return .any(parts)
    default: return .sharing(parts)
    }
  }

  private mutating func conditionsInParentheses() throws(QueryError) -> [ConditionNode] {
    try expect(.open)
    if try skip(.close) { return [] }
    var parts = [try predicate()]
    while try skip(.comma) { parts.append(try predicate()) }
    try expect(.close)
    return parts
  }

  private mutating func quantified() throws(QueryError) -> ConditionNode? {
    guard let word = token.word,
      let quantifier = Quantifier.allCases.first(where: { $0.spelling == word }),
      case let next = try peek(), next.name != nil || next.kind == .end && !isField(word)
    else { return nil }
    try advance()
    guard token.kind != .end else { throw fault(.link) }
    let (link, target) = try linkPath()
    let outer = namespace
    namespace = target
    let inner = try nested { parser throws(QueryError) in try parser.parenthesized() }
    namespace = outer
    return .quantified(quantifier, link, inner)
  }

  /// Returns whether the namespace has a field with this name. Without a schema, returns true.
  private func isField(_ name: String) -> Bool {
    guard let schema, let namespace else { return true }
    return schema.attribute(namespace, name) != nil
  }

  private mutating func test() throws(QueryError) -> ConditionNode {
    endedWithBareField = false
    if let found = try search() { return found }
    let tested = try testedOperand()
    if summarized == nil, case .aggregate(.count, let links) = tested.value,
      !tested.value.isCountOfEntities, isLinkPath(links),
      !["in", "is", "not"].contains(token.word)
    {
      return try comparedCount(links, tested.path)
    }
    let (path, kind) = (tested.path, tested.kind)
    holdsTexts = holdsTexts(path, kind)
    if case .sign(let sign) = token.kind, let comparison = sign.comparison {
      try advance()
      if sign == .colon, let condition = try bareText(path, kind) { return condition }
      return try compared(path, comparison, kind)
    }
    switch token.word {
    case "is": return try nullTest(path)
    case "not":
      try advance()
      guard let condition = try wordTest(path, kind) else {
        throw fault(
          .words(["in", "like", "ilike", "contains", "begins", "ends", "matches", "between"]))
      }
      return .not(condition)
    default: break
    }
    if let condition = try wordTest(path, kind) { return condition }
    endedWithBareField = true
    guard kind == nil || kind == .boolean else {
      throw fault(
        "a comparison after '\(path)', which is not a boolean",
        hint: token.word.flatMap { Words.hint($0, among: Words.comparisons) }
          ?? hintOnBareLink(path, kind))
    }
    return .compare(path, .equal, .bool(true))
  }

  /// Returns whether the values at a path can be compared with a text pattern.
  private func holdsTexts(_ path: AttributePath, _ kind: ValueKind?) -> Bool {
    switch kind {
    case .number, .boolean: false
    case .link: isLink(path) && uniqueName(at: path) != nil
    case .text, .date, nil: true
    }
  }

  /// Parses the left side of a comparison, which must not be a constant.
  private mutating func testedOperand() throws(QueryError) -> Operand {
    let start = token
    switch token.kind {
    case .text: throw fault(.field)
    case .integer, .double:
      let next = try peek()
      guard next.arithmetic != nil || isNegativeNumber(next) else { throw fault(.field) }
    case .name(let name, quoted: false):
      if Words.neverNames.contains(name.lowercased()) { throw fault(.field) }
    case .name, .sign, .bound, .end: break
    }
    let found = try operand()
    if case .constant = found.value { throw fault(at: start, .field) }
    if !found.isPath { lastField = (found.path, nil) }
    return found
  }

  /// Parses an operator that is a word, such as `in` or `like`, and its operand. Returns nil if no
  /// such operator follows.
  private mutating func wordTest(
    _ path: AttributePath, _ kind: ValueKind?
  ) throws(QueryError) -> ConditionNode? {
    guard let word = token.word,
      let chosen = WhereOperator.allCases.first(where: { $0.spelling == word })
    else { return nil }
    switch chosen.operand {
    case .text:
      if kind == .link, isLink(path), let label = uniqueName(at: path) {
        try advance()
        return try textTest(AttributePath(path.labels + [label]), chosen)
      }
      if let kind, !holdsTexts(path, kind) {
        let isLink = kind == .link && isLink(path)
        throw fault(
          "a comparison that fits '\(path)'",
          hint: isLink
            ? linkHint(path) : "'\(path)' contains \(kind.plural), but '\(word)' needs strings.")
      }
      try advance()
      return try textTest(path, chosen)
    case .list:
      try advance()
      if let condition = try span(path, kind) { return condition }
      if kind == .date, token.kind == .end {
        throw fault(.words(["(", "last", "next", "this"]))
      }
      if let named = try namedPath(path, kind) {
        return try isIn(named.path, named.kind)
      }
      return try isIn(path, kind)
    case .pair:
      try advance()
      let low = try bound(path, .greaterOrEqual, kind)
      guard try skip(word: "and", or: .and) else { throw fault(.words(["and"])) }
      return .all([low, try bound(path, .lessOrEqual, kind)])
    case .value, .none: return nil
    }
  }

  /// Parses one end of the range after `between`, and returns its comparison.
  private mutating func bound(
    _ path: AttributePath, _ comparison: Comparison, _ kind: ValueKind?
  ) throws(QueryError) -> ConditionNode {
    // With `??`, the compiler passes on a broken error of the value.
    if let condition = try comparedWithPeriod(path, comparison, kind) { return condition }
    return .compare(path, comparison, try value(kind))
  }

  private mutating func nullTest(_ path: AttributePath) throws(QueryError) -> ConditionNode {
    try advance()
    let isNegated = try skip(word: "not")
    guard try skip(word: "null") else {
      throw fault(.words(isNegated ? ["null"] : ["null", "not null"]))
    }
    return .isNull(path, !isNegated)
  }
}
