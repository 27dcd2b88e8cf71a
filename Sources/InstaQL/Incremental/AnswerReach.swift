package import Triples

/// Which changes the subscriber of an answer is notified of.
public enum AnswerReach: Hashable, Sendable {
  /// Changes to the query's data, including its relations.
  case answer
  /// The same, for a subscriber that evaluates the query again. A store that reads data on demand
  /// also reads what conditions and sort keys of the query need.
  case evidence
  /// Changes to anything on screen: the query's data, the links of its rows, and the values of the
  /// linked entities.
  case neighbors

  /// Changes to the query's data, and to the single-valued links of its objects and of their
  /// included relations.
  ///
  /// Subscribers that show objects with all stored data need this.
  case ownLinks

  /// Returns the plan with additional links, so that it depends on all changes of this scope.
  package func widened(_ plan: QueryPlan, in schema: Schema) -> QueryPlan {
    if plan.isCount || plan.isSummary { return plan }
    var wide = plan
    switch self {
    case .answer, .evidence: break
    case .neighbors:
      for link in schema.links(of: plan.namespace) where wide.relation(link.label) == nil {
        wide.setRelation(link.label, QueryPlan(link.label))
      }
    case .ownLinks: addOwnLinks(to: &wide, of: plan.namespace, in: schema)
    }
    return wide
  }

  /// Includes the single-valued links of the namespace, and those of the included relations.
  private func addOwnLinks(to plan: inout QueryPlan, of namespace: String, in schema: Schema) {
    for relation in plan.relations {
      guard let link = schema.link(namespace, relation.label) else { continue }
      var inner = relation.plan
      addOwnLinks(to: &inner, of: link.target, in: schema)
      plan.setRelation(relation.label, inner)
    }
    for link in schema.ownLinks(of: plan, in: namespace) where plan.relation(link.label) == nil {
      plan.setRelation(link.label, QueryPlan(link.label, fields: ["id"]))
    }
  }
}
