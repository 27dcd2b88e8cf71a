/// Caches up to `capacity` answers of a slow source. When the cache is full, evicts the least
/// recently used answer.
///
/// - An answer is fresh while its age is below `timeToLive`.
/// - Every query except ``VoidQuery`` is cached, under its key if it has a key.
/// - A write updates or drops the entries of its keys. It also drops all listings, and all other
///   answers that the write might have changed. Deleting all objects empties the cache.
/// - If a read from the base fails, the cached answer to that query is dropped. Errors are never
///   cached.
/// - Equal reads that miss at the same time share one call to the base.
///
/// - Complexity: O(1) for a hit; O(*capacity*) for a write or an eviction.
public actor TimedCacheDataSource<Base: GetDataSource>: DataSourceWrapper {
  /// The type of the base's objects.
  public typealias Object = Base.Object

  /// The source whose answers are cached.
  public nonisolated let base: Base
  private var memory: CacheMemory<Object>
  private let now: @Sendable () -> Duration
  private let oneFlights = SingleFlight<CacheKey, Object>()
  private let manyFlights = SingleFlight<CacheKey, [Object]>()

  /// A counter that every write increments. A read records it first, and its answer is cached only
  /// if no write has begun since then.
  private var epoch = 0

  /// Creates a cache.
  /// - Parameters:
  ///   - timeToLive: The age at which an answer is no longer fresh; zero caches nothing.
  ///   - capacity: The maximum number of answers, at least 1.
  public init(
    _ base: Base, timeToLive: Duration = .seconds(300), capacity: Int = 1_000,
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.base = base
    memory = CacheMemory(timeToLive: timeToLive, capacity: max(1, capacity))
    let stopwatch = Stopwatch(clock)
    now = { stopwatch.elapsed }
  }

  /// How many hits, misses and evictions there were since the cache was created.
  public var counters: TimedCacheCounters { memory.counters }

  /// Drops the cached answer to `query`.
  public func invalidate(_ query: any Query) {
    newEpoch()
    if let key = CacheKey(query) { memory.forget(key) }
  }

  /// Empties the cache.
  public func invalidateAll() {
    newEpoch()
    memory.forgetAll()
  }

  private func newEpoch() {
    epoch += 1
    oneFlights.forgetAll()
    manyFlights.forgetAll()
  }
}

extension TimedCacheDataSource: GetDataSource {
  /// Returns the cached object if it is fresh, and otherwise the object from the base.
  ///
  /// - Throws: The errors of the base, which are never cached.
  public func get(_ query: any Query) async throws(DataSourceError) -> Object {
    try DataSourceError.checkCancellation()
    guard let key = CacheKey(query) else { return try await base.get(query) }
    if let object = memory.one(key, at: now()) { return object }
    let epoch = epoch
    return try await oneFlights.run(key) { [self, base] () throws(DataSourceError) in
      do throws(DataSourceError) {
        let object = try await base.get(query)
        await remember(one: object, key, since: epoch)
        return object
      } catch {
        await forget(key, after: error)
        throw error
      }
    }
  }

  /// Returns the cached objects if they are fresh, and otherwise the objects from the base.
  ///
  /// - Throws: The errors of the base, which are never cached.
  public func getAll(_ query: any Query) async throws(DataSourceError) -> [Object] {
    try DataSourceError.checkCancellation()
    guard let key = CacheKey(query) else { return try await base.getAll(query) }
    if let objects = memory.many(key, at: now()) { return objects }
    let epoch = epoch
    return try await manyFlights.run(key) { [self, base] () throws(DataSourceError) in
      do throws(DataSourceError) {
        let objects = try await base.getAll(query)
        await remember(many: objects, key, since: epoch)
        return objects
      } catch {
        await forget(key, after: error)
        throw error
      }
    }
  }

  // A shared call stores its answer in the cache before it ends. So a read that comes too late to
  // join the call finds the answer.

  private func remember(one object: Object, _ key: CacheKey, since epoch: Int) {
    if epoch == self.epoch { memory.remember(one: object, key, at: now()) }
  }

  private func remember(many objects: [Object], _ key: CacheKey, since epoch: Int) {
    if epoch == self.epoch { memory.remember(many: objects, key, at: now()) }
  }

