import DataSources
import DataSourcesTesting
import GRDB
import SQLDataSources
import TestSupport
import Testing

struct City: Codable, Sendable, Hashable, Identifiable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "cities"
  var id: Int
  var name: String
  var population = 0
}

/// A query independent of any source; an extension adds its meaning in SQL.
private struct Boat: Codable, Sendable, Hashable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "boats"
  var id: Int
  var name: String
  var masts: Int
}

struct NameQuery: Query {
  var beginning: String
}

extension NameQuery: RowsQuery {
  var selection: RowSelection {
    RowSelection("name LIKE ?", [beginning + "%"], order: "name DESC")
  }
}

private struct UnrecognizedQuery: Query {}
private struct BarePage: PaginationQuery {}
private struct Stranger: Hashable, Sendable {}

@Sendable func makeCities(_ database: Database) throws {
  try database.execute(
    sql: """
      CREATE TABLE IF NOT EXISTS cities (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, population INTEGER NOT NULL CHECK (population >= 0),
        deleted TEXT)
      """)
}

let lyon = City(id: 2, name: "Lyon")
let paris = City(id: 1, name: "Paris")
let lille = City(id: 3, name: "Lille")
let lione = City(id: 2, name: "Lione")
let atlantis = City(id: 4, name: "Atlantis", population: -1)

private let unsupported = Outcome<City>.failure(.unsupportedQuery)
private let illegal = Outcome<City>.failure(.illegalArgument)
private let notFound = Outcome<City>.failure(.notFound)
private let all = AllObjectsQuery()

/// One row of the table: a call on a table of Paris and Lyon, and its expected result.
struct SQLRow: Sendable, CustomStringConvertible {
  var call: Call<City>
  var expected: Outcome<City>
  /// The table's content afterward.
  var after: [City]

  var description: String { "\(call)" }

