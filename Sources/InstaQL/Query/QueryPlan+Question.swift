public import Triples

/// The plans to send to a server that supports only InstaQL.
extension QueryPlan {
  /// The plan to send to a server: this plan if InstaQL can express it, otherwise a simpler one.
  ///
  /// The answer to the simpler plan contains all data needed to answer this plan locally. It has
  /// the conditions that InstaQL can express, all used links, and no page.
  public var question: QueryPlan { question(in: nil) }

  /// Returns the plan to send to a server: this plan if InstaQL can express it, otherwise a simpler
  /// one, whose answer contains all needed data.
  ///
  /// - Parameter schema: The schema, which distinguishes paths into JSON from paths along links.
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

  /// Returns the nested plan to send to a server, for a link with this target.
  private func nestedQuestion(of target: String, in schema: Schema?) -> QueryPlan {
    if isExpressibleWithin { return self }
    // Nested queries support a limit, but no other page options.
    let whole = removing(.page)
    return whole.isExpressibleWithin ? whole : whole.question(of: target, in: schema)
  }

  private var isExpressibleWithin: Bool {
    QueryPlan(namespace).with(namespace) { _ in self }.isExpressible
  }

  /// Includes the links of a path, each with all its entities.
  private mutating func follow(_ links: [String]) {
    for count in links.indices.map({ $0 + 1 }) {
      let way = Array(links[..<count])
      let there = self[along: way] ?? QueryPlan(way[count - 1])
      self[along: way] = there.removing(.filter, .order, .page, .fields, .count)
    }
  }
}

extension Schema {
  /// Returns the labels at the start of a path that are links. The labels after an attribute lead
  /// into its JSON.
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
  /// - Parameter schema: The schema, which distinguishes paths into JSON from paths along links.
  public func question(in schema: Schema?) -> QueryDocument {
    QueryDocument(plans.map { $0.question(in: schema) }, ruleParams: ruleParams)
  }
}
