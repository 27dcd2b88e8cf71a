import InstaQL
package import TerminalUI
import Triples

extension Workspace {
  /// Returns whether an event can be handled while requested rows are still loading.
  package func acceptsWhileLoading(_ event: TerminalEvent) -> Bool {
    tab.results.isLoadingWindow && isCursorMovement(event)
  }

  /// Returns whether an event does nothing but move the cursor among the rows.
  package func isCursorMovement(_ event: TerminalEvent) -> Bool {
    guard case .key(let key) = event, prompt == nil, tab.overlays.isEmpty, tab.focus == .results,
      tab.plan == tab.results.table?.answer.plan,
      let command = settings.keymap.command(for: key, in: focusedPane)
    else { return false }
    return command.steps(page: layout.resultRows) != 0
  }

  /// Requests the next window of rows if the cursor is near the end of the loaded window.
  mutating func prefetchRows() -> [Effect] {
    guard let table = tab.results.table, table.answer.window != nil, let plan = tab.plan,
      plan == table.answer.plan
    else { return [] }
    let row = table.rowAtCursor(tab.results.cursor)
    let window = tab.results.rowWindow.next(table.answer, row: row, page: layout.resultRows)
    let goal = tab.results.rowWindow.destination
    tab.results.moveToDestination(page: layout.resultRows)
    if goal?.isMatch == true, tab.results.rowWindow.destination == nil {
      showMatch(isBackwards: false)
    }
    return window.map { watch(plan, $0) } ?? []
  }

  /// The subscription that will load the rows to which the cursor moves; nil if none is needed.
  package var awaitedRows: WatchToken? {
    tab.results.table?.answer.window != nil && tab.results.rowWindow.isAhead ? tab.watch : nil
  }

  /// Starts to locate the row of the cursor's entity, if that row may not be loaded.
  mutating func seek() -> [Effect] {
    guard tab.results.locator?.isAsked == false, let entity = tab.results.locator?.entity,
      let table = tab.results.table, table.answer.plan == tab.plan
    else { return [] }
    tab.results.locator?.isAsked = true
    let plan = table.answer.plan
    return requests.begin(.locate(entity, plan), for: .location)
  }

  /// Moves the cursor to the row where its entity was located. The rows around it are loaded first.
  mutating func goTo(row: Int?, of entity: EntityID, in plan: QueryPlan) {
    guard let locator = tab.results.locator, locator.entity == entity, locator.isAsked,
      tab.plan == plan
    else { return }
    if let row {
      tab.results.rowWindow.setDestination(.row(row))
    } else {
      tab.results.locator = nil
    }
  }
}
