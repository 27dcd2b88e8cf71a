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
    expectBlock(
      """
      │ plants with bed { with plants { with bed } }                                                                            │
      │                                                                                                                         │
      ├─ [4] Results ────────────────────────── row 1 of 5 · top ─┤╭─ Relations of plants ───────────────────────── 3 included ─╮
      │ name  height  edible  sown        note  key   bed         ││ [x] ▾ bed → beds                                           │
      │ Fig      250  true    2019-04-01  ·     fig   South wall… █│   [x] ▾ plants ⇉ plants                                    │
      │  ╰ bed 1        area  key    plants                       █│     [x] ▸ bed → beds                                       │
      │    South wall   12.5  south  ⇉ 2: Fig, 梅 Ume             █│                                                            │
      │      ╰ plants 2    height  edible  sown        note  key  ││                                                            │
      │        Fig            250  true    2019-04-01  ·     fig  ││                                                            │
      │          ╰ bed 1        area  key    plants               ││                                                            │
      │            South wall   12.5  south  ⇉ 2: Fig, 梅 Ume     ││                                                            │
      │        梅 Ume         310  true    ∅           ·     ume  ││                                                            │
      │          ╰ bed 1                                          ││                                                            │
      │            South wall   12.5  south  ⇉ 2: Fig, 梅 Ume     ││                                                            │
      │ Iris      80  false   2022-03-15  ·     iris  By the pon… ││                                                            │
      │  ╰ bed 1                                                  ││                                                            │
      """, in: screen.text)
    screen.press("space")
    #expect(screen.watched.last?.document.text == "plants")
  }

  @Test("enter closes the tree, and only space includes the relation under the cursor")
  func entering() throws {
    for (keys, query) in ["w enter": "plants", "w space enter": "plants with bed"] {
      var screen = try Screen(columns: 150, rows: 20, query: QueryPlan("plants"))
      screen.press(keys)
      #expect(screen.watched.last?.document.text == query, "\(keys)")
      #expect(!screen.text.contains("Relations of"), "\(keys)")
    }
  }

  @Test("on an included relation, the hint says that enter goes to its column")
  func hint() throws {
    var screen = try Screen(columns: 150, rows: 20, query: QueryPlan("plants"))
    screen.press("w")
    #expect(screen.row(19).contains("enter done"), "\(screen.text)")
    screen.press("space")
    #expect(screen.row(19).contains("enter go to column"), "\(screen.text)")
  }

  @Test("numbers do not leave the tree or the list of columns", arguments: ["w", "c"])
  func digits(way: String) throws {
    for key in ["1", "2", "3", "4"] {
      var screen = try Screen(columns: 150, rows: 20, query: QueryPlan("plants"))
      screen.press("4 \(way) \(key)")
      #expect(screen.text.contains("does nothing in"), "\(screen.text)")
      #expect(screen.hears(way == "w" ? "Relations" : "Columns"))
    }
  }

  @Test("rows of a relation unfold when it is included, and fold when it is removed")
  func unfolding() throws {
    var screen = try Screen(columns: 150, query: QueryPlan("beds").order("name"))
    screen.press("4 w space")
    #expect(screen.line(with: "╰ plants 2") != nil, "\(screen.text)")
    screen.press("L")
    screen.type("1")
    screen.press("enter")
    #expect(screen.line(with: "╰ plants 1") != nil, "\(screen.text)")
    screen.press("space")
    #expect(screen.line(with: "╰ plants") == nil, "\(screen.text)")
    screen.press("escape u u u")
    #expect(screen.watched.last?.document.text == "beds order name")
    #expect(screen.line(with: "╰ plants") == nil, "\(screen.text)")
    screen.press("ctrl-r")
    #expect(screen.line(with: "╰ plants 2") != nil, "\(screen.text)")
  }

  @Test("a typed query unfolds the relations that it adds, at any depth")
  func unfoldingTyped() throws {
    var screen = try Screen(columns: 150, rows: 40, query: QueryPlan("plants").order("name"))
    screen.press("Q ctrl-u")
    screen.type("beds with plants { with bed }")
    screen.press("enter")
    #expect(screen.line(with: "╰ plants 2") != nil, "\(screen.text)")
    #expect(screen.line(with: "    ╰ bed 1") != nil, "\(screen.text)")
  }

  @Test("each relation has its own filter, order and limit")
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
    expectBlock(
      """
      │ beds with plants { filter height > 50 order height desc limit 1 }                                                       │
      │                                                                                                                         │
      ├─ [4] Results ──────────────────────────────── row 1 of 3 ─┤╭─ Relations of beds ─────────────────────────── 1 included ─╮
      │ name             area  key    plants                      ││ [x] ▾ plants ⇉ plants  filter height > 50 order height des…│
      │ South wall       12.5  south  ⇉ 1: 梅 Ume                 ││   [ ] ▸ bed → beds                                         │
      │  ╰ plants 1    ↓height  edible  sown        note  key     ││                                                            │
      │    梅 Ume          310  true    ∅           ·     ume     ││                                                            │
      │ By the pond       8.0  pond   ⇉ 1: Iris                   ││                                                            │
      │  ╰ plants 1                                               ││                                                            │
      │    Iris             80  false   2022-03-15  ·     iris    ││                                                            │
      │ Fallow       10,000.0  empty  ·                           ││                                                            │
      """, in: screen.text)
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

  @Test("a clause for a relation outside the query includes the relation, escape does not")
  func includingFirst() throws {
    var screen = try Screen(columns: 150, query: QueryPlan("beds"))
    for key in ["L", "F", "s"] {
      screen.press("w \(key)")
      #expect(screen.text.contains(" of plants"), "\(screen.text)")
      screen.press("escape escape")
      #expect(screen.watched.last?.document.text == "beds", "\(screen.text)")
    }
    screen.press("w L")
    screen.type("1")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "beds with plants { limit 1 }")
    screen.press("F")
    screen.type("height > 50")
    screen.press("enter")
    #expect(
      screen.watched.last?.document.text == "beds with plants { filter height > 50 limit 1 }")
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
    #expect(screen.text.contains("name x"))
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
