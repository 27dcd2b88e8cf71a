package import DataSources

/// A query saved under a name.
package struct SavedQuery: Codable, Sendable, Hashable, Identifiable {
  /// The name: one line, unique within a store.
  ///
  /// Saving under the same name replaces the query.
  package var name: String
  /// The address by which the store was opened. Empty for a query that is offered in every store.
  package var store: String
  /// The query as typed, in text or InstaQL form.
  package var text: String

  package init(name: String, store: String, text: String) {
    self.name = name
    self.store = store
    self.text = text
  }

  package var id: String { NotebookKey.of(name, in: store) }
}

/// A query that was run, and when.
package struct HistoryEntry: Codable, Sendable, Hashable, Identifiable {
  /// The address by which the store was opened.
  package var store: String
  package var text: String
  /// The time of the last run.
  package var when: WallClock.Instant

  package init(store: String, text: String, when: WallClock.Instant) {
    self.store = store
    self.text = text
    self.when = when
  }

  /// The key of the query in its store. Running a query again gives the same id.
  package var id: String { NotebookKey.of(text, in: store) }
}

/// Computes the keys under which entries of a store are saved.
enum NotebookKey {
  /// Returns the key of a name in a store.
  ///
  /// Names may contain anything except U+001F, the unit separator, which cannot be typed.
  static func of(_ name: String, in store: String) -> String { store + "\u{1F}" + name }
}
