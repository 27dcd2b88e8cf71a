import Triples

/// The target of an edit: an entity, or one of its attributes or links.
struct EditTarget: Sendable, Equatable {
  let entity: EntityID
  let namespace: String
  /// The attribute or link to edit; nil for the whole entity.
  let source: ColumnSource?
}
