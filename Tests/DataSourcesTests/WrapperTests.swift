import DataSources
import DataSourcesTesting
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

private let numbers = Mapper<String, Int> { text throws(DataSourceError) in
  guard let number = Int(text) else { throw .notValid("\"\(text)\" is not a number.") }
  return number
}
private let texts = Mapper<Int, String> { number throws(DataSourceError) in
  if number < 0 { throw .notValid("\(number) is below zero.") }
  return "\(number)"
}

@Suite struct `A mapper` {
  @Test func `presents a source of strings as a source of numbers`() async throws {
    let memory = InMemoryDataSource<String>()
    let source = memory.mapped(to: numbers, from: texts)

    #expect(try await source.put(7, id: "a") == 7)
    #expect(try await memory.get(id: "a") == "7")
    #expect(try await source.getAll(AllObjectsQuery()) == [7])
  }

  @Test func `fails a listing at an unmappable element, or skips and reports it`()
    async throws
  {
    let memory = InMemoryDataSource<String>()
    try await memory.putAll(["1", "x", "3"], id: "k")
    let told = Mutex<[DataSourceError]>([])

    let error = await failure { () throws(DataSourceError) in
      try await memory.mapped(to: numbers).getAll(id: "k")
    }
    let lenient = memory.mapped(
      to: numbers, onElementError: .skip { error in told.withLock { $0.append(error) } })

    #expect(error == .notValid("\"x\" is not a number."))
    #expect(try await lenient.getAll(id: "k") == [1, 3])
    #expect(told.withLock { $0 } == [.notValid("\"x\" is not a number.")])
  }

  @Test func `never passes an object that cannot be mapped in to the base`() async throws {
    let base = RecordingDataSource<String>()
    let source = base.mapped(to: numbers, from: texts)

    let error = await failure { () throws(DataSourceError) in try await source.put(-1, id: "a") }

    #expect(error?.code == .notValid)
    #expect(await base.calls.isEmpty)
  }

  @Test func `stores an object even if it cannot be mapped out again`() async throws {
    let memory = InMemoryDataSource<String>()
    let source = memory.mapped(
      to: numbers, from: Mapper { number throws(DataSourceError) in "number \(number)" })

    let one = await failure { () throws(DataSourceError) in try await source.put(1, id: "a") }
    let many = await failure { () throws(DataSourceError) in try await source.putAll([2], id: "b") }

    #expect(one?.code == .notValid)
    #expect(many?.code == .notValid)
    #expect(try await memory.getAll(AllObjectsQuery()) == ["number 1", "number 2"])
  }

  @Test func `passes nil on without mapping`() async throws {
    let base = RecordingDataSource<String>()
    let source = base.mapped(to: numbers, from: texts)

    let error = await failure { () throws(DataSourceError) in try await source.put(nil, id: "a") }

    #expect(error?.code == .illegalArgument)
    #expect(await base.operations == [.put])
  }

  @Test func `decodes Base64 and rejects other text`() throws {
    #expect(try Mapper<[UInt8], String>.base64.map([1, 2, 255]) == "AQL/")
    #expect(try Mapper<String, [UInt8]>.base64.map("AQL/") == [1, 2, 255])
    #expect(throws: DataSourceError.self) { try Mapper<String, [UInt8]>.base64.map("A") }
  }

  @Test func `decodes hexadecimal digits and rejects other text`() throws {
    #expect(try Mapper<[UInt8], String>.hex.map([0, 15, 255]) == "000fff")
    #expect(try Mapper<String, [UInt8]>.hex.map("000FfF") == [0, 15, 255])
    #expect(throws: DataSourceError.self) { try Mapper<String, [UInt8]>.hex.map("0") }
    #expect(throws: DataSourceError.self) { try Mapper<String, [UInt8]>.hex.map("+1") }
    #expect(throws: DataSourceError.self) { try Mapper<String, [UInt8]>.hex.map("ff-0") }
  }
}

@Suite struct `A query mapper` {
  /// A query in the base's own terms.
  private struct SearchQuery: Query {
    var text: String
  }

