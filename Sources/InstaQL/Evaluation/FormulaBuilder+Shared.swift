import Triples

/// Handling of paths of one object that lead to the same entities.
extension FormulaBuilder {
  /// Combines the parts of one object. Parts that follow links to existing values share entities.
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

  /// The path and test of a condition that binds entities on its path; nil for others.
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
