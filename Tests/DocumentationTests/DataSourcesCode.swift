import DataSources
import DataSourcesTesting
import Foundation
import Testing

// code: DataSources/Query.swift
struct SearchQuery: Query { var text: String }
// end

// code: DataSources/Queries/QueryID.swift
enum Setting: String, QueryID { case theme, keymap }
// end

private enum Theme: String, Codable, Sendable {
  case dark, light
}

private struct Window: Codable, Sendable {
  var columns: Int
}

private struct Export: Codable, Sendable {
  var title: String
}

private struct Goal: Codable, Sendable, Hashable {
  var title: String
  var fetchedAt: WallClock.Instant
}

private let goalOfRow = Mapper<String, Goal> { row throws(DataSourceError) in
  Goal(title: row, fetchedAt: WallClock().now)
}
private let rowOfGoal = Mapper<Goal, String> { goal throws(DataSourceError) in goal.title }

private func errors(_ source: some GetDataSource<Theme>) async throws -> Theme {
  // code: DataSources/DataSourceError.swift
  do {
    return try await source.get(id: "theme")
  } catch .notFound {
    return .dark
  }
  // end
}

private func keeping(_ stateFolder: String, _ configFolder: String, _ token: String) async throws {
  // code: DataSources/Storage/DeviceStorageDataSource.swift
  let file = StateFile(path: stateFolder + "/sonde.state")
  let settings = DeviceStorageDataSource<String>(file, layout: .prefix("settings"))
  let windows = DeviceStorageDataSource<Window>(file, layout: .table("windows"))
  // end

  // code: DataSources/Storage/SecretStore.swift
  let tokens = SecretDataSource<String>(FileSecretStore(path: configFolder + "/secrets"))
  try await tokens.put(token, id: "ws://host/app")
  // end

  let path = stateFolder
  // code: DataSources/Storage/FileSystemStorageDataSource.swift
  let exports = FileSystemStorageDataSource(folder: path).mappedAsJSON(Export.self)
  // end
  _ = (settings, windows, exports)
}

private func useCase(_ repository: any Repository<User>) {
  // code: DataSources/Repositories/UseCase.swift
  struct Profile {
    let user: UseCase<User>
    func load() async throws(DataSourceError) -> User { try await user() }
  }
  let profile = Profile(user: repository.getting(IdQuery("ada")))
  // end
  _ = profile
}

private func settings() {
  // code: DataSources/FileSystem/JSONCoding.swift
  let coding = JSONCoding { encoder, decoder in
    encoder.dateEncodingStrategy = .iso8601
    decoder.dateDecodingStrategy = .iso8601
  }
  // end
  _ = coding
}

private func doubles() async {
  // code: DataSourcesTesting/ScriptedDataSource.swift
  let server = ScriptedDataSource<Note>([
    .failure(.failed("The server is busy.")), .object(Note("a")),
  ])
  // end

  // code: DataSourcesTesting/FaultySecretStore.swift
  let store = FaultySecretStore()
  let tokens = SecretDataSource<String>(store)
  await store.lock()
  // end
  _ = (server, tokens)
}

private struct User: Sendable {}

private enum Watching {
  // code: DataSources/Storage/ChangeSignal.swift
  actor Counter: WatchDataSource {
    private var count = 0
    nonisolated let changed = ChangeSignal()

    func get(_ query: any Query) -> Int { count }
    func increment() { count += 1; changed.ring() }

    nonisolated func watch(_ query: any Query) -> DataStream<Int> {
      changed.stream { await self.get(query) }
    }
  }
  // end
}

private func wrapping(
  _ rows: CacheRepository<InMemoryDataSource<String>, InMemoryDataSource<String>, String>
) {
  // code: DataSources/Wrappers/Mapper.swift
  let number = Mapper<String, Int> { text throws(DataSourceError) in
    guard let number = Int(text) else { throw .notValid("\(text) is not a number.") }
    return number
  }
  // end

  let clock = WallClock()
  let young =
    // code: DataSources/Wrappers/Validator.swift
    ValidationStrategy<Goal>.timestamp({ $0.fetchedAt }, timeToLive: .seconds(60), clock: clock)
  // end

  // code: DataSources/Repositories/Repository.swift
  let goals = rows.through { $0.mapped(to: goalOfRow, from: rowOfGoal).retrying() }
  // end
  _ = (number, young, goals)
}

