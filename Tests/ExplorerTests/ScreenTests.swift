import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("Whole screens")
struct ScreenTests {
  /// The screen sizes at which the first sight of a store is recorded.
  static let firstSizes = [(80, 24), (120, 40), (200, 60), (40, 10)]

  @Test("the first sight of a store", arguments: firstSizes)
  func firstSight(columns: Int, rows: Int) throws {
    let screen = try Screen(columns: columns, rows: rows)
    try expectScreen(screen.text, named: "first-\(columns)x\(rows)")
  }

  @Test("a screen narrower than 70 columns shows only the side that has the focus")
  func narrow() throws {
    var screen = try Screen(columns: 60, rows: 16)
    #expect(screen.row(1).hasPrefix("╭─ [1] Namespaces ──"), "\(screen.text)")
    expectBlock(
      """
      ├─ [2] beds ───────────────────────────────────────────────┤
      │ id                                             unique id │
      │ key                                          unique text │
      │ name                                                text │
      │ area                                              number │
      │ plants                                          ⇉ plants │
      │                                                          │
      """, in: screen.text)
    #expect(!screen.text.contains("Results"), "\(screen.text)")
    screen.press("4")
    #expect(screen.text.contains("├─ [4] Results ─"), "\(screen.text)")
    #expect(!screen.text.contains("Namespaces"), "\(screen.text)")
  }

  @Test("a query with filter, order and limit, and an expanded relation")
  func query() throws {
    var screen = try Screen(columns: 110, rows: 24)
    screen.press("down enter F")
    screen.type("height > 30")
    screen.press("enter l s s L")
    screen.type("3")
    screen.press("enter")
    try expectScreen(screen.text, named: "query")
    screen.press("1 up enter >")
    try expectScreen(screen.text, named: "expanded")
  }

  @Test("a typed filter offers values below the line, or shows its error there")
  func prompt() throws {
    var screen = try Screen(columns: 100, rows: 20)
    screen.press("F")
    screen.type("area >")
    expectBlock(
      """
      ╭─ Filter ──────────────────────────────────────────────────────────────╮
      │ area >                                                                │
      │ ↓ choose a suggestion                                                 │
      ├─ [4]╭──────────────╮───────────────────────────────────── row 1 of 3 ─┤
      │ name│ 10000  1 row │a  key    plants                                  │
      │ Sout│ 12.5   1 row │5  south  ⇉ 2: Fig, 梅 Ume                        │
      │ By t│ 8      1 row │0  pond   ⇉ 2: Iris, Mint                         │
      │ Fall╰──────────────╯0  empty  ·                                       │
      │                                                                       │
      """, in: screen.text)
    screen.press("enter")
    #expect(screen.row(3).contains("expected a value"), "\(screen.text)")
  }

  @Test("an empty store suggests importing data")
  func nothing() throws {
    let screen = try Screen(columns: 80, rows: 12, store: TripleStore(), name: "empty")
    expectBlock(
      """
      ╭─ [1] Namespaces ────────╮╭─ [3] Query ───────────────────────────────────────╮
      │                         ││                                                   │
      │                         ││                                                   │
      │                         │├─ [4] Results ─────────────────────────────────────┤
      ├─ [2] Schema ────────────┤│                                                   │
      │                         ││   No namespaces yet. Import data: sonde import    │
      │                         ││              FILE --into NAME.sonde               │
      """, in: screen.text)
    // The last line keeps its hints.
    #expect(screen.row(11).hasSuffix("? help  q quit"), "\(screen.text)")
  }

  @Test("the help lists the keys of the focused pane")
  func help() throws {
    var screen = try Screen(columns: 100, rows: 40)
    screen.press("4 ?")
    try expectScreen(screen.text, named: "help")
  }

  @Test("descriptions in the help begin in the same column, even after many keys")
  func alignedHelp() throws {
    let names = ["f5", "f6", "f7", "f8", "f9", "f10", "f11"]
    let keymap = Keymap.standard.changed([.limit: names.compactMap { Key(named: $0) }])
    var screen = try Screen(columns: 80, rows: 150, keymap: keymap)
    screen.press("4 ?")
    let starts = [
      "up one row", "move the column left", "move the column right", "limit the number of rows",
    ].map { text in
      screen.line(with: text).flatMap { line in
        line.firstRange(of: text).map { line.distance(from: line.startIndex, to: $0.lowerBound) }
      }
    }
    #expect(starts[0] != nil && Set(starts).count == 1, "\(starts)\n\(screen.text)")
    #expect(screen.line(with: "F5  F6  F7") != nil)
  }

  // The keys of a menu and of the export dialog fit in one column.
  @Test(
    "descriptions in the help are aligned in one column",
    arguments: Set(PaneTraits.allCases).subtracting([.menu, .export]))
  func wholeEntries(focus: PaneTraits) throws {
    var screen = try Screen(columns: 120, rows: 50)
    screen.press(focus.way + (focus.way.isEmpty ? "?" : " ?"))
    for rows in (20...50).reversed() {
      screen.handle(.terminal(.resize(Size(columns: 120, rows: rows))))
      let frame = screen.workspace.view()
      guard frame.text(row: 1).contains("Keys in") else { continue }
      // The second column begins in the middle. Its first line has keys, unless it continues a text.
      let first = String(frame.text(row: 2).dropFirst(60).dropLast())
      #expect(
        first.hasPrefix(" ") && !first.hasPrefix("  ") || first.allSatisfy(\.isWhitespace),
        "\(screen.text)")
    }
  }

  @Test("without matches, the results suggest editing the filter")
  func noMatch() throws {
    let plan = QueryPlan("plants").filter(.compare("name", .equal, "Oak"))
    let screen = try Screen(columns: 100, rows: 16, query: plan)
    expectBlock(
      """
      ├─ [4] Results ──────────────────────────────────────────────── 0 rows ─┤
      │ name  height  edible  sown  note  key  bed                            │
      │                                                                       │
      │                                                                       │
      │                   No rows match.  F edit the filter                   │
      """, in: screen.text)
    #expect(screen.row(15).hasPrefix(" F edit filter  "), "\(screen.text)")
  }

  @Test(
    "no size is too small to be drawn", arguments: [(1, 1), (2, 2), (39, 9), (5, 100), (300, 2)])
  func tiny(columns: Int, rows: Int) throws {
    let screen = try Screen(columns: columns, rows: rows)
    #expect(screen.text.split(separator: "\n", omittingEmptySubsequences: false).count == rows)
  }
}
