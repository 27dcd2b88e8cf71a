import InstaQL
import TerminalUI
import Testing
import Triples

@testable import Explorer

@Suite("Views and notations")
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

  @Test("a to-one link is an object, not a list, as on the command line")
  func single() throws {
    let plan = QueryPlan("plants").filter(.compare("name", .equal, "Fig")).with("bed") {
      $0.fields(["name"])
    }
    var screen = try Screen(columns: 90, rows: 26, query: plan)
    screen.press("v")
    let tree = try #require(screen.line(with: " bed  "))
    #expect(tree.contains("{2} South wall"), "\(tree)")
    screen.press("v")
    #expect(screen.text.contains(#""bed": {"#), "\(screen.text)")
    let answer = try QueryEngine.answer(plan, in: screen.store)
    let catalog = Catalog(snapshot: StoreSnapshot(screen.store))
    var portions = Rendering(.result(.json), of: answer, in: catalog).portions()
    var bytes: [UInt8] = []
    while let next = try portions.next() { bytes += next }
    #expect(String(decoding: bytes, as: UTF8.self).contains(#""bed":{"name":"South wall""#))
  }

  @Test("a tree formats values like the table")
  func words() throws {
    let schema = #"""
      {"entities": {
        "beds": {"key": "key", "label": "name", "attrs": {
          "key": {"valueType": "string"}, "name": {"valueType": "string"},
          "area": {"valueType": "number"}}},
        "plants": {"key": "key", "label": "name", "attrs": {
          "key": {"valueType": "string"}, "name": {"valueType": "string"},
          "height": {"valueType": "number"},
          "sown": {"valueType": "date"}}}},
       "links": {"bedPlants": {"forward": {"on": "plants", "label": "bed", "has": "one"},
                               "reverse": {"on": "beds", "label": "plants", "has": "many"}}}}
      """#
    let plants =
      #"[{"key": "fig-1", "name": "Fig", "height": 12691836, "sown": 0, "bed": "south"}]"#
    var screen = try Screen(
      columns: 110, rows: 40, query: QueryPlan("beds").with("plants"),
      store: try Garden.store(schema: schema, plants: plants))
    screen.press("v")
    for words in ["} Fig", "12,691,836", "1970-01-01", "10,000"] {
      #expect(screen.text.contains(words), "\(words)\n\(screen.text)")
    }
    screen.press("v")
    #expect(screen.text.contains("12691836"))
  }

  @Test("the cursor stays on its entity in every view")
  func cursor() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("v right right v v y y")
    #expect(screen.effects.last == .copy("Mint"))
  }

  @Test("a tree stays within its rows for any entity")
  func longEntity() throws {
    let list = (0..<5_000).map(String.init).joined(separator: ",")
    let store = try Garden.store(plants: #"[{"key": "fig", "name": "Fig", "x": [\#(list)]}]"#)
    var screen = try Screen(query: QueryPlan("plants"), store: store)
    screen.press("v")
    #expect(screen.text.contains("Fig"))
    screen.press("v")
    #expect(screen.text.contains("4"))
  }

  /// A plant with a list longer than any screen, and one more after it.
  private static func longStore() throws -> TripleStore {
    let list = (0..<300).map { "\"leaf \($0)\"" }.joined(separator: ",")
    return try Garden.store(
      plants: """
        [{"key": "fig", "name": "Fig", "x": [\(list)]}, {"key": "mint", "name": "Mint", "x": []}]
        """)
  }

  @Test("the cursor moves by lines through a long document")
  func lines() throws {
    var screen = try Screen(
      rows: 20, query: QueryPlan("plants").order("name"), store: try Self.longStore())
    screen.press("v v")
    for _ in 0..<40 { screen.press("down") }
    #expect(screen.text.contains("leaf 34"))
    #expect(!screen.text.contains("leaf 10\""))
    screen.press("pagedown pagedown")
    #expect(screen.text.contains("leaf 59"))
    screen.press("$")
    #expect(screen.text.contains("leaf 299"))
    screen.press("down down down down")
    #expect(screen.workspace.view().selectedText?.contains("Mint") == true)
    screen.press("g")
    #expect(screen.text.contains("leaf 0\""))
    screen.press("G")
    #expect(screen.row(17).contains("}"))
  }

  @Test("left and right go from document to document")
  func documents() throws {
    var screen = try Screen(
      rows: 20, query: QueryPlan("plants").order("name"), store: try Self.longStore())
    screen.press("v right")
    #expect(screen.workspace.view().selectedText == "Mint")
    screen.press("down left")
    #expect(screen.workspace.view().selectedText == "Mint")
    screen.press("left")
    #expect(screen.workspace.view().selectedText == "Fig")
  }

  @Test("a search continues in the next document, and escape returns")
  func finding() throws {
    var screen = try Screen(
      rows: 20, query: QueryPlan("plants").order("name"), store: try Self.longStore())
    screen.press("v down /")
    screen.type("leaf 2")
    #expect(screen.workspace.view().selectedText(of: .matchCurrent)?.contains("leaf 2") == true)
    screen.type("75")
    #expect(screen.text.contains("leaf 275"))
    screen.press("escape")
    #expect(!screen.text.contains("leaf 275"))
    screen.press("/")
    screen.type("mint")
    screen.press("enter")
    #expect(screen.text.contains("Mint"))
    screen.press("n")
    #expect(screen.workspace.view().selectedText(of: .matchCurrent)?.contains("mint") == true)
  }

  @Test("keys act on the value of the line under the cursor")
  func column() throws {
    var screen = try Screen(query: QueryPlan("plants").order("name"))
    screen.press("v")
    for _ in 0..<3 where screen.workspace.view().selectedText?.contains("name") != true {
      screen.press("down")
    }
    screen.press("y y")
    #expect(screen.effects.last == .copy("Fig"))
  }

  @Test("enter opens the record of the document, whichever column the table had selected")
  func opening() throws {
    var screen = try Screen(query: QueryPlan("plants").order("name"))
    screen.press("4 $ v enter")
    #expect(screen.hears("Record"), "\(screen.text)")
    #expect(screen.watched.last?.document.text == "plants order name")
  }

  @Test(
    "the query is spelled as text, InstaQL and Swift",
    arguments: [
      (0, "beds filter area < 100 with plants"), (1, #""$lt":100"#), (2, #"QueryPlan("beds")"#),
      (3, "beds filter area < 100 with plants"),
    ])
  func spellings(times: Int, text: String) throws {
    var screen = try Screen(columns: 120, query: Self.plan)
    for _ in 0..<times { screen.press("i") }
    #expect(screen.text.contains(text))
  }
}

extension Frame {
  /// The text of the row that is laid on `ground`, without the blanks around it.
  func selectedText(of ground: Role = .selection) -> String? {
    for row in 0..<size.rows {
      let text = runs(row: row).filter { $0.paint.ground == ground }.map(\.text).joined()
      let words = text.split(separator: " ").joined(separator: " ")
      if !words.isEmpty { return words }
    }
    return nil
  }

  var selectedText: String? { selectedText() }
}
