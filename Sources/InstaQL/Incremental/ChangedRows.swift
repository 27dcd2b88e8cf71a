import Triples

/// Finds the entities that are displayed differently after changes, because their own values or
/// their relations changed.
struct ChangedRows {
  let old: TripleStore
  let new: TripleStore
  let changes: [AttributeID: [ChangeSet.Change]]

  /// Returns the changed entities of one level of an answer. Entities that joined or left the
  /// answer are not included; some of the returned ones may no longer match the plan.
  func entities(
    of plan: PreparedPlan, _ dependencies: PlanDependencies
  ) throws(QueryError) -> RowSet {
    var found = RowSet()
    for (attribute, changes) in changes where dependencies.shown.contains(attribute) {
      for change in changes { found.insert(change.entity) }
    }
    for (attribute, changes) in changes {
      for way in dependencies.computed[attribute] ?? [] {
        found.formUnion(way.origins(of: changes, in: new))
      }
    }
    for relation in dependencies.relations {
      found.formUnion(try parents(relation))
    }
    return found
  }

  /// Returns the entities whose list of linked entities changed, or contains a changed entity.
  private func parents(_ relation: PlanDependencies.Relation) throws(QueryError) -> RowSet {
    var found = try ends(relation)
    guard !changes.keys.allSatisfy({ !relation.plan.attributes.contains($0) }) else {
      return found
    }
    let candidates = relation.inner.candidates(of: changes, in: new)
    var inside = try entities(of: relation.plan, relation.inner)
    if relation.inner.hasCursor && !candidates.isEmpty {
      // It is unknown which lists the cursor cuts differently, so all parents count as changed.
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

  /// Returns the entities whose link to or from a displayed entity changed.
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
