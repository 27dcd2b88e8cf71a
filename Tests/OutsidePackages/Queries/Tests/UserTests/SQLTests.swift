import DataSources
import DataSourcesTesting
import GRDB
import InstaQL
import SQLDataSources
import Testing

struct Boat: Codable, Sendable, Hashable, Identifiable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "boats"
  var id: Int
  var name: String
  var masts: Int

  @Sendable static func makeTable(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS boats (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, masts INTEGER NOT NULL CHECK (masts > 0))
        """)
  }
}

/// A boat with a text for an id.
struct Ship: Codable, Sendable, Hashable, Identifiable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "ships"
  var id: String
  var name: String

  @Sendable static func makeTable(_ database: Database) throws {
    try database.execute(
      sql: "CREATE TABLE IF NOT EXISTS ships (id TEXT PRIMARY KEY, name TEXT NOT NULL)")
  }
}

/// A predicate in the terms of the database.
struct MastsQuery: Query, RowsQuery {
  var least: Int
  var selection: RowSelection { RowSelection("masts >= ?", [least], order: "masts DESC") }
}

private let argo = Boat(id: 1, name: "Argo", masts: 1)
private let bounty = Boat(id: 2, name: "Bounty", masts: 3)
private let kon = Boat(id: 3, name: "Kon-Tiki", masts: 1)
private let newBounty = Boat(id: 2, name: "Bounty II", masts: 2)
private let clash = Boat(id: 9, name: "Argo", masts: 2)
private let raft = Boat(id: 4, name: "Raft", masts: 0)
private let both = [argo, bounty]
private let all = AllObjectsQuery()
private let page = PaginationOffsetLimitQuery(1, 1)
private let unsupported = Outcome<Boat>.failure(.unsupportedQuery)
private let illegal = Outcome<Boat>.failure(.illegalArgument)
private let notFound = Outcome<Boat>.failure(.notFound)
private let plan = EntityQuery.from("boats").filter { $0.masts >= 1 }.order(
  "masts", direction: .descending)
private let none = EntityQuery.from("boats").filter { $0.masts > 5 }

/// A call on a table of two boats, its outcome, and the rows that it leaves.
struct SQLRow: Sendable, CustomTestStringConvertible {
  var testDescription: String { "\(call)" }
  var call: Call<Boat>
  var outcome: Outcome<Boat>
  var leaves: [Boat]

  init(_ call: Call<Boat>, _ outcome: Outcome<Boat>, leaves: [Boat] = both) {
    (self.call, self.outcome, self.leaves) = (call, outcome, leaves)
  }

  static let reads: [SQLRow] = [
    SQLRow(.get(IdQuery(1)), .object(argo)),
    SQLRow(.get(IdQuery("1")), .object(argo)),
    SQLRow(.get(IdQuery(9)), notFound),
    SQLRow(.get(IdQuery("x")), notFound),
    SQLRow(.get(IdsQuery([1])), unsupported),
    SQLRow(.get(all), unsupported),
    SQLRow(.get(VoidQuery()), unsupported),
    SQLRow(.get(ObjectQuery(newBounty)), .object(bounty)),
    SQLRow(.get(ObjectsQuery([argo])), unsupported),
    SQLRow(.get(page), unsupported),
    SQLRow(.get(MastsQuery(least: 2)), .object(bounty)),
    SQLRow(.get(MastsQuery(least: 9)), notFound),
    SQLRow(.get(plan), .object(bounty)),
    SQLRow(.get(none), notFound),
    SQLRow(.getAll(IdQuery(1)), unsupported),
    SQLRow(.getAll(IdsQuery([2, 1])), .objects([bounty, argo])),
    SQLRow(.getAll(IdsQuery([2, 9])), notFound),
    SQLRow(.getAll(IdsQuery([2, 9], missing: .skip)), .objects([bounty])),
    SQLRow(.getAll(all), .objects(both)),
    SQLRow(.getAll(VoidQuery()), unsupported),
    SQLRow(.getAll(ObjectQuery(argo)), unsupported),
    SQLRow(.getAll(ObjectsQuery([argo])), unsupported),
    SQLRow(.getAll(page), .objects([bounty])),
    SQLRow(.getAll(PaginationOffsetLimitQuery(2, 1)), .objects([])),
    SQLRow(.getAll(PaginationOffsetLimitQuery(-1, 1)), illegal),
    SQLRow(.getAll(PaginationOffsetLimitQuery(0, 0)), illegal),
    SQLRow(.getAll(MastsQuery(least: 1)), .objects([bounty, argo])),
    SQLRow(.getAll(plan), .objects([bounty, argo])),
    SQLRow(.getAll(plan.limit(1).offset(1)), .objects([argo])),
    SQLRow(.getAll(none), .objects([])),
    SQLRow(.getAll(BarePage()), unsupported),
    SQLRow(.getAll(UnrecognizedQuery()), unsupported),
  ]

  static let writes: [SQLRow] = [
    SQLRow(.put(kon, IdQuery(3)), .object(kon), leaves: both + [kon]),
    SQLRow(.put(newBounty, IdQuery("2")), .object(newBounty), leaves: [argo, newBounty]),
    SQLRow(.put(kon, IdQuery(4)), illegal),
    SQLRow(.put(nil, IdQuery(1)), illegal),
    SQLRow(.put(clash, IdQuery(9)), illegal),
    SQLRow(.put(raft, IdQuery(4)), illegal),
    SQLRow(.put(kon, IdsQuery([3])), unsupported),
    SQLRow(.put(kon, all), unsupported),
    SQLRow(.put(kon, VoidQuery()), .object(kon), leaves: both + [kon]),
    SQLRow(.put(newBounty, VoidQuery()), .object(newBounty), leaves: [argo, newBounty]),
    SQLRow(.put(nil, VoidQuery()), illegal),
    SQLRow(.put(nil, ObjectQuery(kon)), .object(kon), leaves: both + [kon]),
    SQLRow(.put(newBounty, ObjectQuery(argo)), .object(newBounty), leaves: [argo, newBounty]),
    SQLRow(.put(kon, ObjectsQuery([kon])), unsupported),
    SQLRow(.put(kon, page), unsupported),
    SQLRow(.put(kon, MastsQuery(least: 1)), unsupported),
    SQLRow(.put(kon, plan), unsupported),
    SQLRow(.putAll([kon], IdQuery(3)), unsupported),
    SQLRow(
      .putAll([kon, newBounty], IdsQuery([3, 2])), .objects([kon, newBounty]),
      leaves: [argo, newBounty, kon]),
    SQLRow(.putAll([kon], IdsQuery([3, 2])), illegal),
    SQLRow(.putAll([kon], all), .objects([kon]), leaves: [kon]),
    SQLRow(
      .putAll([kon, newBounty], VoidQuery()), .objects([kon, newBounty]),
      leaves: [argo, newBounty, kon]),
    SQLRow(.putAll([kon], ObjectQuery(kon)), unsupported),
    SQLRow(.putAll([], ObjectsQuery([kon])), .objects([kon]), leaves: both + [kon]),
    SQLRow(.putAll([kon], page), unsupported),
    SQLRow(.putAll([kon], plan), unsupported),
    SQLRow(.putAll([kon, clash], VoidQuery()), illegal),
    SQLRow(.putAll([kon, raft], VoidQuery()), illegal),
    SQLRow(.putAll([kon, clash, argo], all), illegal),
    SQLRow(.delete(IdQuery(1)), .done, leaves: [bounty]),
    SQLRow(.delete(IdQuery("1")), .done, leaves: [bounty]),
    SQLRow(.delete(IdQuery(9)), .done),
    SQLRow(.delete(IdsQuery([1, 9])), .done, leaves: [bounty]),
    SQLRow(.delete(all), .done, leaves: []),
    SQLRow(.delete(VoidQuery()), unsupported),
    SQLRow(.delete(ObjectQuery(newBounty)), .done, leaves: [argo]),
    SQLRow(.delete(ObjectsQuery(both)), .done, leaves: []),
    SQLRow(.delete(page), unsupported),
    SQLRow(.delete(MastsQuery(least: 2)), .done, leaves: [argo]),
    SQLRow(.delete(EntityQuery.from("boats").filter { $0.masts > 1 }), .done, leaves: [argo]),
    SQLRow(.deleteAll(all), .done, leaves: []),
    SQLRow(.deleteAll(VoidQuery()), unsupported),
    SQLRow(.delete(UnrecognizedQuery()), unsupported),
  ]
}

@Suite struct `A source of rows` {
  private let folder = TemporaryFolder()

  @Test(arguments: SQLRow.reads + SQLRow.writes)
  func `answers each call`(row: SQLRow) async throws {
    let source = SQLDataSource<Boat>(try await SQLDatabase.inMemory(prepare: Boat.makeTable))
    try await source.putAll(both, in: VoidQuery())
    #expect(await row.call.outcome(on: source) == row.outcome)
    #expect(try await source.getAll(all) == row.leaves)
  }

  @Test func `keeps its rows, under numbers and under texts`() async throws {
    try folder.make()
    let file = folder.file("boats.db")
    func boats() async throws -> SQLDataSource<Boat> {
      SQLDataSource(try await SQLDatabase.open(path: file, prepare: Boat.makeTable))
    }
    func ships() async throws -> SQLDataSource<Ship> {
      SQLDataSource(try await SQLDatabase.open(path: file, prepare: Ship.makeTable))
    }
    try await boats().put(argo, id: 1)
    try await ships().put(Ship(id: "a", name: "Ark"), id: "a")
    #expect(try await boats().get(id: 1) == argo)
    #expect(try await ships().get(id: "a").name == "Ark")
    #expect(await code { try await ships().get(id: "b") } == .notFound)
  }

  @Test func `stores three objects by one call and deletes them by one`() async throws {
    let source = SQLDataSource<Boat>(try await SQLDatabase.inMemory(prepare: Boat.makeTable))
    try await source.putAll([], in: ObjectsQuery([argo, bounty, kon]))
    #expect(try await source.count(all) == 3)
    try await source.delete(ObjectsQuery([argo, bounty, kon]))
    #expect(try await source.count(all) == 0)
  }

  @Test func `runs typed queries`() async throws {
    let source = SQLDataSource<Boat>(try await SQLDatabase.inMemory(prepare: Boat.makeTable))
    try await source.putAll(both, in: VoidQuery())
    #expect(
      try await source.getAll(EntityQuery<BoatFields>.from().filter { $0.masts > 1 }) == [bounty])
    let hostile = "' or 1 = 1 --"
    #expect(try await source.getAll(EntityQuery.from("boats").filter("name = \(hostile)")) == [])
    #expect(
      await code { try await source.getAll(EntityQuery.from("ships")) } == .unsupportedQuery)
  }

  private struct BoatFields: QueryEntity {
    struct Fields: Sendable { let masts = Field<Int>("masts") }
    static let namespace = "boats"
    static let fields = Fields()
    init(row: DataRow) throws(QueryError) {}
  }
}
