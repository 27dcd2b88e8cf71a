import DataSources
import DataSourcesTesting
import Synchronization
import Testing

private let k = IdQuery("k")
private let down = DataSourceError(.network(status: nil), "No connection.")
private let broken = DataSourceError(.system(errno: 5), "The disk is broken.")

/// What the cache holds before a read. Negative numbers are invalid.
enum CacheState: Sendable {
  case valid, invalid, missing
}

/// A read: the policy, the states of cache and main source, the outcome, and the expected calls.
struct PolicyRow: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var policy: AccessPolicy
  var cache: CacheState
  var main: DataSourceError?
  /// What the first call of the cache throws.
  var cacheError: DataSourceError?
  var outcome: Outcome<Int>
  /// `m` and `c` with the first letter of the operation: `cg mg cp` reads cache, reads main, puts
  /// into the cache.
  var calls: String
}

private func row(
  _ name: String, _ policy: AccessPolicy, _ cache: CacheState, main: DataSourceError? = nil,
  cacheError: DataSourceError? = nil, _ outcome: Outcome<Int>, _ calls: String
) -> PolicyRow {
  PolicyRow(
    testDescription: name, policy: policy, cache: cache, main: main, cacheError: cacheError,
    outcome: outcome, calls: calls)
}

extension PolicyRow {
  private static let offline = Outcome<Int>.failure(.network(status: nil))
  private static let fallback = AccessPolicy.cacheSync { _ in true }
  private static let unreadable = DataSourceError(.dataSerialization, "Damaged.")
  private static let unknown = DataSourceError(.unsupportedQuery, "Unknown.")

  /// Main answers 1; a valid cache holds 2, an invalid one -2.
  static let rows: [PolicyRow] = [
    row("main", .main, .valid, .object(1), "mg"),
    row("main, nothing cached", .main, .missing, .object(1), "mg"),
    row("main, offline", .main, .valid, main: down, offline, "mg"),
    row("cache, valid", .cache(), .valid, .object(2), "cg"),
    row("cache, invalid", .cache(), .invalid, .failure(.notValid), "cg"),
    row(
      "cache, invalid and ignored", .cache(ignoringValidation: true), .invalid, .object(-2), "cg"),
    row("cache, missing", .cache(), .missing, .failure(.notFound), "cg"),
    row("main sync", .mainSync, .valid, .object(1), "mg cp"),
    row(
      "main sync, cache cannot be written", .mainSync, .valid, cacheError: broken, .object(1),
      "mg cp cd"),
    row("main sync, offline", .mainSync, .valid, main: down, offline, "mg"),
    row("cache sync, valid", .cacheSync(), .valid, .object(2), "cg"),
    row("cache sync, invalid", .cacheSync(), .invalid, .object(1), "cg mg cp"),
    row("cache sync, missing", .cacheSync(), .missing, .object(1), "cg mg cp"),
    row("cache sync, missing and offline", .cacheSync(), .missing, main: down, offline, "cg mg"),
    row("cache sync, invalid and offline", .cacheSync(), .invalid, main: down, offline, "cg mg"),
    row("fallback, invalid and offline", fallback, .invalid, main: down, .object(-2), "cg mg"),
    row("fallback, missing and offline", fallback, .missing, main: down, offline, "cg mg"),
    row(
      "cache sync, cache broken", .cacheSync(), .valid, cacheError: broken,
      .failure(.system(errno: 5)), "cg"),
    row(
      "cache sync, query unknown to the cache", .cacheSync(), .valid, cacheError: unknown,
      .failure(.unsupportedQuery), "cg"),
    row(
      "cache sync, cache unreadable", .cacheSync(), .valid, cacheError: unreadable, .object(1),
      "cg mg cp"),
    row("standard, valid", .standard, .valid, .object(2), "cg"),
    row("standard, invalid", .standard, .invalid, .object(1), "cg mg cp"),
    row("standard, missing", .standard, .missing, .object(1), "cg mg cp"),
    row("standard, missing and offline", .standard, .missing, main: down, offline, "cg mg"),
  ]
}

