package import Triples

/// The path of links from an entity of an answer to a value. It traces a change back to the
/// entity.
package struct DependencyPath: Hashable, Sendable {
  /// The end of a changed value or link at which the path ends.
  package enum End: Hashable, Sendable {
    /// The entity that contains the changed value.
    case holder
    /// The current and previous targets of the changed link, which the path follows backwards.
    case target
  }

  /// The links of the path, starting at the answer's entity.
  package let links: [Link]
  package let end: End

  /// Returns the entities at the start of the path that the given changes affect.
  ///
  /// - Complexity: O(changes, and links followed back from them).
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
  /// The changes by attribute, in order.
  package var byAttribute: [AttributeID: [Change]] {
    Dictionary(grouping: changes, by: \.attribute)
  }
}
