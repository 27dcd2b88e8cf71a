import TerminalUI

extension Keymap {
  /// The default keys, which resemble those of vi, lazygit, k9s and VisiData.
  package static let standard = Keymap(
    rows: moving + panes + trail + querying + columns + everywhere)

  private static let moving = [
    row("up k", .up), row("down j", .down), row("left h", .left), row("right l", .right),
    row("pageup", .pageUp), row("pagedown", .pageDown),
    row("ctrl-u", .halfPageUp), row("ctrl-d", .halfPageDown),
    row("g", .first), row("G", .last),
    row("0 home", .firstColumn), row("$ end", .lastColumn),
  ]

  private static let panes = [
    row("tab", .nextPane), row("shift-tab", .previousPane),
    row("1", .paneNamespaces), row("2", .paneSchema), row("3", .paneQuery),
    row("4", .paneResults), row("5", .paneEntity),
    row("( ctrl-left", .splitLeft), row(") ctrl-right", .splitRight),
    row("ctrl-up", .splitUp), row("ctrl-down", .splitDown), row("=", .evenSplits), row("Z", .zoom),
    row("t", .newTab), row("ctrl-w", .closeTab), row(".", .nextTab), row(",", .previousTab),
    row("ctrl-o", .stores),
  ]

  private static let trail = [
    row("enter", .open), row("K", .peek, in: .results), row("backspace [", .back),
    row("]", .forward),
    row(">", .expand), row("<", .fold), row("*", .expandAll, in: .results),
    row("*", .expandAll, in: .entity),
  ]

  private static let querying = [
    row("f", .filterByCell, in: .results), row("X", .excludeCell, in: .results),
    row("f", .filterByCell, in: .entity),
    row("F", .filterText), row("r", .clearFilters), row("Q", .queryText),
    row("s", .order, in: .results), row("S", .orderFurther, in: .results),
    row("#", .group, in: .results), row("+", .aggregate, in: .results),
    row("O", .orderText), row("w", .relations), row("L", .limit), row("y", .open, in: .menu),
    row("space", .mark, in: .results), row("M", .marks, in: .results),
    row("space", .mark, in: .relations), row("space", .mark, in: .export),
    row("space", .mark, in: .changes), row("space", .mark, in: .facets),
    row("s", .orderText, in: .relations),
    row("u", .undo), row("ctrl-r", .redo),
    row("y", .copy), row("E", .export), row("|", .pipe), row("o", .outside), row("i", .spelling),
    row("v", .form),
    row("/", .find), row("n", .findNext), row("N", .findPrevious),
    row("z 6", .facets), row("x", .explain),
    row("b", .saveQuery), row("B", .savedQueries), row("m", .mouse),
    row("e", .edit), row("a", .add), row("d", .delete), row("U", .undoTransaction),
    row("ctrl-y", .redoTransaction), row("P", .hold),
    row("p", .pause), row("C 7", .changes), row("W 8", .subscriptions),
    row("D 9", .diagram),
    row("R", .callServer),
  ]

  private static let columns = [
    row("c", .allColumns, in: .namespaces),
    row("f", .filterByCell, in: .schema),
    row("s", .order, in: .schema), row("S", .orderFurther, in: .schema),
    row("#", .group, in: .schema), row("+", .aggregate, in: .schema),
    row("-", .hideColumn, in: .schema), row("_", .fitColumn, in: .schema),
    row("!", .freezeColumn, in: .schema), row("c", .columns, in: .schema),
    row("c", .columns, in: .results),
    row("-", .hideColumn, in: .results), row("_", .fitColumn, in: .results),
    row("!", .freezeColumn, in: .results),
    row("}", .wider, in: .results), row("{", .narrower, in: .results),
    row("H shift-left", .moveColumnLeft, in: .results),
    row("J shift-right", .moveColumnRight, in: .results),
    row("space", .mark, in: .columns), row("K H", .moveColumnLeft, in: .columns),
    row("J", .moveColumnRight, in: .columns), row("+ }", .wider, in: .columns),
    row("- {", .narrower, in: .columns), row("_", .fitColumn, in: .columns),
    row("!", .freezeColumn, in: .columns), row("r", .reset, in: .columns),
  ]

  private static let everywhere = [
    row(": ctrl-p", .palette), row("A T", .themes), row("alt-t", .nextTheme), row("? f1", .help),
    row("escape", .cancel),
    row("ctrl-z", .suspend), row("ctrl-l", .redraw), row("q", .quit), row("ctrl-c", .interrupt),
  ]

  /// Returns a row of the keymap that binds the named keys, separated by spaces, to a command.
  private static func row(_ names: String, _ command: Command, in focus: PaneTraits? = nil) -> Row {
    let keys = names.split(separator: " ").map { name in
      guard let key = Key(named: String(name)) else {
        preconditionFailure("The keymap names a key that does not exist: \(name)")
      }
      return key
    }
    return Row(focus: focus, keys: keys, command: command)
  }
}