  @Test func `translates the query of every call`() async throws {
    let base = RecordingDataSource<Int>()
    let source = base.mappingQueries { query throws(DataSourceError) in
      guard let search = query as? SearchQuery else { return query }
      return IdQuery("search:" + search.text)
    }

    try await source.put(1, in: SearchQuery(text: "x"))
    try await source.putAll([2], in: SearchQuery(text: "y"))
    let one = try await source.get(SearchQuery(text: "x"))
    let many = try await source.getAll(SearchQuery(text: "y"))
    try await source.delete(SearchQuery(text: "x"))

    #expect(one == 1)
    #expect(many == [2])
    #expect(try await base.getAll(AllObjectsQuery()) == [2])
  }
}

@Suite struct `A validator` {
  private struct Page: Sendable, Hashable {
    var fetched: ManualClock.Instant?
    var isStale = false
  }

  @Test func `rejects an invalid object on reads and does not check writes`() async throws {
    let source = InMemoryDataSource<Int>().validated(
      by: Validator([.invalidation { $0 < 0 }], undecided: .valid))

    try await source.put(-1, id: "a")
    try await source.putAll([1, 2, -3], id: "b")
    let one = await failure { () throws(DataSourceError) in try await source.get(id: "a") }
    let many = await failure { () throws(DataSourceError) in try await source.getAll(id: "b") }

    #expect(one?.code == .notValid)
    #expect(many?.message == "The object at index 2 is not valid: it was marked as invalid.")
  }

  @Test func `accepts an empty array by default`() async throws {
    let memory = InMemoryDataSource<Int>()
    try await memory.putAll([], id: "k")

    let strict = memory.validated(by: Validator([], undecided: .valid, empty: .invalid))
    let error = await failure { () throws(DataSourceError) in try await strict.getAll(id: "k") }

    #expect(try await memory.validated(by: .lenient).getAll(id: "k") == [])
    #expect(error?.code == .notValid)
  }

  @Test func `accepts an object until its time to live is over`() async {
    let clock = ManualClock()
    let young = ValidationStrategy<Page>.timestamp(
      \.fetched, timeToLive: .seconds(10), clock: clock)
    let page = Page(fetched: clock.now)
    let future = Page(fetched: clock.now.advanced(by: .seconds(100)))
    let validator = Validator([young])

    clock.advance(by: .seconds(10) - .nanoseconds(1))
    #expect(await validator.verdict(page) == .valid)
    clock.advance(by: .nanoseconds(1))
    #expect(
      await validator.verdict(page)
        == .invalid(reason: "it is 10.0 seconds old, but is valid only for 10.0 seconds"))
    #expect(await validator.verdict(future) == .valid)
    #expect(await validator.verdict(Page()) == .invalid(reason: "no rule accepts it"))
  }

  @Test func `never expires without a time to live, and always with zero`() async {
    let clock = ManualClock()
    let page = Page(fetched: clock.now)
    let forever = Validator<Page>([.timestamp(\.fetched, timeToLive: nil, clock: clock)])
    let never = Validator<Page>([.timestamp(\.fetched, timeToLive: .zero, clock: clock)])

    #expect(await forever.verdict(page) == .valid)
    #expect(
      await never.verdict(page)
        == .invalid(reason: "it is 0.0 seconds old, but is valid only for 0.0 seconds"))
  }

  @Test func `uses the result of the first rule that decides`() async {
    let stale = ValidationStrategy<Page>.invalidation(\.isStale)
    let offline = ValidationStrategy<Page>.reachability { false }
    let online = ValidationStrategy<Page>.reachability { true }
    let fine = ValidationStrategy<Page>.validation { _ in true }
    let page = Page(isStale: true)

    #expect(await Validator([offline, stale]).verdict(page) == .valid)
    #expect(
      await Validator([online, stale]).verdict(page) == .invalid(reason: "it was marked as invalid")
    )
    #expect(await Validator([stale, fine]).verdict(Page()) == .valid)
    #expect(await Validator([online], undecided: .valid).verdict(page) == .valid)
  }
}

@Suite struct `An assembler` {
  @Test func `reads from one source, writes to another and deletes from none`() async throws {
    let here = InMemoryDataSource<Int>()
    let there = InMemoryDataSource<Int>()
    try await here.put(1, id: "k")
    let source = DataSourceAssembler(get: here, put: there)

    try await source.put(2, id: "k")
    let error = await failure { () throws(DataSourceError) in try await source.delete(id: "k") }

    #expect(try await source.get(id: "k") == 1)
    #expect(try await there.get(id: "k") == 2)
    #expect(error?.code == .notImplemented)
    #expect(error?.operation == .delete)
  }
}

