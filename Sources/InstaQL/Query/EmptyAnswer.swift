package import Triples

// Finds out by further queries why no row matches a filter.
extension QueryPlan {
  /// Whether further queries may find out why no row matches.
  package func canExplainEmptyAnswer(in schema: Schema) -> Bool {
    requiresNames(in: schema) || ignoringCase(in: schema) != nil
  }

  /// Returns the reason why no row matches, as a sentence after “No rows match.”: no linked entity
  /// has a name, or texts differ in case. Nil if the reason is another one.
  ///
  /// - Parameter answer: Answers a query of the same store.
  /// - Complexity: At most one scan of the namespace, besides those of `MissingName.first`.
  package func reasonForEmptyAnswer<Failure: Error>(
    in schema: Schema, answer: (QueryPlan) async throws(Failure) -> Answer
  ) async throws(Failure) -> String? {
    if let missing = try await MissingName.first(of: self, in: schema, answer: answer) {
      return missing.sentence
    }
    guard let parts = ignoringCase(in: schema),
      try await !answer(QueryPlan(namespace, condition: .all(parts.all)).limit(1)).rows.isEmpty
    else { return nil }
    let changed = parts.changed.count == 1 ? parts.changed[0] : .all(parts.changed)
    return "Some do if case is ignored: \(changed.text)."
  }

  /// Returns the parts of the filter with text comparisons that ignore case, and these comparisons
  /// alone. Nil if case matters in no part.
  private func ignoringCase(
    in schema: Schema
  ) -> (all: [ConditionNode], changed: [ConditionNode])? {
    let parts = condition?.conjuncts ?? []
    let loose = parts.map { $0.ignoringCase(of: namespace, in: schema) }
    let changed = loose.compactMap { $0 }
    return changed.isEmpty ? nil : (zip(loose, parts).map { $0 ?? $1 }, changed)
  }
}

extension ConditionNode {
  /// Returns the condition with a comparison that ignores case; nil if it does not compare texts with
  /// letters.
  fileprivate func ignoringCase(of namespace: String, in schema: Schema) -> ConditionNode? {
    switch self {
    case .compare(let path, .equal, .text(let text)):
      schema.hasTexts(at: path, of: namespace) && text.hasCase
        ? Self.equal(path, text) : nil
    case .compare(let path, .like, .text(let pattern)):
      schema.hasTexts(at: path, of: namespace) && pattern.hasCase
        ? .compare(path, .ilike, .text(pattern)) : nil
    case .isIn(let path, let values):
      schema.hasTexts(at: path, of: namespace)
        && values.contains { $0.textValue?.hasCase == true }
        ? .any(values.map { $0.textValue.map { Self.equal(path, $0) } ?? .isIn(path, [$0]) }) : nil
    case .compare, .isNull, .compareFields, .idStartsWith, .all, .any, .together, .not, .quantified,
      .linkCount:
      nil
    }
  }

  private static func equal(_ path: AttributePath, _ text: String) -> ConditionNode {
    .compare(path, .ilike, .text(WhereOperator.escapingWildcards(text)))
  }
}

extension Schema {
  /// Returns whether a plain path leads to an attribute that may have texts, other than an id.
  fileprivate func hasTexts(at path: AttributePath, of namespace: String) -> Bool {
    guard path.expression == nil, let owner = self.namespace(from: namespace, along: path.links),
      let attribute = attribute(owner, path.label), !attribute.isIdentity
    else { return false }
    return attribute.valueType == .blob && (attribute.checkedType ?? .string) == .string
  }
}

extension String {
  /// Whether the text has letters that exist in both cases.
  fileprivate var hasCase: Bool { lowercased() != uppercased() }
}