extension Note {
  fileprivate var numbered: Note { Note("1 " + id, text) }
}

// code: DataSources/Wrappers/DataSourceWrapper.swift
struct Numbered<Base: GetDataSource<Note>>: DataSourceWrapper {
  let base: Base
}

extension Numbered: GetDataSource {
  func get(_ query: any Query) async throws(DataSourceError) -> Note {
    try await base.get(query).numbered
  }
}
extension Numbered: PutDataSource where Base: PutDataSource {}
extension Numbered: DeleteDataSource where Base: DeleteDataSource {}
extension Numbered: WatchDataSource where Base: WatchDataSource<Note> {}
extension Numbered: DataSource where Base: DataSource<Note> {}
// end

@Suite struct `A wrapper of the documentation` {
  @Test func `changes one call and leaves the others`() async throws {
    let source = Numbered(base: InMemoryDataSource<Note>())

    try await source.put(Note("a"), id: "a")

    #expect(try await source.get(id: "a") == Note("1 a"))
    #expect(try await source.getAll(AllObjectsQuery()) == [Note("a")])
  }
}

private func overview(_ stateFolder: String, _ server: InMemoryDataSource<String>) async throws {
  func show(_ all: some Sequence) {}

  // code: DataSources/DataSources.docc/DataSources.md
  struct Bookmark: Codable, Sendable, Hashable, Identifiable {
    var id: String
    var address: String
  }

  let file = StateFile(path: stateFolder + "/bookmarks.state")
  let bookmarks = DeviceStorageDataSource<Bookmark>(file)

  try await bookmarks.put(Bookmark(id: "swift", address: "https://swift.org"), id: "swift")
  let all = try await bookmarks.getAll(AllObjectsQuery())
  for try await present in bookmarks.watchAll(AllObjectsQuery()) { show(present) }
  // end

  // code: DataSources/DataSources.docc/DataSources.md
  let goals =
    server
    .retrying(RetryPolicy(attempts: 3, delay: .seconds(1), jitter: 0.5))
    .mapped(to: goalOfRow, from: rowOfGoal)
    .cached(timeToLive: .seconds(60))
  // end
  _ = (all, goals)
}

@Suite struct `A source of the documentation` {
  // code: DataSources/DataSources.docc/OwnSources.md
  actor Notebook<Object: Sendable>: KeyValueDataSource {
    private var pages: [String: DataEntry<Object>] = [:]
    nonisolated let changes = ChangeSignal()

    func entries(at keys: [String]) -> [DataEntry<Object>?] { keys.map { pages[$0] } }

    func entries() -> [DataEntry<Object>] { pages.sorted { $0.key < $1.key }.map(\.value) }

    func apply(_ changes: [DataChange<Object>]) {
      for change in changes {
        switch change {
        case .set(let key, let entry): pages[key] = entry
        case .remove(let key): pages[key] = nil
        case .removeAll: pages = [:]
        }
      }
      self.changes.ring()
    }
  }
  // end

  // code: DataSources/DataSources.docc/OwnSources.md
  actor Lines: KeyValueDataSource {
    typealias Object = String
    private let path: String
    nonisolated let changes = ChangeSignal()

    init(path: String) { self.path = path }

    private func read() throws(DataSourceError) -> [String: DataEntry<String>] {
      do {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let pairs = text.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1) }
          .filter { $0.count == 2 }
        return Dictionary(pairs.map { (String($0[0]), .one(String($0[1]))) }) { _, last in last }
      } catch {
        throw DataSourceError(wrapping: error, "Cannot read \(path).")
      }
    }

    func entries(at keys: [String]) throws(DataSourceError) -> [DataEntry<String>?] {
      let entries = try read()
      return keys.map { entries[$0] }
    }

    func entries() throws(DataSourceError) -> [DataEntry<String>] {
      try read().sorted { $0.key < $1.key }.map(\.value)
    }

    func apply(_ changes: [DataChange<String>]) throws(DataSourceError) {
      throw DataSourceError(.notImplemented, "\(path) can only be read.")
    }
  }
  // end

  // code: DataSources/DataSources.docc/OwnSources.md
  @Test(arguments: KeyValueContract.rows)
  func contract(row: ContractRow) async {
    let complaints = await row.complaints(about: Notebook<Note>())
    #expect(complaints == [])
  }
  // end
}

@Suite struct `A source with its own queries in the documentation` {
  // code: DataSources/DataSources.docc/OwnSources.md
  struct WordQuery: Query {
    var word: String
  }

