import Triples

/// How far from the entities of an answer a change still concerns who shows it.
public enum AnswerReach: Hashable, Sendable {
  /// What the query asks for, its relations included.
  case answer
  /// Beside that, all links of each row and the values at their other ends, as a screen shows them.
  case neighbours

  /// The plan by which it can be told what concerns whoever shows the answer to this one.
  func widened(_ plan: QueryPlan, in schema: Schema) -> QueryPlan {
    guard self == .neighbours, !plan.isCount, !plan.isSummary else { return plan }
    var wide = plan
    for link in schema.links(of: plan.namespace) where wide.relation(link.label) == nil {
      wide.setRelation(link.label, QueryPlan(link.label))
    }
    return wide
  }
}
