import Triples

/// Finds the entities whose displayed values changed, including the values of their included
/// relations.
struct ChangedRows {
  let old: TripleStore
  let new: TripleStore
  let changes: [AttributeID: [ChangeSet.Change]]

  /// Returns the changed entities at one level of an answer.
  ///
  /// Entities that joined or left the answer are not included. Some of the returned entities may
  /// not match the plan.
  func entities(shownBy dependencies: PlanDependencies) throws(QueryError) -> RowSet {
    var found = RowSet()
    for (attribute, changes) in changes where dependencies.shown.contains(attribute) {
      for change in changes { found.insert(change.entity) }
    }
    for (attribute, changes) in changes {
      for path in dependencies.computed[attribute] ?? [] {
        found.formUnion(path.origins(of: changes, in: new))
      }
    }
    for relation in dependencies.relations {
      found.formUnion(try parents(relation))
    }
    return found
  }

  /// Returns the entities whose included relation changed: it gained, lost or moved an entity, or
  /// contains a changed one.
  private func parents(_ relation: PlanDependencies.Relation) throws(QueryError) -> RowSet {
    var found = try ends(relation)
    guard !changes.keys.allSatisfy({ !relation.plan.attributes.contains($0) }) else {
      return found
    }
    let candidates = relation.inner.candidates(of: changes, in: new)
    var inside = try entities(shownBy: relation.inner)
    if relation.inner.hasCursor && !candidates.isEmpty {
      // It is unknown for which parents the cursor now selects other entities, so all parents count
      // as changed.
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

  /// Returns the entities for which a link to a displayed entity of the relation was added or
  /// removed.
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
