/// The queries that were run, newest first. Each query occurs only once for each store. The number
/// of queries is limited.
package struct History: Sendable, Equatable {
  /// The default maximum number of queries.
  package static let limit = 500

  package private(set) var entries: [HistoryEntry] = []
  private let limit: Int

  /// Creates a history from entries.
  ///
  /// - Parameter entries: The entries in any order. If a query occurs several times, its newest
  ///   entry is kept.
  /// - Complexity: O(*n* log *n*).
  package init(_ entries: some Sequence<HistoryEntry> = [], limit: Int = History.limit) {
    self.limit = max(0, limit)
    var seen: Set<String> = []
    // Entries with equal times are sorted by id, so that the order is always the same.
    let sorted = entries.sorted { ($1.when, $0.id) < ($0.when, $1.id) }
    self.entries = Array(sorted.filter { seen.insert($0.id).inserted }.prefix(self.limit))
  }

  /// Returns a copy of this history with `entry` added.
  package func recording(_ entry: HistoryEntry) -> History {
    History([entry] + entries, limit: limit)
  }
}
