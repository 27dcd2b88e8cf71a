/// Descriptions of access paths for displaying query plans.
extension TripleStore {
  /// Describes how the store would find the rows for a predicate with the indexes that it has now.
  package func way(
    _ attribute: AttributeID, _ predicate: ValuePredicate, isForPeople: Bool
  ) -> String {
    guard let number = numbers[attribute] else { return "no such column" }
    let indexes = columns[number].content.indexes
    switch predicate {
    case .equal(.text), .oneOf: return indexes.arePostingsBuilt ? "index of values" : "scan"
    case .equal, .range: return indexes.sortedIfBuilt != nil ? "sorted index" : "scan"
    case .stored, .notNull, .null:
      return isForPeople ? "bitmap of rows with a value" : "presence bits"
    case .notEqual, .like, .matches: return "scan"
    }
  }

  /// Describes how the store would follow links backwards with the indexes that it has now.
  package func wayBack(_ attribute: AttributeID) -> String {
    guard let number = numbers[attribute] else { return "no such column" }
    return columns[number].content.indexes.arePostingsBuilt ? "index of links" : "scan of links"
  }
}
