import InstaQL
package import TerminalUI
import Widgets

extension Workspace {
  /// Returns whether an event can be handled while requested rows are still loading.
  package func acceptsWhileLoading(_ event: TerminalEvent) -> Bool {
    tab.results.isLoadingWindow && isCursorMovement(event)
  }

  /// Returns whether an event does nothing but move the cursor among the rows.
  package func isCursorMovement(_ event: TerminalEvent) -> Bool {
    guard case .key(let key) = event, prompt == nil, tab.overlays.isEmpty, tab.focus == .results,
      tab.queryHistory?.plan == tab.results.table?.answer.plan,
      let command = settings.keymap.command(for: key, in: focusedPane)
    else { return false }
    return command.steps(page: layout.resultRows) != 0
  }

  /// Requests the next window of rows if the cursor is near the end of the loaded window.
  mutating func prefetchRows() -> [Effect] {
    guard let table = tab.results.table, table.answer.window != nil,
      let plan = tab.queryHistory?.plan,
      plan == table.answer.plan
    else { return [] }
    let row =
      table.lineCount == 0
      ? 0 : table.row(ofLine: min(tab.results.cursor.index, table.lineCount - 1))
    let window = tab.results.rowWindow.next(
      table.answer, row: row, page: layout.resultRows)
    let goal = tab.results.rowWindow.destination
    tab.results.moveToDestination(page: layout.resultRows)
    if let goal, tab.results.rowWindow.destination == nil { arrive(at: goal) }
    return window.map { watch(plan, $0) } ?? []
  }

  /// The subscription that will load the rows to which the cursor moves; nil if none is needed.
  package var awaitedRows: WatchToken? {
    tab.results.table?.answer.window != nil && tab.results.rowWindow.isAhead ? tab.watch : nil
  }
}
