import Triples

/// Parses conditions on the number of linked entities, such as `count(cities) > 5`, and
/// `search "word"`.
extension TextParser {
  /// Returns whether these names are a path such as `cities.count`, which counts linked entities.
  /// If there is a field named `count`, it takes precedence.
  func isCount(_ names: [Token]) -> Bool {
    guard names.count > 1, names[names.count - 1].word == "count", let schema,
      let owner = owner(of: names)
    else { return false }
    return schema.attribute(owner, "count") == nil && schema.link(owner, "count") == nil
  }

  /// Returns the links of a path such as `cities.count`.
  mutating func countedLinks(_ names: [Token]) -> AttributePath {
    for token in names.dropLast() { meanings[token.start] = .link }
    meanings[names[names.count - 1].start] = .function
    return path(of: names.dropLast())
  }

  /// Returns whether a path ends with a link. Without a schema, returns true, unless only the syntax
  /// is checked: the number of values of a field can be compared with more than that of links.
  func isLinkPath(_ path: AttributePath) -> Bool {
    guard let schema, let namespace else { return !checksOnlySyntax }
    return schema.namespace(from: namespace, along: path.labels) != nil
  }

  /// Parses the comparison after `count(cities)`.
  ///
  /// - Parameters:
  ///   - links: The path of the counted links.
  ///   - counted: The count as a computed value, in case it is compared with another computed
  ///     value.
  mutating func comparedCount(
    _ links: AttributePath, _ counted: AttributePath
  ) throws(QueryError) -> ConditionNode {
    if try skip(word: "between") {
      let low = try wholeNumber()
      guard try skip(word: "and", or: .and) else { throw fault(.words(["and"])) }
      return .all([
        .linkCount(links, .greaterOrEqual, low), .linkCount(links, .lessOrEqual, try wholeNumber()),
      ])
    }
    guard case .sign(let sign) = token.kind, let comparison = sign.comparison else {
      throw fault(.countComparison)
    }
    try advance()
    if try isAtExpression() {
      return .compareFields(counted, comparison, try operand().path)
    }
    return .linkCount(links, comparison, try wholeNumber())
  }

  private mutating func wholeNumber() throws(QueryError) -> Int {
    guard case .integer(let number) = token.kind, let count = Int(exactly: number) else {
      throw fault("a whole number")
    }
    try advance()
    return count
  }

  /// Parses `search "word"`, the condition that any text field contains the word, ignoring case.
  /// Returns nil if no search begins here.
  mutating func search() throws(QueryError) -> ConditionNode? {
    guard token.word == "search", case .text = try peek().kind else { return nil }
    let start = token
    meanings[start.start] = .keyword
    try advance()
    let text = try plainText()
    if checksOnlySyntax { return .any([]) }
    let labels = namespace.flatMap { schema?.textLabels(of: $0) } ?? []
    guard !labels.isEmpty else { throw fault(at: start, "a namespace with text fields") }
    let pattern = Value.text("%" + WhereOperator.escapingWildcards(text) + "%")
    let parts = labels.map { ConditionNode.compare(AttributePath([$0]), .ilike, pattern) }
    let condition = parts.count == 1 ? parts[0] : .any(parts)
    if let namespace {
      recordWords(of: .search(condition, namespace: namespace), from: start.start)
    }
    return condition
  }
}

extension Schema {
  /// Returns the attributes of a namespace that may contain texts, except ids and the columns of
  /// links.
  fileprivate func textLabels(of namespace: String) -> [String] {
    let id = shownID(of: namespace)?.id
    return attributes(of: namespace).filter { attribute in
      guard attribute.valueType == .blob, !attribute.isIdentity, attribute.id != id,
        attribute.keyOf == nil
      else { return false }
      if let type = attribute.checkedType { return type == .string }
      return attribute.inferredTypes?.contains("string") ?? true
    }.map(\.label)
  }
}
