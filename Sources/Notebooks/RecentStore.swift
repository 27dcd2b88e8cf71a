package import DataSources

/// A store that was opened earlier, listed so that the user can open it again.
package struct RecentStore: Codable, Sendable, Hashable, Identifiable {
  /// The address that the user entered. The saved queries and views of the store refer to it.
  package var store: String
  /// An address that opens the store from any folder, such as an absolute path.
  package var place: String
  /// The name of the store on the screen.
  package var name: String
  /// The time when the store was last opened.
  package var when: WallClock.Instant

  package init(store: String, place: String, name: String, when: WallClock.Instant) {
    self.store = store
    self.place = place
    self.name = name
    self.when = when
  }

  package var id: String { place }
}
