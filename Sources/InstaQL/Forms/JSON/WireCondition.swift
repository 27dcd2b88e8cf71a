import Triples

/// Rewrites a condition without `not`, quantifiers and field comparisons, so that InstaQL can
/// express it.
///
/// `not` moves down to the comparisons: `not (a < 1)` becomes `a >= 1 or a is null`. This is
/// impossible for paths through links: InstaQL's `$ne` requires *some* linked entity to differ,
/// while a negation requires that *none* is equal.
struct WireCondition {
  let path: String

  func rewritten(_ condition: ConditionNode) throws(QueryError) -> ConditionNode {
    if let shared = try sharedExistence(condition) { return shared }
    return try pushed(condition, isNegated: false)
  }

  private func pushed(
    _ node: ConditionNode, isNegated: Bool
  ) throws(QueryError) -> ConditionNode {
    switch node {
    case .not(let inner): return try pushed(inner, isNegated: !isNegated)
    case .all(let parts):
      let parts = try pushed(parts, isNegated: isNegated)
      return isNegated ? .any(parts) : .all(parts)
    case .any(let parts):
      let parts = try pushed(parts, isNegated: isNegated)
      return isNegated ? .all(parts) : .any(parts)
    case .together(let parts):
      if !isNegated { return .sharing(try pushed(parts, isNegated: false)) }
      guard parts.allSatisfy(\.isOwn) else {
        throw refusal(node, "conditions on linked rows cannot be negated")
      }
      return .any(try pushed(parts, isNegated: true))
    case .quantified(let quantifier, let link, let inner):
      return try existence(quantifier, link, inner, isNegated: isNegated)
    case .compareFields: throw refusal(node, "comparisons of two fields are not supported")
    case .linkCount:
      throw refusal(node, "conditions on the number of linked rows are not supported")
    case .compare, .isIn, .isNull, .idStartsWith:
      return isNegated ? try negatedLeaf(node) : node
    }
  }

  private func pushed(
    _ parts: [ConditionNode], isNegated: Bool
  ) throws(QueryError) -> [ConditionNode] {
    var pushed: [ConditionNode] = []
    for part in parts { pushed.append(try self.pushed(part, isNegated: isNegated)) }
    return pushed
  }

  private func negatedLeaf(_ leaf: ConditionNode) throws(QueryError) -> ConditionNode {
    guard leaf.isOwn else { throw refusal(leaf, "conditions on linked rows cannot be negated") }
    switch leaf {
    case .isNull(let field, let isNull): return .isNull(field, !isNull)
    case .isIn(let field, let values):
      guard !values.contains(.null) else {
        throw refusal(leaf, "a list that contains null cannot be negated")
      }
      return .all(values.map { .compare(field, .notEqual, $0) })
    case .compare(let field, let comparison, let value):
      switch comparison {
      case .equal: return .compare(field, .notEqual, value)
      case .notEqual: return .compare(field, .equal, value)
      case .less: return orMissing(field, .greaterOrEqual, value)
      case .lessOrEqual: return orMissing(field, .greater, value)
      case .greater: return orMissing(field, .lessOrEqual, value)
      case .greaterOrEqual: return orMissing(field, .less, value)
      case .like, .ilike, .matches:
        throw refusal(leaf, "'\(comparison.spelling)' cannot be negated")
      }
    case .idStartsWith, .compareFields, .all, .any, .together, .not, .quantified, .linkCount:
      throw refusal(leaf, "this condition cannot be negated")
    }
  }

  private func orMissing(
    _ field: AttributePath, _ comparison: Comparison, _ value: Value
  ) -> ConditionNode {
    .any([.compare(field, comparison, value), .isNull(field, true)])
  }

  // MARK: Quantifiers

  /// Returns the path condition that is equivalent to a quantifier: `tags.name = "x"` for
  /// `any tags (name = "x")`.
  ///
  /// - Throws: `notExpressible` if there is no such condition.
  private func existence(
    _ quantifier: Quantifier, _ link: AttributePath, _ inner: ConditionNode, isNegated: Bool
  ) throws(QueryError) -> ConditionNode {
    let node = ConditionNode.quantified(quantifier, link, inner)
    guard quantifier == .some, !isNegated else {
      throw refusal(node, "conditions that all or no linked rows must match are not supported")
    }
    guard let leaves = try leaves(of: inner) else {
      throw refusal(
        node, "conditions on the same linked row must be comparisons joined with 'and'")
    }
    if leaves.isEmpty { return .isNull(link, false) }
    guard leaves.count == 1 else {
      throw refusal(
        node,
        "only one group of conditions on the same linked row is supported, and it must be at the "
          + "top level of the filter")
    }
    return leaves[0].prefixed(by: link)
  }

  /// Returns the whole condition as one InstaQL object, in which all paths through the same link
  /// share the linked entity.
  ///
  /// Nil unless the top level has exactly one `some` quantifier, and that quantifier combines
  /// several comparisons.
  private func sharedExistence(_ condition: ConditionNode) throws(QueryError) -> ConditionNode? {
    var others = condition.conjuncts
    let places = others.indices.filter { place in
      if case .quantified(.some, _, _) = others[place] { return true }
      return false
    }
    guard places.count == 1, case .quantified(_, let link, let inner) = others[places[0]],
      let leaves = try leaves(of: inner), leaves.count > 1
    else { return nil }
    others.remove(at: places[0])
    var parts = leaves.map { $0.prefixed(by: link) }
    if !others.isEmpty { parts.append(.all(try pushed(others, isNegated: false))) }
    return .sharing(parts)
  }

  /// Returns the comparisons in `inner` that are joined by `and`.
  ///
  /// Nil if `inner` has other conditions. Nil also if the comparisons would change their meaning
  /// when the link is put in front of their paths, or when they become keys of one object.
  private func leaves(of inner: ConditionNode) throws(QueryError) -> [ConditionNode]? {
    var leaves: [ConditionNode] = []
    for part in inner.conjuncts {
      switch part {
      case .compare(_, .notEqual, _), .isNull(_, true), .compareFields, .any, .not, .quantified,
        .idStartsWith, .linkCount:
        return nil
      case .all(let parts), .together(let parts):
        guard parts.isEmpty else { return nil }
      case .compare, .isIn, .isNull: leaves.append(part)
      }
    }
    let keys = Set(leaves.map(\.objectKey))
    guard keys.count == leaves.count, leaves.count == 1 || leaves.allSatisfy(\.isOwn) else {
      return nil
    }
    return leaves
  }

  private func refusal(_ node: ConditionNode, _ reason: String) -> QueryError {
    .notExpressible(path: path + "." + node.objectKey, reason: reason)
  }
}

extension ConditionNode {
  /// Whether no path of the condition follows a link.
  fileprivate var isOwn: Bool {
    var isOwn = true
    forEachPath { isOwn = isOwn && $0.isOwn }
    return isOwn
  }

  /// Returns this comparison with `link` in front of its path.
  fileprivate func prefixed(by link: AttributePath) -> ConditionNode {
    switch self {
    case .compare(let field, let comparison, let value):
      .compare(field.prefixed(by: link), comparison, value)
    case .isIn(let field, let values): .isIn(field.prefixed(by: link), values)
    case .isNull(let field, let isNull): .isNull(field.prefixed(by: link), isNull)
    case .compareFields, .idStartsWith, .all, .any, .together, .not, .quantified, .linkCount: self
    }
  }
}
