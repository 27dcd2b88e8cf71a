import DataSources
import DataSourcesTesting
import Foundation
import GRDB
import SQLDataSources
import Testing

/// The objects that the other process stores.
struct Number: Codable, Sendable, Hashable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "numbers"
  var id: String
  var value: Int

  /// The table of these objects in a database.
  static func makeTable(in folder: TemporaryFolder) async throws {
    try folder.make()
    _ = try await SQLDatabase.open(path: folder.file("db")) { database in
      try database.execute(
        sql: "CREATE TABLE numbers (id TEXT PRIMARY KEY, value INTEGER NOT NULL)")
    }
  }
}

/// The persistent sources, by the names that the child process knows.
enum LastingKind: String, CaseIterable, Sendable {
  case device, files, secrets, sql

  func source(_ folder: TemporaryFolder) async throws -> any LiveDataSource<Number> {
    switch self {
    case .device: DeviceStorageDataSource<Number>(StateFile(path: folder.file("state")))
    case .files: FileSystemStorageDataSource(folder: folder.path).mappedAsJSON(Number.self)
    case .secrets: SecretDataSource<Number>(FileSecretStore(path: folder.file("secrets")))
    case .sql: SQLDataSource<Number>(try await SQLDatabase.open(path: folder.file("db")))
    }
  }

  /// The file size at which the child process's writes fail after a few.
  var limit: Int {
    switch self {
    case .device, .secrets: 600
    // {"id":"k9","value":9} fits, {"id":"k10","value":10} does not.
    case .files: 21
    case .sql: 60_000
    }
  }

}

@Suite struct `Another program` {
  @Test(arguments: LastingKind.allCases)
  func `reads an object that this process stored under a UUID`(kind: LastingKind) async throws {
    let folder = TemporaryFolder()
    let id = UUID()
    if kind == .sql { try await Number.makeTable(in: folder) }
    try await kind.source(folder).put(Number(id: id.uuidString.lowercased(), value: 42), id: id)

    let lines = try await ChildProgram.lines(
      kind.rawValue, folder.path, "get-uuid", id.uuidString)

    #expect(lines == ["42"])
  }

  @Test(arguments: LastingKind.allCases)
  func `and this one each store 500 objects, and none is lost`(kind: LastingKind) async throws {
    let folder = TemporaryFolder()

    async let left = ChildProgram.lines(kind.rawValue, folder.path, "put", "left", "500")
    async let right = ChildProgram.lines(kind.rawValue, folder.path, "put", "right", "500")
    let said = try await left + right

    let all = try await kind.source(folder).getAll(AllObjectsQuery())
    #expect(Set(all.map(\.id)) == Set(said))
    #expect(all.count == 1_000)
  }

  @Test(arguments: LastingKind.allCases, [0, 1, 7, 30, 80])
  func `killed at any moment has stored all that it reported and nothing partially`(
    kind: LastingKind, lines: Int
  ) async throws {
    let folder = TemporaryFolder()

    let said = try await ChildProgram.linesUntilKilled(
      after: lines, kind.rawValue, folder.path, "put", "k", "100000")

    // A database killed before its table was created has none.
    if said.isEmpty, kind == .sql { return }
    let all = try await kind.source(folder).getAll(AllObjectsQuery())
    #expect(Set(said).isSubset(of: Set(all.map(\.id))))
    #expect(all.count <= said.count + 1)
    #expect(all.allSatisfy { $0.id == "k\($0.value)" })
  }

  @Test(arguments: LastingKind.allCases)
  func `with a full disk gets an error, and earlier objects remain`(
    kind: LastingKind
  ) async throws {
    let folder = TemporaryFolder()

    let lines = try await ChildProgram.lines(
      kind.rawValue, folder.path, "limited", "\(kind.limit)", "1000")

    let said = lines.dropLast()
    #expect(lines.last == (kind == .sql ? "! system(errno: 5)" : "! system(errno: 27)"))
    #expect(said.count > 3)
    let source = try await kind.source(folder)
    #expect(try await Set(source.getAll(AllObjectsQuery()).map(\.id)) == Set(said))
    #expect(folder.names.allSatisfy { !$0.hasSuffix(".draft") })
    try await source.put(Number(id: "more", value: 0), id: "more")
    #expect(try await source.get(id: "more").value == 0)
  }

  @Test(arguments: LastingKind.allCases)
  func `gets an error for a write in a read-only folder, but can read`(kind: LastingKind)
    async throws
  {
    let folder = TemporaryFolder()
    try folder.make()
    try folder.setMode(0o777, of: "")

    let lines = try await ChildProgram.lines(
      kind.rawValue, folder.file("inside"), "read-only")

    guard kind != .sql else {
      // SQLite must write next to the database to read it (WAL); its content is checked
      // afterward.
      #expect(lines == ["! system(errno: \(EROFS))"])
      let database = try await SQLDatabase.open(path: folder.file("inside/db"))
      #expect(try await SQLDataSource<Number>(database).get(id: "a").value == 1)
      return
    }
    #expect(
      lines == [
        "put b! system(errno: \(EACCES))", "delete a! system(errno: \(EACCES))", "a = 1",
        "1 in all",
      ])
  }
}
