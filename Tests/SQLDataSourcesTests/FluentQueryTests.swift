import DataSources
import DataSourcesTesting
import GRDB
import InstaQL
import SQLDataSources
import TestSupport
import Testing
import Triples

extension City: QueryEntity {
  struct Fields: Sendable {
    let id = Field<Int>("id"), name = Field<String>("name"), population = Field<Int>("population")
    let country = LinkField<AnyEntity>("country")
  }
  static let namespace = "cities"
  static let fields = Fields()

  init(row: DataRow) throws(QueryError) {
    self.init(id: 0, name: try row.value(Self.fields.name))
  }
}

/// A query of the fluent library and the ids that it selects, in order.
struct FluentRow: Sendable, CustomStringConvertible {
  var description: String
  var query: any Query
  var ids: [Int]

  private static let cities = EntityQuery<City>.from()

  static var rows: [FluentRow] {
    get throws {
      [
        row("everything, by id", cities, [1, 2, 3, 4]),
        row("a comparison", cities.filter { $0.population > 500 }, [1, 2]),
        row("an id", cities.filter { $0.id == 2 }, [2]),
        row("ids", cities.filter { $0.id.oneOf([3, 1]) }, [1, 3]),
        row("text", cities.filter { $0.name == "Lyon" }, [2]),
        row("a hostile text", try cities.filter("name = \("x' or 1 = 1 --")"), []),
        row("a pattern", cities.filter { $0.name.like("L%") }, [2, 3]),
        row("and, or, not", cities.filter { !($0.name.like("L%") && $0.id < 3) }, [1, 3, 4]),
        row("missing", cities.filter { $0.population == 0 || $0.population != nil }, [1, 2, 3, 4]),
        row("an order", cities.order(by: \.population, .descending), [1, 2, 3, 4]),
        row("two sort keys", cities.order(by: \.population).order(by: \.name), [4, 3, 2, 1]),
        row("a window", cities.order(by: \.name).offset(1).limit(2), [3, 2]),
        row("an offset alone", cities.offset(3), [4]),
        row("names", try EntityQuery.from("cities").filter("population between 1 and 500"), [3]),
        row("a list", try cities.filter("name in (\(list: ["Paris", "Lille"]))"), [1, 3]),
        row("a document", try QueryDocument(text: "cities filter name begins \"Li\""), [3]),
      ]
    }
  }

  private static func row(_ name: String, _ query: any Query, _ ids: [Int]) -> FluentRow {
    FluentRow(description: name, query: query, ids: ids)
  }
}

@Suite struct `A SQL source asked by a query of InstaQL` {
  private func source() async throws -> SQLDataSource<City> {
    let source = SQLDataSource<City>(try await SQLDatabase.inMemory(prepare: makeCities))
    try await source.putAll(
      [
        City(id: 1, name: "Paris", population: 2_000), City(id: 2, name: "Lyon", population: 600),
        City(id: 3, name: "Lille", population: 300), City(id: 4, name: "Agen"),
      ], in: VoidQuery())
    return source
  }

  @Test(arguments: try FluentRow.rows)
  func `reads the rows that it selects`(row: FluentRow) async throws {
    let source = try await source()

    #expect(try await source.getAll(row.query).map(\.id) == row.ids)
    #expect(try await source.count(row.query) == row.ids.count)
    let first = await failure { () throws(DataSourceError) in
      #expect(try await source.get(row.query).id == row.ids.first)
    }
    #expect(first?.code == (row.ids.isEmpty ? .notFound : nil))
  }

  @Test func `deletes the rows that it selects`() async throws {
    let source = try await source()

    try await source.delete(EntityQuery<City>.from().filter { $0.population > 500 })

    #expect(try await source.getAll(AllObjectsQuery()).map(\.id) == [3, 4])
  }

  @Test func `says what one table cannot answer`() async throws {
    let source = try await source()
    let cities = EntityQuery<City>.from()
    let refused: [(any Query, DataSourceError.Code)] = [
      (EntityQuery.from("countries"), .unsupportedQuery),
      (cities.with(\.country), .unsupportedQuery),
      (cities.filter { $0.country.name == "France" }, .unsupportedQuery),
      (cities.page(last: 2), .unsupportedQuery),
      (QueryDocument(QueryPlan("cities").count()), .unsupportedQuery),
      (try QueryDocument(text: "cities group by name"), .unsupportedQuery),
      (cities.limit(0), .illegalArgument),
    ]
    for (query, code) in refused {
      let error = await failure { () throws(DataSourceError) in try await source.getAll(query) }
      #expect(error?.code == code, "\(query): \(String(describing: error))")
    }
  }

  @Test func `watches its rows`() async throws {
    let source = try await source()
    var answers = source.watchAll(EntityQuery<City>.from().filter { $0.population > 500 })
      .awaited("large cities").makeAsyncIterator()

    #expect(try await answers.next()?.map(\.id) == [1, 2])
    try await source.put(City(id: 4, name: "Agen", population: 700), in: VoidQuery())
    #expect(try await answers.next()?.map(\.id) == [1, 2, 4])
  }
}
