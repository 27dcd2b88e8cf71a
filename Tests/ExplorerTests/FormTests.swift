import Explorer
import InstaQL
import Testing
import Triples

@Suite("Forms and spellings")
struct FormTests {
  private static let plan = QueryPlan("beds").filter(.compare("area", .less, 100))
    .with("plants") { $0.fields(["name"]).order("name") }

  @Test("an answer as a tree and as JSON, with the relations of the query")
  func forms() throws {
    var screen = try Screen(columns: 90, rows: 26, query: Self.plan)
    screen.press("v")
    try expectScreen(screen.text, named: "tree")
    screen.press("v down")
    try expectScreen(screen.text, named: "json")
    screen.press("v")
    #expect(screen.text.contains("⇉ 2"))
  }

  @Test("the cursor is on the same entity in every form")
  func cursor() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("v down down v v y y")
    #expect(screen.effects.last == .copy("Mint"))
  }

  @Test("a tree keeps to its rows however long an entity is")
  func longEntity() throws {
    let list = (0..<5_000).map(String.init).joined(separator: ",")
    let store = try Garden.store(plants: #"[{"key": "fig", "name": "Fig", "x": [\#(list)]}]"#)
    var screen = try Screen(query: QueryPlan("plants"), store: store)
    screen.press("v")
    #expect(screen.text.contains("Fig"))
    screen.press("v")
    #expect(screen.text.contains("4"))
  }

  @Test(
    "the query is spelt as text, InstaQL and Swift",
    arguments: [
      (1, "beds filter area < 100 with plants"), (2, #""$lt":100"#), (3, #"QueryPlan("beds")"#),
      (4, "beds │ area < 100"),
    ])
  func spellings(times: Int, text: String) throws {
    var screen = try Screen(columns: 120, query: Self.plan)
    for _ in 0..<times { screen.press("i") }
    #expect(screen.text.contains(text))
  }
}
