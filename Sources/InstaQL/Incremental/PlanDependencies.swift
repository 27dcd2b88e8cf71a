package import Triples

/// The attributes that an answer depends on, each with the paths from the affected entities to its
/// values.
///
/// A change can add, remove, move or redisplay an entity. It is enough to follow the paths in the
/// new state. If an entity joined or left the answer, something on one of its paths changed, and
/// the path is unchanged up to the first such change.
package struct PlanDependencies: Sendable {
  /// The attributes that decide which entities are in the answer, and in which order; with their
  /// paths.
  private(set) var deciding: [AttributeID: [DependencyPath]] = [:]
  /// The displayed attributes of the answer's entities.
  let shown: Set<AttributeID>
  /// The attributes that computed columns read, with the paths from the entities that display them.
  private(set) var computed: [AttributeID: [DependencyPath]] = [:]
  /// The relations of the plan whose links exist.
  private(set) var relations: [Relation] = []
  /// Whether the page has a cursor. The entity at the cursor may be outside of the answer.
  let hasCursor: Bool

  struct Relation: Sendable {
    let label: String
    let link: Link
    let plan: PreparedPlan
    let inner: PlanDependencies
  }

  /// Collects the dependencies of a plan.
  ///
  /// - Parameters:
  ///   - schema: The schema that the plan was prepared with.
  ///   - fields: The displayed attributes, if they differ from those of the plan.
  init(_ plan: PreparedPlan, _ schema: Schema, fields: [Attribute]? = nil) {
    shown = plan.plan.isCount ? [] : Set((fields ?? plan.fields).map(\.id))
    hasCursor = plan.plan.page.after != nil || plan.plan.page.before != nil
    if let membership = schema.identity(of: plan.namespace) { add(membership, []) }
    collect(plan.formula, [])
    for key in plan.order {
      switch key.source {
      case .creation: break
      case .count(let links): _ = along(links, from: [])
      case .computed(let expression): expression.forEachSource { add($0, $1, after: []) }
      case .value(let links, let attribute): add(attribute, along(links, from: []))
      }
    }
    collect(plan.summary)
    guard !plan.plan.isCount else { return }
    collect(plan.computed)
    for relation in plan.relations {
      guard let link = relation.link else { continue }
      relations.append(
        Relation(
          label: relation.label, link: link, plan: relation.plan,
          inner: PlanDependencies(relation.plan, schema)))
    }
  }

  /// The paths from affected entities to the entity with a changed value, by the changed attribute.
  /// Includes paths through relations.
  package var pathsByAttribute: [AttributeID: [DependencyPath]] {
    var all = deciding
    for attribute in shown {
      all[attribute, default: []].append(DependencyPath(links: [], end: .holder))
    }
    all.merge(computed) { $0 + $1 }
    for relation in relations {
      all[relation.link.attribute.id, default: []].append(Self.path(of: relation.link, after: []))
      for (attribute, paths) in relation.inner.pathsByAttribute {
        all[attribute, default: []] += paths.map {
          DependencyPath(links: [relation.link] + $0.links, end: $0.end)
        }
      }
    }
    return all.mapValues { Array(Set($0)) }
  }

  /// Returns the entities that the changes may add to the answer, remove from it, or move in it.
  func candidates(
    of changes: [AttributeID: [ChangeSet.Change]], in store: TripleStore
  ) -> RowSet {
    var found = RowSet()
    for (attribute, changes) in changes {
      for path in deciding[attribute] ?? [] {
        found.formUnion(path.origins(of: changes, in: store))
      }
    }
    return found
  }

  // MARK: Collecting

  private static func path(of link: Link, after links: [Link]) -> DependencyPath {
    DependencyPath(links: links, end: link.direction == .forward ? .holder : .target)
  }

  private mutating func add(_ attribute: Attribute, _ links: [Link]) {
    add(DependencyPath(links: links, end: .holder), attribute)
  }

  private mutating func add(_ path: DependencyPath, _ attribute: Attribute) {
    if deciding[attribute.id]?.contains(path) == true { return }
    deciding[attribute.id, default: []].append(path)
  }

  /// Records that the answer depends on these links. Returns the path from the start through all of
  /// them.
  private mutating func along(_ links: [Link], from start: [Link]) -> [Link] {
    var path = start
    for link in links {
      add(Self.path(of: link, after: path), link.attribute)
      path.append(link)
    }
    return path
  }

  /// Records that the answer depends on a value at the end of the links. If the attribute is nil,
  /// the answer depends on the links alone.
  private mutating func add(_ links: [Link], _ attribute: Attribute?, after start: [Link]) {
    let end = along(links, from: start)
    if let attribute { add(attribute, end) }
  }

  /// Records the attributes that computed columns read. They change displayed values, but not which
  /// entities are in the answer.
  private mutating func collect(_ columns: [PreparedColumn]) {
    if columns.isEmpty { return }
    let known = deciding
    deciding = [:]
    for column in columns { column.expression.forEachSource { add($0, $1, after: []) } }
    (computed, deciding) = (deciding, known)
  }

  /// Records the attributes of groups and aggregates. Any change to them may change the table.
  private mutating func collect(_ summary: PreparedSummary?) {
    guard let summary else { return }
    for source in summary.groups.map(\.source) + summary.measures.compactMap(\.source) {
      let links = along(source.links, from: [])
      switch source.end {
      case .attribute(let attribute): add(attribute, links)
      case .computed(let expression): expression.forEachSource { add($0, $1, after: []) }
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
    case .computed(let test): test.forEachSource { add($0, $1, after: links) }
    case .counted(let counted, _, _): _ = along(counted, from: links)
    case .not(let inner): collect(inner, links)
    case .all(let parts), .any(let parts): for part in parts { collect(part, links) }
    case .joint(let pattern): collect(pattern, links)
    }
  }

  /// Records the attributes of a joint pattern.
  ///
  /// One path to each variable is enough, because the links on its other paths are also recorded.
  private mutating func collect(_ pattern: JointPattern, _ links: [Link]) {
    var paths: [Int: [Link]] = [0: links]
    let edges = pattern.edges.sorted {
      pattern.variables[$0.from].depth < pattern.variables[$1.from].depth
    }
    for edge in edges {
      guard let start = paths[edge.from] else { continue }
      let end = along([edge.link], from: start)
      if paths[edge.to] == nil { paths[edge.to] = end }
    }
    for (variable, path) in paths { collect(pattern.variables[variable].test, path) }
  }
}
