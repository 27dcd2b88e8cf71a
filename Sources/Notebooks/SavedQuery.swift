package import DataSources

/// A query saved under a name.
package struct SavedQuery: Codable, Sendable, Hashable, Identifiable {
  /// The name of the query: one line, unique within a store.
  ///
  /// Saving another query under the same name replaces this query.
  package var name: String
  /// The address by which the user opened the store. If it is empty, the query is offered in every
  /// store.
  package var store: String
  /// The query as the user typed it, as text or InstaQL.
  package var text: String

  package init(name: String, store: String, text: String) {
    self.name = name
    self.store = store
    self.text = text
  }

  package var id: String { NotebookKey.of(name, in: store) }
}

/// A query that was run, with the time when it was run.
package struct HistoryEntry: Codable, Sendable, Hashable, Identifiable {
  /// The address by which the user opened the store.
  package var store: String
  package var text: String
  /// The time of the last run.
  package var when: WallClock.Instant

  package init(store: String, text: String, when: WallClock.Instant) {
    self.store = store
    self.text = text
    self.when = when
  }

  /// The key of the query in its store. If a query is run again, its entry has the same id.
  package var id: String { NotebookKey.of(text, in: store) }
}

/// Computes the keys under which the entries of a store are saved.
enum NotebookKey {
  /// Returns the key of a name in a store.
  ///
  /// Names may contain any character except U+001F, the unit separator, which users cannot type.
  static func of(_ name: String, in store: String) -> String { store + "\u{1F}" + name }
}
