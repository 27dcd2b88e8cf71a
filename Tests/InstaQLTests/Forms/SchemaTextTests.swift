import InstaQL
import Testing
import Triples

@Suite("Checking query text with a schema")
struct SchemaTextTests {
  static let schema = Schema([
    .of("cities", "id"), .of("cities", "name", .string), .of("cities", "population", .number),
    .of("cities", "capital", .boolean), .of("cities", "founded", .date), .of("cities", "notes"),
    .link("cities", "country", "countries", "cities"), .of("countries", "name", .string),
    .of("countries", "id"),
  ])

  @Test(
    "valid text is parsed",
    arguments: [
      "cities filter population > 5 and name = 'x' and capital and founded < date '2025-01-01'",
      "cities filter notes = 5 and notes = 'x' and country.name like 'F%' and id = 'x'",
      "cities filter population > 1.5 and population in (1, null) and country is null",
      "cities filter any country (name = 'x' and no cities (capital))",
      "cities order country.name, serverCreatedAt desc fields name with country { filter name = 'x' }",
      "countries with cities { filter population > 5 order name with country }",
      "cities filter founded > 1736467200000 and population > field(country.name)",
    ])
  func fits(_ text: String) throws {
    #expect(try QueryDocument(text: text) == QueryDocument(text: text, schema: Self.schema))
  }