  static let rows: [SQLRow] = [
    row(.get(IdQuery(1)), .object(paris)),
    row(.get(IdQuery("2")), .object(lyon)),
    row(.get(IdQuery(9)), notFound),
    row(.get(IdQuery("x")), notFound),
    row(.get(IdsQuery([1])), unsupported),
    row(.get(all), unsupported),
    row(.get(VoidQuery()), unsupported),
    row(.get(ObjectQuery(lione)), .object(lyon)),
    row(.get(ObjectQuery(Stranger())), unsupported),
    row(.get(ObjectsQuery([paris])), unsupported),
    row(.get(PaginationOffsetLimitQuery(0, 1)), unsupported),
    row(.get(NameQuery(beginning: "L")), .object(lyon)),
    row(.get(NameQuery(beginning: "X")), notFound),
    row(.get(RowSelectionQuery(RowSelection(order: "id", offset: 1))), .object(lyon)),
    row(.get(RowSelectionQuery(RowSelection(order: "id", limit: 5, offset: 1))), .object(lyon)),
    row(.get(RowSelectionQuery(RowSelection(order: "id", offset: 2))), notFound),
    row(.get(BarePage()), unsupported),
    row(.get(UnrecognizedQuery()), unsupported),

    row(.getAll(IdQuery(1)), unsupported),
    row(.getAll(IdsQuery(["2", "1", "2"])), .objects([lyon, paris, lyon])),
    row(.getAll(IdsQuery([2, 9])), notFound),
    row(.getAll(IdsQuery([2, 9], missing: .skip)), .objects([lyon])),
    row(.getAll(all), .objects([paris, lyon])),
    row(.getAll(VoidQuery()), unsupported),
    row(.getAll(ObjectQuery(paris)), unsupported),
    row(.getAll(ObjectsQuery([paris])), unsupported),
    row(.getAll(PaginationOffsetLimitQuery(1, 5)), .objects([lyon])),
    row(.getAll(PaginationOffsetLimitQuery(5, 5)), .objects([])),
    row(.getAll(PaginationOffsetLimitQuery(-1, 5)), illegal),
    row(.getAll(PaginationOffsetLimitQuery(0, 0)), illegal),
    row(.getAll(PaginationOffsetLimitQuery(0, .max)), .objects([paris, lyon])),
    row(.getAll(IdsQuery<Int>([])), .objects([])),
    row(.getAll(BarePage()), unsupported),
    row(.getAll(NameQuery(beginning: "")), .objects([paris, lyon])),
    row(.getAll(NameQuery(beginning: "' OR 1=1 --")), .objects([])),
    row(.getAll(UnrecognizedQuery()), unsupported),

    row(.put(lille, IdQuery(3)), .object(lille), leaves: [paris, lyon, lille]),
    row(.put(lione, IdQuery("2")), .object(lione), leaves: [paris, lione]),
    row(.put(lille, IdQuery(4)), illegal),
    row(.put(nil, IdQuery(1)), illegal),
    row(.put(atlantis, IdQuery(4)), illegal),
    row(.put(lille, VoidQuery()), .object(lille), leaves: [paris, lyon, lille]),
    row(.put(nil, VoidQuery()), illegal),
    row(.put(nil, ObjectQuery(lille)), .object(lille), leaves: [paris, lyon, lille]),
    row(.put(lione, ObjectQuery(paris)), .object(lione), leaves: [paris, lione]),
    row(.put(lille, ObjectQuery(Stranger())), unsupported),
    row(.put(nil, ObjectQuery(Stranger())), unsupported),
    row(.put(nil, all), unsupported),
    row(.put(lille, BarePage()), unsupported),
    row(.put(lille, IdsQuery([3])), unsupported),
    row(.put(lille, all), unsupported),
    row(.put(lille, ObjectsQuery([lille])), unsupported),
    row(.put(lille, PaginationOffsetLimitQuery(0, 1)), unsupported),
    row(.put(lille, NameQuery(beginning: "L")), unsupported),
    row(.put(lille, UnrecognizedQuery()), unsupported),

    row(.putAll([lille], IdQuery(3)), unsupported),
    row(.putAll([lille], IdsQuery([3])), .objects([lille]), leaves: [paris, lyon, lille]),
    row(.putAll([lille], IdsQuery([3, 4])), illegal),
    row(.putAll([lille, atlantis], VoidQuery()), illegal),
    row(.putAll([lille], VoidQuery()), .objects([lille]), leaves: [paris, lyon, lille]),
    row(.putAll([lille], all), .objects([lille]), leaves: [lille]),
    row(.putAll([lille, atlantis], all), illegal),
    row(.putAll([], ObjectsQuery([lille])), .objects([lille]), leaves: [paris, lyon, lille]),
    row(.putAll([], ObjectsQuery([lille, atlantis])), illegal),
    row(.putAll([lille], ObjectsQuery([paris])), .objects([lille]), leaves: [paris, lyon, lille]),
    row(.putAll([], ObjectsQuery([Stranger()])), unsupported),
    row(.putAll([lille], BarePage()), unsupported),
    row(.putAll([lille, lione], IdsQuery([3, 3])), illegal),
    row(.putAll([], all), .objects([]), leaves: []),
    row(.putAll([], IdsQuery<Int>([])), .objects([])),
    row(.putAll([lille], ObjectQuery(lille)), unsupported),
    row(.putAll([lille], PaginationOffsetLimitQuery(0, 1)), unsupported),
    row(.putAll([lille], NameQuery(beginning: "L")), unsupported),
    row(.putAll([lille], UnrecognizedQuery()), unsupported),

    row(.delete(IdQuery(1)), .done, leaves: [lyon]),
    row(.delete(IdQuery("x")), .done),
    row(.delete(IdsQuery([1, 9])), .done, leaves: [lyon]),
    row(.delete(all), .done, leaves: []),
    row(.delete(VoidQuery()), unsupported),
    row(.delete(ObjectQuery(paris)), .done, leaves: [lyon]),
    row(.delete(ObjectsQuery([paris, lyon])), .done, leaves: []),
    row(.delete(PaginationOffsetLimitQuery(0, 1)), unsupported),
    row(.delete(NameQuery(beginning: "L")), .done, leaves: [paris]),
    row(.delete(ObjectsQuery([Stranger()])), unsupported),
    row(.delete(ObjectQuery(Stranger())), unsupported),
    row(.delete(BarePage()), unsupported),
    row(.delete(UnrecognizedQuery()), unsupported),
  ].flatMap { row in
    guard case .delete(let query) = row.call else { return [row] }
    return [row, SQLRow(call: .deleteAll(query), expected: row.expected, after: row.after)]
  }

