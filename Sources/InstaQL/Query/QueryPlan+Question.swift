/// What somebody is asked who understands InstaQL and no more.
extension QueryPlan {
  /// This plan where InstaQL can say it; else a plan that InstaQL can say, whose answer holds all that is
  /// needed to answer this one on this side: the conditions it has words for, no window, and the links
  /// that anything looks along.
  public var question: QueryPlan {
    if (try? instaQL()) != nil { return self }
    var looked = groups + aggregates.compactMap(\.path) + order.map(\.path)
    var asked = QueryPlan(namespace)
    var kept: [ConditionNode] = []
    for part in condition?.conjuncts ?? [] {
      if QueryPlan(namespace, condition: part).isExpressible {
        kept.append(part)
      } else {
        part.forEachPath { looked.append($0) }
      }
    }
    asked.setConditions(kept)
    if !asked.isExpressible {
      condition?.forEachPath { looked.append($0) }
      asked.condition = nil
    }
    for relation in relations { asked.setRelation(relation.label, relation.plan.nestedQuestion) }
    for path in looked { asked.follow(Array(path.links)) }
    return asked.isExpressible ? asked : QueryPlan(namespace)
  }

  private var isExpressible: Bool { (try? instaQL()) != nil }

  /// The same for a plan at the end of a link.
  private var nestedQuestion: QueryPlan {
    if isExpressibleWithin { return self }
    // Within another query there is a limit and no other window.
    let whole = removing(.page)
    return whole.isExpressibleWithin ? whole : whole.question
  }

  private var isExpressibleWithin: Bool {
    QueryPlan(namespace).with(namespace) { _ in self }.isExpressible
  }

  /// Makes sure that everything along these links comes along.
  private mutating func follow(_ links: [String]) {
    for count in links.indices.map({ $0 + 1 }) {
      let way = Array(links[..<count])
      let there = self[along: way] ?? QueryPlan(way[count - 1])
      self[along: way] = there.removing(.filter, .order, .page, .fields, .count)
    }
  }
}

extension QueryDocument {
  /// The same of each of its plans.
  public var question: QueryDocument {
    QueryDocument(plans.map(\.question), ruleParams: ruleParams)
  }
}
