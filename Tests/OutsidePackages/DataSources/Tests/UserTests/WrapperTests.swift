import DataSources
import DataSourcesTesting
import Foundation
import Synchronization
import Testing

private let k = IdQuery("k")
private let all = AllObjectsQuery()
private let down = DataSourceError(.network(status: nil), "No connection.")
private let calls: [Call<Int>] = [
  .get(k), .getAll(k), .put(1, k), .putAll([1], k), .delete(k), .deleteAll(k),
]

private func outcomes(on source: some DataSource<Int>) async -> [Outcome<Int>] {
  var outcomes: [Outcome<Int>] = []
  for call in calls { outcomes.append(await call.outcome(on: AnyDataSource(source))) }
  return outcomes
}

@Suite struct `An empty source` {
  @Test func `implements no call`() async {
    let missing = Outcome<Int>.failure(.notImplemented)
    #expect(await outcomes(on: VoidDataSource()) == Array(repeating: missing, count: 6))
    for query in [VoidQuery(), all, UnrecognizedQuery()] as [any Query] {
      #expect(await Call<Int>.get(query).outcome(on: VoidDataSource()) == missing)
    }
  }

  @Test func `takes the place of parts that an assembler does not have`() async throws {
    let (reader, writer) = (InMemoryDataSource<Int>(), InMemoryDataSource<Int>())
    try await reader.put(7, id: "k")
    let source = DataSourceAssembler(get: reader, put: writer)
    #expect(try await source.get(k) == 7)
    try await source.put(8, in: k)
    #expect(try await writer.get(k) == 8)
    #expect(try await reader.get(k) == 7)
    #expect(await code { try await source.delete(k) } == .notImplemented)
    #expect(await code { try await DataSourceAssembler(put: writer).get(k) } == .notImplemented)
    #expect(
      await code { try await DataSourceAssembler<Int>(delete: writer).put(1, in: k) }
        == .notImplemented)
  }
}

@Suite struct `A mapping source` {
  private let base = RecordingDataSource<String>()
  private let number = Mapper<String, Int> { text throws(DataSourceError) in
    guard let number = Int(text) else { throw .notValid("\(text) is not a number.") }
    return number
  }
  private let text = Mapper<Int, String> { number throws(DataSourceError) in
    guard number != 13 else { throw .notValid("Not 13.") }
    return number == 14 ? "fourteen" : "\(number)"
  }
  private var source: DataSourceMapper<RecordingDataSource<String>, String, Int> {
    base.mapped(to: number, from: text)
  }

  @Test func `maps objects in and out`() async throws {
    #expect(try await source.put(1, in: k) == 1)
    #expect(try await base.get(k) == "1")
    #expect(try await source.get(k) == 1)
    #expect(try await source.putAll([2, 3], id: "l") == [2, 3])
    #expect(try await base.getAll(id: "l") == ["2", "3"])
    #expect(try await source.getAll(id: "l") == [2, 3])
    try await source.delete(k)
    #expect(try await base.getAll(all) == ["2", "3"])
  }

  @Test func `passes the errors of its base`() async {
    await base.failAlways(down)
    #expect(
      await outcomes(on: source) == Array(repeating: .failure(.network(status: nil)), count: 6))
  }

  @Test func `fails with an object that cannot be mapped out`() async throws {
    try await base.put("x", in: k)
    try await base.putAll(["1", "x"], id: "l")
    #expect(await code { try await source.get(k) } == .notValid)
    #expect(await code { try await source.getAll(id: "l") } == .notValid)
    // The object is stored before the answer is mapped.
    #expect(await code { try await source.put(14, in: k) } == .notValid)
    #expect(try await base.get(k) == "fourteen")
    #expect(await code { try await source.putAll([1, 14], id: "l") } == .notValid)
    #expect(try await base.getAll(id: "l") == ["1", "fourteen"])
  }

  @Test func `does not call its base with an object that cannot be mapped in`() async {
    #expect(await code { try await source.put(13, in: k) } == .notValid)
    #expect(await code { try await source.putAll([1, 13], in: k) } == .notValid)
    #expect(await base.calls.isEmpty)
  }

  @Test func `passes nil unmapped`() async throws {
    #expect(await code { try await source.put(nil, in: k) } == .illegalArgument)
    guard case .put(nil, _)? = await base.calls.first else {
      Issue.record("\(await base.calls)")
      return
    }
  }
}