  @Test(
    "an id that is not a UUID means the file's own id, which is in `key`",
    arguments: [
      ("u filter id = 1", "u filter key = 1"), ("u filter id in (1, 2)", "u filter key in (1, 2)"),
      ("u filter x.id != 1", "u filter x.key != 1"),
      ("t filter id = \"a\"", "t filter key = \"a\""),
      (
        "t filter id = \"00000000-0000-4000-8000-000000000001\"",
        "t filter id = \"00000000-0000-4000-8000-000000000001\""
      ),
    ])
  func ownIDs(_ text: String, _ meaning: String) throws {
    func key(of namespace: String, _ type: CheckedType) -> Attribute {
      var key = Attribute.of(namespace, "key", type)
      key.isUnique = true
      return key
    }
    let schema = Schema([
      .of("u", "id"), key(of: "u", .number), .link("u", "x", "u", "y"), .of("t", "id"),
      key(of: "t", .string),
    ])
    #expect(
      try QueryDocument(text: text, schema: schema) == QueryDocument(text: meaning))
  }

  @Test("a link compared with a text means its target's name, if that is unique")
  func uniqueNames() throws {
    var name = Attribute.of("continents", "name", .string)
    name.isUnique = true
    let schema = Schema([
      .of("countries", "id"), .of("countries", "name", .string), .of("continents", "id"), name,
      .link("countries", "continent", "continents", "countries"),
    ])
    #expect(
      try QueryDocument(text: #"countries filter continent = "Asia""#, schema: schema)
        == QueryDocument(text: #"countries filter continent.name = "Asia""#))
    #expect(throws: QueryError.self) {
      try QueryDocument(text: #"continents filter countries = "France""#, schema: schema)
    }
  }

  private static let dates = "Write 2025-01-31, or 2025-01-31T10:00:00Z."

  private static func wholeDate(_ date: String) -> String {
    "Write a whole date, such as \(date)."
  }

  static let faults: [(String, Int, String, String?)] = [
    ("citis", 1, "a namespace", "Did you mean 'cities'?"),
    (
      "SELECT * FROM countries WHERE name = 'x'", 1, "a namespace",
      "Write the namespace first, without SELECT: countries filter … order … limit …"
    ),
    ("cities filter popluation > 5", 15, "a field of 'cities'", "Did you mean 'population'?"),
    ("cities filter contry.name = 'x'", 15, "a link of 'cities'", "Did you mean 'country'?"),
    ("cities filter country.nam = 'x'", 23, "a field of 'countries'", "Did you mean 'name'?"),
    ("cities filter name.x = 1", 20, "the path to end with 'name', which contains strings", nil),
    ("cities filter population > '5'", 28, "a number", nil),
    ("cities filter name in ('a', 5)", 29, "a string in quotes", nil),
    ("cities filter capital = 1", 25, "true or false", nil),
    ("cities filter founded > date 'soon'", 30, "a date", dates),
    ("cities filter founded > 'soon'", 25, "a date", dates),
    ("cities filter founded > 2026-02-30", 25, "a date", dates),
    ("cities filter founded > tomorow", 25, "a date", "Did you mean 'tomorrow'?"),
    ("cities filter founded > 2026", 25, "a date", wholeDate("2026-01-01")),
    ("cities filter founded > 2026-11", 25, "a date", wholeDate("2026-11-01")),
    ("cities filter founded > 2026-11-1", 25, "a date", wholeDate("2026-11-01")),
    ("cities filter founded <= 2026/12/24", 26, "a date", wholeDate("2026-12-24")),
    ("cities filter founded in (2026)", 27, "a date", wholeDate("2026-01-01")),
    ("cities filter founded between 2025 and 2026", 31, "a date", wholeDate("2025-01-01")),
    (
      "cities filter founded > true", 25,
      "a date such as 2026-10-01, or milliseconds since 1970", nil
    ),
    ("cities filter country = 5", 25, "an id in quotes", nil),
    (
      "cities filter population > 5%", 29, "a number without '%'",
      "There are no percentages. For the remainder, write a space before '%'."
    ),
    (
      "cities group name having count > 5% count", 35, "a number without '%'",
      "There are no percentages. For the remainder, write a space before '%'."
    ),
    ("cities filter name", 19, "a comparison after 'name', which is not a boolean", nil),
    ("cities filter name limit 2", 20, "a comparison after 'name', which is not a boolean", nil),
    ("cities order nam", 14, "a field of 'cities'", "Did you mean 'name'?"),
    ("cities fields nam", 15, "a field of 'cities'", "Did you mean 'name'?"),
    ("cities with contry", 13, "a link of 'cities'", "Did you mean 'country'?"),
    ("cities with name", 13, "a link of 'cities'", "'name' is a field, not a link."),
    (
      "countries filter cities > 5", 27, "an id in quotes",
      "To compare the number of linked entities, write count(cities)."
    ),
    (
      "cities population > 5", 8, "a clause, ';' or the end of the query",
      "Write the clause: filter population …"
    ),
    (
      "cities > 5", 8, "a clause, ';' or the end of the query",
      "Write a condition as a clause: filter FIELD > VALUE."
    ),
    ("cities *", 8, "a clause, ';' or the end of the query", "Write the clause: fields *."),
    (
      "cities sum(population)", 8, "a clause, ';' or the end of the query",
      "Write the clause: aggregate sum(…)."
    ),
    (
      "cities count(name)", 13, "a clause, ';' or the end of the query",
      "Write the clause: aggregate count(…)."
    ),
    (
      "cities distinct name", 17, "a clause, ';' or the end of the query",
      "Write the fields as a clause: distinct fields name."
    ),
    (
      "cities avg population", 8, "a clause, ';' or the end of the query",
      "Write the clause: aggregate average(…)."
    ),
    (
      "cities with country { filter populaton > 5 }", 30, "a field of 'countries'",
      "Available: name, id, cities."
    ),
    ("cities filter founded > date '2026-13-45'", 30, "a date", dates),
    ("cities filter founded > date '2026-02-30'", 30, "a date", dates),
    ("cities filter founded > date 'Feb 30 2027'", 30, "a date", dates),
    ("cities filter founded > '31/12/2026'", 25, "a date", dates),
    ("cities filter founded > '1/1/27'", 25, "a date", dates),
    ("cities filter notes > date '99999'", 28, "a date", dates),
    ("cities filter founded in ('-1')", 27, "a date", dates),
    (
      "cities filter name > date '2001-01-01'", 22, "a string in quotes",
      "'name' contains strings, not dates."
    ),
    (
      "cities filter population > date '2001-01-01'", 28, "a number",
      "'population' contains numbers, not dates."
    ),
    (
      "cities filter country = 'France'", 25, "the id of an entity",
      #"'country' is a link; use 'country.name = "France"'."#
    ),
    (
      "cities filter country.cities != 'x'", 33, "the id of an entity",
      #"'country.cities' is a link; use 'country.cities.name != "x"'."#
    ),
    (
      "cities filter country in ('France')", 27, "the id of an entity",
      "'country' is a link; use 'country.name'."
    ),
    (
      "cities filter country like 'F%'", 23, "a comparison that fits 'country'",
      "'country' is a link; use 'country.name'."
    ),
    (
      "cities filter population begins '5'", 26, "a comparison that fits 'population'",
      "'population' contains numbers, but 'begins' needs strings."
    ),
    (
      "cities fields name, country", 21, "a field that is not a link",
      "'country' is a link; use 'with country'."
    ),
    (
      "cities order country", 14, "a field that is not a link",
      "'country' is a link; use 'country.name'."
    ),
    ("cities aggregate sum(name)", 22, "a numeric field", "'name' contains strings."),
    (
      "cities aggregate average(country)", 26, "a numeric field",
      "'country' is a link; use 'country.name'."
    ),
    (
      "cities limit 1 limit 2", 16, "another clause", "'limit' is given twice. Keep one of them."
    ),
    (
      "cities first 1 limit 2", 16, "another clause",
      "'limit' cannot be combined with 'first'. Keep one of them."
    ),
    ("cities count count", 14, "another clause", "'count' is given twice. Keep one of them."),
    (
      "cities with country, country", 22, "another link",
      "'country' is included twice. Keep one of them."
    ),
    (
      "countries fields name, cities.count, cities.name", 38, "another column",
      "With other columns of 'cities', write its number as count(cities)."
    ),
    (
      "countries fields name, cities.name, cities.count", 37, "another column",
      "With other columns of 'cities', write its number as count(cities)."
    ),
    (
      "countries fields name, cities.count with cities { limit 2 }", 42, "another link",
      "With other columns of 'cities', write its number as count(cities)."
    ),
    (
      "countries filter cities limit 2", 25, "a comparison after 'cities', which is not a boolean",
      "Write: count(cities) > 0."
    ),
    (
      "cities filter country", 22, "a comparison after 'country', which is not a boolean",
      "Write: country is not null."
    ),
    (
      "cities filter founded > last 7 days", 25, "a date",
      "A range of days follows 'in': in last 7 days, in next 2 weeks, in this month."
    ),
    (
      "cities filter name < today", 22, "a string in quotes",
      "'name' contains strings, not dates. Write a string, such as \"2025-01-31\"."
    ),
    (
      "cities filter name in last 7 days", 23, "'('",
      "'name' contains strings, not dates. Write a string, such as \"2025-01-31\"."
    ),
    (
      "cities fields today", 15, "a field of 'cities'",
      "Days and times are compared with dates, FIELD < today, or are arguments: year(today)."
    ),
    (
      "cities filter name ~ 'x'", 20, "a field, a value or an operator",
      "For a regular expression, write: FIELD matches \"…\"."
    ),
    (
      "cities filter lower(name, 2) = 'x'", 27, "')'", "'lower' can have at most 1 argument."
    ),
    ("city", 1, "a namespace", "Did you mean 'cities'?"),
    ("cities filter popu > 5", 15, "a field of 'cities'", "Did you mean 'population'?"),
    ("cities sort name", 8, "a clause, ';' or the end of the query", "Did you mean 'order'?"),
    (
      "cities aggregate averge(population)", 18, "count, sum, average, median, min or max",
      "Did you mean 'average'?"
    ),
    (
      "cities aggregate avrg(population)", 18, "count, sum, average, median, min or max",
      "Did you mean 'average'?"
    ),
    (
      "cities filter name starts 'x'", 20, "a comparison after 'name', which is not a boolean",
      "Did you mean 'begins'?"
    ),
    (
      "cities filter notes startswith 'x'", 21, "'and', 'or', a clause or the end of the query",
      "Did you mean 'begins'?"
    ),
    (
      "cities filter any country (capital)", 28, "a field of 'countries'",
      "Available: name, id, cities."
    ),
  ]

  @Test("an error is reported at its position", arguments: faults)
  func refused(_ text: String, _ column: Int, _ expected: String, _ hint: String?) throws {
    let error = try #require(throws: QueryError.self) {
      try QueryDocument(text: text, schema: Self.schema)
    }
    guard case .syntax(let fault) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(fault.column == column)
    #expect(fault.expected == expected)
    #expect(fault.hint == hint)
  }
}

