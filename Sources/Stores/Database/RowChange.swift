import Triples

/// The reference to a row by the id and namespace of its entity.
struct RowReference: Hashable, Sendable {
  let entity: EntityID
  let namespace: String
}

extension RowChanges {
  /// The pending change of one row.
  struct Change {
    let name: RowReference
    /// The locator of the row; nil if the row is to be created.
    var number: Finder.Locator?
    var isDeleted = false
    /// The columns to write and their new values, in the order of the steps.
    var values: [(column: String, value: Finder.Cell)] = []
    /// The new targets of foreign keys. A target row may have to be created first.
    var links: [(link: DatabaseNames.Link, target: RowReference)] = []

    mutating func set(_ column: String, to value: Finder.Cell) {
      leave(column)
      values.append((column, value))
    }

    /// Removes the change of a column.
    mutating func leave(_ column: String) { values.removeAll { $0.column == column } }
  }

}

/// A row of a join table to be inserted or deleted.
struct LinkPair {
  let link: DatabaseNames.Link
  let source: RowReference
  let target: RowReference
  let isAdded: Bool
}