@Suite struct `A validating source` {
  private let base = InMemoryDataSource<Int>()
  private var positive: Validator<Int> { Validator([.validation { $0 > 0 }]) }

  @Test func `checks what is read and not what is written`() async throws {
    let source = base.validated(by: positive)
    #expect(try await source.put(-1, in: k) == -1)
    #expect(await code { try await source.get(k) } == .notValid)
    #expect(try await source.putAll([1, -1], id: "l") == [1, -1])
    #expect(await code { try await source.getAll(id: "l") } == .notValid)
    try await source.put(1, in: k)
    #expect(try await source.get(k) == 1)
    try await source.delete(id: "l")
    #expect(try await source.getAll(all) == [1])
  }

  @Test func `accepts an empty array by default`() async throws {
    try await base.putAll([], in: k)
    #expect(try await base.validated(by: positive).getAll(k) == [])
    let strict = Validator<Int>([.validation { $0 > 0 }], empty: .invalid)
    #expect(await code { try await base.validated(by: strict).getAll(k) } == .notValid)
  }

  @Test func `asks its strategies in order, and the first that decides wins`() async {
    let validator = Validator<Int>([
      .invalidation { $0 == 1 }, .validation { $0 < 3 }, .invalidation { $0 == 2 },
    ])
    #expect(await validator.verdict(1) != .valid)
    #expect(await validator.verdict(2) == .valid)
    #expect(await validator.verdict(5) != .valid)
    #expect(
      await Validator<Int>([.invalidation { _ in false }], undecided: .valid).verdict(1) == .valid)
  }

  @Test func `decides by time`() async {
    let clock = ManualClock()
    typealias Strategy = ValidationStrategy<Duration?>
    func valid(_ age: Duration?, _ timeToLive: Duration?) async -> Verdict {
      let strategy = Strategy.timestamp(
        { $0.map { ManualClock.Instant(offset: $0) } }, timeToLive: timeToLive, clock: clock)
      return await Validator([strategy], undecided: .undecided)
        .verdict(age.map { clock.now.offset - $0 })
    }
    clock.advance(by: .seconds(1_000))
    #expect(await valid(.seconds(9), .seconds(10)) == .valid)
    #expect(await valid(.seconds(10), .seconds(10)) != .valid)
    #expect(await valid(.seconds(900), nil) == .valid)
    #expect(await valid(.zero, .zero) != .valid)
    #expect(await valid(.seconds(-5), .seconds(1)) == .valid)
    #expect(await valid(nil, .seconds(1)) == .undecided)
  }

  @Test func `accepts everything while the network is unreachable`() async {
    let isReachable = Mutex(false)
    let validator = Validator<Int>([
      .reachability { isReachable.withLock { $0 } }, .invalidation { _ in true },
    ])
    #expect(await validator.verdict(1) == .valid)
    isReachable.withLock { $0 = true }
    #expect(await validator.verdict(1) != .valid)
  }
}

@Suite struct `An erased source` {
  @Test func `gives the answers of its base`() async throws {
    let base = InMemoryDataSource<Int>()
    try await base.putAll([1, 2], id: "l")
    let erased = AnyDataSource(AnyDataSource(base))
    #expect(await outcomes(on: erased) == outcomes(on: InMemoryDataSource<Int>()))
    #expect(try await AnyGetDataSource(base).getAll(id: "l") == [1, 2])
    #expect(try await AnyPutDataSource(base).put(3, in: k) == 3)
    #expect(try await erased.get(k) == 3)
    try await AnyDeleteDataSource(base).delete(k)
    #expect(await code { try await erased.get(k) } == .notFound)
  }

  @Test func `is accepted by a generic function, as is every other`() async throws {
    func store(_ number: Int, in source: some DataSource<Int>) async throws -> Int {
      try await source.put(number, in: k)
      return try await source.get(k)
    }
    let folder = TemporaryFolder()
    try folder.make()
    for kind in SourceKind.allCases {
      #expect(try await store(1, in: kind.make(folder, of: Int.self)) == 1)
    }
    for wrapping in Wrapping<Int>.all {
      #expect(try await store(2, in: wrapping.wrap(AnyDataSource(InMemoryDataSource()))) == 2)
    }
    let repository = SingleDataSourceRepository(InMemoryDataSource<Int>())
    #expect(try await store(3, in: repository.source()) == 3)
    #expect(await code { try await store(4, in: VoidDataSource()) } == .notImplemented)
    #expect(folder.names != [])
  }
}