/// A source whose calls are noted in a journal that it shares with another.
private struct Noted: Interceptor {
  let name: String
  let journal: Journal

  final class Journal: Sendable {
    private let noted = Mutex<[String]>([])
    var text: String { noted.withLock { $0.joined(separator: " ") } }
    func note(_ word: String) { noted.withLock { $0.append(word) } }
    func clear() { noted.withLock { $0 = [] } }
  }

  func intercept<Answer: Sendable>(
    _ call: DataCall, next: DataCall.Next<Answer>
  ) async throws(DataSourceError) -> Answer {
    journal.note(name + String(call.operation.rawValue.prefix(1)))
    return try await next()
  }
}

@Suite struct `A repository with a cache` {
  private let main = RecordingDataSource<Int>()
  private let cache = RecordingDataSource<Int>()
  private let journal = Noted.Journal()
  private let reported = Noted.Journal()

  private var repository: some Repository<Int> {
    CacheRepository(
      main: main.intercepted(by: Noted(name: "m", journal: journal)),
      cache: cache.intercepted(by: Noted(name: "c", journal: journal)),
      validator: Validator([.invalidation { $0 < 0 }], undecided: .valid),
      onCacheFailure: { [reported] in reported.note("\($0.code)") })
  }

  @Test(arguments: PolicyRow.rows)
  func `reads one object by its policy`(row: PolicyRow) async throws {
    try await main.put(1, in: k)
    if row.cache != .missing { try await cache.put(row.cache == .valid ? 2 : -2, in: k) }
    try await check(row, .get(k), row.outcome)
  }

  @Test(arguments: PolicyRow.rows)
  func `reads an array by its policy`(row: PolicyRow) async throws {
    try await main.putAll([1], in: k)
    if row.cache != .missing { try await cache.putAll([row.cache == .valid ? 2 : -2], in: k) }
    var outcome = row.outcome
    if case .object(let object) = outcome { outcome = .objects([object]) }
    try await check(row, .getAll(k), outcome)
  }

  private func check(_ row: PolicyRow, _ call: Call<Int>, _ outcome: Outcome<Int>) async throws {
    let before = try await cache.getAll(AllObjectsQuery())
    await main.failAlways(row.main)
    if let error = row.cacheError { await cache.failNext(error) }
    #expect(await call.outcome(on: AnyDataSource(repository.source(policy: row.policy))) == outcome)
    #expect(journal.text == row.calls)
    #expect(reported.text == (row.calls.hasSuffix("cd") ? "\(broken.code)" : ""))
    if !row.calls.contains("cp") {
      #expect(try await cache.getAll(AllObjectsQuery()) == before)
    } else if !row.calls.hasSuffix("cd") {
      #expect(try await cache.getAll(AllObjectsQuery()) == [1])
    }
  }

  @Test func `takes an empty array for an answer`() async throws {
    try await cache.putAll([], in: k)
    try await main.putAll([1], in: k)
    #expect(try await repository.getAll(k, policy: .cache()) == [])
    #expect(try await repository.getAll(k, policy: .standard) == [])
  }

  private static let writes: [Call<Int>] = [.put(5, k), .putAll([5], k), .delete(k)]

  private func perform(_ write: Call<Int>, _ policy: AccessPolicy) async -> Outcome<Int> {
    await write.outcome(on: AnyDataSource(repository.source(policy: policy)))
  }

  /// Both sources hold 2 under k.
  private func prepare() async throws {
    try await main.put(2, in: k)
    try await cache.put(2, in: k)
    journal.clear()
  }

  @Test(arguments: writes)
  func `writes only main, or only the cache`(write: Call<Int>) async throws {
    try await prepare()
    let letter = String(write.operation.rawValue.prefix(1))
    _ = await perform(write, .main)
    #expect(journal.text == "m" + letter)
    journal.clear()
    _ = await perform(write, .cache())
    #expect(journal.text == "c" + letter)
  }

