import LiveQueries
import Triples

extension ResultsPane {
  /// The cursor and the expanded relations in terms that are valid for other answers.
  struct Place: Sendable, Equatable {
    var trail: EntityPath = []
    var column = 0
    var opened: [EntityPath: Link] = [:]
  }

  var place: Place {
    Place(trail: locator?.trail ?? chosen, column: column, opened: opened)
  }
}
