import InstaQL

/// The query to which a menu adds a filter: the whole one, or that of a relation.
struct FilteredQuery {
  /// The whole query.
  let plan: QueryPlan
  /// The links to the relation; empty for the whole query.
  var path: [String] = []
  /// The namespace of the rows to filter.
  let namespace: String
  var clause = FilterClause.filter
  /// Whether rows may match either the present condition or the added one, instead of both.
  var isEither = false

  /// The present condition; nil if there is none.
  var condition: ConditionNode? {
    clause == .having ? plan.having : plan[along: path]?.condition
  }

  /// The purpose of the line in which the user types the filter.
  var purpose: PromptPane.Purpose { path.isEmpty ? clause.purpose : .filter(path) }

  /// Returns the whole query with a further condition.
  func adding(_ added: ConditionNode) -> QueryPlan {
    if clause == .having { return plan.having(added) }
    var changed = plan
    changed.change(along: path) { filtered in
      if isEither, let before = filtered.condition {
        filtered.condition = before.or(added)
      } else {
        filtered = filtered.filter(added)
      }
    }
    return changed
  }
}
