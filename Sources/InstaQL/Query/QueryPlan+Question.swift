/// The query for a server that supports only InstaQL.
extension QueryPlan {
  /// This plan if it is expressible in InstaQL; otherwise an expressible plan whose answer
  /// contains all data needed to answer this one locally: with the expressible conditions,
  /// without a page, and with all links that are used.
  public var question: QueryPlan {
    if (try? instaQL()) != nil { return self }
    var looked = readPaths
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

  /// The query of a plan at the end of a link.
  private var nestedQuestion: QueryPlan {
    if isExpressibleWithin { return self }
    // Nested queries support a limit, but no other page options.
    let whole = removing(.page)
    return whole.isExpressibleWithin ? whole : whole.question
  }

  private var isExpressibleWithin: Bool {
    QueryPlan(namespace).with(namespace) { _ in self }.isExpressible
  }

  /// Includes all entities along these links.
  private mutating func follow(_ links: [String]) {
    for count in links.indices.map({ $0 + 1 }) {
      let way = Array(links[..<count])
      let there = self[along: way] ?? QueryPlan(way[count - 1])
      self[along: way] = there.removing(.filter, .order, .page, .fields, .count)
    }
  }
}

extension QueryDocument {
  /// The queries of all its plans.
  public var question: QueryDocument {
    QueryDocument(plans.map(\.question), ruleParams: ruleParams)
  }
}
