import InstaQL
import Testing
import Triples

@Suite("Queries as Swift code")
struct SwiftSpellingTests {
  @Test("a query is a chain of calls that creates it again")
  func calls() throws {
    // The text below as Swift code.
    let plan = try QueryPlan("cities")
      .filter(#"population > 5 and country.name = "France""#)
      .order("population", .descending)
      .limit(20)
      .with("country") { $0.fields(["name"]) }
      .with("twins") {
        try $0
          .filter("population > 1")
          .limit(3)
      }
    let spelling = ##"""
      try QueryPlan("cities")
        .filter(#"population > 5 and country.name = "France""#)
        .order("population", .descending)
        .limit(20)
        .with("country") { $0.fields(["name"]) }
        .with("twins") {
          try $0
            .filter("population > 1")
            .limit(3)
        }
      """##
    #expect(QueryDocument(plan).swiftSpelling == spelling)
  }

  @Test("plain queries, several queries, and queries in JSON are supported")
  func others() {
    #expect(QueryDocument(QueryPlan("a")).swiftSpelling == "QueryPlan(\"a\")")
    let two = QueryDocument([QueryPlan("a").count(), QueryPlan("b").with("c")])
    #expect(
      two.swiftSpelling == """
        QueryDocument([
          QueryPlan("a")
            .count(),
          QueryPlan("b")
            .with("c"),
        ])
        """)
    let cursor = Cursor(
      entity: EntityID("x"), attribute: AttributeID("a"), value: nil, createdAt: 3)
    #expect(
      QueryDocument(QueryPlan("a").page(first: 2, after: cursor)).swiftSpelling
        == ##"try QueryDocument(json: #"{"a":{"$":{"after":["x","a",null,3],"first":2}}}"#)"##)
  }

  @Test("strings keep quotes, backslashes and marks")
  func literals() {
    let names = [("a\"b", "#\"a\"b\"#"), ("a\"#b", "##\"a\"#b\"##"), ("a\\b", "#\"a\\b\"#")]
    for (name, literal) in names {
      #expect(QueryDocument(QueryPlan(name)).swiftSpelling == "QueryPlan(\(literal))")
    }
  }
}
