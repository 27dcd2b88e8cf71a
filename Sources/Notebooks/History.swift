/// What was asked, newest first: each query once in a store, and no more than a limit.
package struct History: Sendable, Equatable {
  /// How many queries are remembered when nobody says otherwise.
  package static let limit = 500

  package private(set) var entries: [HistoryEntry] = []
  private let limit: Int

  /// - Parameter entries: In any order; of doubles the newest stays.
  /// - Complexity: O(*n* log *n*).
  package init(_ entries: some Sequence<HistoryEntry> = [], limit: Int = History.limit) {
    self.limit = max(0, limit)
    var seen: Set<String> = []
    // Of two asked at one moment, the order of their names decides: the same each time.
    let sorted = entries.sorted { ($1.when, $0.id) < ($0.when, $1.id) }
    self.entries = Array(sorted.filter { seen.insert($0.id).inserted }.prefix(self.limit))
  }

  /// This history after `entry` was asked.
  package func recording(_ entry: HistoryEntry) -> History {
    History([entry] + entries, limit: limit)
  }
}
