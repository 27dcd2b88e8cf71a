/// What one transaction changed: enough to know which answers it can touch.
public struct ChangeSet: Sendable, Equatable {
  /// One value that came, went or was replaced.
  ///
  /// When what was there is there now, the entity went from its namespace and came back: it is of
  /// another age, which can matter to an order.
  public struct Change: Hashable, Sendable {
    public let entity: EntityHandle
    public let attribute: AttributeID
    /// What was there; nil when nothing was.
    public let old: Value?
    /// What is there now; nil when nothing is.
    public let new: Value?
    /// When what went was made, in milliseconds since 1970, so that it can come back as old as it
    /// was; nil while something is there, which kept its moment.
    public let createdAt: Int64?

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

  /// In the order in which they were made.
  public var changes: [Change]
  /// Whether attributes came, went or changed, which can touch any answer.
  public var schemaChanged: Bool

  public init(changes: [Change] = [], schemaChanged: Bool = false) {
    self.changes = changes
    self.schemaChanged = schemaChanged
  }

  public var isEmpty: Bool { changes.isEmpty && !schemaChanged }

  /// The attributes whose values changed.
  ///
  /// - Complexity: O(changes).
  public var touchedAttributes: Set<AttributeID> { Set(changes.lazy.map(\.attribute)) }

  /// The namespaces whose entities changed: those of the attributes, and of links both ends.
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
