package import DataSources

// The recent stores.
extension Notebook {
  /// The maximum number of recent stores.
  package static let maxRecentStores = 50

  /// Returns the stores that were opened, newest first.
  package func recentStores() async throws(DataSourceError) -> [RecentStore] {
    try await sources.recent.getAll(AllObjectsQuery()).sorted {
      ($1.when, $0.id) < ($0.when, $1.id)
    }
  }

  /// Records that a store was opened, and removes the oldest stores beyond the limit.
  package func record(_ store: RecentStore) async throws(DataSourceError) {
    try await sources.recent.put(store, id: store.id)
    let old = try await recentStores().dropFirst(Self.maxRecentStores).map(\.id)
    if !old.isEmpty { try await sources.recent.delete(ids: Array(old)) }
  }
}
