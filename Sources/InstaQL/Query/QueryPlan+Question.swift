public import Triples

/// The plans to send to a server that supports only InstaQL.
extension QueryPlan {
  /// The plan to send to a server: this plan if InstaQL can express it.
  ///
  /// Otherwise it is a plan that InstaQL can express and whose answer contains all data needed to
  /// answer this plan locally. It has the conditions that InstaQL can express, all links that are
  /// used, and no page.
  public var question: QueryPlan { question(in: nil) }

  /// Returns a plan to send to a server, whose answer contains all data that this plan needs.
  ///
  /// - Parameter schema: The known names. They distinguish paths into JSON from paths along links.
  public func question(in schema: Schema?) -> QueryPlan { question(of: namespace, in: schema) }

  private func question(of namespace: String, in schema: Schema?) -> QueryPlan {
    if isExpressible { return self }
    var looked = readPaths
    var asked = QueryPlan(self.namespace)
    var kept: [ConditionNode] = []
    for part in condition?.conjuncts ?? [] {
      if QueryPlan(self.namespace, condition: part).isExpressible {
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
    for relation in relations {
      let target = schema?.link(namespace, relation.label)?.target ?? relation.label
      asked.setRelation(relation.label, relation.plan.nestedQuestion(of: target, in: schema))
    }
    for path in looked {
      asked.follow(schema?.links(of: path, from: namespace) ?? Array(path.links))
    }
    return asked.isExpressible ? asked : QueryPlan(self.namespace)
  }

  private var isExpressible: Bool { (try? instaQL()) != nil }

  /// Returns the plan to send to a server for the target of a link.
  private func nestedQuestion(of target: String, in schema: Schema?) -> QueryPlan {
    if isExpressibleWithin { return self }
    // Nested queries support a limit, but no other page options.
    let whole = removing(.page)
    return whole.isExpressibleWithin ? whole : whole.question(of: target, in: schema)
  }

  private var isExpressibleWithin: Bool {
    QueryPlan(namespace).with(namespace) { _ in self }.isExpressible
  }

  /// Adds all entities along the given links to the plan.
  private mutating func follow(_ links: [String]) {
    for count in links.indices.map({ $0 + 1 }) {
      let way = Array(links[..<count])
      let there = self[along: way] ?? QueryPlan(way[count - 1])
      self[along: way] = there.removing(.filter, .order, .page, .fields, .count)
    }
  }
}

extension Schema {
  /// Returns the labels of the links at the start of a path. The rest may be a path into the JSON
  /// of an attribute.
  fileprivate func links(of path: AttributePath, from namespace: String) -> [String] {
    var links: [String] = []
    var place: String? = namespace
    for label in path.links {
      if let known = place {
        let link = link(known, label)
        if link == nil, attribute(known, label) != nil { break }
        place = link?.target
      }
      links.append(label)
    }
    return links
  }
}

extension QueryDocument {
  /// The document to send to a server, with the `question` of each plan.
  public var question: QueryDocument { question(in: nil) }

  /// Returns the document to send to a server, with the `question` of each plan.
  ///
  /// - Parameter schema: The known names. They distinguish paths into JSON from paths along links.
  public func question(in schema: Schema?) -> QueryDocument {
    QueryDocument(plans.map { $0.question(in: schema) }, ruleParams: ruleParams)
  }
}
