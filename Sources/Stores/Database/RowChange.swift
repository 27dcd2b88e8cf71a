import GRDB
import Triples

/// A row as an entity: its key and its namespace.
struct RowName: Hashable, Sendable {
  let entity: EntityID
  let namespace: String
}

extension RowChanges {
  /// What shall become of one row.
  struct Change {
    let name: RowName
    /// Nil of a row that is to be made.
    var number: Int64?
    var isDeleted = false
    /// By column, in the order in which they came.
    var values: [(column: String, value: DatabaseValue)] = []
    /// Foreign keys, which are taken from rows that may have to be made first.
    var links: [(link: DatabaseNames.Link, target: RowName)] = []

    mutating func set(_ column: String, to value: DatabaseValue) {
      leave(column)
      values.append((column, value))
    }

    /// A column stays as it is in the database.
    mutating func leave(_ column: String) { values.removeAll { $0.column == column } }
  }

  /// A row of a joining table that shall come or go.
  struct Pair {
    let link: DatabaseNames.Link
    let source: RowName
    let target: RowName
    let isAdded: Bool
  }
}
