import InstaQL
import Testing
import Triples

@Suite("Completion of query text")
struct QueryCompletionTests {
  private static let schema = Schema([
    .of("cities", "id"), .of("cities", "name", .string), .of("cities", "population", .number),
    .of("cities", "capital", .boolean), .of("cities", "order"), .of("cities", "founded", .date),
    .link("cities", "country", "countries", "cities"), .of("countries", "name", .string),
    .of("countries", "code", .string),
  ])

  private func next(_ text: String, scope: String? = nil) -> QueryCompletion {
    QueryCompletion(text, at: text.utf8.count, scope: scope, schema: Self.schema)
  }

  @Test(
    "the words of a value without quotes are one word",
    arguments: [
      ("cities filter name =West", "West"), ("cities filter name = West ", "West "),
      ("cities filter name = West E", "West E"),
      ("cities filter name in (\"a\", West E", "West E"),
      ("cities filter name contains West E", "West E"),
      ("cities filter name = \"West\" an", "an"),
      ("cities filter name = West and po", "West and po"),
    ])
  func unquoted(text: String, word: String) {
    let found = next(text)
    #expect(String(decoding: text.utf8.dropFirst(found.start), as: UTF8.self) == word)
    #expect((found.valuesOf?.path == "name") == (word != "an"))
  }

  @Test(
    "a word after a field may be a value, unless an operator begins with it",
    arguments: [
      ("cities filter name wes", "wes"), ("cities filter name West E", "West E"),
      ("cities filter country.name pe", "pe"), ("cities filter population 3", "3"),
      ("cities filter name l", nil), ("cities filter name not", nil),
      ("cities filter name ", nil),
    ])
  func uncompared(text: String, word: String?) {
    let found = next(text)
    #expect((found.valuesOf != nil) == (word != nil))
    #expect(found.comparison == "= ")
    if let word {
      #expect(String(decoding: text.utf8.dropFirst(found.start), as: UTF8.self) == word)
    }
    #expect(next("cities filter name = wes").comparison.isEmpty)
  }

  @Test(
    "a word that another word must follow says so",
    arguments: [
      ("cities fil", "filter", true), ("cities lim", "limit", true), ("cities cou", "count", false),
      ("cities dis", "distinct", false), ("cities filter po", "population", false),
      ("cities filter population > 5 a", "and", true), ("cities filter no", "not", true),
      ("cities filter tog", "together", false), ("cities filter name l", "like", true),
      ("cities filter name is ", "null", false), ("cities filter population ", "=", false),
      ("cities filter population ", "between", true), ("cities filter founded in ", "last", true),
      ("cities filter founded in last 7 ", "days", false), ("cities filter any ", "country", false),
      ("cities order population d", "desc", false), ("cities aggregate me", "median", true),
      ("cities aggregate cou", "count", false), ("cities aggregate count(di", "distinct", true),
      ("cities fields population / 2 ", "as", true),
      ("cities fields population / le", "length", false),
    ])
  func following(text: String, word: String, isNeeded: Bool) throws {
    let candidate = try #require(next(text).candidates.first { $0.text == word })
    #expect(candidate.needsWord == isNeeded)
  }

