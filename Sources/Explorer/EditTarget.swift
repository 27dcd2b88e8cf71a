import Triples

/// The target of an edit: an entity, and one of its attributes or links.
struct EditTarget: Sendable, Equatable {
  let entity: EntityID
  let namespace: String
  /// Nil for the whole entity.
  let source: ColumnSource?
}