  @Test(arguments: writes)
  func `writes main and then the cache`(write: Call<Int>) async throws {
    let letter = String(write.operation.rawValue.prefix(1))
    for policy in [AccessPolicy.standard, .mainSync] {
      try await prepare()
      _ = await perform(write, policy)
      #expect(journal.text == "m\(letter) c\(letter)")
      #expect(try await main.getAll(AllObjectsQuery()) == cache.getAll(AllObjectsQuery()))
    }
  }

  @Test(arguments: writes)
  func `reports a cache that cannot be written, and drops its entry`(write: Call<Int>) async throws
  {
    try await prepare()
    await cache.failNext(broken)
    if case .failure(let code) = await perform(write, .mainSync) { Issue.record("\(code)") }
    #expect(reported.text == "\(broken.code)")
    #expect(try await cache.getAll(AllObjectsQuery()) == [])
  }

  @Test(arguments: writes)
  func `leaves the cache alone when main rejects a write`(write: Call<Int>) async throws {
    for policy in [AccessPolicy.standard, .mainSync] {
      try await prepare()
      await main.failNext(down)
      #expect(await perform(write, policy) == .failure(down.code))
      #expect(try await cache.get(k) == 2)
      #expect(!journal.text.contains("c"))
    }
  }

  @Test(arguments: writes)
  func `writes the cache first and then main`(write: Call<Int>) async throws {
    try await prepare()
    if case .failure(let code) = await perform(write, .cacheSync()) { Issue.record("\(code)") }
    let letter = String(write.operation.rawValue.prefix(1))
    #expect(journal.text.hasSuffix("c\(letter) m\(letter)"))
    #expect(try await main.getAll(AllObjectsQuery()) == cache.getAll(AllObjectsQuery()))
  }

  @Test(arguments: writes)
  func `restores the cache when main rejects a write`(write: Call<Int>) async throws {
    try await prepare()
    await main.failNext(down)
    #expect(await perform(write, .cacheSync()) == .failure(down.code))
    #expect(try await cache.get(k) == 2)
    #expect(try await main.get(k) == 2)

    try await cache.delete(k)
    await main.failNext(down)
    #expect(await perform(write, .cacheSync()) == .failure(down.code))
    #expect(try await cache.getAll(AllObjectsQuery()) == [])
  }

  @Test func `restores every entry when main rejects a write of all`() async throws {
    try await cache.put(2, in: k)
    try await cache.putAll([3, 4], id: "l")
    for write in [.putAll([9], AllObjectsQuery()), .delete(AllObjectsQuery())] as [Call<Int>] {
      await main.failNext(down)
      #expect(await perform(write, .cacheSync()) == .failure(down.code))
      #expect(try await cache.get(k) == 2)
      #expect(try await cache.getAll(id: "l") == [3, 4])
    }
  }

  @Test(arguments: writes)
  func `does not write main when the cache rejects a write`(write: Call<Int>) async throws {
    try await prepare()
    await cache.failAlways(broken)
    #expect(await perform(write, .cacheSync()) == .failure(broken.code))
    #expect(!journal.text.contains("m"))
    #expect(try await main.get(k) == 2)
  }

  @Test func `observes what is cached and then what main answers`() async throws {
    try await main.putAll([1], in: k)
    try await cache.putAll([2], in: k)
    let repository = CacheRepository(main: main, cache: cache)
    var answers: [[Int]] = []
    for try await answer in repository.observe(k) { answers.append(answer) }
    #expect(answers.last == [1])
    #expect(answers.count <= 2)
    #expect(try await cache.getAll(k) == [1])
  }

  @Test func `is used through its protocol, with ids and without a policy`() async throws {
    let users: any Repository<Int> = repository
    try await users.put(7, id: "k")
    #expect(try await users.get(id: "k") == 7)
    #expect(try await users.get(id: "k", policy: .main) == 7)
    #expect(try await users.getting(k)() == 7)
    try await users.putting(8, in: k)()
    #expect(try await users.getAll(ids: ["k"], policy: .main) == [8])
    try await users.deleting(k)()
    #expect(await code { try await users.get(k) } == .notFound)
    let single = SingleDataSourceRepository(main)
    try await single.put(9, id: "k", policy: .cacheSync())
    #expect(try await single.get(id: "k", policy: .cache()) == 9)
  }
}
