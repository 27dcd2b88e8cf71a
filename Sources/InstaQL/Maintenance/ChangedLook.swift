import Triples

/// Which entities look different after some changes, be it in their own values or in what their
/// relations lead to.
struct ChangedLook {
  let old: TripleStore
  let new: TripleStore
  let changes: [AttributeID: [ChangeSet.Change]]

  /// Those of one level of an answer. Who left or joined the level is not among them, and some may be
  /// that match the plan no more.
  func entities(
    of plan: PreparedPlan, _ dependencies: PlanDependencies
  ) throws(QueryError) -> RowSet {
    var found = RowSet()
    for (attribute, changes) in changes where dependencies.shown.contains(attribute) {
      for change in changes { found.insert(change.entity) }
    }
    for relation in dependencies.relations {
      found.formUnion(try parents(relation))
    }
    return found
  }

  /// Those whose list is another one, or has an entity that looks different.
  private func parents(_ relation: PlanDependencies.Relation) throws(QueryError) -> RowSet {
    var found = try ends(relation)
    guard !changes.keys.allSatisfy({ !relation.plan.attributes.contains($0) }) else {
      return found
    }
    let candidates = relation.inner.candidates(of: changes, in: new)
    var inside = try entities(of: relation.plan, relation.inner)
    if relation.inner.hasCursor && !candidates.isEmpty {
      // Which lists the entity of a cursor cuts, nobody knows: all of them.
      return new.rows(of: relation.link.reversed.target)
    }
    inside = try QueryEngine.matches(relation.plan, among: inside, in: new)
    if !candidates.isEmpty {
      inside.formUnion(try QueryEngine.matches(relation.plan, among: candidates, in: old))
      inside.formUnion(try QueryEngine.matches(relation.plan, among: candidates, in: new))
    }
    found.formUnion(new.reaching(along: relation.link, to: inside))
    return found
  }

  /// Those for which the link itself now leads elsewhere, to or from somebody who is shown.
  private func ends(_ relation: PlanDependencies.Relation) throws(QueryError) -> RowSet {
    var found = RowSet()
    guard let changes = changes[relation.link.attribute.id] else { return found }
    for change in changes {
      for (value, store) in [(change.old, old), (change.new, new)] {
        guard case .text(let id)? = value, let target = store.handle(of: EntityID(id)) else {
          continue
        }
        let isForward = relation.link.direction == .forward
        let (near, far) = isForward ? (change.entity, target) : (target, change.entity)
        let shown = try QueryEngine.matches(relation.plan, among: RowSet([far]), in: store)
        if !shown.isEmpty { found.insert(near) }
      }
    }
    return found
  }
}
