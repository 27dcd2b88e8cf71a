/// A sort key with its direction. Entities that are equal under all keys are sorted by id, in the
/// direction of the last key.
package struct RowOrder: Hashable, Sendable {
  package enum Key: Hashable, Sendable {
    /// The creation time of the entity in a namespace.
    case created(in: String)
    /// The value of an attribute.
    ///
    /// Null and missing values come first, then false, true, numbers, texts, lists and objects.
    /// Dates of a checked type are sorted by their instant. Texts are sorted by `Collation` if
    /// their type is checked, otherwise by UTF-16 code units.
    case attribute(AttributeID)
  }

  package var key: Key
  package var isDescending: Bool

  package init(_ key: Key, descending: Bool = false) {
    self.key = key
    isDescending = descending
  }
}

/// Methods that sort entities.
extension TripleStore {
  /// Returns the first `count` entities of a set in an order.
  ///
  /// If `isIncluded` is not nil, only entities for which it returns true count. It is called in
  /// order, and only as often as needed.
  ///
  /// - Complexity: Reads each member of the set, or only the returned members if an index exists.
  package func top(
    _ count: Int, of rows: RowSet, orderedBy order: [RowOrder],
    where isIncluded: ((EntityHandle) -> Bool)? = nil
  ) -> [EntityHandle] {
    guard count > 0, !rows.isEmpty else { return [] }
    if order.count == 1, let found = walk(count, of: rows, key(order[0]), isIncluded) {
      return found
    }
    if let isIncluded {
      var result: [EntityHandle] = []
      for entity in sorted(rows.handles, by: order) where isIncluded(entity) {
        result.append(entity)
        if result.count == count { break }
      }
      return result
    }
    if order.count == 1, let found = select(count, of: rows, key(order[0])) { return found }
    if count < rows.count / 4 { return least(count, of: rows, by: order) }
    if let ranked = ranked(rows, by: order.map { key($0) }) { return Array(ranked.prefix(count)) }
    return Array(sorted(rows.handles, by: order).prefix(count))
  }

  package func sorted(_ entities: [EntityHandle], by order: [RowOrder]) -> [EntityHandle] {
    let isBefore = before(order)
    return entities.sorted { isBefore($0.row, $1.row) }
  }

  /// Returns a function that tells whether one row comes before another in an order.
  private func before(_ order: [RowOrder]) -> (UInt32, UInt32) -> Bool {
    let keys = order.map { self.key($0) }
    let isDescending = order.last?.isDescending ?? false
    let entities = entities
    return { a, b in
      for key in keys {
        let comparison = key.compare(a, b)
        if comparison != 0 { return comparison < 0 }
      }
      return entities.with { isDescending ? $0.pointee.precedes(b, a) : $0.pointee.precedes(a, b) }
    }
  }

  /// Finds the first rows by comparing rows, with a bounded heap.
  private func least(_ count: Int, of rows: RowSet, by order: [RowOrder]) -> [EntityHandle] {
    var best = BoundedHeap(capacity: count, isBefore: before(order))
    rows.forEachRow { best.offer($0) }
    return best.sorted().map(EntityHandle.init(row:))
  }

  /// Returns whether one entity's id comes before another's. UUIDs are compared as 16 unsigned
  /// bytes; other texts come last.
  package func precedes(_ a: EntityHandle, _ b: EntityHandle) -> Bool {
    entities.content.precedes(a.row, b.row)
  }

  /// Compares two entities under one key. The result is negative, zero or positive when `a` is
  /// before, equal to or after `b`.
  package func compare(_ a: EntityHandle, _ b: EntityHandle, by order: RowOrder) -> Int {
    key(order).compare(a.row, b.row)
  }

  private func key(_ order: RowOrder) -> ColumnSortKey {
    switch order.key {
    case .created(let namespace):
      return ColumnSortKey(
        memberships[namespace].map { columns[$0] }, nil, entities,
        isDescending: order.isDescending)
    case .attribute(let id):
      let number = numbers[id]
      return ColumnSortKey(
        number.map { columns[$0] }, number.flatMap { attributes[$0] }?.checkedType, entities,
        isDescending: order.isDescending)
    }
  }
}
