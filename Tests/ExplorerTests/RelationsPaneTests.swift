import Explorer
import InstaQL
import Testing
import Triples

@Suite("Choosing relations")
struct RelationsPaneTests {
  @Test("relations are chosen from a tree to any depth")
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

  @Test("enter takes in what the cursor is on, keeps what is taken in, and closes the tree")
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

  @Test("a filter of a relation completes and complains in the terms of where it leads")
  func scope() throws {
    var screen = try Screen(columns: 120, rows: 20, query: QueryPlan("beds"))
    screen.press("w space F")
    screen.type("hei")
    #expect(screen.text.contains("height"))
    screen.type("ghtt = 3")
    screen.press("enter")
    #expect(screen.text.contains("'heightt'"))
  }

  @Test("what is not nested has nothing to filter, and says what to press")
  func notNested() throws {
    var screen = try Screen(query: QueryPlan("beds"))
    screen.press("w F")
    #expect(screen.row(23).contains("space"))
  }

  @Test("undo and redo hold in the tree as well")
  func undo() throws {
    var screen = try Screen(query: QueryPlan("beds"))
    screen.press("w space u")
    #expect(screen.text.contains("[ ] ▾ plants"))
    screen.press("ctrl-r")
    #expect(screen.text.contains("[x]"))
  }

  @Test("the order can be typed, and a wrong one says why")
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

  @Test("fold goes to the link above, and a fold is a fold until it is opened")
  func folding() throws {
    var screen = try Screen(columns: 150, query: QueryPlan("plants"))
    screen.press("w > down <")
    #expect(screen.text.contains("▾ bed"))
    screen.press("<")
    #expect(screen.text.contains("▸ bed"))
  }
}
