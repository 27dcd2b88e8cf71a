public import Triples

/// The plans to send to a server that supports only InstaQL.
extension QueryPlan {
  /// The plan to send to a server: this plan if InstaQL can express it, otherwise a simpler one.
  ///
  /// The answer to the simpler plan contains all data that is needed to answer this plan locally.
  /// The simpler plan has the conditions that InstaQL can express, all used links, and no page.
  public var question: QueryPlan { question(in: nil) }

  /// Returns the plan to send to a server: this plan if InstaQL can express it, otherwise a simpler
  /// one. The answer to the simpler plan contains all needed data.
  ///
  /// - Parameter schema: The schema, by which paths into JSON are distinguished from paths along
  ///   links.
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
    // In a list, the conditions of one object are independent, so the object stays in a list.
    if case .all? = condition, case .together? = asked.condition { asked.condition = .all(kept) }
    if !asked.isExpressible {
      condition?.forEachPath { looked.append($0) }
      asked.condition = nil
    }
    for relation in relations {
      let target = schema?.link(namespace, relation.label)?.target ?? relation.label
      asked.setRelation(relation.label, relation.plan.nestedQuestion(of: target, in: schema))
    }
    for path in looked { asked.follow(path, from: namespace, in: schema) }
    return asked.isExpressible ? asked : QueryPlan(self.namespace)
  }

  private var isExpressible: Bool { (try? instaQL()) != nil }

  /// Returns the nested plan to send to a server. `target` is the namespace to which the plan's
  /// link leads.
  private func nestedQuestion(of target: String, in schema: Schema?) -> QueryPlan {
    if isExpressibleWithin { return self }
    // Nested queries support a limit, but neither other page options nor a count.
    var whole = removing(.page, .count)
    guard whole.isExpressibleWithin else { return whole.question(of: target, in: schema) }
    // To count, the ids are enough. The server also sends the values that the filter reads.
    if isCount { whole.fields = [] }
    return whole
  }

  private var isExpressibleWithin: Bool {
    QueryPlan(namespace).with(namespace) { _ in self }.isExpressible
  }

  /// Includes the links of a path, and for each link all of its entities.
  ///
  /// - Parameter namespace: The namespace in which the path begins.
  private mutating func follow(
    _ path: AttributePath, from namespace: String, in schema: Schema?
  ) {
    let links = schema?.links(of: path, from: namespace) ?? Array(path.links)
    for count in links.indices.map({ $0 + 1 }) {
      let way = Array(links[..<count])
      guard let there = self[along: way] else {
        let isTested = count > path.links.count
        // To test whether there is a linked entity, or which one, its id is enough.
        self[along: way] = QueryPlan(way[count - 1], fields: isTested ? [] : nil)
        continue
      }
      self[along: way] = there.removing(.filter, .order, .page, .fields, .count)
      // The removed filter is evaluated locally, so its links are needed, too.
      var looked: [AttributePath] = []
      there.condition?.forEachPath { looked.append($0.prefixed(by: AttributePath(way))) }
      for path in looked { follow(path, from: namespace, in: schema) }
    }
  }
}

extension Schema {
  /// Returns the labels at the start of a path that are links. After an attribute, labels lead into
  /// its JSON.
  ///
  /// The last label is a link if a condition compares ids, or tests whether there is a linked
  /// entity.
  fileprivate func links(of path: AttributePath, from namespace: String) -> [String] {
    let (links, owner) = follow(path.labels, from: namespace)
    guard links.count < path.links.count else { return Array(path.labels.prefix(links.count)) }
    let isJSON = attribute(owner, path.labels[links.count]) != nil
    return Array(isJSON ? path.links.prefix(links.count) : path.links)
  }
}

extension QueryDocument {
  /// The document to send to a server, with the `question` of each plan.
  public var question: QueryDocument { question(in: nil) }

  /// Returns the document to send to a server, with the `question` of each plan.
  ///
  /// - Parameter schema: The schema, by which paths into JSON are distinguished from paths along
  ///   links.
  public func question(in schema: Schema?) -> QueryDocument {
    QueryDocument(plans.map { $0.question(in: schema) }, ruleParams: ruleParams)
  }
}