@Suite struct `A retrying source` {
  private let base = RecordingDataSource<Int>()
  private let retriesAll = RetryPolicy(retriesWrites: true)

  private func prepare() async throws {
    try await base.put(1, in: k)
    await base.forgetCalls()
  }

  @Test func `repeats a call that failed once`() async throws {
    try await base.putAll([2], id: "l")
    try await prepare()
    let source = base.retrying(retriesAll)
    for call in [.get(k), .getAll(IdQuery("l")), .put(1, k), .putAll([1], k), .delete(k)]
      as [Call<Int>]
    {
      await base.forgetCalls()
      await base.failNext(down)
      if case .failure(let code) = await call.outcome(on: source) {
        Issue.record("\(call) threw \(code)")
      }
      #expect(await base.operations == [call.operation, call.operation])
    }
  }

  @Test func `throws the last error of a call that fails twice`() async throws {
    try await prepare()
    await base.failNext(down, DataSourceError(.network(status: 503), "Busy."))
    #expect(await code { try await base.retrying().get(k) } == .network(status: 503))
    #expect(await base.operations == [.get, .get])
  }

  @Test func `does not repeat other errors, nor writes unless allowed`() async throws {
    for error in [
      DataSourceError(.notFound, ""), DataSourceError(.notValid, ""),
      DataSourceError(.network(status: 404), ""), DataSourceError(.cancelled, ""),
    ] {
      await base.forgetCalls()
      await base.failNext(error)
      #expect(await code { try await base.retrying(retriesAll).get(k) } == error.code)
      #expect(await base.operations == [.get])
    }
    await base.forgetCalls()
    await base.failNext(down)
    #expect(await code { try await base.retrying().put(1, in: k) } == down.code)
    #expect(await base.operations == [.put])
  }

  @Test func `is canceled while it waits`() async throws {
    let clock = ManualClock()
    await base.failAlways(down)
    let source = base.retrying(RetryPolicy(attempts: 5, delay: .seconds(60)), clock: clock)
    let task = Task { await code { try await source.get(k) } }
    await clock.sleepers(1)
    task.cancel()
    #expect(await task.value == .cancelled)
    #expect(await base.operations == [.get])
  }
}

@Suite struct `A debugged source` {
  @Test func `fails with its probability, after the base has changed`() async throws {
    let base = InMemoryDataSource<Int>()
    let lines = Mutex<[String]>([])
    func source(_ probability: Double, chance: Double) -> some DataSource<Int> {
      base.debugged(
        by: Debug(failureProbability: probability, chance: { chance }) { line in
          lines.withLock { $0.append(line) }
        })
    }
    // Errors of the base stay as they are.
    let missing = Outcome<Int>.failure(.notFound)
    #expect(
      await outcomes(on: source(1, chance: 0.99))
        == [missing, missing] + Array(repeating: .failure(.failed), count: 4))
    #expect(await code { try await source(1, chance: 0).put(123_456_789, in: k) } == .failed)
    #expect(try await base.get(k) == 123_456_789)
    #expect(try await source(0, chance: 0).get(k) == 123_456_789)
    #expect(await code { try await source(0.5, chance: 0.5).get(k) } == nil)
    #expect(await code { try await source(0.5, chance: 0.49).get(k) } == .failed)
    #expect(!lines.withLock { $0 }.contains { $0.contains("123456789") })
  }
}

@Suite struct `A timed cache` {
  private let base = RecordingDataSource<Int>()
  private let clock = ManualClock()

  private func cache(capacity: Int = 100) -> TimedCacheDataSource<RecordingDataSource<Int>> {
    base.cached(timeToLive: .seconds(10), capacity: capacity, clock: clock)
  }

  /// Puts 1 under k and [2] under l, without recording it.
  private func prepare() async throws {
    try await base.put(1, in: k)
    try await base.putAll([2], id: "l")
    await base.forgetCalls()
  }

