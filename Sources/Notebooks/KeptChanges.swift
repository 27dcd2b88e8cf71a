/// What somebody changed in a store and keeps back, to send it together some time.
package struct KeptChanges: Codable, Sendable, Hashable {
  package struct Change: Codable, Sendable, Hashable {
    /// What it does, in words.
    package var sentence: String
    /// The steps as they travel, as JSON.
    package var steps: String
    /// What was seen in the place of what they change, as a JSON object by the places of the steps; nil
    /// where nobody asked.
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
