import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("Whole screens")
struct ScreenTests {
  @Test(
    "the first sight of a store", arguments: [(80, 24), (120, 40), (200, 60), (60, 16), (40, 10)])
  func firstSight(columns: Int, rows: Int) throws {
    let screen = try Screen(columns: columns, rows: rows)
    try expectScreen(screen.text, named: "first-\(columns)x\(rows)")
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

  @Test("a typed filter shows its error below the line")
  func prompt() throws {
    var screen = try Screen(columns: 100, rows: 20)
    screen.press("F")
    screen.type("area >")
    try expectScreen(screen.text, named: "prompt")
  }

  @Test("an empty store")
  func nothing() throws {
    let screen = try Screen(columns: 80, rows: 12, store: TripleStore(), name: "empty")
    try expectScreen(screen.text, named: "empty-store")
  }

  @Test("the keys of the focused pane")
  func help() throws {
    var screen = try Screen(columns: 100, rows: 40)
    screen.press("4 ?")
    try expectScreen(screen.text, named: "help")
  }

  @Test("descriptions in the help begin in the same column, also those of many keys")
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

  // Those of a menu and of the export are so few that one column has them all.
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
      // The second column begins in the middle, with keys where its first line is of an entry.
      let first = String(frame.text(row: 2).dropFirst(60).dropLast())
      #expect(
        first.hasPrefix(" ") && !first.hasPrefix("  ") || first.allSatisfy(\.isWhitespace),
        "\(screen.text)")
    }
  }

  @Test("no matches, with a hint")
  func noMatch() throws {
    let plan = QueryPlan("plants").filter(.compare("name", .equal, "Oak"))
    let screen = try Screen(columns: 100, rows: 16, query: plan)
    try expectScreen(screen.text, named: "no-match")
  }

  @Test(
    "no size is too small to be drawn", arguments: [(1, 1), (2, 2), (39, 9), (5, 100), (300, 2)])
  func tiny(columns: Int, rows: Int) throws {
    let screen = try Screen(columns: columns, rows: rows)
    #expect(screen.text.split(separator: "\n", omittingEmptySubsequences: false).count == rows)
  }
}
