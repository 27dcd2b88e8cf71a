package import Triples

/// Which changes affect a subscriber of an answer.
public enum AnswerReach: Hashable, Sendable {
  /// Changes of the query's data, including its relations.
  case answer
  /// Changes that the screen shows. They affect the query's data, all links of each row, or the
  /// values of their targets.
  case neighbours

  /// Changes to the query's data, and to the targets of single-valued links that start at its
  /// objects, at any depth. Subscribers that show objects with all their stored data need this
  /// scope.
  case ownLinks

  /// Returns a plan that depends on everything in this scope.
  package func widened(_ plan: QueryPlan, in schema: Schema) -> QueryPlan {
    if plan.isCount || plan.isSummary { return plan }
    var wide = plan
    switch self {
    case .answer: break
    case .neighbours:
      for link in schema.links(of: plan.namespace) where wide.relation(link.label) == nil {
        wide.setRelation(link.label, QueryPlan(link.label))
      }
    case .ownLinks: addOwnLinks(to: &wide, of: plan.namespace, in: schema)
    }
    return wide
  }

  /// Adds the namespace's own links, and those of nested namespaces. Preparing the plan limits the
  /// recursion depth.
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
