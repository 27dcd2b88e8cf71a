import DataSources
import DataSourcesTesting
import Synchronization
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
  @Test func `a source of texts is a source of numbers`() async throws {
    let memory = InMemoryDataSource<String>()
    let source = memory.mapped(to: numbers, from: texts)

    #expect(try await source.put(7, id: "a") == 7)
    #expect(try await memory.get(id: "a") == "7")
    #expect(try await source.getAll(AllObjectsQuery()) == [7])
  }

  @Test func `one element that cannot be mapped fails the listing, or is skipped and told`()
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

  @Test func `what cannot be mapped in never reaches the base`() async throws {
    let base = RecordingDataSource<String>()
    let source = base.mapped(to: numbers, from: texts)

    let error = await failure { () throws(DataSourceError) in try await source.put(-1, id: "a") }

    #expect(error?.code == .notValid)
    #expect(await base.calls.isEmpty)
  }

  @Test func `what cannot be mapped out is stored all the same`() async throws {
    let memory = InMemoryDataSource<String>()
    let source = memory.mapped(
      to: numbers, from: Mapper { number throws(DataSourceError) in "number \(number)" })

    let one = await failure { () throws(DataSourceError) in try await source.put(1, id: "a") }
    let many = await failure { () throws(DataSourceError) in try await source.putAll([2], id: "b") }

    #expect(one?.code == .notValid)
    #expect(many?.code == .notValid)
    #expect(try await memory.getAll(AllObjectsQuery()) == ["number 1", "number 2"])
  }

  @Test func `nothing passes unmapped`() async throws {
    let base = RecordingDataSource<String>()
    let source = base.mapped(to: numbers, from: texts)

    let error = await failure { () throws(DataSourceError) in try await source.put(nil, id: "a") }

    #expect(error?.code == .illegalArgument)
    #expect(await base.operations == [.put])
  }

  @Test func `base64 is bytes, and other texts are refused`() throws {
    #expect(try Mapper<[UInt8], String>.base64.map([1, 2, 255]) == "AQL/")
    #expect(try Mapper<String, [UInt8]>.base64.map("AQL/") == [1, 2, 255])
    #expect(throws: DataSourceError.self) { try Mapper<String, [UInt8]>.base64.map("A") }
  }

  @Test func `hexadecimal digits are bytes, and other texts are refused`() throws {
    #expect(try Mapper<[UInt8], String>.hex.map([0, 15, 255]) == "000fff")
    #expect(try Mapper<String, [UInt8]>.hex.map("000FfF") == [0, 15, 255])
    #expect(throws: DataSourceError.self) { try Mapper<String, [UInt8]>.hex.map("0") }
    #expect(throws: DataSourceError.self) { try Mapper<String, [UInt8]>.hex.map("+1") }
  }
}

@Suite struct `A query mapper` {
  /// What a source of one's own is asked, in its own words.
  private struct SearchQuery: Query {
    var text: String
  }

