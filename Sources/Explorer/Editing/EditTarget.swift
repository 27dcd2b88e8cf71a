import Triples

/// The entity, attribute or link that an edit changes.
struct EditTarget: Sendable, Equatable {
  let entity: EntityID
  let namespace: String
  /// The attribute or link to edit; nil for the whole entity.
  let source: ColumnSource?
}
