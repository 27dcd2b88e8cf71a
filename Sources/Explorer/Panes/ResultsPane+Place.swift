import LiveQueries
import Triples

extension ResultsPane {
  /// The cursor and the expanded relations in terms that are valid for other answers.
  struct Place: Sendable, Equatable {
    var trail: EntityPath = []
    var column = 0
    var opened: [EntityPath: Link] = [:]
  }

  /// Whether the query failed, at first or after an answer.
  var hasFailed: Bool { if case .failed = content { true } else { false } }

  var place: Place {
    Place(trail: locator?.trail ?? chosen, column: column, opened: opened)
  }
}