  /// Without `leaves` the call must leave the table unchanged.
  private static func row(
    _ call: Call<City>, _ expected: Outcome<City>, leaves: [City] = [paris, lyon]
  ) -> SQLRow {
    SQLRow(call: call, expected: expected, after: leaves)
  }
}

@Suite struct `SQL source` {
  @Test(arguments: SQLRow.rows, ["hard", "soft"])
  func `every query has the expected answer`(row: SQLRow, deletion: String) async throws {
    let database = try await SQLDatabase.inMemory(prepare: makeCities)
    let source = SQLDataSource<City>(
      database, softDelete: deletion == "soft" ? "deleted" : nil)
    try await source.putAll([paris, lyon], in: VoidQuery())

    let outcome = await row.call.outcome(on: source)

    #expect(outcome == row.expected)
    #expect(try await source.getAll(AllObjectsQuery()) == row.after)
    #expect(try await source.count(AllObjectsQuery()) == row.after.count)
  }

  @Test(arguments: SQLRow.rows, Wrapping<City>.all)
  func `every wrapper answers like its base`(
    row: SQLRow, wrapping: Wrapping<City>
  ) async throws {
    let source = SQLDataSource<City>(try await SQLDatabase.inMemory(prepare: makeCities))
    try await source.putAll([paris, lyon], in: VoidQuery())

    let outcome = await row.call.outcome(on: wrapping.wrap(AnyDataSource(source)))

    #expect(outcome == row.expected)
    #expect(try await source.getAll(AllObjectsQuery()) == row.after)
  }

  @Test func `three objects are stored by one call and deleted by one`() async throws {
    let source = SQLDataSource<City>(try await SQLDatabase.inMemory(prepare: makeCities))

    try await source.putAll([], in: ObjectsQuery([paris, lyon, lille]))
    #expect(try await source.count(AllObjectsQuery()) == 3)
    try await source.delete(ObjectsQuery([paris, lyon, lille]))

    #expect(try await source.count(AllObjectsQuery()) == 0)
  }

  @Test(arguments: [Call<City>.delete(ObjectsQuery([paris, lyon])), .delete(IdsQuery([1, 2]))])
  func `a failed deletion of several rows deletes none`(call: Call<City>) async throws {
    let database = try await SQLDatabase.inMemory { database in
      try makeCities(database)
      try database.execute(sql: "CREATE TABLE mayors (city REFERENCES cities (id))")
      try database.execute(sql: "PRAGMA foreign_keys = ON")
    }
    let source = SQLDataSource<City>(database)
    try await source.putAll([paris, lyon], in: VoidQuery())
    try await database.write { try $0.execute(sql: "INSERT INTO mayors VALUES (2)") }

    #expect(await call.outcome(on: source) == .failure(.illegalArgument))
    #expect(try await source.getAll(AllObjectsQuery()) == [paris, lyon])
  }

  @Test func `an error contains the source, the call and the row`() async throws {
    let source = SQLDataSource<City>(try await SQLDatabase.inMemory(prepare: makeCities))
    try await source.put(paris, in: VoidQuery())

    let one = await failure { () throws(DataSourceError) in try await source.get(id: 9) }
    let many = await failure { () throws(DataSourceError) in
      try await source.getAll(ids: [1, 9, 8])
    }
    let object = await failure { () throws(DataSourceError) in
      try await source.get(ObjectQuery(lyon))
    }
    let wrong = await failure { () throws(DataSourceError) in try await source.put(paris, id: 2) }

    let name = "SQLDataSource<City>"
    let sentence = "Nothing found for \"9\"."
    #expect(one == DataSourceError(.notFound, sentence, source: name, operation: .get))
    #expect(many == DataSourceError(.notFound, sentence, source: name, operation: .getAll))
    #expect(object?.message == "Nothing found for \"2\".")
    #expect(wrong?.source == name)
    #expect(wrong?.operation == .put)
  }

