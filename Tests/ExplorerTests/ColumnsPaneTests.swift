import Explorer
import InstaQL
import Notebooks
import TerminalUI
import Testing
import Triples

@Suite("Columns")
struct ColumnsPaneTests {
  @Test("a column at the edge is hidden if only a few characters fit")
  func slivers() throws {
    let plants = #"[{"key": "fig", "name": "Fig", "note": "a tree of the south", "bed": "south"}]"#
    let store = try Garden.store(plants: plants)
    for columns in 50...120 {
      let screen = try Screen(
        columns: columns, rows: 20, query: QueryPlan("plants"), store: store)
      let line = try #require(screen.line(with: " Fig "))
      #expect(!line.contains(/\ \ .?…│$/), "\(screen.text)")
    }
  }

  @Test("columns, including those of links, have the order of the fields")
  func fieldOrder() throws {
    for (text, titles) in [
      ("plants fields name, bed.name, height", ["name", "bed", "height"]),
      ("plants fields name, height with bed { fields name }", ["name", "height", "bed"]),
    ] {
      let plan = try QueryDocument(text: text).plans[0]
      let screen = try Screen(columns: 120, rows: 20, query: plan)
      let lines = screen.text.split(separator: "\n").map { line in
        line.split { !$0.isLetter }.map(String.init)
      }
      #expect(lines.contains { $0.contains(titles) }, "\(screen.text)")
    }
  }

  @Test("columns can be hidden, moved, sized and frozen, and settings are persisted")
  func pane() throws {
    var screen = try Screen(columns: 160, rows: 20, query: QueryPlan("plants"))
    screen.press("c down space down down J ! down + + +")
    expectBlock(
      """
      ├─ [4] Results ───────────────────────────────────── row 1 of 5 ─┤╭─ Columns ──────────────────────────────────────── 6 of 7 shown ─╮
      │ sown        name             edible  note  key   bed           ││ [x] sown                                        frozen, 10 wide │
      │ 2019-04-01  Fig              true    ·     fig   South wall →  ││ [x] name                                       15 wide (custom) │
      │ 2022-03-15  Iris             false   ·     iris  By the pond → ││ [ ] height                                                      │
      │ 2023-05-02  Mint             true    ·     mint  By the pond → ││ [x] edible                                               6 wide │
      │ ∅           梅 Ume           true    ·     ume   South wall →  ││ [x] note                                                 4 wide │
      │ ·           Odd␛[31m␉one     false   é     odd   ·             ││ [x] key                                                  4 wide │
      │                                                                ││ [x] bed                                                 13 wide │
      │                                                                ││                                                                 │
      """, in: screen.text)
    guard case .save(.columns(let settings, "plants"))? = screen.effects.last else {
      Issue.record("Nothing is remembered")
      return
    }
    #expect(settings.hidden == ["height"])
    #expect(settings.frozen == ["sown"])
    screen.press("r")
    #expect(screen.effects.last == .save(.columns(ColumnSettings(), namespace: "plants")))
  }

