import Triples

/// Builds the conditions of one JSON object. In it, paths through the same link lead to the same
/// entity.
extension FormulaBuilder {
  /// Returns a formula that requires all parts of one JSON object.
  ///
  /// Paths through the same link share an entity. Parts that also match a missing link, such as
  /// `!=`, are independent.
  mutating func shared(
    _ parts: [ConditionNode], in namespace: String, depth: Int
  ) throws(QueryError) -> Formula {
    var pattern = JointPatternBuilder(namespace: namespace)
    var formulas: [Formula] = []
    for part in parts {
      guard let (path, question) = sharing(part) else {
        formulas.append(try build(part, in: namespace, depth: depth))
        continue
      }
      guard let links = try links(path.links, from: namespace) else { return .never }
      isAboutMember = false
      let test = try end(path.label, of: links.last?.target ?? namespace, asking: question)
      isAboutMember = true
      pattern.add(links, test)
    }
    return .conjunction(formulas + [pattern.formula])
  }

  /// Returns the path and the test of a condition that shares linked entities with others. Nil for
  /// a condition that follows no link, or that also matches a missing link.
  private func sharing(
    _ node: ConditionNode
  ) -> (path: AttributePath, question: ValueQuestion)? {
    switch node {
    case .compare(let path, let comparison, let value) where !path.isOwn:
      let question = ValueQuestion(comparison, value)
      return question.holdsForMissing ? nil : (path, question)
    case .isIn(let path, let values) where !path.isOwn: return (path, .positive(.oneOf(values)))
    case .isNull(let path, false) where !path.isOwn: return (path, .positive(.notNull))
    case .idStartsWith(let links, let prefix) where !links.isEmpty:
      return (AttributePath(links + ["id"]), .idPrefix(prefix.lowercased()))
    default: return nil
    }
  }
}
