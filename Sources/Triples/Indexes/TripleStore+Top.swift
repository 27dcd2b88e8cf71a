/// Two fast ways to find the first entities of an order.
extension TripleStore {
  /// Collects the first rows of a set from the sorted rows of the key's column. Returns nil when
  /// reading the set itself is faster, or when the key has no sortable column.
  func walk(
    _ count: Int, of rows: RowSet, _ key: ColumnSortKey, _ isIncluded: ((EntityHandle) -> Bool)?
  ) -> [EntityHandle]? {
    guard let column = key.column, column.kind == .membership || column.kind == .value else {
      return nil
    }
    if column.kind == .membership, isIncluded == nil, !key.isDescending, count >= rows.count,
      let sorted = column.indexes.sortedIfBuilt, sorted.changed.isEmpty,
      sorted.index.isRowOrder, rows.isSubset(of: sorted.index.set)
    {
      return rows.handles
    }
    let members = rows.count
    if members <= 64 || members * 8 < column.filled { return nil }
    // If many rows are needed, sorting texts is faster than comparing them with each other.
    let isSorting =
      count >= members / 4 && members > 4_096 && column.keyScale(isDate: key.isDate) == .none
    let requestLimit = column.kind == .membership || isIncluded != nil || isSorting ? 0 : 1
    guard column.indexes.wantsSorted(afterRequests: requestLimit) else { return nil }
    let sorted = column.indexes.sorted {
      SortedRows(column, key.checkedType, entities.content)
    }
    return Walk(
      count: count, rows: rows, key: key, isIncluded: isIncluded, sorted: sorted,
      entities: entities
    ).result()
  }

  /// Selects the first rows of a set by numeric keys, without an index. Returns nil when the column
  /// has no such keys.
  func select(_ count: Int, of rows: RowSet, _ key: ColumnSortKey) -> [EntityHandle]? {
    guard let column = key.column else { return nil }
    let scale = column.keyScale(isDate: key.isDate)
    if scale == .none { return nil }
    let entities = entities.content
    let flip: UInt64 = key.isDescending ? .max : 0
    var valued = RowSet()
    var keyed: [KeyedRow] = []
    if count < rows.count / 8 {
      var best = BoundedHeap<KeyedRow>(capacity: count) { a, b in
        if a.key != b.key { return a.key < b.key }
        return key.isDescending ? entities.precedes(b.row, a.row) : entities.precedes(a.row, b.row)
      }
      var limit = UInt64.max
      var seen = 0
      column.forEachKey(scale, entities, within: rows) { row, value in
        seen += 1
        if value ^ flip > limit { return }
        best.offer(KeyedRow(key: value ^ flip, row: row))
        if let last = best.limit { limit = last.key }
      }
      keyed = best.sorted()
      let isWhole = seen == rows.count
      if isWhole { return keyed.map { EntityHandle(row: $0.row) } }
    } else {
      column.forEachKey(scale, entities, within: rows) { row, value in
        keyed.append(KeyedRow(key: value ^ flip, row: row))
      }
      entities.sort(&keyed)
      if key.isDescending { Self.reverseRuns(&keyed) }
      if keyed.count == rows.count { return keyed.prefix(count).map { EntityHandle(row: $0.row) } }
    }
    column.forEachKey(scale, entities, within: rows) { row, _ in valued.insert(row: row) }
    return with(
      nothing: rows.subtracting(valued), keyed.map { EntityHandle(row: $0.row) }, count, key)
  }

  /// Reverses each run of rows with equal keys. In a descending order, their ids must descend, too,
  /// but in the index they ascend.
  private static func reverseRuns(_ rows: inout [KeyedRow]) {
    var start = 0
    while start < rows.count {
      var end = start + 1
      while end < rows.count, rows[end].key == rows[start].key { end += 1 }
      if end - start > 1 { rows[start..<end].reverse() }
      start = end
    }
  }

  /// Returns the first `count` rows of the sorted rows `valued` and the rows `nothing`, which have
  /// no value. The rows `nothing` are sorted by id. They come first in an ascending order, and last
  /// in a descending order.
  private func with(
    nothing: RowSet, _ valued: [EntityHandle], _ count: Int, _ key: ColumnSortKey
  ) -> [EntityHandle] {
    if key.isDescending && valued.count >= count { return Array(valued.prefix(count)) }
    let rest = sortedByID(nothing, isDescending: key.isDescending)
    return Array((key.isDescending ? valued + rest : rest + valued).prefix(count))
  }

