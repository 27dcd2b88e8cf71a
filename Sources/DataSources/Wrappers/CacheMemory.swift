/// The key of a cached answer: the query's key if it has one, otherwise the query itself.
struct CacheKey: Sendable, Hashable {
  private enum Name: Sendable, Hashable {
    case text(String)
    case query(AnyQuery)
  }

  private let name: Name

  /// Creates the key for a query; nil if its answer must not be cached.
  init?(_ query: any Query) {
    if query is VoidQuery { return nil }
    if let query = query as? any KeyQuery {
      name = .text(query.key)
    } else {
      name = .query(AnyQuery(query))
    }
  }

  init(text: String) {
    name = .text(text)
  }

  var isKeyed: Bool {
    switch name {
    case .text: true
    case .query: false
    }
  }
}

/// A hashable wrapper for a query of any type.
private struct AnyQuery: Sendable, Hashable {
  let query: any Query

  init(_ query: any Query) {
    self.query = query
  }

  static func == (left: AnyQuery, right: AnyQuery) -> Bool {
    func isEqual<Left: Query>(_ left: Left) -> Bool { left == right.query as? Left }
    return isEqual(left.query)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type(of: query as Any)))
    query.hash(into: &hasher)
  }
}

/// The cached answers, and the order in which they are evicted. Times are relative to the cache's
/// creation.
struct CacheMemory<Object: Sendable>: Sendable {
  private struct Slot {
    var one: (object: Object, since: Duration)?
    var many: (objects: [Object], since: Duration)?
    var lastUse = 0

    /// The time when the answer was stored. If the query has both an object and an array, it is the
    /// later of the two times.
    var since: Duration { max(one?.since ?? .zero, many?.since ?? .zero) }
  }

  private let timeToLive: Duration
  private let capacity: Int
  private var slots: [CacheKey: Slot] = [:]
  private var uses = 0
  var counters: TimedCacheCounters = TimedCacheCounters()

  init(timeToLive: Duration, capacity: Int) {
    self.timeToLive = timeToLive
    self.capacity = capacity
  }

  mutating func one(_ key: CacheKey, at now: Duration) -> Object? {
    guard let one = slots[key]?.one, now - one.since < timeToLive else {
      counters.misses += 1
      return nil
    }
    hit(key)
    return one.object
  }

  mutating func many(_ key: CacheKey, at now: Duration) -> [Object]? {
    guard let many = slots[key]?.many, now - many.since < timeToLive else {
      counters.misses += 1
      return nil
    }
    hit(key)
    return many.objects
  }

  mutating func remember(one object: Object, _ key: CacheKey, at now: Duration) {
    makeRoom(for: key, at: now)
    slots[key, default: Slot()].one = (object, now)
    use(key)
  }

  mutating func remember(many objects: [Object], _ key: CacheKey, at now: Duration) {
    makeRoom(for: key, at: now)
    slots[key, default: Slot()].many = (objects, now)
    use(key)
  }

  mutating func forget(_ key: CacheKey) {
    slots[key] = nil
  }

  mutating func forgetUnkeyed() {
    slots = slots.filter { $0.key.isKeyed }
  }

  mutating func forgetAll() {
    slots = [:]
  }

  private mutating func hit(_ key: CacheKey) {
    counters.hits += 1
    use(key)
  }

  private mutating func use(_ key: CacheKey) {
    uses += 1
    slots[key]?.lastUse = uses
  }

  /// Evicts all expired answers. If no answer is expired, evicts the least recently used one.
  private mutating func makeRoom(for key: CacheKey, at now: Duration) {
    guard slots[key] == nil, slots.count >= capacity else { return }
    let before = slots.count
    slots = slots.filter { now - $0.value.since < timeToLive }
    if slots.count >= capacity, let oldest = slots.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      slots[oldest.key] = nil
    }
    counters.evictions += before - slots.count
  }
}
