import Notebooks
import TerminalUI
import Triples

// Opens the menu of the right button, with the commands for what is under the mouse.
extension Workspace {
  /// Opens the context menu at the mouse, if the mouse is in a main pane.
  mutating func openMenu(at mouse: Mouse) -> [Effect] {
    guard !settings.isScreenReader, catalog != nil, overlay(at: mouse) == nil,
      let target = target(of: mouse), target.isWithin, closeOverlays(above: nil)
    else { return [] }
    tab.focus = target.pane
    let commands = choose(target)
    let offered = commands.filter(hintState.offers)
    guard !offered.isEmpty else { return [] }
    open(
      MenuPane(
        heading(of: target), offered.map(entry),
        at: Position(row: mouse.row + 1, column: mouse.column)
      ))
    return []
  }

  /// Moves the cursor to the position under the mouse, and returns the commands that apply there.
  private mutating func choose(_ target: Target) -> [Command] {
    switch target.pane {
    case .namespaces, .schema:
      _ = go(.clicked(target.line), in: target.pane)
      return [.open, .filterText, .queryText, .diagram]
    case .query:
      return [
        .open, .filterText, .clearFilters, .orderText, .limit, .relations, .undo, .redo, .saveQuery,
      ]
    case .results: break
    }
    if chooseInResults(target) {
      return [.order, .orderFurther, .facets, .fitColumn, .freezeColumn, .hideColumn, .columns]
    }
    if tab.results.isReading {
      return [.open, .mark, .copy, .outside, .form, .explain, .delete]
    }
    return [
      .open, .peek, .expand, .filterByCell, .excludeCell, .order, .facets, .edit, .mark, .copy,
      .explain, .delete,
    ]
  }

  private func heading(of target: Target) -> String {
    switch target.pane {
    case .namespaces, .schema: chosenNamespace ?? target.pane.traits.title
    case .query: target.pane.traits.title
    case .results: tab.results.chosenColumn?.label ?? target.pane.traits.title
    }
  }

  private func entry(_ command: Command) -> MenuPane.Entry {
    let keys = settings.keymap.keys(for: command, in: focusedPane)
    let typed = keys.compactMap(\.typed)
    return MenuPane.Entry(
      key: typed.first { $0 != " " } ?? (keys.contains(.enter) ? "↵" : typed.first),
      label: label(of: command), actions: [.perform(command)])
  }

  /// Returns the text of a command in the menu. It says what the command will do under the mouse.
  private func label(of command: Command) -> String {
    let help = command.help(within: Self.maxLabelWidth)
    switch (tab.focus, command) {
    case (.namespaces, .open): return "open this namespace"
    case (.schema, .open):
      let isLink = chosenInSchema?.source.isLink == true
      return isLink ? "open the linked namespace" : "go to this column"
    case (.query, .open): return "edit the query"
    case (.results, .freezeColumn):
      let frozen = tab.results.table?.settings.frozen ?? []
      let isFrozen = tab.results.chosenColumn.map { frozen.contains($0.label) } == true
      return isFrozen ? "unfreeze this column" : "freeze this column"
    case (.results, _): return labelForRow(of: command) ?? help
    default: return help
    }
  }

  /// Returns the text of a command that acts on the row under the mouse; nil for other commands.
  private func labelForRow(of command: Command) -> String? {
    guard let row = tab.results.chosenRow else { return nil }
    switch (command, tab.results.chosenLink) {
    case (.open, nil):
      return tab.results.inferredTargets == nil ? "open this row" : "open the linked row"
    case (.open, let link?):
      return link.cardinality == .one ? "open the linked row" : "open the linked rows"
    case (.mark, _):
      return session.marks[row.namespace].contains(row.id)
        ? "deselect this row" : "select this row"
    case (.delete, _) where namespaceOfMarks != nil: return "delete the selected rows …"
    case (.delete, let link?) where targets(of: row.id, link)?.entities.isEmpty != true:
      return "unlink from \(link.label) …"
    case (.delete, _): return "delete this row …"
    default: return nil
    }
  }

  private static let maxLabelWidth = 40
}