  private func sortedByID(_ rows: RowSet, isDescending: Bool) -> [EntityHandle] {
    var keyed: [KeyedRow] = []
    rows.forEachRow { keyed.append(KeyedRow(key: 0, row: $0)) }
    entities.content.sortByID(&keyed, 0..<keyed.count)
    let handles = keyed.map { EntityHandle(row: $0.row) }
    return isDescending ? handles.reversed() : handles
  }
}

/// Collects rows from the sorted rows of a column, merged with the rows that changed after sorting.
private struct Walk {
  let count: Int
  let rows: RowSet
  let key: ColumnSortKey
  let isIncluded: ((EntityHandle) -> Bool)?
  let sorted: ColumnIndexes.Aged<SortedRows>
  let entities: Boxed<Entities>

  func result() -> [EntityHandle] {
    var taken: [EntityHandle] = []
    if isWholeInRowOrder { return inRowOrder() }
    if key.isDescending {
      collectSorted(into: &taken)
      collectMissing(into: &taken)
    } else {
      collectMissing(into: &taken)
      collectSorted(into: &taken)
    }
    return taken
  }

  /// Whether the order of row numbers is also the order of values, so that sorting is not needed.
  private var isWholeInRowOrder: Bool {
    sorted.changed.isEmpty && sorted.index.isRowOrder && rows.isSubset(of: sorted.index.set)
  }

  private func inRowOrder() -> [EntityHandle] {
    var taken: [EntityHandle] = []
    if key.isDescending {
      for handle in rows.handles.reversed() where !collect(handle.row, into: &taken) { break }
    } else {
      for entity in rows where !collect(entity.row, into: &taken) { break }
    }
    return taken
  }

  /// Appends a row if `isIncluded` allows it. Returns false when enough rows are collected.
  private func collect(_ row: UInt32, into taken: inout [EntityHandle]) -> Bool {
    if taken.count == count { return false }
    if let isIncluded, !isIncluded(EntityHandle(row: row)) { return true }
    taken.append(EntityHandle(row: row))
    return taken.count < count
  }

  private func collectSorted(into taken: inout [EntityHandle]) {
    var changed = sorted.changed.filter { rows.contains(row: $0) && key.hasValue($0) }
    if isIncluded == nil && count < changed.count / 4 {
      var first = BoundedHeap(capacity: count, isBefore: isBefore)
      for row in changed { first.offer(row) }
      changed = first.sorted()
    } else {
      changed.sort(by: isBefore)
    }
    var next = 0
    let index = sorted.index.rows
    let last = index.count - 1
    for place in 0..<index.count {
      let row = index[key.isDescending ? last - place : place]
      if !rows.contains(row: row) || sorted.isChanged(row) { continue }
      while next < changed.count, isBefore(changed[next], row) {
        if !collect(changed[next], into: &taken) { return }
        next += 1
      }
      if !collect(row, into: &taken) { return }
    }
    while next < changed.count {
      if !collect(changed[next], into: &taken) { return }
      next += 1
    }
  }

  private func collectMissing(into taken: inout [EntityHandle]) {
    if taken.count == count { return }
    var nothing = rows.subtracting(sorted.index.set)
    for row in sorted.changed where rows.contains(row: row) {
      if key.hasValue(row) { nothing.remove(row: row) } else { nothing.insert(row: row) }
    }
    if nothing.isEmpty { return }
    var keyed: [KeyedRow] = []
    nothing.forEachRow { keyed.append(KeyedRow(key: 0, row: $0)) }
    entities.content.sortByID(&keyed, 0..<keyed.count)
    if key.isDescending { keyed.reverse() }
    for row in keyed where !collect(row.row, into: &taken) { return }
  }

  private func isBefore(_ a: UInt32, _ b: UInt32) -> Bool {
    let order = key.compare(a, b)
    if order != 0 { return order < 0 }
    return entities.with {
      key.isDescending ? $0.pointee.precedes(b, a) : $0.pointee.precedes(a, b)
    }
  }
}
