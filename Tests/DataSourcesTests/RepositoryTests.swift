import DataSources
import DataSourcesTesting
import Synchronization
import TestSupport
import Testing

/// Whether one object or a list is read.
enum ReadForm: Sendable, CaseIterable {
  case one, many
}

/// The cache's content before a call.
enum CacheState: Sendable, CaseIterable {
  case valid, invalid, none
}

/// One row of the table of policies: the sources' answers and the expected result.
struct ReadRow: Sendable, CustomStringConvertible {
  var description: String
  var policy: AccessPolicy
  var cache: CacheState
  var mainFails: DataSourceError?
  var cachePutFails = false
  var cacheGetFails: DataSourceError?
  var expected: Outcome<Int>
  var mainCalls: [DataOperation] = []
  var cacheCalls: [DataOperation] = []
}

private let down = DataSourceError(.network(status: nil), "No connection.")
private let broken = DataSourceError.system(errno: 5, "Broken disk.")
private let unreadable = DataSourceError.dataSerialization("Unreadable.")

extension ReadRow {
  /// The main source answers 1; a valid cache holds 2 and an invalid one -2.
  static let rows: [ReadRow] = [
    ReadRow(
      description: "main", policy: .main, cache: .valid, expected: .object(1), mainCalls: [.get]),
    ReadRow(
      description: "main fails", policy: .main, cache: .valid, mainFails: down,
      expected: .failure(.network(status: nil)), mainCalls: [.get]),
    ReadRow(
      description: "cache, valid", policy: .cache(), cache: .valid, expected: .object(2),
      cacheCalls: [.get]),
    ReadRow(
      description: "cache, invalid", policy: .cache(), cache: .invalid,
      expected: .failure(.notValid), cacheCalls: [.get]),
    ReadRow(
      description: "cache, invalid, ignoring it", policy: .cache(ignoringValidation: true),
      cache: .invalid, expected: .object(-2), cacheCalls: [.get]),
    ReadRow(
      description: "cache, none", policy: .cache(), cache: .none, expected: .failure(.notFound),
      cacheCalls: [.get]),
    ReadRow(
      description: "mainSync", policy: .mainSync, cache: .valid, expected: .object(1),
      mainCalls: [.get], cacheCalls: [.put]),
    ReadRow(
      description: "mainSync, cache cannot be written", policy: .mainSync, cache: .valid,
      cachePutFails: true, expected: .object(1), mainCalls: [.get], cacheCalls: [.put, .delete]),
    ReadRow(
      description: "mainSync, main fails", policy: .mainSync, cache: .valid, mainFails: down,
      expected: .failure(.network(status: nil)), mainCalls: [.get]),
    ReadRow(
      description: "cacheSync, valid", policy: .cacheSync(), cache: .valid, expected: .object(2),
      cacheCalls: [.get]),
    ReadRow(
      description: "cacheSync, invalid", policy: .cacheSync(), cache: .invalid,
      expected: .object(1), mainCalls: [.get], cacheCalls: [.get, .put]),
    ReadRow(
      description: "cacheSync, none", policy: .cacheSync(), cache: .none, expected: .object(1),
      mainCalls: [.get], cacheCalls: [.get, .put]),
    ReadRow(
      description: "cacheSync, unreadable", policy: .cacheSync(), cache: .none,
      cacheGetFails: unreadable, expected: .object(1), mainCalls: [.get], cacheCalls: [.get, .put]),
    ReadRow(
      description: "cacheSync, invalid, main fails", policy: .cacheSync(), cache: .invalid,
      mainFails: down, expected: .failure(.network(status: nil)), mainCalls: [.get],
      cacheCalls: [.get]),
    ReadRow(
      description: "cacheSync with fallback, invalid, main fails",
      policy: .cacheSync { _ in true }, cache: .invalid, mainFails: down, expected: .object(-2),
      mainCalls: [.get], cacheCalls: [.get]),
    ReadRow(
      description: "cacheSync with fallback, none, main fails", policy: .cacheSync { _ in true },
      cache: .none, mainFails: down, expected: .failure(.network(status: nil)), mainCalls: [.get],
      cacheCalls: [.get]),
    ReadRow(
      description: "cacheSync, broken cache", policy: .cacheSync(), cache: .valid,
      cacheGetFails: broken, expected: .failure(.system(errno: 5)), cacheCalls: [.get]),
    ReadRow(
      description: "cacheSync, a query that the cache does not know", policy: .cacheSync(),
      cache: .valid, cacheGetFails: DataSourceError(.unsupportedQuery, "Unknown."),
      expected: .failure(.unsupportedQuery), cacheCalls: [.get]),
    ReadRow(
      description: "cacheSync with fallback, broken cache", policy: .cacheSync { _ in true },
      cache: .invalid, mainFails: down, cacheGetFails: broken,
      expected: .failure(.system(errno: 5)), cacheCalls: [.get]),
    ReadRow(
      description: "main, cache none", policy: .main, cache: .none, expected: .object(1),
      mainCalls: [.get]),
    ReadRow(
      description: "mainSync, cache none", policy: .mainSync, cache: .none, expected: .object(1),
      mainCalls: [.get], cacheCalls: [.put]),
    ReadRow(
      description: "cacheSync, none, main fails", policy: .cacheSync(), cache: .none,
      mainFails: down, expected: .failure(.network(status: nil)), mainCalls: [.get],
      cacheCalls: [.get]),
    ReadRow(
      description: "cacheSync, none, cache cannot be written", policy: .cacheSync(), cache: .none,
      cachePutFails: true, expected: .object(1), mainCalls: [.get],
      cacheCalls: [.get, .put, .delete]),
    ReadRow(
      description: "standard, invalid", policy: .standard, cache: .invalid, expected: .object(1),
      mainCalls: [.get], cacheCalls: [.get, .put]),
    ReadRow(
      description: "standard, invalid, main fails", policy: .standard, cache: .invalid,
      mainFails: down, expected: .failure(.network(status: nil)), mainCalls: [.get],
      cacheCalls: [.get]),
    ReadRow(
      description: "standard, valid", policy: .standard, cache: .valid, expected: .object(2),
      cacheCalls: [.get]),
    ReadRow(
      description: "standard, none", policy: .standard, cache: .none, expected: .object(1),
      mainCalls: [.get], cacheCalls: [.get, .put]),
  ]
}

