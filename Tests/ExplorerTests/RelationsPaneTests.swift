import Explorer
import InstaQL
import Testing
import Triples

@Suite("Relations pane")
struct RelationsPaneTests {
  @Test("relations can be selected from a tree of any depth")
  func tree() throws {
    var screen = try Screen(columns: 150, rows: 20, query: QueryPlan("plants"))
    screen.press("w > down > down space")
    #expect(
      screen.watched.last?.document.text
        == "plants with bed { with plants { with bed } }")
    screen.press("[ w")
    try expectScreen(screen.text, named: "relations")
    screen.press("space")
    #expect(screen.watched.last?.document.text == "plants")
  }

  @Test("enter includes the relation under the cursor and closes the tree")
  func entering() throws {
    for keys in ["w enter", "w space enter"] {
      var screen = try Screen(columns: 150, rows: 20, query: QueryPlan("plants"))
      screen.press(keys)
      #expect(screen.watched.last?.document.text == "plants with bed", "\(keys)")
      #expect(!screen.text.contains("Relations of"), "\(keys)")
    }
  }

  @Test("each relation has a filter, an order and a limit of its own")
  func clauses() throws {
    var screen = try Screen(columns: 150, rows: 20, query: QueryPlan("beds"))
    screen.press("w space F")
    screen.type("height > 50")
    screen.press("enter s")
    screen.type("height desc")
    screen.press("enter L")
    screen.type("1")
    screen.press("enter")
    #expect(
      screen.watched.last?.document.text
        == "beds with plants { filter height > 50 order height desc limit 1 }")
    try expectScreen(screen.text, named: "relation-clauses")
    screen.press("F ctrl-u enter")
    #expect(
      screen.watched.last?.document.text
        == "beds with plants { order height desc limit 1 }")
  }

  @Test("the filter of a relation is completed and checked in its target namespace")
  func scope() throws {
    var screen = try Screen(columns: 120, rows: 20, query: QueryPlan("beds"))
    screen.press("w space F")
    screen.type("hei")
    #expect(screen.text.contains("height"))
    screen.type("ghtt = 3")
    screen.press("enter")
    #expect(screen.text.contains("'heightt'"))
  }

  @Test("a relation outside of the query has no filter and shows the key that includes it")
  func notNested() throws {
    var screen = try Screen(query: QueryPlan("beds"))
    screen.press("w F")
    #expect(screen.row(23).contains("space"))
  }

  @Test("undo and redo work in the tree")
  func undo() throws {
    var screen = try Screen(query: QueryPlan("beds"))
    screen.press("w space u")
    #expect(screen.text.contains("[ ] ▾ plants"))
    screen.press("ctrl-r")
    #expect(screen.text.contains("[x]"))
  }

  @Test("the sort can be typed, and an invalid one shows its error")
  func orderText() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("O")
    screen.type("hei")
    screen.press("tab")
    screen.type(" desc, name")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants order height desc, name")
    screen.press("O")
    #expect(screen.text.contains("height desc, name"))
    screen.type("x")
    screen.press("enter")
    #expect(screen.text.contains("namex"))
  }

  @Test("fold moves to the parent and keeps relations folded")
  func folding() throws {
    var screen = try Screen(columns: 150, query: QueryPlan("plants"))
    screen.press("w > down <")
    #expect(screen.text.contains("▾ bed"))
    screen.press("<")
    #expect(screen.text.contains("▸ bed"))
  }
}
