import Synchronization

/// A cache of values by key, with a maximum total cost.
///
/// When the limit is exceeded, all values are dropped. Visible ones are soon cached again.
struct Recent<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private var values: [Key: Value] = [:]
  private var cost = 0
  let limit: Int

  init(limit: Int) { self.limit = limit }

  subscript(key: Key) -> Value? { values[key] }

  /// Caches a value under a key. A value larger than the limit is not cached.
  mutating func cache(_ value: Value, for key: Key, cost: Int) {
    guard cost <= limit else { return }
    if self.cost + cost > limit {
      values = [:]
      self.cost = 0
    }
    values[key] = value
    self.cost += cost
  }
}

extension Mutex {
  /// Returns the value of a key, cached or computed by `work`.
  ///
  /// Concurrent callers may each compute it, and never wait for each other.
  func value<Key, Cached>(
    of key: Key, cost: (Cached) -> Int = { _ in 1 }, _ work: () -> Cached
  ) -> Cached where Value == Recent<Key, Cached> {
    if let value = withLock({ $0[key] }) { return value }
    let value = work()
    let units = cost(value)
    withLock { $0.cache(value, for: key, cost: units) }
    return value
  }
}