extension SchemaTextTests {
  @Test("a path into JSON that is stored as text is refused with a way to search it")
  func storedJSON() throws {
    var meta = Attribute.of("cities", "meta", .string)
    meta.column = Attribute.Column(name: "meta", place: 1, type: "json")
    let error = try #require(throws: QueryError.self) {
      try QueryDocument(
        text: "cities filter meta.size > 3", schema: Schema([.of("cities", "id"), meta]))
    }
    guard case .syntax(let fault) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(
      fault.hint
        == "The database stores this JSON as text; search it with: meta contains \"…\".")
  }

  private static let odd = Schema([
    .of("la-riots", "id"), .of("la-riots", "Body Mass (g)", .number), .of("2024", "id"),
    .of("my data (1)", "id"), .of("my data (1)", "name", .string),
  ])

  @Test(
    "a name that needs backquotes is suggested with them",
    arguments: [
      ("la-riots count", 1, "`la-riots`"), ("2024 count", 1, "`2024`"),
      ("my data (1)", 1, "`my data (1)`"),
      ("`la-riots` filter body mass (g) > 5", 19, "`Body Mass (g)`"),
      ("`la-riots` order Body Mass (g)", 18, "`Body Mass (g)`"),
    ])
  func backquotes(_ text: String, _ column: Int, _ name: String) throws {
    let error = try #require(throws: QueryError.self) {
      try QueryDocument(text: text, schema: Self.odd)
    }
    #expect(error.hint == "Put the name in backquotes: \(name).")
    #expect(error.position?.column == column)
  }

  @Test("a suggested name is shown as written in queries")
  func backquotesOfNearest() throws {
    for text in ["riots", "`la-riot`"] {
      let error = try #require(throws: QueryError.self) {
        try QueryDocument(text: text, schema: Self.odd)
      }
      #expect(
        error.hint
          == (text == "riots"
            ? "Available: `la-riots`, `2024`, `my data (1)`." : "Did you mean `la-riots`?"))
    }
  }

  @Test(
    "a date in a query is the day that it names",
    arguments: [
      ("Jan 1 2027", "2027-01-01"), ("January 1, 2027", "2027-01-01"),
      ("1 Jan 2027", "1 Jan 2027"), ("1/1/2027", "1/1/2027"), ("2027-01-01", "2027-01-01"),
      ("2027", "2027"), ("2026-12-31T20:00:00-08:00", "2026-12-31T20:00:00-08:00"),
      ("Fri Jan 01 2027", "Fri Jan 01 2027"), ("2024-02-29", "2024-02-29"),
    ])
  func dates(_ written: String, _ read: String) throws {
    for text in ["date '\(written)'", "'\(written)'"] {
      let node = try ConditionNode(
        parsing: "founded < \(text)", of: "cities", schema: Self.schema)
      #expect(node == .compare("founded", .less, .text(read)))
    }
    let day = try #require(Instant(read)).milliseconds / 86_400_000
    let names = written.hasPrefix("2024") ? 19_782 : 20_819
    #expect(Int(day) == names)
  }

  @Test(
    "a date in JSON that would be misread is rejected",
    arguments: ["2026-13-45", "2026-02-30", "99999", "-1", "Jan 1 2027", "soon"])
  func datesInJSON(_ date: String) throws {
    let query = #"{"cities": {"$": {"where": {"founded": {"$lt": "\#(date)"}}}}}"#
    let error = try #require(throws: QueryError.self) {
      try QueryDocument(text: query, schema: Self.schema)
    }
    #expect(error.message.contains("'founded'"))
    #expect(error.message.contains(date))
  }

  @Test("JSON from users is checked, too")
  func json() throws {
    let good = #"{"cities": {"$": {"where": {"population": 5}}}}"#
    #expect(try QueryDocument(text: good, schema: Self.schema).plans.count == 1)
    let error = try #require(throws: QueryError.self) {
      try QueryDocument(text: #"{"citis": {}}"#, schema: Self.schema)
    }
    #expect(error.hint == "Did you mean 'cities'?")
  }
}

extension Attribute {
  static func of(_ namespace: String, _ label: String, _ type: CheckedType? = nil) -> Attribute {
    Attribute(id: AttributeID("\(namespace).\(label)"), namespace: namespace, label: label).with {
      $0.checkedType = type
    }
  }

  static func link(
    _ namespace: String, _ label: String, _ target: String, _ reverse: String
  ) -> Attribute {
    Attribute(
      id: AttributeID("\(namespace).\(label)"), namespace: namespace, label: label,
      reverse: Name(namespace: target, label: reverse), valueType: .ref)
  }
}