extension ReadRow {
  func outcome(in form: ReadForm) -> Outcome<Int> {
    guard form == .many, case .object(let object) = expected else { return expected }
    return .objects([object])
  }

  static func calls(_ calls: [DataOperation], in form: ReadForm) -> [DataOperation] {
    guard form == .many else { return calls }
    return calls.map { $0 == .get ? .getAll : $0 == .put ? .putAll : $0 }
  }
}

@Suite struct `Cache repository` {
  private let main = RecordingDataSource<Int>()
  private let cache = RecordingDataSource<Int>()

  private func repository(
    onCacheFailure: @escaping @Sendable (DataSourceError) -> Void = { _ in }
  ) -> CacheRepository<RecordingDataSource<Int>, RecordingDataSource<Int>, Int> {
    CacheRepository(
      main: main, cache: cache, validator: Validator([.invalidation { $0 < 0 }], undecided: .valid),
      onCacheFailure: onCacheFailure)
  }

  @Test(arguments: ReadRow.rows, ReadForm.allCases)
  func `a read calls the sources of its policy in order`(row: ReadRow, form: ReadForm) async throws
  {
    try await put(1, in: main, form)
    switch row.cache {
    case .valid: try await put(2, in: cache, form)
    case .invalid: try await put(-2, in: cache, form)
    case .none: break
    }
    await main.failAlways(row.mainFails)
    if let error = row.cacheGetFails {
      await cache.failNext(error)
    } else if row.cachePutFails {
      let isReadFirst = row.cacheCalls.first == .get
      if isReadFirst { await cache.failNext(nil, broken) } else { await cache.failNext(broken) }
    }
    await main.forgetCalls()
    await cache.forgetCalls()
    let told = Mutex<[DataSourceError]>([])
    let repository = repository { error in told.withLock { $0.append(error) } }

    let outcome: Outcome<Int>
    do throws(DataSourceError) {
      outcome =
        switch form {
        case .one: .object(try await repository.get(IdQuery("k"), policy: row.policy))
        case .many: .objects(try await repository.getAll(IdQuery("k"), policy: row.policy))
        }
    } catch {
      outcome = .failure(error.code)
    }

    #expect(outcome == row.outcome(in: form))
    #expect(await main.operations == ReadRow.calls(row.mainCalls, in: form))
    #expect(await cache.operations == ReadRow.calls(row.cacheCalls, in: form))
    #expect(told.withLock { $0 } == (row.cachePutFails ? [broken] : []))
  }

