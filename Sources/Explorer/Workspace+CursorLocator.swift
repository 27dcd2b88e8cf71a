import InstaQL
import Triples

// Keeps the cursor on its entity when the query changes.
extension Workspace {
  /// Requests the row of the cursor's entity if it is not among the loaded rows.
  mutating func seek() -> [Effect] {
    guard tab.results.locator?.isAsked == false, let entity = tab.results.locator?.entity,
      let table = tab.results.table, table.answer.plan == tab.queryHistory?.plan
    else { return [] }
    tab.results.locator?.isAsked = true
    let plan = table.answer.plan
    return requests.begin(.locate(entity, plan), for: .locate(entity, plan))
  }

  /// Moves the cursor to the row where the entity was found, after loading the rows around it.
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
