package import Triples

/// The links from an entity of an answer to a value that the answer depends on.
///
/// When followed backwards, the path leads from a changed value to the affected entities of the
/// answer.
package struct DependencyPath: Hashable, Sendable {
  /// Which entity of a change the path ends at.
  package enum End: Hashable, Sendable {
    /// The entity that has the changed value or link.
    case holder
    /// The old and the new target of the changed link.
    case target
  }

  /// The links of the path, beginning at the answer's entity.
  package let links: [Link]
  package let end: End

  /// Returns the entities of the answer that the changes affect: those from which the path leads to
  /// a change.
  ///
  /// - Complexity: O(changes + links that lead back from them).
  package func origins(of changes: [ChangeSet.Change], in store: TripleStore) -> RowSet {
    var rows = RowSet()
    for change in changes {
      switch end {
      case .holder: rows.insert(change.entity)
      case .target:
        for case .text(let id)? in [change.old, change.new] {
          if let target = store.handle(of: EntityID(id)) { rows.insert(target) }
        }
      }
    }
    for link in links.reversed() {
      if rows.isEmpty { break }
      rows = store.reaching(along: link, to: rows)
    }
    return rows
  }
}

extension ChangeSet {
  /// For each attribute, its changes in order.
  package var byAttribute: [AttributeID: [Change]] {
    Dictionary(grouping: changes, by: \.attribute)
  }
}
