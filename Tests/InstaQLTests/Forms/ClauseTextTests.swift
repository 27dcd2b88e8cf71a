import InstaQL
import Testing
import Triples

@Suite("Clauses as people write them")
struct ClauseTextTests {
  private static let schema: Schema = {
    var name = Attribute.of("continents", "name", .string)
    name.isUnique = true
    return Schema([
      .of("cities", "id"), .of("cities", "name", .string), .of("cities", "population", .number),
      .of("cities", "founded", .date), .of("cities", "notes"),
      .link("cities", "country", "countries", "cities"),
      .of("countries", "id"), .of("countries", "name", .string), .of("countries", "area", .number),
      .of("continents", "id"), name,
      .link("countries", "continent", "continents", "countries"),
    ])
  }()

  static let equivalents: [(String, String)] = [
    (
      #"countries filter continent in ("Asia", "Europe")"#,
      #"countries filter continent.name in ("Asia", "Europe")"#
    ),
    (
      #"countries filter continent not in ("Asia")"#,
      #"countries filter not continent.name in ("Asia")"#
    ),
    (#"countries filter continent like "A%""#, #"countries filter continent.name like "A%""#),
    (
      #"cities filter country.continent begins "A""#,
      #"cities filter country.continent.name like "A%""#
    ),
    ("countries filter continent: Asia", #"countries filter continent.name = "Asia""#),
    ("cities aggregate sum population", "cities aggregate sum(population)"),
    (
      "cities aggregate sum population as people, count",
      "cities aggregate sum(population) as people, count()"
    ),
    ("cities aggregate count(*), avg population", "cities aggregate count(), average(population)"),
    ("cities aggregate count limit 5", "cities aggregate count() limit 5"),
    ("cities aggregate count distinct name", "cities aggregate count(distinct name)"),
    (
      "cities fields name aggregate count distinct", "cities fields name aggregate count() distinct"
    ),
    ("cities group by country.name having count > 5", "cities group country.name having count > 5"),
    ("cities group country.name having count(*) > 5", "cities group country.name having count > 5"),
    (
      "cities group country.name aggregate sum population having sum(population) > 1M",
      "cities group country.name aggregate sum(population) having sum_population > 1M"
    ),
    (
      "cities group name aggregate max founded as last having last > date '2025-01-01'",
      #"cities group name aggregate max(founded) as `last` having `last` > "2025-01-01""#
    ),
    (
      "cities group name aggregate sum population order sum(population) desc",
      "cities group name aggregate sum(population) order sum_population desc"
    ),
    (
      "cities group name having sum(population) > 1M and count(*) > 5",
      "cities group name having sum(population) > 1M and count > 5"
    ),
    (
      "cities group name aggregate sum population having count(*) / 2 > 5 order average(population)",
      "cities group name aggregate sum(population) having count() / 2 > 5 order avg(population)"
    ),
    (
      "cities group name having max(founded) > 2025-01-31 and max(name) like 'A%'",
      #"cities group name having max(founded) > "2025-01-31" and max(name) like "A%""#
    ),
    (
      "cities group name aggregate max name as z having max(name) begins 'A'",
      #"cities group name aggregate max(name) as z having z like "A%""#
    ),
    ("countries filter cities.count > 5", "countries filter count(cities) > 5"),
    (
      "countries filter cities.count between 2 and 1k and area > 5",
      "countries filter (count(cities) >= 2 and count(cities) <= 1000) and area > 5"
    ),
    ("countries filter cities.count in (0, 2)", "countries filter count(cities) in (0, 2)"),
    (
      "countries filter cities.count not in (0)", "countries filter not count(cities) in (0)"
    ),
    (
      "cities group by (population / 2) as half", "cities group (population / 2) as half"
    ),
    ("cities order by (population / 2) desc", "cities order (population / 2) desc"),
    (
      "continents filter countries.cities.count = 0",
      "continents filter count(countries.cities) = 0"
    ),
    (#"cities search "San""#, #"cities filter name ilike "%San%" or notes ilike "%San%""#),
    (
      #"countries filter area > 5 and search "5%""#,
      #"countries filter area > 5 and name ilike "%5\\%%""#
    ),
    (
      #"countries search "x" and area > 5"#,
      #"countries filter name ilike "%x%" and area > 5"#
    ),
    ("cities fields *", "cities"),
    (
      "cities fields name, country.name",
      "cities fields name, country with country { fields name }"
    ),
    (
      "cities fields country.continent.name, country.area",
      "cities fields country with country { fields continent, area with continent { fields name } }"
    ),
    ("countries fields name, cities.count", "countries fields name, cities with cities { count }"),
    (
      "cities fields country.name, name, country.area",
      "cities with country { fields name, area } fields country, name"
    ),
  ]

  @Test(
    "the place of a link among the fields is written, and parsed again",
    arguments: [
      "cities fields name, country.name, population",
      "cities fields country.name, country.area, name",
      "cities fields country.continent.name, country.area",
      "cities fields *, country.name",
      "cities fields name, country, population with country { order area }",
      "countries fields cities, name with cities { count }",
      "cities fields name, population with country { fields name }",
    ])
  func places(_ text: String) throws {
    for schema in [Self.schema, nil] {
      let found = try QueryDocument(text: text, schema: schema)
      #expect(found.text == text)
      #expect(try QueryDocument(json: found.canonicalJSON) == found, "\(found.canonicalJSON)")
    }
  }

  @Test("a link loses its place when it is excluded, and servers are not told the place")
  func excluded() throws {
    let plan = try QueryDocument(
      text: "cities fields name, country.name, population", schema: Self.schema
    ).plans[0]
    #expect(plan.fields == ["name", "country", "population"])
    #expect(plan.without("country").fields == ["name", "population"])
    let wire =
      #"{"cities":{"$":{"fields":["name","population"]},"country":{"$":{"fields":["name"]}}}}"#
    #expect(try QueryDocument(plan).wireJSON() == wire)
  }

  @Test(
    "characters that terminals show differently are printed as escapes",
    arguments: [
      ("🇫🇷", #"\u{1f1eb}\u{1f1f7}"#), ("👍🏽!", #"👍\u{1f3fd}!"#), ("❤\u{FE0F}", #"❤\u{fe0f}"#),
      ("👩\u{200D}👧", #"👩\u{200d}👧"#), ("می\u{200C}روم", "می\u{200C}روم"), ("日本 é", "日本 é"),
    ])
  func undisplayable(value: String, printed: String) throws {
    let document = QueryDocument(
      QueryPlan("cities").filter(.compare(AttributePath(["name"]), .equal, .text(value))))
    #expect(document.text == #"cities filter name = "\#(printed)""#)
    #expect(try QueryDocument(text: document.text) == document)
  }

  @Test("short forms are equal to long ones", arguments: equivalents)
  func equal(_ short: String, _ long: String) throws {
    let found = try QueryDocument(text: short, schema: Self.schema)
    #expect(found == (try QueryDocument(text: long)), "\(found.text)")
    #expect(try QueryDocument(text: found.text, schema: Self.schema) == found, "\(found.text)")
  }

  @Test(
    "a text that a schema could make valid passes the check of its syntax",
    arguments: equivalents.map(\.0) + [
      "countries filter area > population", "countries filter count(cities.name) > 1.5",
      #"countries filter not (search "x" or cities.count > area)"#,
      #"countries with cities { search "x" }"#,
    ])
  func syntax(_ text: String) throws { try QueryDocument.checkSyntax(of: text) }

  @Test(
    "a text that no schema makes valid fails the check of its syntax",
    arguments: [
      "cities filter", "cities search", #"cities search "x" and"#, "cities filter area >",
      "cities limit x", "{",
    ])
  func wrongSyntax(_ text: String) {
    #expect(throws: QueryError.self) { try QueryDocument.checkSyntax(of: text) }
  }

  static let faults: [(String, String, String?)] = [
    ("cities aggregate sum", "a field name", nil),
    ("cities aggregate sum name", "a numeric field", "'name' contains strings."),
    (
      "cities having count > 5", "groups before 'having'",
      "Write: group by FIELD having count > 1, or use filter."
    ),
    (
      "cities group name having size > 5", "a group or an aggregate of the query",
      "Available: name, count."
    ),
    (
      "cities group name order size", "a group or an aggregate of the query",
      "Available: name, count."
    ),
    (
      "cities order size group name", "a group or an aggregate of the query",
      "Available: name, count."
    ),
    (
      "cities aggregate sum(population) order sum_populatio",
      "a group or an aggregate of the query", "Did you mean 'sum_population'?"
    ),
    (
      "cities aggregate count order sum(population)", "an aggregate of the query",
      "Add this clause before: aggregate sum(population)."
    ),
    (
      "cities group name aggregate sum(population) having count > 5",
      "a group or an aggregate of the query", "Write the aggregate with parentheses: count()."
    ),
    (
      "cities group name order avg desc", "a group or an aggregate of the query",
      "Write the aggregate with parentheses: average(FIELD)."
    ),
    ("cities group name having sum(name) > 5", "a numeric field", "'name' contains strings."),
    ("cities group name having max(name) > 5", "a string in quotes", nil),
    ("cities group name having count > 'x'", "a number", nil),
    ("countries filter count(cities)", "a comparison of the number, such as > 0", nil),
    ("countries filter cities.count > 'x'", "a whole number", nil),
    (
      "cities filter population.count > 5",
      "the path to end with 'population', which contains numbers",
      nil
    ),
    ("cities search", "a string in quotes", nil),
    ("cities fields contry.name", "a link of 'cities'", "Did you mean 'country'?"),
    ("cities fields country.nam", "a field of 'countries'", "Did you mean 'name'?"),
    (
      "cities filter country = 'x'", "the id of an entity",
      #"'country' is a link; use 'country.name = "x"'."#
    ),
  ]

  @Test("what is missing is named", arguments: faults)
  func refused(_ text: String, _ expected: String, _ hint: String?) throws {
    do throws(QueryError) {
      let found = try QueryDocument(text: text, schema: Self.schema)
      Issue.record("parsed as \(found.text)")
    } catch {
      guard case .syntax(let fault) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(fault.expected == expected)
      #expect(fault.hint == hint)
    }
  }

  @Test("groups are filtered after they are computed")
  func having() throws {
    let store = CompanyData.store
    func rows(_ text: String) throws -> [[Value]] {
      let plan = try QueryDocument(text: text, schema: store.schema).plans[0]
      return try QueryEngine.answer(plan, in: store).table?.rows ?? []
    }
    let all = try rows(
      "employees group department.name aggregate count(), max(startDate) as newest")
    func count(_ row: [Value]) -> Int64 { if case .integer(let n) = row[1] { n } else { 0 } }
    let least = all.map(count).sorted()[all.count / 2]
    let text = "employees group department.name aggregate count(), max(startDate) as newest having "
    #expect(try rows(text + "count > \(least)") == all.filter { count($0) > least })
    #expect(try rows(text + "not count > \(least)") == all.filter { count($0) <= least })
    #expect(try rows(text + "count in (\(least))") == all.filter { count($0) == least })
    let name = all[0][0]
    #expect(
      try rows(text + "department.name != \(JSONWriter.text(name))")
        == all.filter { $0[0] != name })
    #expect(try rows(text + "department.name is null").isEmpty)
    #expect(try rows(text + "newest > date \"1900-01-01\"") == all)
    #expect(try rows(text + "count > \(least) limit 1").count == 1)
    #expect(try rows("employees aggregate count() having count < 0").isEmpty)
    #expect(throws: QueryError.self) {
      _ = try QueryEngine.answer(
        QueryPlan("employees").having(.compare("count", .less, 0)), in: store)
    }
  }

  @Test("groups are filtered and ordered by aggregates that are not shown")
  func hiddenAggregates() throws {
    let store = CompanyData.store
    func table(_ text: String) throws -> SummaryTable? {
      let document = try QueryDocument(text: text, schema: store.schema)
      let again = try QueryDocument(json: document.canonicalJSON)
      #expect(again == document, "\(document.canonicalJSON)")
      return try QueryEngine.answer(document.plans[0], in: store).table
    }
    let text = "employees group department.name"
    let all = try table(text + " aggregate count(), sum(salary)")?.rows ?? []
    func integer(_ value: Value) -> Int64 { if case .integer(let n) = value { n } else { 0 } }
    func sum(_ row: [Value]) -> Int64 { integer(row[2]) }
    func shown(_ rows: [[Value]]) -> [[Value]] { rows.map { Array($0.prefix(2)) } }
    let middle = all.map(sum).sorted()[all.count / 2]
    let found = try table(text + " having sum(salary) > \(middle)")
    #expect(found?.columns == ["department.name", "count"])
    #expect(found?.rows == shown(all.filter { sum($0) > middle }))
    #expect(
      try table(text + " having sum(salary) / count > 0 and not sum(salary) > \(middle)")?.rows
        == shown(all.filter { sum($0) <= middle }))
    #expect(
      try table(text + " order sum(salary) desc limit 2")?.rows
        == shown(Array(all.sorted { sum($0) > sum($1) }.prefix(2))))
    let sums = try table(text + " aggregate sum(salary) having count() in (\(integer(all[0][1])))")
    #expect(sums?.columns == ["department.name", "sum_salary"])
    #expect(sums?.rows == all.filter { $0[1] == all[0][1] }.map { [$0[0], $0[2]] })
    let typed = try QueryDocument(text: text, schema: store.schema).plans[0].having(
      ConditionNode(parsing: "count() in (\(integer(all[0][1]))) and count(name) > 0"))
    #expect(
      try QueryEngine.answer(typed, in: store).table?.rows
        == shown(all.filter { $0[1] == all[0][1] }))
    #expect(try table("employees aggregate count() having sum(salary) < 0")?.rows.isEmpty == true)
    #expect(
      try table(text + " having max(startDate) < 1900-01-01 or max(name) < \"\"")?.rows.isEmpty
        == true)
  }

  @Test("the number of linked entities is compared, none among them")
  func counts() throws {
    let store = CompanyData.store
    func names(_ text: String) throws -> [EntityHandle] {
      let plan = try QueryDocument(text: text, schema: store.schema).plans[0]
      return try QueryEngine.answer(plan, in: store).rows
    }
    let link = try #require(store.schema.link("employees", "reports"))
    let all = try names("employees")
    let ordered = try names("employees order reports.count desc, name")
    let counts = ordered.map { store.targets($0, link).count }
    #expect(counts == counts.sorted(by: >) && ordered.count == all.count)
    #expect(try names("employees order reports.count limit 3").count == 3)
    for number in 0...6 {
      #expect(
        try names("employees filter reports.count = \(number)")
          == all.filter { store.targets($0, link).count == number })
      #expect(
        try names("employees filter not count(reports) > \(number)")
          == all.filter { store.targets($0, link).count <= number })
    }
  }
}