  private func put(
    _ number: Int, in source: RecordingDataSource<Int>, _ form: ReadForm
  ) async throws {
    switch form {
    case .one: try await source.put(number, id: "k")
    case .many: try await source.putAll([number], id: "k")
    }
  }

  @Test func `an empty array in the cache is an answer`() async throws {
    try await cache.putAll([], id: "k")

    #expect(try await repository().getAll(IdQuery("k"), policy: .cache()) == [])
    #expect(try await repository().getAll(IdQuery("k")) == [])
  }

  @Test(arguments: [DataOperation.put, .putAll, .delete])
  func `a write goes to main, then to the cache`(operation: DataOperation) async throws {
    let repository = repository()

    for policy in [AccessPolicy.standard, .mainSync] {
      try await write(operation, to: repository, policy)
    }

    #expect(await main.operations == [operation, operation])
    #expect(await cache.operations == [operation, operation])
  }

  @Test(arguments: [DataOperation.put, .putAll, .delete])
  func `with the cache first, a write goes to the cache, then to main`(
    operation: DataOperation
  ) async throws {
    try await write(operation, to: repository(), .cacheSync())

    #expect(await main.operations == [operation])
    #expect(await cache.operations.last == operation)
    #expect(await cache.operations.dropLast().allSatisfy { $0 == .get || $0 == .getAll })
  }

  @Test func `with the cache first, a rejected write of several ids restores each`()
    async throws
  {
    try await cache.put(1, id: "a")
    try await cache.putAll([2, 3], id: "b")
    await main.failAlways(down)
    let ids = IdsQuery(["a", "b", "c"])

    for write in [Call<Int>.putAll([7, 8, 9], ids), .delete(ids)] {
      let source = repository().source(policy: .cacheSync())
      #expect(await write.outcome(on: AnyDataSource(source)) == .failure(down.code))

      #expect(try await cache.get(id: "a") == 1)
      #expect(try await cache.getAll(id: "b") == [2, 3])
      #expect(try await cache.getAll(AllObjectsQuery()) == [1, 2, 3])
    }
  }

