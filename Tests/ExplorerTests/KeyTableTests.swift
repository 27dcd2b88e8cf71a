import Explorer
import TerminalUI
import Testing

/// The keys that users of other programs expect.
@Suite("Familiar keys")
struct KeyTableTests {
  @Test(
    "mean what they mean elsewhere",
    arguments: [
      ("up k", Command.up), ("down j", .down), ("left h", .left), ("right l", .right),
      ("page-up", .pageUp), ("page-down", .pageDown), ("ctrl-u", .halfPageUp),
      ("ctrl-d", .halfPageDown), ("g", .first), ("G", .last), ("0", .firstColumn),
      ("$", .lastColumn), ("tab", .nextPane), ("shift-tab", .previousPane),
      ("1", .paneNamespaces), ("2", .paneSchema), ("3", .paneQuery), ("4", .paneResults),
      ("5", .paneEntity), ("6", .facets), ("7", .changes), ("8", .subscriptions), ("9", .diagram),
      ("/", .find), ("n", .findNext), ("N", .findPrevious), ("escape", .cancel),
      ("f", .filterByCell), ("F", .filterText), ("Q", .queryText), ("r", .clearFilters),
      ("s", .order),
      ("S", .orderFurther), ("L", .limit), ("w", .relations), (">", .expand), ("<", .fold),
      ("enter", .open), ("backspace [", .back), ("]", .forward), ("u", .undo), ("ctrl-r", .redo),
      ("-", .hideColumn), ("_", .fitColumn), ("!", .freezeColumn), ("c", .columns), ("e", .edit),
      ("a", .add), ("d", .delete), ("U", .undoTransaction), ("space", .mark), ("p", .pause),
      ("y", .copy), ("E", .export), ("i", .spelling), ("v", .form), ("b", .saveQuery),
      ("B", .savedQueries), ("x", .explain), ("C", .changes), ("t", .newTab), ("T", .themes),
      ("m", .mouse), (": ctrl-p", .palette), ("? f1", .help), ("q", .quit), ("ctrl-z", .suspend),
      ("ctrl-l", .redraw), ("ctrl-o", .stores), ("ctrl-c", .interrupt),
    ])
  func promised(names: String, command: Command) throws {
    for name in names.split(separator: " ") {
      let key = try #require(Key(named: String(name)), "\(name)")
      #expect(Keymap.standard.command(for: key, in: .results) == command, "\(name)")
    }
  }

  @Test("no essential key conflicts with multiplexers or flow control")
  func taken() {
    for name in ["ctrl-a", "ctrl-b", "ctrl-s", "ctrl-q"] {
      guard let key = Key(named: name) else { continue }
      for focus in PaneTraits.allCases {
        #expect(Keymap.standard.command(for: key, in: focus) == nil, "\(name) in \(focus)")
      }
    }
  }
}
