import InstaQL
import Triples

/// The search for the row of an entity in a long answer.
struct Quest: Sendable, Equatable {
  let entity: EntityID
  /// The entity and those beneath it on which the cursor was.
  let trail: EntityTrail
  /// Whether the store was asked for it.
  var isAsked = false

  init?(for trail: EntityTrail) {
    guard let entity = trail.first else { return nil }
    (self.entity, self.trail) = (entity, trail)
  }
}

extension ResultTable {
  /// Whether an entity is none of the rows, and may be one of those that are not read.
  func isWithout(_ entity: EntityID) -> Bool {
    guard let stretch = answer.stretch, stretch.pageCount != answer.rows.count else { return false }
    return catalog.store.handle(of: entity).map { !answer.rows.contains($0) } ?? true
  }
}

// The cursor stays on its entity among the rows of another query.
extension Model {
  /// Asks where the entity is that the cursor was on, once it is known that it is not near.
  mutating func seek() -> [Effect] {
    guard tab.results.quest?.isAsked == false, let entity = tab.results.quest?.entity,
      let table = tab.results.table, table.answer.plan == tab.composer?.plan
    else { return [] }
    tab.results.quest?.isAsked = true
    let plan = table.answer.plan
    return requests.begin(.locate(entity, plan), for: .locate(entity, plan))
  }

  /// Takes in where an entity is: the rows there are read next, and the cursor goes to it.
  mutating func goTo(row: Int?, of entity: EntityID, in plan: QueryPlan) {
    guard let quest = tab.results.quest, quest.entity == entity, quest.isAsked,
      tab.composer?.plan == plan
    else { return }
    if let row { tab.results.stretching.wish(.row(row)) } else { tab.results.quest = nil }
  }
}