  static let cases: [(String, [String])] = [
    ("", ["cities", "countries"]),
    ("cou", ["countries"]),
    ("countries; cit", ["cities"]),
    ("cities fil", ["filter"]),
    ("cities ", ["filter", "search", "order", "limit", "fields", "with", "count", "group"]),
    ("cities filter po", ["population"]),
    ("cities filter population > 5 a", ["and", "aggregate"]),
    ("cities filter country.", ["name", "code", "cities"]),
    ("cities filter country.na", ["name"]),
    ("cities filter country.cities.capital = ", ["true", "false"]),
    ("cities filter capital = t", ["true"]),
    ("cities filter name l", ["like", "limit", "last"]),
    ("cities filter name is ", ["null", "not null"]),
    ("cities filter ord", ["`order`"]),
    ("cities filter `or", ["`order`"]),
    ("cities order po", ["population"]),
    ("cities order population d", ["desc"]),
    ("cities fields name, cap", ["capital"]),
    ("cities with ", ["country"]),
    ("cities with country { fil", ["filter"]),
    ("cities with country { filter co", ["code"]),
    ("cities filter any country (co", ["code"]),
    ("cities filter sea", ["search"]),
    ("cities aggregate me", ["median"]),
    ("cities aggregate sum po", ["population"]),
    ("cities group country.name h", ["having"]),
    ("cities group country.name having ", ["country.name", "count"]),
    ("countries filter cities.count > 5 ", ["and", "or"]),
    ("cities filter low", ["lower"]),
    ("cities filter name ma", ["matches"]),
    ("cities fields population / le", ["length"]),
    ("cities fields lower(na", ["name"]),
    ("cities fields lower(", ["id", "name", "`order`", "country"]),
    ("cities fields year(", ["`order`", "founded", "country"]),
    ("cities fields year(to", ["today", "tomorrow"]),
    ("cities aggregate sum(", ["population", "`order`", "country"]),
    ("cities aggregate sum(population), max(", ["id", "name", "population"]),
    ("countries filter sum(cities.", ["population", "`order`", "country"]),
    ("cities order ro", ["round"]),
    ("cities group by ye", ["year"]),
    ("countries order cities.coun", ["country", "count"]),
    ("countries filter cities.coun", ["country", "count"]),
    ("cities order country.coun", []),
    ("cities filter country.lo", []),
    ("cities filter nonsense = 5 a", []),
    ("cities filter founded > ", ["today", "yesterday", "tomorrow", "now"]),
    ("cities filter founded in ", ["last", "next", "this"]),
    ("cities filter founded not in n", ["next"]),
    (
      "cities filter founded in last 7 ",
      ["days", "weeks", "months", "quarters", "years", "hours", "minutes"]
    ),
    ("cities filter founded < 2 hours ", ["ago", "from now"]),
    ("cities filter any ", ["country"]),
    ("countries filter no c", ["cities"]),
    ("cities aggregate count(distinct po", ["population"]),
    ("countries filter count(distinct cit", ["cities"]),
    ("cities fields population / 2 ", ["as", "filter"]),
    ("cities with country { fields length(name) ", ["as", "filter"]),
    ("cities group population / 2 ", ["as", "filter"]),
    ("cities aggregate sum(population) a", ["as", "aggregate"]),
    ("cities fields name a", ["aggregate", "after", "as"]),
    ("cities fields population, country.name a", ["aggregate", "after", "as"]),
    ("cities with country { fields name a", ["after", "as"]),
    ("cities group country.name a", ["aggregate", "after", "as"]),
    ("countries fields cities.name a", ["aggregate", "after"]),
    ("cities group country.name ", ["filter"]),
    ("cities with country { gr", []),
    ("cities with country { agg", []),
    ("cities with country { hav", []),
    ("cities with country { dis", []),
    ("cities with country { limit 1 } gr", ["group"]),
    ("cities having ", []),
    ("countries filter cities.count ", ["=", "!=", "<", "<=", ">", ">=", "in"]),
    ("countries filter count(cities) b", ["between"]),
    ("countries filter sum(cities.population) ", ["=", "!=", "<", "<=", ">", ">=", "in"]),
    ("cities filter population ", ["=", "!=", "<", "<=", ">", ">=", "in"]),
    ("countries filter tog", ["together"]),
    ("cities filter $", ["$entityIdStartsWith"]),
    ("cities filter name = fi", ["field"]),
    ("cities filter name in (fi", []),
    ("cities filter name = field(ro", []),
    ("cities filter founded > da", ["date"]),
    ("cities filter population / no", []),
    ("cities filter founded = 3 days ", ["ago", "from now"]),
    ("cities filter founded in this ", ["day", "week", "month", "quarter", "year"]),
    ("countries filter count(di", ["distinct"]),
    ("cities aggregate count(di", ["distinct"]),
    ("cities order server", ["serverCreatedAt"]),
    ("cities group country.name having n", ["not"]),
    ("cities group country.name having rou", ["round"]),
    ("cities group country.name having su", ["sum"]),
    ("cities group country.name having coun", ["count", "country.name"]),
    ("cities group country.name having sum(po", ["population"]),
  ]

  @Test("a number is described, and not suggested")
  func described() {
    let limit = next("cities limit ")
    #expect(limit.candidates.isEmpty && limit.description == "a whole number of at least 1")
    #expect(next("cities offset ").description == "a whole number of at least 0")
    for text in ["cities limit 5", "cities limit 5 ", "cities filter name is ", "cities "] {
      #expect(next(text).description == nil, "\(text)")
    }
  }

  @Test("a name precedes longer names that begin with it, such as a link its column")
  func shorterNamesFirst() {
    let schema = Schema([
      .of("countries", "name_full", .string), .of("countries", "name", .string),
      .of("countries", "continent_id", .string),
      .link("countries", "continent", "continents", "countries"),
    ])
    func found(_ text: String) -> [String] {
      let found = QueryCompletion(text, at: text.utf8.count, schema: schema)
      return Array(found.candidates.prefix(2).map(\.text))
    }
    #expect(found("countries group cont") == ["continent", "continent_id"])
    #expect(found("countries filter na") == ["name", "name_full"])
  }

