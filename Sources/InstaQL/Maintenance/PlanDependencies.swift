package import Triples

/// What the answer to a plan depends on, and by which ways: from a changed value back to the
/// entities that it can bring into the answer, drop from it, move or show anew.
///
/// To look in the store as it is after the changes is enough: when an entity's standing changed,
/// something that it reaches did, and up to the first such thing the way is as it was.
package struct PlanDependencies: Sendable {
  /// What decides who is in the answer, and where.
  private(set) var deciding: [AttributeID: [Way]] = [:]
  /// The attributes of each object.
  let shown: Set<AttributeID>
  /// The relations that lead somewhere.
  private(set) var relations: [Relation] = []
  /// Whether the page is found by comparing with an entity that need not be in the answer.
  let hasCursor: Bool

  struct Relation: Sendable {
    let label: String
    let link: Link
    let plan: PreparedPlan
    let inner: PlanDependencies
  }

  /// - Parameters:
  ///   - schema: The one that the plan was prepared with.
  ///   - fields: The attributes of each object, where they are not those of the plan.
  init(_ plan: PreparedPlan, _ schema: Schema, fields: [Attribute]? = nil) {
    shown = plan.plan.isCount ? [] : Set((fields ?? plan.fields).map(\.id))
    hasCursor = plan.plan.page.after != nil || plan.plan.page.before != nil
    if let membership = schema.attribute(plan.namespace, "id") { add(membership, []) }
    collect(plan.formula, [])
    for key in plan.order {
      guard case .value(let links, let attribute) = key.source else { continue }
      add(attribute, along(links, from: []))
    }
    collect(plan.summary)
    guard !plan.plan.isCount else { return }
    for relation in plan.relations {
      guard let link = relation.link else { continue }
      relations.append(
        Relation(
          label: relation.label, link: link, plan: relation.plan,
          inner: PlanDependencies(relation.plan, schema)))
    }
  }

  /// All ways by which a change can concern the entities of the answer, relations included.
  package var ways: [AttributeID: [Way]] {
    var all = deciding
    for attribute in shown { all[attribute, default: []].append(Way(links: [], end: .holder)) }
    for relation in relations {
      all[relation.link.attribute.id, default: []].append(Self.way(of: relation.link, after: []))
      for (attribute, ways) in relation.inner.ways {
        all[attribute, default: []] += ways.map {
          Way(links: [relation.link] + $0.links, end: $0.end)
        }
      }
    }
    return all.mapValues { Array(Set($0)) }
  }

  /// The entities whose place in the answer some of these changes may decide.
  func candidates(
    of changes: [AttributeID: [ChangeSet.Change]], in store: TripleStore
  ) -> RowSet {
    var found = RowSet()
    for (attribute, changes) in changes {
      for way in deciding[attribute] ?? [] {
        found.formUnion(way.origins(of: changes, in: store))
      }
    }
    return found
  }

  // MARK: Collecting

  private static func way(of link: Link, after links: [Link]) -> Way {
    Way(links: links, end: link.direction == .forward ? .holder : .target)
  }

  private mutating func add(_ attribute: Attribute, _ links: [Link]) {
    add(Way(links: links, end: .holder), attribute)
  }

  private mutating func add(_ way: Way, _ attribute: Attribute) {
    if deciding[attribute.id]?.contains(way) == true { return }
    deciding[attribute.id, default: []].append(way)
  }

  /// Notes links that are followed from the end of others.
  private mutating func along(_ links: [Link], from start: [Link]) -> [Link] {
    var way = start
    for link in links {
      add(Self.way(of: link, after: way), link.attribute)
      way.append(link)
    }
    return way
  }

  /// What an entity adds to a summary counts like where it stands.
  private mutating func collect(_ summary: PreparedSummary?) {
    guard let summary else { return }
    for source in summary.groups.map(\.source) + summary.measures.compactMap(\.source) {
      let links = along(source.links, from: [])
      switch source.end {
      case .attribute(let attribute): add(attribute, links)
      case .link(let link): _ = along([link], from: links)
      case .nowhere: break
      }
    }
  }

  private mutating func collect(_ formula: Formula, _ links: [Link]) {
    switch formula {
    case .always, .never, .identity, .identityPrefix: break
    case .stored(let attribute, _): add(attribute, links)
    case .reference(let test): add(test.attribute, links)
    case .linked(let link, let inner): collect(inner, along([link], from: links))
    case .compared(let comparison):
      for side in [comparison.left, comparison.right] {
        add(side.attribute, along(side.links, from: links))
      }
    case .not(let inner): collect(inner, links)
    case .all(let parts), .any(let parts): for part in parts { collect(part, links) }
    case .joint(let pattern): collect(pattern, links)
    }
  }

  /// One way to each variable is enough: where another one breaks off, that break is a change too.
  private mutating func collect(_ pattern: JointPattern, _ links: [Link]) {
    var ways: [Int: [Link]] = [0: links]
    let edges = pattern.edges.sorted {
      pattern.variables[$0.from].depth < pattern.variables[$1.from].depth
    }
    for edge in edges {
      guard let start = ways[edge.from] else { continue }
      let end = along([edge.link], from: start)
      if ways[edge.to] == nil { ways[edge.to] = end }
    }
    for (variable, way) in ways { collect(pattern.variables[variable].test, way) }
  }
}
