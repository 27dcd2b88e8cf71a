import TerminalUI

// The right button: what is under the mouse is chosen, and a menu beside it has what can be done there,
// each with its own key.
extension Model {
  /// Only the standing panes have such a menu: those that open above them are short ways already.
  mutating func openMenu(at mouse: Mouse) -> [Effect] {
    guard !preferences.isLinear, catalog != nil, overlay(at: mouse) == nil,
      let target = target(of: mouse), target.isWithin, closeOverlays(above: nil)
    else { return [] }
    tab.focus = target.pane
    let offered = choose(target).filter(offers)
    guard !offered.isEmpty else { return [] }
    open(
      MenuPane(
        heading(of: target), offered.map(entry),
        at: Position(row: mouse.row + 1, column: mouse.column)
      ))
    return []
  }

  /// Chooses what was pointed at, and answers what can be done with it.
  private mutating func choose(_ target: Target) -> [Intent] {
    switch target.pane {
    case .namespaces, .schema:
      _ = go(.clicked(target.line), in: target.pane)
      return [.open, .filterText, .queryText, .diagram]
    case .query:
      return [.open, .filterText, .orderText, .limit, .relations, .undo, .redo, .saveQuery]
    case .results: break
    }
    guard !tab.results.isReading else {
      tab.results.choose(line: target.line, page: layout.resultRows)
      return [.open, .mark, .copy, .outside, .form, .explain, .delete]
    }
    let line = target.line - ResultsPane.titleRows
    guard line >= 0 else {
      tab.results.leaveBlocks(page: layout.resultRows)
      if let column = tab.results.column(at: target.column, width: target.width) {
        tab.results.choose(column: column)
      }
      return [.order, .orderFurther, .facets, .fitColumn, .freezeColumn, .hideColumn, .columns]
    }
    tab.results.choose(line: line, page: layout.resultRows)
    if let column = tab.results.columnHere(at: target.column, width: target.width) {
      tab.results.choose(column: column)
    }
    return [
      .open, .peek, .expand, .filterByCell, .excludeCell, .order, .facets, .edit, .mark, .copy,
      .explain, .delete,
    ]
  }

  private func heading(of target: Target) -> String {
    switch target.pane {
    case .namespaces, .schema: chosenNamespace ?? target.pane.focus.title
    case .query: target.pane.focus.title
    case .results: tab.results.chosenColumn?.label ?? target.pane.focus.title
    }
  }

  private func entry(_ intent: Intent) -> MenuPane.Entry {
    let keys = preferences.keymap.keys(for: intent, in: listening)
    let letter = keys.lazy.compactMap(\.typed).first { $0 != " " }
    return MenuPane.Entry(
      key: letter ?? (keys.contains(.enter) ? "↵" : nil),
      label: intent.help(within: Self.longestDeed), wishes: [.perform(intent)])
  }

  /// In columns.
  private static let longestDeed = 40
}
