package import InstaQL
package import Triples

/// Finds the queries whose answers a change may affect, without checking every query.
///
/// Queries form a group if they depend on the same attribute through the same links, and compare
/// the same attribute of their entities with a constant. For each group, the index follows the
/// links back from a change to the affected entities, only once. It then looks up the queries that
/// compare with the values of these entities.
package struct InvalidationIndex: Sendable {
  private struct GroupKey: Hashable {
    let path: DependencyPath
    let place: EqualityConstraint.Place?
  }

  private struct Group {
    var all: Set<QueryNumber> = []
    var byKey: [EqualityConstraint.Key: Set<QueryNumber>] = [:]

    var isEmpty: Bool { all.isEmpty && byKey.isEmpty }

    mutating func insert(_ query: QueryNumber, under keys: Set<EqualityConstraint.Key>?) {
      guard let keys else {
        all.insert(query)
        return
      }
      for key in keys { byKey[key, default: []].insert(query) }
    }

    mutating func remove(_ query: QueryNumber, under keys: Set<EqualityConstraint.Key>) {
      all.remove(query)
      for key in keys {
        byKey[key]?.remove(query)
        if byKey[key]?.isEmpty == true { byKey[key] = nil }
      }
    }
  }

  private struct Entry {
    let attribute: AttributeID
    let group: GroupKey
    let keys: Set<EqualityConstraint.Key>
  }

  private var groups: [AttributeID: [GroupKey: Group]] = [:]
  private var entries: [QueryNumber: [Entry]] = [:]

  package init() {}

  package func contains(_ query: QueryNumber) -> Bool { entries[query] != nil }

  /// Adds or replaces a query.
  package mutating func insert(_ query: QueryNumber, _ answers: [MaterializedAnswer]) {
    remove(query)
    var new: [Entry] = []
    for answer in answers {
      let constraint = EqualityConstraint(answer.prepared)
      for (attribute, paths) in answer.dependencies.pathsByAttribute {
        for path in paths {
          let key = GroupKey(path: path, place: constraint?.place)
          new.append(Entry(attribute: attribute, group: key, keys: constraint?.keys ?? []))
        }
      }
    }
    for entry in new {
      groups[entry.attribute, default: [:]][entry.group, default: Group()]
        .insert(query, under: entry.group.place == nil ? nil : entry.keys)
    }
    entries[query] = new
  }

  package mutating func remove(_ query: QueryNumber) {
    for entry in entries.removeValue(forKey: query) ?? [] {
      groups[entry.attribute]?[entry.group]?.remove(query, under: entry.keys)
      if groups[entry.attribute]?[entry.group]?.isEmpty == true {
        groups[entry.attribute]?[entry.group] = nil
      }
      if groups[entry.attribute]?.isEmpty == true { groups[entry.attribute] = nil }
    }
  }

  /// Returns every query whose rows may change, or whose displayed values may change.
  ///
  /// - Complexity: O(changes × groups that depend on the changed attributes), regardless of the
  ///   number of queries.
  package func touched(
    by changes: ChangeSet, from old: TripleStore, to new: TripleStore
  ) -> Set<QueryNumber> {
    var found: Set<QueryNumber> = []
    for (attribute, changes) in changes.byAttribute {
      for (key, group) in groups[attribute] ?? [:] {
        let origins = key.path.origins(of: changes, in: new)
        if origins.isEmpty { continue }
        found.formUnion(group.all)
        guard let place = key.place else { continue }
        if origins.count > Self.maxOrigins {
          for queries in group.byKey.values { found.formUnion(queries) }
          continue
        }
        for origin in origins {
          for store in [old, new] {
            for value in EqualityConstraint.keys(of: origin, at: place, in: store) {
              if let queries = group.byKey[value] { found.formUnion(queries) }
            }
          }
        }
      }
    }
    return found
  }

  /// The maximum number of entities whose values are looked up. If there are more, all queries of
  /// the group count as affected.
  private static let maxOrigins = 1_024
}
