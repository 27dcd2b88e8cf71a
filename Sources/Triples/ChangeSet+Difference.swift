/// Determines the differences between two states of a store.
extension ChangeSet {
  /// Appends the changes of one attribute of one entity between two states, if there are any.
  ///
  /// - Parameter before: An earlier state of the same store, with the same handles.
  package mutating func append(
    _ attribute: Attribute, of entity: EntityHandle, from before: TripleStore, to after: TripleStore
  ) {
    let id = attribute.id
    if attribute.isIdentity || attribute.cardinality == .one {
      let (old, new) = (before.value(entity, id), after.value(entity, id))
      if old == new {
        guard attribute.isIdentity, before.createdAt(entity, id) != after.createdAt(entity, id)
        else { return }
      }
      let createdAt = new == nil ? before.createdAt(entity, id) : nil
      changes.append(
        Change(entity: entity, attribute: id, old: old, new: new, createdAt: createdAt))
      return
    }
    let (old, new) = (before.values(entity, id), after.values(entity, id))
    let (oldOnes, newOnes) = (Set(old), Set(new))
    if !oldOnes.isSubset(of: newOnes) {
      for (value, time) in zip(old, before.createdTimes(entity, id)) where !newOnes.contains(value)
      {
        changes.append(
          Change(entity: entity, attribute: id, old: value, new: nil, createdAt: time))
      }
    }
    for value in new where !oldOnes.contains(value) {
      changes.append(Change(entity: entity, attribute: id, old: nil, new: value))
    }
  }
}
