/// The staged changes of a store, stored until they are sent.
package struct KeptChanges: Codable, Sendable, Hashable {
  package struct Change: Codable, Sendable, Hashable {
    /// A description of the change.
    package var sentence: String
    /// The transaction steps in wire format, as JSON.
    package var steps: String
    /// The previous values of what the steps change, as a JSON object by the steps' indexes; nil
    /// when they are unknown.
    package var seen: String?

    package init(sentence: String, steps: String, seen: String? = nil) {
      self.sentence = sentence
      self.steps = steps
      self.seen = seen
    }
  }

  /// The oldest first.
  package var changes: [Change]

  package init(changes: [Change] = []) {
    self.changes = changes
  }
}
