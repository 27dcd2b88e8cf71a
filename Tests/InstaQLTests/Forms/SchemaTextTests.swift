import InstaQL
import Testing
import Triples

@Suite("With a schema, a text is checked as it is read")
struct SchemaTextTests {
  static let schema = Schema([
    .of("cities", "id"), .of("cities", "name", .string), .of("cities", "population", .number),
    .of("cities", "capital", .boolean), .of("cities", "founded", .date), .of("cities", "notes"),
    .link("cities", "country", "countries", "cities"), .of("countries", "name", .string),
    .of("countries", "id"),
  ])

  @Test(
    "what fits is read",
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

  private static let dates = "Write 2025-01-31, or 2025-01-31T10:00:00Z."

  static let faults: [(String, Int, String, String?)] = [
    ("citis", 1, "a namespace", "Did you mean 'cities'?"),
    ("cities filter popluation > 5", 15, "a field of 'cities'", "Did you mean 'population'?"),
    ("cities filter contry.name = 'x'", 15, "a link of 'cities'", "Did you mean 'country'?"),
    ("cities filter country.nam = 'x'", 23, "a field of 'countries'", "Did you mean 'name'?"),
    ("cities filter name.x = 1", 15, "a link of 'cities'", "Known: country."),
    ("cities filter population > '5'", 28, "a number", nil),
    ("cities filter name in ('a', 5)", 29, "a text in quotes", nil),
    ("cities filter capital = 1", 25, "true or false", nil),
    ("cities filter founded > date 'soon'", 30, "a date", dates),
    ("cities filter founded > 'soon'", 25, "a date", dates),
    ("cities filter founded > true", 25, "a date in quotes, or milliseconds since 1970", nil),
    ("cities filter country = 5", 25, "an id in quotes", nil),
    ("cities filter name", 19, "a comparison after 'name', which is no boolean", nil),
    ("cities filter name limit 2", 20, "a comparison after 'name', which is no boolean", nil),
    ("cities order nam", 14, "a field of 'cities'", "Did you mean 'name'?"),
    ("cities fields nam", 15, "a field of 'cities'", "Did you mean 'name'?"),
    ("cities with contry", 13, "a link of 'cities'", "Did you mean 'country'?"),
    (
      "cities with country { filter populaton > 5 }", 30, "a field of 'countries'",
      "Known: name, id, cities."
    ),
    (
      "cities filter any country (capital)", 28, "a field of 'countries'",
      "Known: name, id, cities."
    ),
  ]

  @Test("what does not is shown at its place", arguments: faults)
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
  @Test("JSON that was typed is checked too")
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
    Attribute(
      id: AttributeID("\(namespace).\(label)"), namespace: namespace, label: label,
      checkedType: type)
  }

  static func link(
    _ namespace: String, _ label: String, _ target: String, _ reverse: String
  ) -> Attribute {
    Attribute(
      id: AttributeID("\(namespace).\(label)"), namespace: namespace, label: label,
      reverse: Name(namespace: target, label: reverse), valueType: .ref)
  }
}
