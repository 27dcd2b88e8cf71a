import DataSources
import DataSourcesTesting
import Foundation
import GRDB
import HTTPDataSources
import SQLDataSources
import Synchronization
import HTTPTestSupport
import Testing

/// The results of the calls on a source of numbers.
private struct Stay: Sendable, Equatable {
  var stored: Int
  var read: Int
  /// The result of reading after the number has been deleted.
  var afterwards: DataSourceError.Code?
}

/// The queries with which a source puts, gets and deletes one number.
private struct Wishes: Sendable {
  var put: any Query = IdQuery("k")
  var get: any Query = IdQuery("k")
  var delete: any Query = IdQuery("k")
}

/// Uses a source through its protocol only.
private func stay<Source: DataSource<Int>>(
  of number: Int, in source: Source, _ wishes: Wishes = Wishes()
) async throws(DataSourceError) -> Stay {
  let stored = try await source.put(number, in: wishes.put)
  let read = try await source.get(wishes.get)
  try await source.delete(wishes.delete)
  let afterwards = await failure { () throws(DataSourceError) in
    try await source.get(wishes.get)
  }
  return Stay(stored: stored, read: read, afterwards: afterwards?.code)
}

/// A source or wrapper of the libraries, with its concrete type.
private struct Bundled: Sendable, CustomStringConvertible {
  let description: String
  /// The results of the calls with the number 7.
  let stay: @Sendable (TemporaryFolder) async throws -> Stay

  /// - Parameter make: Creates the source in a new folder; the generic function receives its
  ///   concrete type.
  init<Source: DataSource<Int>>(
    _ make: @escaping @Sendable (TemporaryFolder) async throws -> Source
  ) {
    self.init(of: Source.self) { folder in
      try await DataSourcesTests.stay(of: 7, in: make(folder))
    }
  }

  init(
    of source: (some DataSource<Int>).Type,
    _ stay: @escaping @Sendable (TemporaryFolder) async throws -> Stay
  ) {
    description = "\(source)"
    self.stay = stay
  }

  static let all = sources + wrappers + repositories

  private static let sources: [Bundled] = [
    Bundled { _ in InMemoryDataSource<Int>() },
    Bundled { DeviceStorageDataSource<Int>(StateFile(path: $0.file("state"))) },
    Bundled { DeviceStorageDataSource<Int>(StateFile(path: $0.file("s")), layout: .prefix("p")) },
    Bundled { DeviceStorageDataSource<Int>(StateFile(path: $0.file("s")), layout: .table("t")) },
    Bundled { FileSystemStorageDataSource(folder: $0.path).mappedAsJSON(Int.self) },
    Bundled { SecretDataSource<Int>(FileSecretStore(path: $0.file("secrets"))) },
    Bundled { folder in
      try folder.make()
      let database = try await SQLDatabase.open(path: folder.file("db"), prepare: Row.makeTable)
      return SQLDataSource<Row>(database).mapped(
        to: Mapper { row throws(DataSourceError) in row.number },
        from: Mapper { number throws(DataSourceError) in Row(id: "k", number: number) })
    },
    Bundled(of: HTTPDataSource<Int>.self) { _ in
      let kept = Kept()
      let server = try await TestServer.start { kept.answer($0) }
      let source = HTTPDataSource<Int>(HTTPClient(server.address))
      return try await DataSourcesTests.stay(
        of: 7, in: source,
        Wishes(
          put: HTTPRequestQuery(.put, "/k"), get: HTTPRequestQuery(.get, "/k"),
          delete: HTTPRequestQuery(.delete, "/k")))
    },
  ]

  private static var memory: InMemoryDataSource<Int> { InMemoryDataSource<Int>() }

  private static let wrappers: [Bundled] = [
    Bundled { _ in
      InMemoryDataSource<String>().mapped(
        to: Mapper { text throws(DataSourceError) in text.utf8.count },
        from: Mapper { number throws(DataSourceError) in String(repeating: "|", count: number) })
    },
    Bundled { _ in memory.mappingQueries { query throws(DataSourceError) in query } },
    Bundled { _ in memory.validated(by: Validator([.invalidation { $0 < 0 }], undecided: .valid)) },
    Bundled { _ in memory.cached(timeToLive: .seconds(60)) },
    Bundled { _ in memory.retrying() },
    Bundled { _ in memory.debugged(by: Debug { _ in }) },
    Bundled { _ in memory.polled(every: .seconds(1)) },
    Bundled { _ in memory.archived(in: memory) },
    Bundled { _ in
      let memory = memory
      return DataSourceAssembler(get: memory, put: memory, delete: memory)
    },
    Bundled { _ in
      let memory = memory
      return DataSourceAssembler(
        get: AnyGetDataSource(memory), put: AnyPutDataSource(memory),
        delete: AnyDeleteDataSource(memory))
    },
    Bundled { _ in AnyDataSource(memory) },
    Bundled { _ in RecordingDataSource<Int>() },
    Bundled { _ in memory.validated(by: .lenient).retrying().cached(timeToLive: .seconds(60)) },
  ]

