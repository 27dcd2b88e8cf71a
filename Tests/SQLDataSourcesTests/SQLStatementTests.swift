import DataSources
import DataSourcesTesting
import FoundationEssentials
import GRDB
import SQLDataSources
import Synchronization
import Testing

/// The statements that a database executed.
private final class Statements: Sendable {
  private let told = Mutex<[String]>([])

  var all: [String] { told.withLock { $0 } }

  func note(_ database: Database) {
    database.trace { event in
      let text = "\(event)"
      if text.hasPrefix("SELECT") || text.hasPrefix("DELETE") {
        self.told.withLock { $0.append(text) }
      }
    }
  }

  /// A database in memory that records its statements, with some `cities`.
  func database() async throws -> any DatabaseWriter {
    let database = try await SQLDatabase.inMemory { database in
      try makeCities(database)
      for id in 1...100 { try City(id: id, name: "City \(id)", population: id).insert(database) }
    }
    try await database.write { self.note($0) }
    return database
  }
}

/// A query plan that knows nothing of SQL.
private struct Plan: Query {
  var smallest: Int
}

private func selection(_ plan: Plan) -> RowSelection {
  RowSelection("population >= ?", [plan.smallest], order: "population DESC", limit: 2, offset: 1)
}

@Suite struct `SQL statements` {
  @Test func `the database evaluates orders, conditions and pages`() async throws {
    let statements = Statements()
    let source = SQLDataSource<City>(
      try await statements.database(), selecting: { ($0 as? Plan).map(selection) })

    let plan = try await source.getAll(Plan(smallest: 90))
    let page = try await source.getAll(PaginationOffsetLimitQuery(10, 2))
    let first = try await source.get(RowSelectionQuery(RowSelection("name = ?", ["City 7"])))

    #expect(plan.map(\.id) == [99, 98])
    #expect(page.map(\.id) == [11, 12])
    #expect(first.id == 7)
    #expect(
      statements.all == [
        "SELECT * FROM \"cities\" WHERE (population >= ?) ORDER BY population DESC LIMIT 2 OFFSET 1",
        "SELECT * FROM \"cities\" ORDER BY \"id\" LIMIT 2 OFFSET 10",
        "SELECT * FROM \"cities\" WHERE (name = ?) LIMIT 1",
      ])
  }

  @Test func `a count does not read rows`() async throws {
    let statements = Statements()
    let source = SQLDataSource<City>(
      try await statements.database(), selecting: { ($0 as? Plan).map(selection) })

    #expect(try await source.count(AllObjectsQuery()) == 100)
    #expect(try await source.count(Plan(smallest: 90)) == 2)
    #expect(statements.all.allSatisfy { $0.hasPrefix("SELECT COUNT(*)") })
  }

  @Test func `a plan deletes exactly the rows of its page`() async throws {
    let statements = Statements()
    let source = SQLDataSource<City>(
      try await statements.database(), selecting: { ($0 as? Plan).map(selection) })

    try await source.delete(Plan(smallest: 90))

    #expect(try await source.count(AllObjectsQuery()) == 98)
    #expect(try await source.getAll(ids: [99, 98], missing: .skip) == [])
  }

  @Test func `a plan without a translation is an unsupported query`() async throws {
    let source = SQLDataSource<City>(try await Statements().database())

    for call in [Call<City>.get(Plan(smallest: 1)), .getAll(Plan(smallest: 1))] {
      #expect(await call.outcome(on: source) == .failure(.unsupportedQuery))
    }
  }

  @Test func `an invalid SQL condition is an error with its position`() async throws {
    let source = SQLDataSource<City>(try await Statements().database())

    let error = await failure { () throws(DataSourceError) in
      try await source.getAll(RowSelectionQuery(RowSelection("populaton > 1")))
    }

    #expect(error?.code == .failed)
    #expect(error?.cause?.contains("populaton") == true)
  }
}

@Suite struct `SQL trouble` {
  private let folder = TemporaryFolder()

  private func source(
    _ prepare: @escaping @Sendable (Database) throws -> Void = { _ in }
  ) async throws -> SQLDataSource<City> {
    try folder.make()
    return SQLDataSource(
      try await SQLDatabase.open(path: folder.file("db")) { database in
        try makeCities(database)
        try prepare(database)
      })
  }

  @Test func `a full disk undoes the write, and the next one works`() async throws {
    // SQLite refuses to grow beyond its page limit just like on a full disk.
    let source = try await source { database in
      let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
      _ = try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(pages + 8)")
    }
    try await source.put(paris, in: VoidQuery())
    let long = String(repeating: "x", count: 1_000)

    let error = await failure { () throws(DataSourceError) in
      try await source.putAll((2..<200).map { City(id: $0, name: long) }, in: AllObjectsQuery())
    }

    #expect(error?.code == .system(errno: 28))
    #expect(error?.message == "The disk is full.")
    #expect(try await source.getAll(AllObjectsQuery()) == [paris])
    try await source.put(lyon, in: VoidQuery())
    #expect(try await source.getAll(AllObjectsQuery()) == [paris, lyon])
  }

  @Test func `a read-only database rejects writes and answers reads`() async throws {
    try await source().put(paris, in: VoidQuery())
    var configuration = Configuration()
    configuration.readonly = true
    let source = SQLDataSource<City>(
      try DatabaseQueue(path: folder.file("db"), configuration: configuration))

    let error = await failure { () throws(DataSourceError) in
      try await source.put(lyon, in: VoidQuery())
    }

    #expect(error?.code == .system(errno: 30))
    #expect(try await source.getAll(AllObjectsQuery()) == [paris])
  }

  @Test func `a database locked by another program is busy, not damaged`() async throws {
    try await source().put(paris, in: VoidQuery())
    var patient = Configuration()
    patient.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: folder.file("db"), configuration: patient)
    try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    var impatient = Configuration()
    impatient.busyMode = .immediateError
    let source = SQLDataSource<City>(
      try DatabaseQueue(path: folder.file("db"), configuration: impatient))

    let error = await failure { () throws(DataSourceError) in
      try await source.put(lyon, in: VoidQuery())
    }
    try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }

    #expect(error?.code == .system(errno: 16))
    #expect(error?.message.contains("locked by another program") == true)
    try await source.put(lyon, in: VoidQuery())
    #expect(try await source.getAll(AllObjectsQuery()) == [paris, lyon])
  }

  @Test func `a file with damaged pages is reported and left unchanged`() async throws {
    try folder.make()
    let sound = try await SQLDatabase.open(path: folder.file("db"), prepare: makeCities)
    try await SQLDataSource<City>(sound).putAll(
      (1...500).map { City(id: $0, name: String(repeating: "x", count: 100)) }, in: VoidQuery())
    try sound.close()
    var bytes = try #require(folder.bytes("db"))
    for place in 4_096..<bytes.count - 4_096 { bytes[place] = 0xA5 }
    try Data(bytes).write(to: URL(filePath: folder.file("db")))

    let error = await failure { () throws(DataSourceError) in
      let damaged = SQLDataSource<City>(try await SQLDatabase.open(path: folder.file("db")))
      _ = try await damaged.getAll(AllObjectsQuery())
    }

    #expect(error?.code == .dataSerialization)
    // Opening it may write the first page and append a new one.
    let now = try #require(folder.bytes("db"))
    let isAsItWas = now.prefix(bytes.count).dropFirst(4_096) == bytes.dropFirst(4_096)
    #expect(isAsItWas)
  }
}
