import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("Readable queries")
struct ReadableQueryTests {
  private static func screen() throws -> Screen {
    try Screen(columns: 110, rows: 24, query: QueryPlan("plants").order("name"))
  }

  @Test("linked entities are shown by label, also with other filters; InstaQL has the id")
  func comingFrom() throws {
    var screen = try Self.screen()
    screen.press("4 $ enter")
    #expect(screen.row(2).contains("beds filter plants.name = \"Fig\" "), "\(screen.text)")
    screen.press("F end")
    screen.type(" and area > 0")
    screen.press("enter")
    #expect(
      screen.row(2).contains("beds filter plants.name = \"Fig\" and area > 0 "), "\(screen.text)")
    screen.press("i")
    #expect(screen.row(2).contains("{\"plants.id\":\""))
  }

  @Test("the label follows changes, and a deleted entity is shown by id")
  func renamed() throws {
    var screen = try Self.screen()
    screen.press("4 $ enter")
    let name = try #require(screen.store.schema.attribute("plants", "name"))
    let fig = try #require(
      screen.store.rows(of: "plants").handles.first {
        screen.store.value($0, name.id) == .text("Fig")
      })
    let id = screen.store.id(of: fig)
    try screen.transact([.addTriple(.id(id), name.id, "Common fig")])
    #expect(screen.row(2).contains("plants.name = \"Common fig\" "))
    try screen.transact([.deleteEntity(.id(id), namespace: "plants")])
    #expect(screen.row(2).contains("plants.id = \""))
  }

  @Test("the label of an entity is a comment after its id if others have the same label")
  func sameLabel() throws {
    let plants =
      #"[{"key": "a", "name": "Fig", "bed": "pond"}, {"key": "b", "name": "Fig */ 2"}, "#
      + #"{"key": "c", "name": "Fig */ 2", "bed": "pond"}, {"key": "d", "name": "Fig"}]"#
    let store = try Garden.store(plants: plants)
    for (key, comment) in [("a", "Fig"), ("c", "Fig * / 2")] {
      let found = try QueryEngine.answer(QueryPlan("plants").filter("key = \(key)"), in: store)
      let id = store.id(of: try #require(found.rows.first)).text
      let plan = QueryPlan("beds").filter(.compare("plants.id", .equal, .text(id))).order("area")
      let screen = try Screen(columns: 150, query: plan, store: store)
      let shown = "beds filter plants.id = \"\(id)\" /* \(comment) */ order area"
      #expect(screen.line(with: shown) != nil, "\(screen.text)")
      #expect(try QueryDocument(text: shown, schema: store.schema).plans == [plan])
    }
  }

  @Test("a filter by a link shows the target's label")
  func menu() throws {
    var screen = try Self.screen()
    screen.press("4 $ f")
    #expect(screen.text.contains("=  bed = South wall "), "\(screen.text)")
    #expect(screen.text.contains("!  bed != South wall "))
  }

  @Test(
    "a line to edit has the labels of the query pane, and keeps the ids",
    arguments: [
      ("F", "and height > 260", " and height > 260 order name"),
      ("Q", "limit 1", " order name limit 1"),
    ])
  func edited(key: String, typed: String, query: String) throws {
    var screen = try Self.screen()
    screen.press("4 $ f =")
    let before = try #require(screen.watched.last?.document.text)
    #expect(before.hasPrefix("plants filter bed.id = "))
    screen.press(key)
    #expect(screen.row(2).contains("bed.name = \"South wall\" "), "\(screen.text)")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == before)
    screen.press(key)
    screen.type(typed)
    screen.press("enter")
    #expect(
      screen.watched.last?.document.text == before.replacing(" order name", with: query),
      "\(screen.text)")
  }

  @Test("a further filter by a cell has the label, too")
  func further() throws {
    var screen = try Self.screen()
    screen.press("4 $ f = 0 l f >")
    #expect(
      screen.row(2).contains("bed.name = \"South wall\" and height > 250"), "\(screen.text)")
  }
}
