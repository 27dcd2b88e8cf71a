package import DataSources

/// A store that was opened earlier, listed so that the user can open it again.
package struct RecentStore: Codable, Sendable, Hashable, Identifiable {
  /// The address that the user entered. The store's queries and views are saved under it.
  package var store: String
  /// The address that opens the store from any folder, such as an absolute path.
  package var place: String
  /// The store's name on the screen.
  package var name: String
  /// The time when the store was opened last.
  package var when: WallClock.Instant

  package init(store: String, place: String, name: String, when: WallClock.Instant) {
    self.store = store
    self.place = place
    self.name = name
    self.when = when
  }

  package var id: String { place }
}