  @Test func `asks the base in its own words, by every call`() async throws {
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

  @Test func `an invalid object is not let out, and writes are not checked`() async throws {
    let source = InMemoryDataSource<Int>().validated(
      by: Validator([.invalidation { $0 < 0 }], undecided: .valid))

    try await source.put(-1, id: "a")
    try await source.putAll([1, 2, -3], id: "b")
    let one = await failure { () throws(DataSourceError) in try await source.get(id: "a") }
    let many = await failure { () throws(DataSourceError) in try await source.getAll(id: "b") }

    #expect(one?.code == .notValid)
    #expect(many?.message == "The object at 2 is not valid: it was marked as invalid.")
  }

  @Test func `an empty array is valid unless somebody says otherwise`() async throws {
    let memory = InMemoryDataSource<Int>()
    try await memory.putAll([], id: "k")

    let strict = memory.validated(by: Validator([], undecided: .valid, empty: .invalid))
    let error = await failure { () throws(DataSourceError) in try await strict.getAll(id: "k") }

    #expect(try await memory.validated(by: .lenient).getAll(id: "k") == [])
    #expect(error?.code == .notValid)
  }

  @Test func `an object is valid until it is as old as its time to live`() async {
    let clock = ManualClock()
    let young = ValidationStrategy<Page>.timestamp(
      \.fetched, timeToLive: .seconds(10), clock: clock)
    let page = Page(fetched: clock.now)
    let future = Page(fetched: clock.now.advanced(by: .seconds(100)))
    let validator = Validator([young])

    clock.advance(by: .seconds(10) - .nanoseconds(1))
    #expect(await validator.verdict(page) == .valid)
    clock.advance(by: .nanoseconds(1))
    #expect(await validator.verdict(page) == .invalid(reason: "it is 10.0 seconds old"))
    #expect(await validator.verdict(future) == .valid)
    #expect(await validator.verdict(Page()) == .invalid(reason: "nobody vouches for it"))
  }

  @Test func `no time to live is for ever, and zero is never`() async {
    let clock = ManualClock()
    let page = Page(fetched: clock.now)
    let forever = Validator<Page>([.timestamp(\.fetched, timeToLive: nil, clock: clock)])
    let never = Validator<Page>([.timestamp(\.fetched, timeToLive: .zero, clock: clock)])

    #expect(await forever.verdict(page) == .valid)
    #expect(await never.verdict(page) == .invalid(reason: "it is 0.0 seconds old"))
  }

  @Test func `the first strategy that decides has the last word`() async {
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
  @Test func `reads here, writes there, and deletes nowhere`() async throws {
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
  func `says that it has no such call`(call: Call<Note>) async {
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
  func `a failure that passes is a second call`(operation: DataOperation) async throws {
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

  @Test func `the last failure is the one that is thrown`() async throws {
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
  func `a failure that stays is not tried again`(code: DataSourceError.Code) async throws {
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
  func `a failure of those that pass is tried again`(code: DataSourceError.Code) async throws {
    let base = RecordingDataSource<Int>()
    try await base.put(1, id: "k")
    await base.forgetCalls()
    await base.failNext(DataSourceError(code, "Not now."))

    #expect(try await base.retrying().get(id: "k") == 1)
    #expect(await base.operations == [.get, .get])
  }

  @Test func `a write is repeated only where that is allowed`() async throws {
    let base = RecordingDataSource<Int>()
    await base.failNext(unreachable)
    _ = await failure { () throws(DataSourceError) in try await base.retrying().put(1, id: "k") }
    #expect(await base.operations == [.put])

    await base.failNext(unreachable)
    try await base.retrying(RetryPolicy(retriesWrites: true)).put(1, id: "k")
    #expect(await base.operations == [.put, .put, .put])
  }

  @Test func `waits double up to the longest`() {
    let policy = RetryPolicy(
      attempts: 9, delay: .seconds(1), longestDelay: .seconds(5), jitter: 0.5)

    #expect(
      (2...6).map { policy.wait(before: $0, chance: 0) } == [1, 2, 4, 5, 5].map { .seconds($0) })
    #expect(policy.wait(before: 3, chance: 1) == .seconds(1))
  }

  @Test func `waits may grow by as much each time, and need not begin at once`() {
    let policy = RetryPolicy(
      attempts: .max, growth: .adding(.seconds(2)), longestDelay: .seconds(5))

    #expect(
      (2...6).map { policy.wait(before: $0, chance: 0) } == [0, 2, 4, 5, 5].map { .seconds($0) })
    #expect(RetryPolicy().wait(before: .max, chance: 0) == .zero)
  }

  @Test func `cancelling during a wait is a cancellation`() async throws {
    let clock = ManualClock()
    let base = RecordingDataSource<Int>()
    await base.failAlways(unreachable)
    let source = base.retrying(RetryPolicy(delay: .seconds(9)), clock: clock)

    let call = Task {
      await failure { () throws(DataSourceError) in try await source.get(id: "k") }
    }
    await clock.sleepers(1)
    call.cancel()

    #expect(await call.value?.code == .cancelled)
    #expect(await base.operations == [.get])
  }
}

@Suite struct `A debug source` {
  @Test func `a call is told when it begins and when it ends, without its object`() async throws {
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

  @Test func `objects are told when that is asked for, also those that a query carries`()
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

  @Test func `secrets are told to nobody, however they are wrapped`() async throws {
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

  @Test func `a failure on purpose comes after the base has done its work`() async throws {
    let memory = InMemoryDataSource<Int>()
    let broken = memory.debugged(by: Debug(failureProbability: 1) { _ in })
    let sound = memory.debugged(by: Debug(failureProbability: 0, chance: { 0 }) { _ in })

    let error = await failure { () throws(DataSourceError) in try await broken.put(1, id: "k") }

    #expect(error == .failed("A failure on purpose."))
    #expect(try await sound.get(id: "k") == 1)
  }

  @Test func `a slow source is slow by its clock`() async throws {
    let clock = ManualClock()
    let source = InMemoryDataSource<Int>().debugged(
      by: Debug(latency: .seconds(3), clock: clock) { _ in })

    async let answer = source.put(1, id: "k")
    await clock.sleepers(1)
    clock.advance(by: .seconds(3))

    #expect(try await answer == 1)
  }
}
