import InstaQL
import Triples

/// Locates the row of the cursor's entity in a long answer.
struct CursorLocator: Sendable, Equatable {
  let entity: EntityID
  /// The path of entities to the cursor.
  let trail: EntityPath
  /// Whether the store was asked.
  var isAsked = false

  init?(for trail: EntityPath) {
    guard let entity = trail.first else { return nil }
    (self.entity, self.trail) = (entity, trail)
  }
}

extension ResultTable {
  /// Whether the entity is missing from the loaded rows but may be among the others.
  func isWithout(_ entity: EntityID) -> Bool {
    guard let window = answer.window, window.pageCount != answer.rows.count else { return false }
    return catalog.store.handle(of: entity).map { !answer.rows.contains($0) } ?? true
  }
}

// The cursor stays on its entity when the query changes.
extension Model {
  /// Requests the row of the cursor's entity if it is not among the loaded rows.
  mutating func seek() -> [Effect] {
    guard tab.results.locator?.isAsked == false, let entity = tab.results.locator?.entity,
      let table = tab.results.table, table.answer.plan == tab.queryHistory?.plan
    else { return [] }
    tab.results.locator?.isAsked = true
    let plan = table.answer.plan
    return requests.begin(.locate(entity, plan), for: .locate(entity, plan))
  }

  /// Receives the entity's row: loads the rows around it and moves the cursor there.
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
