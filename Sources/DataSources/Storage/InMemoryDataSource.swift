/// Stores objects in memory while the process runs.
///
/// Listings are in the order in which keys were first written. Overwriting a key keeps its
/// position.
///
/// - Complexity: O(1) for a key; O(*n* log *n*) for a listing of *n* entries.
public actor InMemoryDataSource<Object: Sendable>: KeyValueDataSource {
  private struct Slot {
    var place: Int
    var entry: DataEntry<Object>
  }

  private var slots: [String: Slot] = [:]
  private var nextPlace = 0
  public nonisolated let changes = ChangeSignal()

  /// Creates an empty source.
  public init() {}

  public func entries(at keys: [String]) -> [DataEntry<Object>?] {
    keys.map { slots[$0]?.entry }
  }

  public func entries() -> [DataEntry<Object>] {
    slots.values.sorted { $0.place < $1.place }.map(\.entry)
  }

  public func apply(_ changes: [DataChange<Object>]) throws(DataSourceError) {
    try DataSourceError.checkCancellation()
    for change in changes {
      switch change {
      case .set(let key, let entry):
        slots[key, default: Slot(place: allocatePlace(), entry: entry)].entry = entry
      case .remove(let key): slots[key] = nil
      case .removeAll: slots = [:]
      }
    }
    self.changes.ring()
  }

  private func allocatePlace() -> Int {
    nextPlace += 1
    return nextPlace
  }
}