  @Test func `a conflict in another unique column rejects the row and keeps the other`()
    async throws
  {
    let folder = TemporaryFolder()
    try folder.make()
    let boats = SQLDataSource<Boat>(
      try await SQLDatabase.open(path: folder.file("boats")) { database in
        try database.execute(
          sql: "CREATE TABLE boats (id INTEGER PRIMARY KEY, name TEXT UNIQUE, masts INTEGER)")
      })
    let ada = Boat(id: 1, name: "Ada", masts: 2)
    try await boats.put(ada, id: 1)

    let other = Boat(id: 9, name: "Ada", masts: 3)
    for call in [Call<Boat>.put(other, IdQuery(9)), .putAll([other], IdsQuery([9]))] {
      #expect(await call.outcome(on: boats) == .failure(.illegalArgument))
    }
    let twins = [Boat(id: 2, name: "Eva", masts: 1), Boat(id: 3, name: "Eva", masts: 1)]
    await #expect(throws: DataSourceError.self) { try await boats.putAll(twins, ids: [2, 3]) }
    #expect(try await boats.getAll(AllObjectsQuery()) == [ada])

    let renamed = Boat(id: 1, name: "Ada II", masts: 2)
    #expect(try await boats.put(renamed, id: 1) == renamed)
    #expect(try await boats.getAll(AllObjectsQuery()) == [renamed])
  }

  @Test func `rows are there after reopening the database`() async throws {
    let folder = TemporaryFolder()
    try folder.make()
    let first = SQLDataSource<City>(
      try await SQLDatabase.open(path: folder.file("db"), prepare: makeCities))
    try await first.put(paris, in: VoidQuery())

    let second = SQLDataSource<City>(
      try await SQLDatabase.open(path: folder.file("db"), prepare: makeCities))

    #expect(try await second.get(id: 1) == paris)
    #expect(try await second.get(id: "1") == paris)
  }

  @Test func `a file that is not a database is an error and stays unchanged`() async throws {
    let folder = TemporaryFolder()
    let text = String(repeating: "not a database\n", count: 100)
    try folder.write(text, to: "db")

    let error = await failure { () throws(DataSourceError) in
      try await SQLDatabase.open(path: folder.file("db"), prepare: makeCities)
    }

    #expect(error?.code == .dataSerialization)
    #expect(folder.bytes("db") == Array(text.utf8))
  }

  @Test func `opening waits while another process locks the database`() async throws {
    var attempts = 0
    let opened = try await SQLDatabase.retryWhileLocked(for: .seconds(60)) {
      attempts += 1
      if attempts < 3 { throw DatabaseError(resultCode: .SQLITE_BUSY) }
      return attempts
    }

    #expect(opened == 3)
  }