  private static let repositories: [Bundled] = [
    Bundled { _ in SingleDataSourceRepository(memory).source() },
    Bundled { _ in CacheRepository(main: memory, cache: memory).source() },
    Bundled { _ in CacheRepository(main: memory, cache: memory).source(policy: .cacheSync()) },
    Bundled { _ in SingleDataSourceRepository(memory).through { $0.retrying() }.source() },
  ]
}

/// The row of a table of numbers.
private struct Row: Codable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "numbers"
  var id: String
  var number: Int

  @Sendable static func makeTable(_ database: Database) throws {
    try database.execute(sql: "CREATE TABLE numbers (id TEXT PRIMARY KEY, number INTEGER)")
  }
}

/// A simple server: it stores the last number that was put.
private final class Kept: Sendable {
  private let text = Mutex<String?>(nil)

  func answer(_ request: TestRequest) -> (status: Int, body: String) {
    text.withLock { text in
      switch request.line.prefix(while: { $0 != " " }) {
      case "PUT": text = request.body
      case "DELETE": text = nil
      default: break
      }
      return text.map { (200, $0) } ?? (204, "")
    }
  }
}

@Suite struct `A function over any data source of numbers` {
  @Test(arguments: Bundled.all)
  fileprivate func `puts, gets and deletes in every bundled source`(bundled: Bundled) async throws {
    let folder = TemporaryFolder()

    let stay = try await bundled.stay(folder)

    #expect(stay == Stay(stored: 7, read: 7, afterwards: .notFound))
  }

  @Test func `accepts VoidDataSource, which throws notImplemented`() async {
    let error = await failure { () throws(DataSourceError) in
      try await stay(of: 7, in: VoidDataSource<Int>())
    }

    #expect(error?.code == .notImplemented)
    #expect(error?.operation == .put)
  }

  @Test func `accepts ScriptedDataSource, which answers as prepared`() async throws {
    let source = ScriptedDataSource<Int>([
      .object(7), .object(7), .done, .failure(.notFound("The entry was deleted.")),
    ])

    let result = try await stay(of: 7, in: source)

    #expect(result.stored == 7)
    #expect(result.read == 7)
    #expect(result.afterwards == .notFound)
    #expect(await source.remaining == 0)
    #expect(await source.calls.count == 4)
  }

  @Test func `over one group of calls accepts a source with only that group`() async throws {
    func read(_ source: some GetDataSource<Int>) async throws -> Int { try await source.get(id: 1) }
    func write(_ source: some PutDataSource<Int>) async throws { try await source.put(7, id: 1) }
    func clear(_ source: some DeleteDataSource) async throws { try await source.delete(id: 1) }
    let memory = InMemoryDataSource<Int>()

    try await write(AnyPutDataSource<Int>(memory))
    #expect(try await read(AnyGetDataSource<Int>(memory)) == 7)
    try await clear(AnyDeleteDataSource(memory))

    #expect(try await memory.getAll(AllObjectsQuery()) == [])
  }

  @Test func `is tested with every public source of the libraries`() throws {
    let others = ["Void", "Scripted", "AnyGet", "AnyPut", "AnyDelete"].map { $0 + "DataSource" }
    let tried = (Bundled.all.map(\.description) + others).joined(separator: " ")
    let names = Set(tried.split { !$0.isLetter }.map(String.init))

    let declared = try Self.declaredSources()

    #expect(declared.count > 15)
    #expect(declared.subtracting(names).isEmpty)
  }

  /// The names of the public source types, parsed from the libraries' files.
  private static func declaredSources() throws -> Set<String> {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources")
    let rooms = ["DataSources", "SQLDataSources", "HTTPDataSources", "DataSourcesTesting"]
    var names: Set<String> = []
    for room in rooms {
      let files = FileManager.default.enumerator(
        at: root.appending(path: room), includingPropertiesForKeys: nil)
      for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
        let text = try String(contentsOf: file, encoding: .utf8)
        for match in text.matches(of: /(?m)^public (?:final )?(?:struct|actor|class) (\w+)/) {
          names.insert(String(match.1))
        }
      }
    }
    // An error and a repository contain the word in their names, but are not sources.
    return names.filter { $0.contains("DataSource") }
      .subtracting(["DataSourceError", "SingleDataSourceRepository"])
  }
}
