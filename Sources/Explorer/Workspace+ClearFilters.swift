import InstaQL

// Clears the filters of the query.
extension Workspace {
  /// Removes all filters of the query, including those of its groups and its relations.
  mutating func clearFilters() -> [Effect] {
    guard let plan = tab.queryHistory?.plan else { return notify(missingQueryReason ?? .noFilters) }
    guard plan.hasFilters else { return notify(.noFilters) }
    notice = .filtersCleared
    return changeQuery { $0 = plan.withoutFilters }
  }
}

extension QueryPlan {
  /// Whether the query filters its rows, its groups, or the rows of a relation.
  var hasFilters: Bool {
    condition != nil || having != nil || relations.contains { $0.plan.hasFilters }
  }

  /// The query without its filters.
  fileprivate var withoutFilters: QueryPlan {
    var plan = removing(.filter)
    plan.having = nil
    for relation in relations { plan.setRelation(relation.label, relation.plan.withoutFilters) }
    return plan
  }
}