  @Test func `asks its base once within the time to live, and again at its end`() async throws {
    try await prepare()
    let source = cache()
    #expect(try await [source.get(k), source.get(k)] == [1, 1])
    #expect(try await [source.getAll(id: "l"), source.getAll(id: "l")] == [[2], [2]])
    clock.advance(by: .seconds(9.999))
    #expect(try await source.get(k) == 1)
    #expect(await base.operations == [.get, .getAll])
    clock.advance(by: .milliseconds(1))
    #expect(try await source.get(k) == 1)
    #expect(try await source.getAll(id: "l") == [2])
    #expect(await base.operations == [.get, .getAll, .get, .getAll])
  }

  @Test func `keeps what was put`() async throws {
    let source = cache()
    try await source.put(3, in: k)
    #expect(try await source.get(k) == 3)
    #expect(await base.operations == [.put])
    #expect(await code { try await source.getAll(k) } == .notFound)
    #expect(await base.operations == [.put, .getAll])
    try await source.putAll([4, 5], in: k)
    #expect(try await source.getAll(k) == [4, 5])
    #expect(await base.operations == [.put, .getAll, .putAll])
  }

  @Test func `drops both forms of a key when its base fails`() async throws {
    let source = cache()
    for call in [.get(k), .getAll(k), .put(9, k), .putAll([9], k), .delete(k)] as [Call<Int>] {
      try await prepare()
      await source.invalidateAll()
      _ = try await source.get(k)
      if case .get = call { clock.advance(by: .seconds(10)) }
      await base.failNext(down)
      #expect(await call.outcome(on: source) == .failure(down.code), "\(call)")
      await base.forgetCalls()
      #expect(try await source.get(k) == 1, "\(call)")
      #expect(await base.operations == [.get], "\(call)")
    }
  }

  @Test(arguments: [AllObjectsQuery(), IdsQuery(["k", "x"])] as [any Query])
  func `asks its base after a delete of several objects`(query: any Query) async throws {
    try await prepare()
    let source = cache()
    _ = try await source.get(k)
    try await source.delete(query)
    await base.forgetCalls()
    #expect(await code { try await source.get(k) } == .notFound)
    #expect(await base.operations == [.get])
  }

  @Test func `asks its base for all objects after any write`() async throws {
    try await prepare()
    let source = cache()
    #expect(try await source.getAll(all) == [1, 2])
    try await source.put(3, id: "m")
    #expect(try await source.getAll(all) == [1, 2, 3])
    #expect(await base.operations == [.getAll, .put, .getAll])
  }

  @Test func `drops the least recently used answer of too many`() async throws {
    for id in 1...3 { try await base.put(id, id: id) }
    let source = cache(capacity: 2)
    for id in [1, 2, 1, 3] { _ = try await source.get(id: id) }
    await base.forgetCalls()
    _ = try await source.get(id: 1)
    _ = try await source.get(id: 3)
    #expect(await base.operations == [])
    _ = try await source.get(id: 2)
    #expect(await base.operations == [.get])
  }

  /// A source that yields to others before it answers.
  private struct Slow: GetDataSource {
    let base: RecordingDataSource<Int>

    func get(_ query: any Query) async throws(DataSourceError) -> Int {
      for _ in 0..<10 { await Task.yield() }
      return try await base.get(query)
    }

    func getAll(_ query: any Query) async throws(DataSourceError) -> [Int] {
      for _ in 0..<10 { await Task.yield() }
      return try await base.getAll(query)
    }
  }

  @Test func `makes one call for a hundred concurrent misses`() async throws {
    let source = Slow(base: base).cached(timeToLive: .seconds(10), clock: clock)
    for number in 1...50 {
      try await base.put(number, in: k)
      try await base.putAll([number], id: "l")
      await source.invalidateAll()
      await base.forgetCalls()
      let tasks = (0..<100).map { _ in
        Task { (try await source.get(k), try await source.getAll(id: "l")) }
      }
      for task in tasks { #expect(try await task.value == (number, [number])) }
      #expect(await base.operations.sorted { $0.rawValue < $1.rawValue } == [.get, .getAll])
    }
  }
}
