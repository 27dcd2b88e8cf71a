package import Triples

/// How far from the entities of an answer a change still concerns who shows it.
public enum AnswerReach: Hashable, Sendable {
  /// What the query asks for, its relations included.
  case answer
  /// Beside that, all links of each row and the values at their other ends, as a screen shows them.
  case neighbours

  /// Beside that, where each object's own links to at most one entity lead, at any depth, as objects
  /// with all that is stored show them.
  case ownLinks

  /// The plan by which it can be told what concerns whoever shows the answer to this one.
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

  /// Recursion is as deep as relations nest, which preparing bounds.
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
