package import Triples

/// How a changed value concerns an entity that an answer asks about: which links lead from that
/// entity to where the value is.
package struct Way: Hashable, Sendable {
  /// Which side of a change the last link leads to.
  package enum End: Hashable, Sendable {
    /// The entity that holds the value.
    case holder
    /// The entities that the value names or named: a link that is followed backwards.
    case target
  }

  /// From the entity asked about.
  package let links: [Link]
  package let end: End

  /// The entities at the beginning of the way that these changes concern.
  ///
  /// - Complexity: O(changes, and links that lead back from them).
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
  /// The changes by attribute, each in order.
  package var byAttribute: [AttributeID: [Change]] {
    Dictionary(grouping: changes, by: \.attribute)
  }
}
