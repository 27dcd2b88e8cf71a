import InstaQL

/// The links whose target rows a plan needs, as a tree: for its relations, order and groups.
struct IncludedLinks {
  var links: [String: IncludedLinks] = [:]
  /// The maximum number of linked rows to read per entity, in the order of creation.
  var maxRows = Int.max
  /// The plan that selects the linked rows, without offset and cursor; nil to read all linked rows.
  var nested: QueryPlan?

  init() {}

  /// Collects the links of a plan's relations, order and groups, and on request also those of its
  /// conditions.
  init(of plan: QueryPlan, withConditions: Bool = false) {
    let own = (plan.isDistinct ? plan.fields ?? [] : []).map { AttributePath($0) }
    for path in plan.readPaths + own {
      add(path.labels[...])
    }
    for relation in plan.relations {
      // A link that is also needed for another purpose is read completely.
      let isAlone = links[relation.label] == nil
      links[relation.label, default: IncludedLinks()].add(nested: relation.plan)
      let page = relation.plan.page
      if isAlone, relation.plan.condition == nil, relation.plan.order.isEmpty,
        page == Page(limit: page.limit)
      {
        links[relation.label]?.maxRows = page.limit ?? .max
      }
      if isAlone, page == Page(limit: page.limit) {
        links[relation.label]?.nested = relation.plan
      }
    }
    if withConditions { plan.condition?.forEachPath { add($0.labels[...]) } }
  }

  /// Adds the links that a nested plan and its conditions need. The plan is evaluated in memory.
  private mutating func add(nested plan: QueryPlan) {
    merge(IncludedLinks(of: plan, withConditions: true))
  }

  private mutating func merge(_ other: IncludedLinks) {
    for (label, ways) in other.links {
      guard var both = links[label] else {
        links[label] = ways
        continue
      }
      both.merge(ways)
      both.maxRows = .max
      both.nested = nil
      links[label] = both
    }
  }

  /// Adds the links of a path. An attribute at the end of the path is ignored.
  private mutating func add(_ labels: ArraySlice<String>) {
    guard let first = labels.first else { return }
    links[first, default: IncludedLinks()].add(labels.dropFirst())
    links[first]?.maxRows = .max
    links[first]?.nested = nil
  }
}