  @Test func `a query that neither source supports is an error under every policy`() async throws {
    struct UnrecognizedQuery: Query {}
    let policies: [AccessPolicy] = [.standard, .main, .mainSync, .cache(), .cacheSync()]
    let calls: [Call<Int>] = [
      .get(UnrecognizedQuery()), .getAll(UnrecognizedQuery()), .put(1, UnrecognizedQuery()),
      .putAll([1], UnrecognizedQuery()), .delete(UnrecognizedQuery()),
    ]

    for policy in policies {
      let source = AnyDataSource(repository().source(policy: policy))
      for call in calls { #expect(await call.outcome(on: source) == .failure(.unsupportedQuery)) }
    }
  }

  @Test func `a canceled caller does not wait for a running equal query`()
    async throws
  {
    let slow = GatedDataSource()
    let repository = CacheRepository(
      main: DataSourceAssembler(get: slow), cache: InMemoryDataSource<Int>())
    let first = Task { try await repository.get(IdQuery("k"), policy: .mainSync) }
    try await waitUntil("the first query runs") { await slow.count > 0 }
    let second = Task {
      await failure { () throws(DataSourceError) in
        try await repository.get(IdQuery("k"), policy: .mainSync)
      }
    }
    let third = Task { try await repository.get(IdQuery("k"), policy: .mainSync) }

    second.cancel()
    let error = await second.value
    await slow.open()

    #expect(error?.code == .cancelled)
    #expect(try await first.value == 1)
    #expect(try await third.value == 1)
    #expect(await slow.count == 2)
  }

  @Test(arguments: [DataOperation.put, .putAll, .delete])
  func `a write that main rejects does not reach the cache`(operation: DataOperation) async throws {
    await main.failAlways(down)
    let repository = repository()

    let error = await failure { () throws(DataSourceError) in
      try await write(operation, to: repository, .mainSync)
    }

    #expect(error == down)
    #expect(await cache.operations == [])
  }

  @Test(arguments: [DataOperation.put, .putAll, .delete])
  func `a cache failure on a write is reported and its entry dropped`(
    operation: DataOperation
  ) async throws {
    try await cache.put(7, id: "k")
    await cache.forgetCalls()
    await cache.failNext(broken)
    let told = Mutex<[DataSourceError]>([])
    let repository = repository { error in told.withLock { $0.append(error) } }

    try await write(operation, to: repository, .standard)

    #expect(told.withLock { $0 } == [broken])
    #expect(await cache.operations == [operation, .delete])
    let stale = await failure { () throws(DataSourceError) in try await cache.get(id: "k") }
    #expect(stale?.code == .notFound)
  }

  @Test(arguments: [Call<Int>.putAll([7, 8], AllObjectsQuery()), .delete(AllObjectsQuery())])
  func `with the cache first, a rejected write of everything keeps each entry`(
    write: Call<Int>
  ) async throws {
    try await cache.put(1, id: "k")
    try await cache.putAll([2, 3], id: "l")
    await main.failAlways(down)
    let source = repository().source(policy: .cacheSync())

    #expect(await write.outcome(on: AnyDataSource(source)) == .failure(down.code))

    #expect(try await cache.get(id: "k") == 1)
    #expect(try await cache.getAll(id: "l") == [2, 3])
    #expect(try await cache.getAll(AllObjectsQuery()) == [1, 2, 3])
  }

  @Test func `with the cache first, an accepted write of everything is in both`() async throws {
    try await cache.put(1, id: "k")
    let source = repository().source(policy: .cacheSync())
    try await source.putAll([7, 8], in: AllObjectsQuery())

    #expect(try await main.getAll(AllObjectsQuery()) == [7, 8])
    #expect(try await cache.getAll(AllObjectsQuery()) == [7, 8])

    await cache.failAlways(broken)
    let error = await failure { () throws(DataSourceError) in
      try await source.delete(AllObjectsQuery())
    }
    #expect(error == broken)
    #expect(try await main.getAll(AllObjectsQuery()) == [7, 8])
  }

  @Test(arguments: [DataOperation.put, .putAll, .delete], [1, nil])
  func `with the cache first, a write that main rejects is undone`(
    operation: DataOperation, before: Int?
  ) async throws {
    if let before { try await cache.put(before, id: "k") }
    await main.failAlways(down)
    let repository = repository()

    let error = await failure { () throws(DataSourceError) in
      try await write(operation, to: repository, .cacheSync())
    }

    #expect(error == down)
    #expect(try await cache.getAll(AllObjectsQuery()) == (before.map { [$0] } ?? []))
  }

  @Test(arguments: [DataOperation.put, .putAll, .delete])
  func `with the cache first, a write that the cache rejects does not reach main`(
    operation: DataOperation
  ) async throws {
    await cache.failAlways(broken)
    let repository = repository()

    let error = await failure { () throws(DataSourceError) in
      try await write(operation, to: repository, .cacheSync())
    }

    #expect(error == broken)
    #expect(await main.operations == [])
  }

  @Test(arguments: [DataOperation.put, .putAll, .delete])
  func `a write to one source leaves the other unchanged`(operation: DataOperation) async throws {
    try await write(operation, to: repository(), .main)
    #expect(await main.operations == [operation])
    #expect(await cache.operations == [])

    try await write(operation, to: repository(), .cache())
    #expect(await main.operations == [operation])
    #expect(await cache.operations == [operation])
  }

  @Test func `observing gives the cached answer, then main's`() async throws {
    try await main.putAll([1], id: "k")
    try await cache.putAll([2], id: "k")

    var answers: [[Int]] = []
    for try await answer in repository().observe(IdQuery("k")) { answers.append(answer) }

    // A slow reader may miss the first; the last is always main's.
    #expect(answers.last == [1])
    #expect(answers.count <= 2)
    #expect(try await cache.getAll(id: "k") == [1])
  }

  @Test func `a repository works with data source wrappers`() async throws {
    try await main.put(1, id: "k")
    let texts = repository().through {
      $0.mapped(
        to: Mapper { number throws(DataSourceError) in "\(number)" },
        from: Mapper<String, Int> { _ throws(DataSourceError) in throw .failed("Read-only.") })
    }

    #expect(try await texts.get(IdQuery("k"), policy: .mainSync) == "1")
    #expect(try await cache.get(id: "k") == 1)
  }

  private func write(
    _ operation: DataOperation, to repository: some Repository<Int>, _ policy: AccessPolicy
  ) async throws(DataSourceError) {
    switch operation {
    case .put: try await repository.put(5, in: IdQuery("k"), policy: policy)
    case .putAll: try await repository.putAll([5, 6], in: IdQuery("k"), policy: policy)
    case .delete: try await repository.delete(IdQuery("k"), policy: policy)
    case .get, .getAll, .watch: break
    }
  }
}