  @Test("one key hides, fits or sizes the column of the cursor")
  func inResults() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("l -")
    #expect(screen.notice == .hid("height"))
    #expect(!screen.row(5).contains("height"))
    screen.press("} } {")
    #expect(
      screen.effects.last
        == .save(
          .columns(
            ColumnSettings(hidden: ["height"], widths: ["edible": 7]), namespace: "plants")))
    screen.press("_ _")
    #expect(
      screen.effects.last
        == .save(
          .columns(
            ColumnSettings(hidden: ["height"], widths: ["edible": 8]), namespace: "plants")))
  }

  /// The titles of the results, from left to right.
  private static func titles(in screen: Screen) -> [String] {
    let known = ["name", "height", "edible", "sown", "note", "bed"]
    return screen.row(5).split { " │↑↓".contains($0) }.map(String.init).filter(known.contains)
  }

  @Test("a pair of keys moves the column of the cursor past its visible neighbors")
  func moving() throws {
    var screen = try Screen(columns: 120, query: QueryPlan("plants"))
    #expect(
      Self.titles(in: screen).prefix(4) == ["name", "height", "edible", "sown"],
      "\(screen.text)")
    screen.press("4 l - l H")
    #expect(Self.titles(in: screen).prefix(3) == ["name", "sown", "edible"], "\(screen.text)")
    #expect(screen.notice == .movedColumn("sown"))
    guard case .save(.columns(let settings, "plants"))? = screen.effects.last else {
      Issue.record("Nothing is remembered")
      return
    }
    #expect(settings.hidden == ["height"])
    #expect(settings.order.prefix(4) == ["name", "height", "sown", "edible"])
    screen.press("H")
    #expect(Self.titles(in: screen).prefix(3) == ["sown", "name", "edible"])
    screen.press("H")
    #expect(screen.notice == .alreadyFirst)
    screen.press("shift-right")
    #expect(Self.titles(in: screen).prefix(3) == ["name", "sown", "edible"])
    screen.press("$ J")
    #expect(screen.notice == .alreadyLast)
  }

  @Test("in the list, too, a column moves past hidden ones")
  func movingInList() throws {
    var screen = try Screen(columns: 160, query: QueryPlan("plants"))
    screen.press("4 l - c K")
    #expect(Self.titles(in: screen).prefix(2) == ["edible", "name"], "\(screen.text)")
  }

  @Test("a column moves only among the frozen columns or only among the others")
  func movingFrozen() throws {
    var screen = try Screen(columns: 120, query: QueryPlan("plants"))
    screen.press("4 ! l H")
    #expect(screen.notice == .alreadyFirst, "\(screen.text)")
    screen.press("h J")
    #expect(screen.notice == .alreadyLast)
  }

  @Test("a move begins with the order on the screen")
  func movingSorted() throws {
    // The column is out of view, so it moves next to the label.
    var screen = try Screen(columns: 40, query: QueryPlan("plants").order("sown"))
    #expect(Self.titles(in: screen).prefix(3) == ["name", "sown", "height"], "\(screen.text)")
    screen.press("4 l J")
    #expect(Self.titles(in: screen).prefix(3) == ["name", "height", "sown"], "\(screen.text)")
  }

  @Test("undo restores the columns, too, and widths in one step")
  func undoing() throws {
    func columns(_ settings: ColumnSettings) -> Effect {
      .save(.columns(settings, namespace: "plants"))
    }
    var screen = try Screen(columns: 120, query: QueryPlan("plants"))
    screen.press("4 l - } } } } s u")
    #expect(screen.watched.last?.document.text == "plants")
    screen.press("u")
    #expect(screen.notice == .columnsRestored)
    #expect(screen.effects.last == columns(ColumnSettings(hidden: ["height"])))
    screen.press("u")
    #expect(screen.effects.last == columns(ColumnSettings()))
    #expect(Self.titles(in: screen).prefix(2) == ["name", "height"], "\(screen.text)")
    screen.press("u")
    #expect(screen.notice == .nothingToUndoInQuery)
    screen.press("ctrl-r")
    #expect(screen.effects.last == columns(ColumnSettings(hidden: ["height"])))
    screen.press("ctrl-r ctrl-r")
    #expect(screen.watched.last?.document.text == "plants order edible", "\(screen.text)")
  }

  @Test("the list opens at the current column, and enter goes to the chosen one")
  func going() throws {
    var screen = try Screen(columns: 160, rows: 20, query: QueryPlan("plants"))
    screen.press("4 l l c enter")
    #expect(screen.hears("Results"))
    #expect(screen.text(on: [.cursorCell]).contains("true"), "\(screen.text)")
    screen.press("c up enter")
    #expect(screen.text(on: [.cursorCell]).contains("250"), "\(screen.text)")
    // A column that was just hidden stays hidden.
    screen.press("c space enter")
    #expect(screen.hears("Results"))
    #expect(Self.titles(in: screen).prefix(2) == ["name", "edible"], "\(screen.text)")
  }

  @Test("the palette lists commands only where they work")
  func palette() throws {
    var screen = try Screen(columns: 120, query: QueryPlan("plants"))
    screen.press("4 :")
    screen.type("move the column left")
    screen.press("enter")
    #expect(screen.notice == .alreadyFirst, "\(screen.text)")
    for (way, words, isListed) in [
      ("1", "move the column left", false), ("4", "reset to the default", false),
      ("4 c", "reset to the default", true),
    ] {
      screen.press("escape escape \(way) :")
      screen.type(words)
      #expect(screen.text.contains("No match") != isListed, "\(screen.text)")
    }
  }

  @Test("the last column cannot be hidden")
  func lastColumn() throws {
    var screen = try Screen(query: QueryPlan("plants").fields(["name"]))
    screen.press("-")
    #expect(screen.notice == .lastColumn)
    #expect(screen.text.contains("Fig"))
  }

  @Test("frozen columns stay in view and leave half of the width to others")
  func frozen() throws {
    var screen = try Screen(columns: 80, rows: 16, query: QueryPlan("plants"))
    screen.respond(.columns(ColumnSettings(frozen: ["key", "name"], widths: ["name": 150])))
    screen.press("$")
    expectBlock(
      """
      ├─ [4] Results ─────────────────────────────────────────────────── row 1 of 5 ─┤
      │ key  ‹height  edible  sown        note  bed                                  │
      │ fig      250  true    2019-04-01  ·     South wall →                         │
      │ iris      80  false   2022-03-15  ·     By the pond →                        │
      │ mint      40  true    2023-05-02  ·     By the pond →                        │
      │ ume      310  true    ∅           ·     South wall →                         │
      │ odd   12,345  false   ·           é     ·                                    │
      """, in: screen.text)
  }

  @Test(
    "frozen columns leave room for the chosen one, however narrow the results are",
    arguments: [["name"], ["name", "height", "key"]])
  func frozenInNarrow(frozen: [String]) throws {
    var screen = try Screen(columns: 140, rows: 16, query: QueryPlan("plants"))
    screen.respond(.columns(ColumnSettings(frozen: frozen, widths: ["name": 30])))
    for _ in 0..<8 {
      var narrow = screen
      narrow.press("c")
      for _ in 0..<40 {
        narrow.press("(")
        let frame = narrow.workspace.view()
        let isSeen = (0..<frame.size.columns).contains {
          frame.cell(row: 5, column: $0).paint.ink == .headerSorted
        }
        #expect(isSeen, "\(frame.text)")
      }
      screen.press("right")
    }
  }

  @Test("the first column of a relation leaves space for the selected one")
  func nestedInNarrow() throws {
    var screen = try Screen(columns: 140, rows: 16, query: QueryPlan("beds").order("name"))
    screen.press("$ > j j l")
    #expect(screen.text(on: [.cursorCell]) == "80", "\(screen.text)")
    screen.press("c")
    for _ in 0..<40 {
      screen.press("(")
      #expect(screen.text.contains(" 80"), "\(screen.text)")
    }
  }

  @Test("enter closes the pane")
  func done() throws {
    var screen = try Screen(columns: 100, rows: 20, query: QueryPlan("plants"))
    screen.press("c down")
    #expect(screen.row(19).contains("enter go to column"), "\(screen.text)")
    screen.press("enter")
    #expect(screen.hears("Results"), "\(screen.text)")
    #expect(screen.effects.isEmpty && screen.text.contains("height"))
  }

  @Test("restored columns leave the cursor at the top of the next rows")
  func atTop() throws {
    var screen = try Screen(columns: 110, query: QueryPlan("plants"))
    screen.press("4 l s")
    screen.isSlow = true
    screen.press("s")
    screen.respond(.columns(ColumnSettings(hidden: ["note"])))
    screen.answerAtLast()
    #expect(screen.watched.last?.document.text == "plants order height desc")
    #expect(screen.text.contains("row 1 of 5"), "\(screen.text)")
  }

  @Test("column settings are restored")
  func remembered() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.respond(.columns(ColumnSettings(hidden: ["sown"], order: ["edible"])))
    #expect(!screen.row(5).contains("sown"))
    screen.press("1 up enter")
    screen.respond(.columns(ColumnSettings(hidden: ["no such column"])))
    #expect(screen.text.contains("South wall"))
  }
}