  @Test func `opening fails when the lock lasts, and at once for another reason`() async throws {
    let busy = await #expect(throws: DatabaseError.self) {
      try await SQLDatabase.retryWhileLocked(for: .milliseconds(50)) {
        throw DatabaseError(resultCode: .SQLITE_BUSY)
      }
    }
    var attempts = 0
    let full = await #expect(throws: DatabaseError.self) {
      try await SQLDatabase.retryWhileLocked(for: .seconds(60)) {
        attempts += 1
        throw DatabaseError(resultCode: .SQLITE_FULL)
      }
    }

    #expect(busy?.resultCode == .SQLITE_BUSY)
    #expect(full?.resultCode == .SQLITE_FULL)
    #expect(attempts == 1)
  }

  @Test func `a missing folder is a system error`() async throws {
    let error = await failure { () throws(DataSourceError) in
      try await SQLDatabase.open(path: "/nowhere/at/all/db")
    }

    #expect(error?.code == .system(errno: 2))
  }

  @Test func `a row that cannot be decoded is an error`() async throws {
    let database = try await SQLDatabase.inMemory { database in
      try database.execute(sql: "CREATE TABLE cities (id TEXT PRIMARY KEY, name TEXT, population)")
      try database.execute(sql: "INSERT INTO cities VALUES ('a', NULL, 'many')")
    }

    let error = await failure { () throws(DataSourceError) in
      try await SQLDataSource<City>(database).getAll(AllObjectsQuery())
    }

    #expect(error?.code == .dataSerialization)
  }

  @Test func `a soft-deleted row is kept and restored when it is put again`() async throws {
    let database = try await SQLDatabase.inMemory(prepare: makeCities)
    let source = SQLDataSource<City>(database, softDelete: "deleted")
    try await source.put(paris, in: VoidQuery())

    try await source.delete(id: 1)
    #expect(try await SQLDataSource<City>(database).get(id: 1) == paris)
    #expect(try await source.getAll(AllObjectsQuery()) == [])
    try await source.put(paris, in: VoidQuery())

    #expect(try await source.getAll(AllObjectsQuery()) == [paris])
  }

  @Test func `rows that a whole new content replaces are soft-deleted`() async throws {
    let database = try await SQLDatabase.inMemory(prepare: makeCities)
    let source = SQLDataSource<City>(database, softDelete: "deleted")
    try await source.putAll([paris, lyon], in: VoidQuery())

    try await source.putAll([lione, lille], in: AllObjectsQuery())

    #expect(try await source.getAll(AllObjectsQuery()) == [lione, lille])
    let kept = try await SQLDataSource<City>(database).getAll(AllObjectsQuery())
    #expect(kept == [paris, lione, lille])
  }

  @Test func `a watch begins with the current rows and ends with the last write`() async throws {
    let folder = TemporaryFolder()
    try folder.make()
    let source = SQLDataSource<City>(
      try await SQLDatabase.open(path: folder.file("db"), prepare: makeCities))
    var watch = source.watchAll(AllObjectsQuery()).awaited("all cities").makeAsyncIterator()
    let first = try await watch.next()

    for population in 1...20 {
      try await source.put(City(id: 1, name: "Paris", population: population), in: VoidQuery())
    }

    #expect(first == [])
    #expect(try await watch.next("the last write") { $0.first?.population == 20 } != nil)
  }

  @Test func `1,000 concurrent puts of different rows are all there`() async throws {
    let source = SQLDataSource<City>(try await SQLDatabase.inMemory(prepare: makeCities))

    await withTaskGroup(of: Void.self) { group in
      for id in 0..<1_000 {
        group.addTask { _ = try? await source.put(City(id: id, name: "x"), id: id) }
      }
    }

    #expect(try await source.count(AllObjectsQuery()) == 1_000)
  }

  @Test func `a write canceled in the middle leaves the table unchanged`() async throws {
    let database = try await SQLDatabase.inMemory(prepare: makeCities)
    let source = SQLDataSource<City>(database)
    try await source.put(paris, in: VoidQuery())
    let call = Task {
      await failure { () throws(DataSourceError) in
        try await source.putAll((2..<20_000).map { City(id: $0, name: "x") }, in: AllObjectsQuery())
      }
    }
    // Whenever the call is canceled, everything or nothing is written.
    for _ in 0..<20 { await Task.yield() }
    call.cancel()

    let error = await call.value
    let count = try await source.count(AllObjectsQuery())
    #expect(count == (error == nil ? 19_998 : 1))
    #expect(error == nil || error?.code == .cancelled)
  }

  @Test func `a call canceled before it starts changes nothing`() async throws {
    let source = SQLDataSource<City>(try await SQLDatabase.inMemory(prepare: makeCities))
    let call = Task {
      while !Task.isCancelled { await Task.yield() }
      return await failure { () throws(DataSourceError) in try await source.put(paris, id: 1) }
    }

    call.cancel()

    #expect(await call.value?.code == .cancelled)
    #expect(try await source.count(AllObjectsQuery()) == 0)
  }
}
