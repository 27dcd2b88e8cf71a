/// The changes of one transaction. They determine which answers are affected.
public struct ChangeSet: Sendable, Equatable {
  /// A value that was added, removed or replaced.
  ///
  /// Equal old and new values mean that the entity was removed from its namespace and added
  /// again: its creation time differs, which can affect an order.
  public struct Change: Hashable, Sendable {
    /// The entity whose value changed.
    public let entity: EntityHandle
    /// The attribute whose value changed.
    public let attribute: AttributeID
    /// The previous value; nil when there was none.
    public let old: Value?
    /// The current value; nil when there is none.
    public let new: Value?
    /// The creation time of a removed value, used to restore it, in milliseconds since 1970. Nil
    /// for a replaced value, because the new value keeps the time.
    public let createdAt: Int64?

    /// Creates a change of a value; nil means that there is no value.
    public init(
      entity: EntityHandle, attribute: AttributeID, old: Value?, new: Value?,
      createdAt: Int64? = nil
    ) {
      self.entity = entity
      self.attribute = attribute
      self.old = old
      self.new = new
      self.createdAt = createdAt
    }
  }

  /// The changes in the order in which they were made.
  public var changes: [Change]
  /// Whether attributes were added, removed or changed, which can affect any answer.
  public var schemaChanged: Bool

  /// Creates a change set from changes of values and of the schema.
  public init(changes: [Change] = [], schemaChanged: Bool = false) {
    self.changes = changes
    self.schemaChanged = schemaChanged
  }

  /// Whether nothing changed.
  public var isEmpty: Bool { changes.isEmpty && !schemaChanged }

  /// The attributes whose values changed.
  ///
  /// - Complexity: O(changes).
  public var touchedAttributes: Set<AttributeID> { Set(changes.lazy.map(\.attribute)) }

  /// Returns the namespaces of changed entities. These are the attributes' namespaces, and the
  /// namespaces at both ends of links.
  ///
  /// - Complexity: O(changes).
  public func touchedNamespaces(in schema: Schema) -> Set<String> {
    touchedAttributes.reduce(into: []) { namespaces, id in
      guard let attribute = schema.attribute(id) else { return }
      namespaces.insert(attribute.namespace)
      if attribute.valueType == .ref { namespaces.insert(Link(attribute, .forward).target) }
    }
  }
}