@Suite struct `An assembler without a part` {
  @Test(arguments: RandomCall.oneOfEach)
  func `throws notImplemented for its calls`(call: Call<Note>) async {
    let memory = InMemoryDataSource<Note>()
    let sources = [
      DataSourceAssembler(put: memory, delete: memory),
      DataSourceAssembler(get: memory, delete: memory),
      DataSourceAssembler(get: memory, put: memory),
    ]
    let missing: Int
    switch call.operation {
    case .get, .getAll, .watch: missing = 0
    case .put, .putAll: missing = 1
    case .delete: missing = 2
    }

    #expect(await call.outcome(on: sources[missing]) == .failure(.notImplemented))
  }
}

@Suite struct `A retry` {
  private let unreachable = DataSourceError(.network(status: nil), "No connection.")

  @Test(arguments: [DataOperation.get, .getAll, .delete])
  func `repeats a call after a temporary failure`(operation: DataOperation) async throws {
    let base = RecordingDataSource<Int>()
    try await base.put(1, id: "k")
    try await base.putAll([1], id: "all")
    await base.forgetCalls()
    await base.failNext(unreachable)
    let source = base.retrying()

    switch operation {
    case .get: #expect(try await source.get(id: "k") == 1)
    case .getAll: #expect(try await source.getAll(id: "all") == [1])
    case .put, .putAll, .delete, .watch: try await source.delete(id: "k")
    }

    #expect(await base.operations == [operation, operation])
  }

  @Test func `throws the last failure`() async throws {
    let base = RecordingDataSource<Int>()
    await base.failNext(unreachable, DataSourceError(.network(status: 503), "Restarting."))
    let source = base.retrying()

    let error = await failure { () throws(DataSourceError) in try await source.get(id: "k") }

    #expect(error?.code == .network(status: 503))
    #expect(await base.operations.count == 2)
  }

  @Test(arguments: [
    DataSourceError.Code.notFound, .unsupportedQuery, .illegalArgument, .notValid, .cancelled,
    .network(status: 404),
  ])
  func `does not repeat a call after a permanent failure`(code: DataSourceError.Code) async throws {
    let base = RecordingDataSource<Int>()
    await base.failAlways(DataSourceError(code, "No."))

    _ = await failure { () throws(DataSourceError) in try await base.retrying().get(id: "k") }

    #expect(await base.operations == [.get])
  }

  @Test(arguments: [
    DataSourceError.Code.network(status: nil), .network(status: 408), .network(status: 425),
    .network(status: 429), .network(status: 500), .network(status: 502), .network(status: 503),
    .network(status: 504), .system(errno: EAGAIN), .system(errno: EINTR),
    .system(errno: ETIMEDOUT),
  ])
  func `repeats a call after any of the temporary failures`(code: DataSourceError.Code) async throws
  {
    let base = RecordingDataSource<Int>()
    try await base.put(1, id: "k")
    await base.forgetCalls()
    await base.failNext(DataSourceError(code, "Not now."))

    #expect(try await base.retrying().get(id: "k") == 1)
    #expect(await base.operations == [.get, .get])
  }

  @Test func `repeats a write only if allowed`() async throws {
    let base = RecordingDataSource<Int>()
    await base.failNext(unreachable)
    _ = await failure { () throws(DataSourceError) in try await base.retrying().put(1, id: "k") }
    #expect(await base.operations == [.put])

    await base.failNext(unreachable)
    try await base.retrying(RetryPolicy(retriesWrites: true)).put(1, id: "k")
    #expect(await base.operations == [.put, .put, .put])
  }