  @Test("valid names and keywords are suggested", arguments: cases)
  func candidates(_ typed: String, _ expected: [String]) {
    let found = next(typed).candidates.map(\.text)
    #expect(Array(found.prefix(expected.count)) == expected)
    if expected.isEmpty { #expect(found.isEmpty) }
  }

  @Test("a candidate has the kind that it will have in the query")
  func kinds() {
    #expect(next("cities filter capital = ").candidates.map(\.kind) == [.boolean, .boolean])
    #expect(next("cities filter low").candidates.map(\.kind) == [.function])
  }

  @Test("a candidate replaces the word at the cursor, including quotes")
  func start() {
    #expect(next("cities fil").start == 7)
    #expect(next("cities filter name = \"Pa ri").start == 21)
    #expect(next("cities filter `or").start == 14)
    #expect(next("cities ").start == 7)
    #expect(QueryCompletion("cities filter", at: 3, schema: Self.schema).start == 0)
  }

  @Test("where a value is expected, the result contains the field")
  func values() {
    let field = QueryCompletion.Field(namespace: "cities", path: "country.name")
    #expect(next("cities filter country.name = ").valuesOf == field)
    #expect(next("cities filter country.name = \"Fr").valuesOf == field)
    #expect(next("cities filter country.name in (\"France\", ").valuesOf == field)
    #expect(next("cities filter country.name like ").valuesOf == field)
    #expect(next("cities filter country.name ").valuesOf == nil)
    #expect(
      next("cities with country { filter code = ").valuesOf
        == QueryCompletion.Field(namespace: "countries", path: "code"))
  }

  @Test("a part of a value may follow an operator on texts")
  func patterns() {
    for words in ["like ", "ilike ", "matches \"Fr", "contains Fr", "begins ", "ends "] {
      #expect(next("cities filter country.name " + words).isPattern, "\(words)")
    }
    for words in ["", "= ", "= \"Fr", "in (", "in (\"Fr\", ", "like \"Fr%\" and "] {
      #expect(!next("cities filter country.name " + words).isPattern, "\(words)")
    }
  }

  @Test("a link is compared with the names of its targets, if they are unique")
  func names() {
    var name = Attribute.of("countries", "name", .string)
    name.isUnique = true
    let schema = Schema([
      .of("cities", "id"), .link("cities", "country", "countries", "cities"), name,
    ])
    let field = QueryCompletion.Field(namespace: "cities", path: "country.name")
    for typed in [
      "cities filter country = ", "cities filter country = \"Fr", "cities filter country begins ",
      "cities filter country in (\"France\", ",
    ] {
      let found = QueryCompletion(typed, at: typed.utf8.count, schema: schema)
      #expect(found.valuesOf == field, "\(typed)")
    }
    #expect(
      next("cities filter country = ").valuesOf
        == QueryCompletion.Field(namespace: "cities", path: "country"))
  }

  @Test("after a dot, the result contains the path to JSON whose keys may follow")
  func keys() {
    let field = QueryCompletion.Field(namespace: "cities", path: "order")
    let inner = QueryCompletion.Field(namespace: "cities", path: "order.size")
    for clause in ["filter", "fields", "order", "group", "aggregate sum"] {
      #expect(next("cities \(clause) `order`.").keysOf == field, "\(clause)")
      #expect(next("cities \(clause) `order`.si").keysOf == field, "\(clause)")
      #expect(next("cities \(clause) `order`.size.").keysOf == inner, "\(clause)")
      #expect(next("cities \(clause) `order`.").candidates.isEmpty, "\(clause)")
    }
    #expect(
      next("countries filter cities.`order`.").keysOf
        == QueryCompletion.Field(namespace: "countries", path: "cities.order"))
    #expect(next("cities filter name.").keysOf == nil)
    #expect(next("cities filter country.").keysOf == nil)
  }

  @Test("a condition alone has its namespace and no clauses")
  func scope() {
    #expect(next("po", scope: "cities").candidates.map(\.text) == ["population"])
    #expect(next("population > 5 ", scope: "cities").candidates.map(\.text) == ["and", "or"])
  }

  @Test("operators and links have descriptions")
  func notes() throws {
    let operators = next("cities filter name ").candidates
    #expect(operators.first { $0.text == "like" }?.note == WhereOperator.like.help)
    #expect(next("cities with ").candidates.first?.note == "→ countries")
    for text in [
      "cities filter founded in ", "cities filter founded > ", "cities filter population > 5 ",
      "cities fields population / 2 ", "cities filter ", "cities filter name ",
      "cities filter name is ", "cities filter name not ", "cities filter founded = 3 days ",
      "cities filter population between 1 ", "cities order name ", "countries filter cities.count ",
      "cities group name having ", "cities aggregate ", "cities fields ",
      "cities filter capital = ",
    ] {
      #expect(next(text).candidates.filter(\.note.isEmpty).isEmpty, "\(text)")
    }
    #expect(next("cities fields ").candidates.contains { $0.text == "*" })
  }
}
