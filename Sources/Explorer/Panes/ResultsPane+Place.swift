import LiveQueries
import Triples

extension ResultsPane {
  /// The cursor, the expanded relations and the collapsed values. They refer to entities instead of lines, so that other
  /// answers can restore them.
  struct Place: Sendable, Equatable {
    var trail: EntityPath = []
    var column = 0
    var opened: [EntityPath: Link] = [:]
    var folds = DocumentFolds()
  }

  /// Whether the query failed, even if it had an answer before.
  var hasFailed: Bool { if case .failed = content { true } else { false } }

  var place: Place {
    Place(trail: locator?.trail ?? chosen, column: column, opened: opened, folds: folds)
  }
}
