extension ResultsPane {
  /// The cursor, the expanded relations and the collapsed values, to restore them in another
  /// answer. All of them refer to entities instead of lines.
  struct Place: Sendable, Equatable {
    var trail: EntityPath = []
    var column = 0
    var opened: ExpandedLinks = [:]
    var folds = DocumentFolds()
  }

  /// Whether the query failed last time, even if rows of an earlier answer are known.
  var hasFailed: Bool { if case .failed = content { true } else { false } }

  var place: Place {
    Place(trail: locator?.trail ?? chosen, column: column, opened: opened, folds: folds)
  }
}