  @Test func `doubles delays up to the maximum`() {
    let policy = RetryPolicy(
      attempts: 9, delay: .seconds(1), maxDelay: .seconds(5), jitter: 0.5)

    #expect(
      (2...6).map { policy.wait(before: $0, chance: 0) } == [1, 2, 4, 5, 5].map { .seconds($0) })
    #expect(policy.wait(before: 3, chance: 1) == .seconds(1))
  }

  @Test func `grows delays by a fixed step`() {
    let policy = RetryPolicy(
      attempts: .max, growth: .adding(.seconds(2)), maxDelay: .seconds(5))

    #expect(
      (2...6).map { policy.wait(before: $0, chance: 0) } == [0, 2, 4, 5, 5].map { .seconds($0) })
    #expect(RetryPolicy().wait(before: .max, chance: 0) == .zero)
  }

  @Test func `throws cancelled when canceled during a delay`() async throws {
    let clock = ManualClock()
    let base = RecordingDataSource<Int>()
    await base.failAlways(unreachable)
    let source = base.retrying(RetryPolicy(delay: .seconds(9)), clock: clock)

    let call = Task {
      await failure { () throws(DataSourceError) in try await source.get(id: "k") }
    }
    try await clock.awaitSleepers(1)
    call.cancel()

    #expect(await call.value?.code == .cancelled)
    #expect(await base.operations == [.get])
  }
}

@Suite struct `A debug source` {
  @Test func `logs the start and the end of a call without its object`() async throws {
    let lines = Mutex<[String]>([])
    let source = InMemoryDataSource<String>().debugged(
      by: Debug(clock: ManualClock(), number: { 255 }) { line in lines.withLock { $0.append(line) }
      })

    try await source.put("s3cret", id: "k")

    #expect(
      lines.withLock { $0 } == [
        "InMemoryDataSource<String> #ff put begins: IdQuery<String>(id: \"k\")",
        "InMemoryDataSource<String> #ff put ends after 0.0 seconds",
      ])
  }

  @Test func `logs objects on request, including those in queries`()
    async throws
  {
    for tells in [false, true] {
      let lines = Mutex<[String]>([])
      let source = InMemoryDataSource<Note>().debugged(
        by: Debug(logsObjects: tells) { line in lines.withLock { $0.append(line) } })

      try await source.put(Note("a", "s3cret"), id: "a")
      try await source.put(nil, in: ObjectQuery(Note("b", "s3cret")))
      _ = try await source.getAll(AllObjectsQuery())

      #expect(lines.withLock { $0.count } == 6)
      #expect(lines.withLock { $0.contains { $0.contains("s3cret") } } == tells)
    }
  }

  @Test func `never logs secrets, however they are wrapped`() async throws {
    let folder = TemporaryFolder()
    let secrets = SecretDataSource<String>(FileSecretStore(path: folder.file("secrets")))
    let wrapped: [AnyDataSource<String>] = [
      AnyDataSource(secrets), AnyDataSource(secrets.retrying().cached(timeToLive: .seconds(9))),
      AnyDataSource(secrets.mappingQueries { query throws(DataSourceError) in query }),
      AnyDataSource(secrets.mapped(to: .identity, from: .identity).validated(by: .lenient)),
      AnyDataSource(DataSourceAssembler(put: secrets)),
      AnyDataSource(CacheRepository(main: secrets, cache: InMemoryDataSource<String>()).source()),
      AnyDataSource(SingleDataSourceRepository(secrets).through { $0.retrying() }.source()),
    ]
    let lines = Mutex<[String]>([])

    for source in wrapped {
      let told = source.debugged(
        by: Debug(logsObjects: true) { line in lines.withLock { $0.append(line) } })
      try await told.put("s3cret", id: "k")
      _ = await failure { () throws(DataSourceError) in try await told.get(id: "k") }
    }

    #expect(lines.withLock { $0.count } == 4 * wrapped.count)
    #expect(lines.withLock { $0.allSatisfy { !$0.contains("s3cret") } })
  }

  @Test func `simulates a failure after the base has performed the call`() async throws {
    let memory = InMemoryDataSource<Int>()
    let broken = memory.debugged(by: Debug(failureProbability: 1) { _ in })
    let sound = memory.debugged(by: Debug(failureProbability: 0, chance: { 0 }) { _ in })

    let error = await failure { () throws(DataSourceError) in try await broken.put(1, id: "k") }

    #expect(error == .failed("Simulated failure."))
    #expect(try await sound.get(id: "k") == 1)
  }

  @Test func `delays calls by its clock`() async throws {
    let clock = ManualClock()
    let source = InMemoryDataSource<Int>().debugged(
      by: Debug(latency: .seconds(3), clock: clock) { _ in })

    async let answer = source.put(1, id: "k")
    try await clock.awaitSleepers(1)
    clock.advance(by: .seconds(3))

    #expect(try await answer == 1)
  }
}
