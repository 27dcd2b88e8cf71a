package import DataSources

/// A store that was opened, to open it again.
package struct RecentStore: Codable, Sendable, Hashable, Identifiable {
  /// The address by which the store was opened; its queries and views are saved under it.
  package var store: String
  /// The address that opens the store from any folder.
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

// The recent stores.
extension Notebook {
  /// The maximum number of recent stores.
  package static let maxRecentStores = 50

  /// The stores that were opened, newest first.
  package func recentStores() async throws(DataSourceError) -> [RecentStore] {
    try await recent.getAll(AllObjectsQuery()).sorted { ($1.when, $0.id) < ($0.when, $1.id) }
  }

  /// Records that a store was opened, and removes the oldest ones beyond the limit.
  package func record(_ store: RecentStore) async throws(DataSourceError) {
    try await recent.put(store, id: store.id)
    let old = try await recentStores().dropFirst(Self.maxRecentStores).map(\.id)
    if !old.isEmpty { try await recent.delete(ids: Array(old)) }
  }
}