  actor Log: LiveDataSource {
    private var lines: [String] = []
    nonisolated let changes = ChangeSignal()

    func get(_ query: any Query) throws(DataSourceError) -> String {
      guard let query = query as? IdQuery<Int> else {
        throw .unsupported(query, source: Self.self, operation: .get)
      }
      guard lines.indices.contains(query.id) else { throw .notFound("line \(query.id)") }
      return lines[query.id]
    }

    func getAll(_ query: any Query) throws(DataSourceError) -> [String] {
      switch query {
      case is AllObjectsQuery: return lines
      case let query as WordQuery: return lines.filter { $0.contains(query.word) }
      case let page as PaginationOffsetLimitQuery: return try page.checked().slice(of: lines)
      default: throw .unsupported(query, source: Self.self, operation: .getAll)
      }
    }

    @discardableResult
    func put(_ line: String?, in query: any Query) throws(DataSourceError) -> String {
      guard query is VoidQuery else {
        throw .unsupported(query, source: Self.self, operation: .put)
      }
      guard let line else { throw .illegalArgument("There is no line to append.") }
      try putAll([line], in: query)
      return line
    }

    @discardableResult
    func putAll(_ new: [String], in query: any Query) throws(DataSourceError) -> [String] {
      guard query is VoidQuery else {
        throw .unsupported(query, source: Self.self, operation: .putAll)
      }
      lines += new
      changes.ring()
      return new
    }

    func delete(_ query: any Query) throws(DataSourceError) {
      guard query is AllObjectsQuery else {
        throw .unsupported(query, source: Self.self, operation: .delete)
      }
      lines = []
      changes.ring()
    }

    nonisolated func watch(_ query: any Query) -> DataStream<String> {
      changes.stream { () throws(DataSourceError) in try await self.get(query) }
    }

    nonisolated func watchAll(_ query: any Query) -> DataStream<[String]> {
      changes.stream { () throws(DataSourceError) in try await self.getAll(query) }
    }
  }
  // end

  @Test func `answers and is watched`() async throws {
    let log = Log()
    try await log.putAll(["start", "work"], in: VoidQuery())

    #expect(try await log.getAll(WordQuery(word: "st")) == ["start"])
    #expect(try await log.get(id: 1) == "work")
    var answers = log.watchAll(AllObjectsQuery()).makeAsyncIterator()
    #expect(try await answers.next() == ["start", "work"])
    try await log.put("stop", in: VoidQuery())
    #expect(try await answers.next() == ["start", "work", "stop"])
  }
}

private enum Intercepting {
  // code: DataSources/Wrappers/InterceptedDataSource.swift
  struct Counting: Interceptor {
    let count: @Sendable (DataCall) -> Void

    func intercept<Answer: Sendable>(
      _ call: DataCall, next: DataCall.Next<Answer>
    ) async throws(DataSourceError) -> Answer {
      count(call)
      return try await next()
    }
  }
  // end
}

@Suite struct `The contract as the documentation runs it` {
  typealias MySource = InMemoryDataSource<Note>

  // code: DataSourcesTesting/KeyValueContract.swift
  @Test(arguments: KeyValueContract.rows)
  func contract(row: ContractRow) async {
    let complaints = await row.complaints(about: MySource())
    #expect(complaints == [])
  }
  // end

  @Test func `and the clock as it is moved there`() async throws {
    let clock = ManualClock()
    let query = IdQuery("k")
    let memory = InMemoryDataSource<Int>()
    try await memory.put(1, in: query)
    let cache = memory.debugged(by: Debug(latency: .seconds(5), clock: clock) { _ in })

    // code: DataSourcesTesting/ManualClock.swift
    async let answer = cache.get(query)
    await clock.sleepers(1)  // until one task sleeps
    clock.advance(by: .seconds(5))
    // end

    #expect(try await answer == 1)
  }
}

private enum Throwing {
  // code: DataSources/DataSources.docc/OwnSources.md
  struct Dice: GetDataSource {
    func get(_ query: any Query) async throws(DataSourceError) -> Int {
      guard query is VoidQuery else {
        throw .unsupported(query, source: Self.self, operation: .get)
      }
      return .random(in: 1...6)
    }

    func getAll(_ query: any Query) async throws(DataSourceError) -> [Int] {
      [try await get(query)]
    }
  }
  // end
}
