package import DataSources

/// A query that somebody kept under a name.
package struct SavedQuery: Codable, Sendable, Hashable, Identifiable {
  /// One line; unique within a store: saving the name again replaces the query.
  package var name: String
  /// The address of the store, as it was opened; empty for a query that is offered in every store.
  package var store: String
  /// The query as text or InstaQL, as it is typed.
  package var text: String

  package init(name: String, store: String, text: String) {
    self.name = name
    self.store = store
    self.text = text
  }

  package var id: String { NotebookKey.of(name, in: store) }
}

/// A query that was asked.
package struct HistoryEntry: Codable, Sendable, Hashable, Identifiable {
  /// The address of the store, as it was opened.
  package var store: String
  package var text: String
  /// When it was asked last.
  package var when: WallClock.Instant

  package init(store: String, text: String, when: WallClock.Instant) {
    self.store = store
    self.text = text
    self.when = when
  }

  /// The same query asked again in the same store is the same entry.
  package var id: String { NotebookKey.of(text, in: store) }
}

/// How entries that belong to a store are named.
enum NotebookKey {
  /// Texts may hold anything but U+001F, the unit separator, which no keyboard types.
  static func of(_ name: String, in store: String) -> String { store + "\u{1F}" + name }
}
