import InstaQL
import Triples

/// The search for the row of the cursor's entity in an answer that is only partly loaded.
struct CursorLocator: Sendable, Equatable {
  let entity: EntityID
  /// The path to the line on which the cursor was.
  let trail: EntityPath
  /// Whether the query for the row was sent.
  var isAsked = false

  init?(for trail: EntityPath) {
    guard let entity = trail.first else { return nil }
    (self.entity, self.trail) = (entity, trail)
  }
}

extension ResultTable {
  /// Returns whether an entity may be among the rows that are not loaded.
  func isWithout(_ entity: EntityID) -> Bool {
    guard let window = answer.window, window.pageCount != answer.rows.count else { return false }
    return catalog.store.handle(of: entity).map { !answer.rows.contains($0) } ?? true
  }
}
