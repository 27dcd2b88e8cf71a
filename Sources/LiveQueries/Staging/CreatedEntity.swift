package import Triples

/// An entity that a change created, with the id that it has in the store. A database may give a row
/// another id than the change.
package struct CreatedEntity: Sendable, Equatable {
  package let id: EntityID
  package let namespace: String

  package init(_ id: EntityID, in namespace: String) {
    (self.id, self.namespace) = (id, namespace)
  }

  /// Returns the first entities that the newest transaction of `snapshot` created.
  static func all(in snapshot: StoreSnapshot) -> [CreatedEntity] {
    let (store, changes) = (snapshot.store, snapshot.changes?.changes ?? [])
    return changes.lazy.compactMap { change -> CreatedEntity? in
      guard change.old == nil, let identity = store.schema.attribute(change.attribute),
        identity.isIdentity
      else { return nil }
      return CreatedEntity(store.id(of: change.entity), in: identity.namespace)
    }
    .prefix(maxCount).map { $0 }
  }

  private static let maxCount = 1_000
}
