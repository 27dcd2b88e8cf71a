package import Triples

/// A server's answer to one query as it came: the triples that it follows from, and what they reflect.
///
/// It is kept raw. What was changed here is laid over it when somebody looks; see
/// ``OptimisticOverlay``.
package struct ServedRows: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    package let entity: EntityID
    package let attribute: AttributeID
    package let value: Value
    /// In milliseconds since 1970.
    package let createdAt: Int64

    package init(_ entity: EntityID, _ attribute: AttributeID, _ value: Value, createdAt: Int64) {
      self.entity = entity
      self.attribute = attribute
      self.value = value
      self.createdAt = createdAt
    }
  }

  package var rows: [Row]
  /// Every transaction up to this one is in it; nil when the server has seen none.
  package var processed: Int?
  /// Pages and counts as the server found them.
  package var served: ServedAnswer

  package init(
    _ rows: [Row] = [], processed: Int? = nil, served: ServedAnswer = ServedAnswer()
  ) {
    self.rows = rows
    self.processed = processed
    self.served = served
  }
}
