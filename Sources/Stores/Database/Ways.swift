import InstaQL

/// The links that a plan looks along, beyond its own filter.
struct Ways {
  var links: [String: Ways] = [:]
  /// So many of each entity, in the order in which they were made, are enough.
  var most = Int.max
  /// What is asked of the rows there, where nothing else needs them: a plan without offsets and cursors.
  var nested: QueryPlan?

  init() {}

  /// What the relations of a plan lead to, and what orders and groups its entities.
  init(of plan: QueryPlan) {
    let own = (plan.isDistinct ? plan.fields ?? [] : []).map { AttributePath($0) }
    for path in plan.groups + plan.order.map(\.path) + plan.aggregates.compactMap(\.path) + own {
      add(path.labels[...])
    }
    for relation in plan.relations {
      // What is looked along for anything else is needed whole.
      let isAlone = links[relation.label] == nil
      links[relation.label, default: Ways()].add(nested: relation.plan)
      let page = relation.plan.page
      if isAlone, relation.plan.condition == nil, relation.plan.order.isEmpty,
        page == Page(limit: page.limit)
      {
        links[relation.label]?.most = page.limit ?? .max
      }
      if isAlone, page == Page(limit: page.limit) {
        links[relation.label]?.nested = relation.plan
      }
    }
  }

  /// A plan at the end of a link: it is filtered here, so what its conditions look at is read as well.
  private mutating func add(nested plan: QueryPlan) {
    merge(Ways(of: plan))
    plan.condition?.forEachPath { add($0.labels[...]) }
  }

  private mutating func merge(_ other: Ways) {
    for (label, ways) in other.links {
      guard var both = links[label] else {
        links[label] = ways
        continue
      }
      both.merge(ways)
      both.most = .max
      both.nested = nil
      links[label] = both
    }
  }

  /// The last label may be an attribute: then nothing is read along it.
  private mutating func add(_ labels: ArraySlice<String>) {
    guard let first = labels.first else { return }
    links[first, default: Ways()].add(labels.dropFirst())
    links[first]?.most = .max
    links[first]?.nested = nil
  }
}