  private func forget(_ key: CacheKey, after error: DataSourceError) {
    if error.code != .cancelled { memory.forget(key) }
  }
}

extension TimedCacheDataSource: PutDataSource where Base: PutDataSource {
  /// Stores the object in the base, then caches the answer under the key of the query.
  @discardableResult
  public func put(_ object: Object?, in query: any Query) async throws(DataSourceError) -> Object {
    let base = base
    let (stored, isAlone) = try await write(query) { () throws(DataSourceError) in
      try await base.put(object, in: query)
    }
    if isAlone, let key = CacheKey(query), key.isKeyed {
      memory.remember(one: stored, key, at: now())
    }
    return stored
  }

  /// Stores the objects in the base, then caches the answer under the key or the ids of the query.
  @discardableResult
  public func putAll(
    _ objects: [Object], in query: any Query
  ) async throws(DataSourceError) -> [Object] {
    let base = base
    let (stored, isAlone) = try await write(query) { () throws(DataSourceError) in
      try await base.putAll(objects, in: query)
    }
    guard isAlone else { return stored }
    if let ids = query as? any AnyIdsQuery, ids.keys.count == stored.count {
      for (key, object) in zip(ids.keys, stored) {
        memory.remember(one: object, CacheKey(text: key), at: now())
      }
    } else if let key = CacheKey(query), key.isKeyed {
      memory.remember(many: stored, key, at: now())
    }
    return stored
  }
}

extension TimedCacheDataSource: DeleteDataSource where Base: DeleteDataSource {
  /// Deletes from the base, and drops the cached answers that the deletion affects.
  public func delete(_ query: any Query) async throws(DataSourceError) {
    let base = base
    _ = try await write(query) { () throws(DataSourceError) in try await base.delete(query) }
  }
}

extension TimedCacheDataSource {
  /// Performs a write. It drops outdated answers before the write, and again afterward, even after
  /// a failure, because a concurrent read may have cached them again.
  ///
  /// - Returns: The answer, and whether it may be cached, because no other write ran at the same
  ///   time.
  private func write<Answer: Sendable>(
    _ query: any Query, _ body: @Sendable () async throws(DataSourceError) -> Answer
  ) async throws(DataSourceError) -> (Answer, isAlone: Bool) {
    begin(query)
    let began = epoch
    do throws(DataSourceError) {
      let answer = try await body()
      let isAlone = epoch == began
      begin(query)
      return (answer, isAlone)
    } catch {
      begin(query)
      throw error
    }
  }

  private func begin(_ query: any Query) {
    newEpoch()
    drop(whatChangesWith: query)
  }

  private func drop(whatChangesWith query: any Query) {
    if let ids = query as? any AnyIdsQuery {
      for key in ids.keys { memory.forget(CacheKey(text: key)) }
    } else if let key = CacheKey(query), key.isKeyed {
      memory.forget(key)
    } else {
      memory.forgetAll()
    }
    memory.forgetUnkeyed()
  }
}

/// Watches go directly to the base. They do not need the cache, because they are always up to date.
extension TimedCacheDataSource: WatchDataSource where Base: WatchDataSource<Object> {}

extension TimedCacheDataSource: DataSource where Base: DataSource {}

extension TimedCacheDataSource: LiveDataSource where Base: LiveDataSource {}

extension GetDataSource {
  /// Returns this source with its answers cached for `timeToLive`.
  public func cached(
    timeToLive: Duration, capacity: Int = 1_000, clock: some Clock<Duration> = ContinuousClock()
  ) -> TimedCacheDataSource<Self> {
    TimedCacheDataSource(self, timeToLive: timeToLive, capacity: capacity, clock: clock)
  }
}

/// How many hits, misses and evictions a cache had.
public struct TimedCacheCounters: Sendable, Hashable {
  /// Creates counters, which are zero by default.
  public init(hits: Int = 0, misses: Int = 0, evictions: Int = 0) {
    self.hits = hits
    self.misses = misses
    self.evictions = evictions
  }

  /// The number of reads that the cache answered.
  public var hits = 0
  /// The number of reads that called the base.
  public var misses = 0
  /// The number of answers that were dropped to make room for others.
  public var evictions = 0
}
