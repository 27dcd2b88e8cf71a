import DataSources
import DataSourcesTesting
import TestSupport
import Testing

@Suite struct `Timed cache` {
  private let clock = ManualClock()
  private let base = RecordingDataSource<Int>()

  private func cache(capacity: Int = 10) -> TimedCacheDataSource<RecordingDataSource<Int>> {
    base.cached(timeToLive: .seconds(10), capacity: capacity, clock: clock)
  }

  @Test func `an answer is read once until its time to live is over`() async throws {
    let cache = cache()
    try await base.put(1, id: "k")
    await base.forgetCalls()

    _ = try await cache.get(id: "k")
    clock.advance(by: .seconds(10) - .nanoseconds(1))
    _ = try await cache.get(id: "k")
    #expect(await base.operations == [.get])
    clock.advance(by: .nanoseconds(1))
    _ = try await cache.get(id: "k")

    #expect(await base.operations == [.get, .get])
    #expect(await cache.counters == TimedCacheCounters(hits: 1, misses: 2, evictions: 0))
  }

  @Test func `the least recently used answer is evicted first`() async throws {
    let cache = cache(capacity: 2)
    try await base.putAll([1, 2, 3], ids: ["a", "b", "c"])
    _ = try await cache.get(id: "a")
    _ = try await cache.get(id: "b")
    _ = try await cache.get(id: "a")
    _ = try await cache.get(id: "c")
    await base.forgetCalls()

    _ = try await cache.get(id: "a")
    #expect(await base.operations == [])
    _ = try await cache.get(id: "b")

    #expect(await base.operations == [.get])
    #expect(await cache.counters.evictions == 2)
  }

  @Test func `an expired answer is evicted before a less recently used one`() async throws {
    let cache = cache(capacity: 2)
    try await base.putAll([1, 2, 3], ids: ["a", "b", "c"])
    _ = try await cache.get(id: "a")
    clock.advance(by: .seconds(5))
    _ = try await cache.get(id: "b")
    _ = try await cache.get(id: "a")
    clock.advance(by: .seconds(5))
    _ = try await cache.get(id: "c")
    await base.forgetCalls()

    _ = try await cache.get(id: "b")
    #expect(await base.operations == [])
    _ = try await cache.get(id: "a")
    #expect(await base.operations == [.get])
  }

  @Test func `a put object is cached only in its form`() async throws {
    let cache = cache()
    try await cache.putAll([1, 2], id: "k")
    try await cache.put(3, id: "k")
    await base.forgetCalls()

    #expect(try await cache.get(id: "k") == 3)
    #expect(await base.operations == [])
    let many = await failure { () throws(DataSourceError) in try await cache.getAll(id: "k") }
    #expect(many?.code == .notFound)
    #expect(await base.operations == [.getAll])
  }

  @Test(arguments: [
    Call<Int>.delete(AllObjectsQuery()), .delete(IdsQuery(["k"])), .delete(IdQuery("k")),
    .putAll([5], AllObjectsQuery()),
  ])
  func `a deleted or replaced object is read again`(write: Call<Int>) async throws {
    let cache = cache()
    try await cache.put(1, id: "k")
    _ = try await cache.get(id: "k")

    _ = await write.outcome(on: cache)
    let error = await failure { () throws(DataSourceError) in try await cache.get(id: "k") }

    #expect(error?.code == .notFound)
  }

  @Test func `a listing is read again after a write of one object`() async throws {
    let cache = cache()
    try await cache.put(1, id: "a")
    #expect(try await cache.getAll(AllObjectsQuery()) == [1])
    #expect(try await cache.getAll(PaginationOffsetLimitQuery(0, 5)) == [1])

    try await cache.put(2, id: "b")

    #expect(try await cache.getAll(AllObjectsQuery()) == [1, 2])
    #expect(try await cache.getAll(PaginationOffsetLimitQuery(0, 5)) == [1, 2])
  }

  @Test func `an error is not cached and drops the entry of its key`()
    async throws
  {
    let cache = cache()
    try await cache.putAll([1], id: "k")
    await base.failNext(.failed("Broken."))

    let one = await failure { () throws(DataSourceError) in try await cache.get(id: "k") }
    await base.forgetCalls()
    let many = try await cache.getAll(id: "k")

    #expect(one?.code == .failed)
    #expect(many == [1])
    #expect(await base.operations == [.getAll])
  }

  @Test func `a failed write leaves no outdated entries`() async throws {
    let cache = cache()
    try await cache.put(1, id: "k")
    await base.failNext(.failed("Broken."))
    _ = await failure { () throws(DataSourceError) in try await cache.put(2, id: "k") }
    await base.forgetCalls()

    #expect(try await cache.get(id: "k") == 1)
    #expect(await base.operations == [.get])
  }

  @Test func `a hundred concurrent misses share one call`() async throws {
    let slow = GatedDataSource()
    let cache = slow.cached(timeToLive: .seconds(10), clock: clock)

    let answers = Task {
      await withTaskGroup(of: Int?.self) { group in
        for _ in 0..<100 { group.addTask { try? await cache.get(id: "k") } }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }
    try await waitUntil("all reads wait") { await cache.counters.misses >= 100 }
    await slow.open()

    #expect(await answers.value == Array(repeating: 1, count: 100))
    #expect(await slow.count == 1)
  }

  @Test func `a read at the end of a shared call finds its answer`() async throws {
    let base = RecordingDataSource<Int>()
    let cache = base.cached(timeToLive: .seconds(10), clock: clock)
    for number in 1...200 {
      try await base.put(number, id: "k")
      await cache.invalidateAll()
      await base.forgetCalls()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<100 { group.addTask { _ = try? await cache.get(id: "k") } }
      }
      #expect(await base.operations == [.get])
    }
  }

  @Test func `a shared call continues while a caller waits and ends with the last one`()
    async throws
  {
    let slow = GatedDataSource()
    let cache = slow.cached(timeToLive: .seconds(10), clock: clock)
    let calls = (0..<2).map { _ in
      Task { await failure { () throws(DataSourceError) in try await cache.get(id: "k") } }
    }
    try await waitUntil("both reads wait") { await cache.counters.misses >= 2 }

    calls[0].cancel()
    #expect(await calls[0].value?.code == .cancelled)
    #expect(await slow.cancellations == 0)
    calls[1].cancel()

    #expect(await calls[1].value?.code == .cancelled)
    try await waitUntil("the call is canceled") { await slow.cancellations > 0 }
  }

  @Test func `an answer read before a write is not cached after it`() async throws {
    let slow = GatedDataSource()
    let cache = slow.cached(timeToLive: .seconds(10), clock: clock)
    let old = Task { try await cache.get(id: "k") }
    try await waitUntil("the call runs") { await slow.count >= 1 }

    await cache.invalidate(IdQuery("k"))
    await slow.open()
    _ = try await old.value
    _ = try await cache.get(id: "k")

    #expect(await slow.count == 2)
  }
}

/// Answers 1 to every get after it has been opened.
actor GatedDataSource: GetDataSource {
  private(set) var count = 0
  private(set) var cancellations = 0
  private var isOpen = false

  func open() {
    isOpen = true
  }

  func get(_ query: any Query) async throws(DataSourceError) -> Int {
    count += 1
    while !isOpen {
      if Task.isCancelled {
        cancellations += 1
        throw .cancelled
      }
      await Task.yield()
    }
    return 1
  }

  func getAll(_ query: any Query) async throws(DataSourceError) -> [Int] {
    [try await get(query)]
  }
}
