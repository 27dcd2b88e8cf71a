package import Triples

/// A server's answer to one query: its triples, and the number of the newest transaction that they
/// include.
///
/// The answer is kept as the server sent it. ``OptimisticOverlay`` applies local changes for
/// display.
package struct ServedRows: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    package let entity: EntityID
    package let attribute: AttributeID
    package let value: Value
    /// The creation time in milliseconds since 1970.
    package let createdAt: Int64

    package init(_ entity: EntityID, _ attribute: AttributeID, _ value: Value, createdAt: Int64) {
      self.entity = entity
      self.attribute = attribute
      self.value = value
      self.createdAt = createdAt
    }
  }

  package var rows: [Row]
  /// The number of the newest transaction that the answer includes; nil when the server has no
  /// transactions.
  package var processed: Int?
  /// Page information and counts from the server.
  package var served: ServedAnswer

  package init(
    _ rows: [Row] = [], processed: Int? = nil, served: ServedAnswer = ServedAnswer()
  ) {
    self.rows = rows
    self.processed = processed
    self.served = served
  }
}
