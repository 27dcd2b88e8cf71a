import InstaQL
import Triples

// Keeps the cursor on its entity when the query changes.
extension Workspace {
  /// Starts to locate the row of the cursor's entity, if that row may not be loaded.
  mutating func seek() -> [Effect] {
    guard tab.results.locator?.isAsked == false, let entity = tab.results.locator?.entity,
      let table = tab.results.table, table.answer.plan == tab.queryHistory?.plan
    else { return [] }
    tab.results.locator?.isAsked = true
    let plan = table.answer.plan
    return requests.begin(.locate(entity, plan), for: .locate(entity, plan))
  }

  /// Moves the cursor to the row where its entity was located. The rows around it are loaded first.
  mutating func goTo(row: Int?, of entity: EntityID, in plan: QueryPlan) {
    guard let locator = tab.results.locator, locator.entity == entity, locator.isAsked,
      tab.queryHistory?.plan == plan
    else { return }
    if let row {
      tab.results.rowWindow.setDestination(.row(row))
    } else {
      tab.results.locator = nil
    }
  }
}
