import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("Pane numbers")
struct PaneNumberTests {
  private static func screen(
    columns: Int = 100, rows: Int = 24, _ keymap: Keymap = .standard
  ) throws -> Screen {
    try Screen(
      columns: columns, rows: rows, query: QueryPlan("plants").order("name"), keymap: keymap)
  }

  private static let panes = [
    "Namespaces", "Schema", "Query", "Results", "Record", "Value counts", "Changes", "Live queries",
    "Diagram",
  ]

  @Test("focus each pane from each, and close those above the others", arguments: 1...9, 1...9)
  func everywhere(from first: Int, to second: Int) throws {
    var screen = try Self.screen()
    screen.press("4 0")
    if first != 4 { screen.press("\(first)") }
    #expect(screen.hears(Self.panes[first - 1]), "\(screen.text)")
    guard first != second else { return }
    screen.press("\(second)")
    #expect(screen.hears(Self.panes[second - 1]), "\(screen.text)")
    screen.press("\(second)")
    // A main pane keeps the focus; one above the others closes.
    #expect(screen.hears(Self.panes[(second <= 4 ? second : first) - 1]), "\(screen.text)")
  }

  @Test("appear in titles if there is space")
  func titles() throws {
    var screen = try Self.screen()
    for title in ["─ [1] Namespaces ─", "─ [2] plants ─", "─ [3] Query ─", "─ [4] Results ─"] {
      #expect(screen.text.contains(title), "\(screen.text)")
    }
    for (key, title) in [
      ("5", "─ [5] Fig ─"), ("6", "─ [6] Values of name ─"), ("7", "─ [7] Changes ─"),
      ("8", "─ [8] Live queries ─"), ("9", "─ [9] Diagram ─"),
    ] {
      screen.press(key)
      #expect(screen.text.contains(title), "\(screen.text)")
      screen.press("escape")
    }
  }

  @Test("follow the keymap, and are omitted without a number key")
  func remapped() throws {
    let swapped = Keymap.standard.changed([
      .paneQuery: [.character("4")], .paneResults: [.character("3")],
      .paneSchema: [.character("H")],
    ])
    let screen = try Self.screen(swapped)
    #expect(screen.text.contains("─ [4] Query ─") && screen.text.contains("─ [3] Results ─"))
    #expect(screen.text.contains("─ plants ─"))
  }

  @Test("are omitted for long titles")
  func narrow() throws {
    let store = try Garden.store(
      plants: #"[{"key": "k", "name": "A plant with a name as long as the box", "height": 3}]"#)
    var screen = try Screen(columns: 46, rows: 12, query: QueryPlan("plants"), store: store)
    screen.press("4 5")
    #expect(screen.hears("Record"))
    #expect(!screen.text.contains("[5]"), "\(screen.text)")
  }

  @Test("bring up open panes unchanged")
  func left() throws {
    var screen = try Self.screen()
    screen.press("4 5 down down")
    let before = screen.text
    screen.press("7 5")
    #expect(screen.text == before)
    screen.press("5")
    #expect(screen.hears("Changes"), "\(screen.text)")
  }

  @Test("show the reason if there is nothing to show")
  func nothing() throws {
    var screen = try Screen(query: QueryPlan("plants"), store: Garden.store(plants: "[]"))
    screen.press("5")
    #expect(screen.hears("Results"))
    #expect(!screen.row(23).contains("? help"), "\(screen.row(23))")
  }
}
