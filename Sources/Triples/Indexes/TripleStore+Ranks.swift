/// Sorts many rows by keys that are converted to numbers. Sorting a million rows by comparison
/// would read two values twenty million times.
extension TripleStore {
  /// The number of rows up to which comparing them is faster than sorting by numbers.
  private static let maxComparedRows = 4_096

  /// Returns all rows of a set, sorted by the keys and then by id. Nil when comparing is faster, or
  /// when the values of a key are neither all numbers nor all texts.
  ///
  /// The rows are sorted first by id, and then by each key from the last to the first. Every sort
  /// is stable.
  ///
  /// - Complexity: Reads each row a few times for every key.
  func ranked(_ rows: RowSet, by keys: [ColumnSortKey]) -> [EntityHandle]? {
    guard rows.count > Self.maxComparedRows, keys.allSatisfy(\.hasNumbers) else { return nil }
    var all: [KeyedRow] = []
    all.reserveCapacity(rows.count)
    rows.forEachRow { all.append(KeyedRow(key: 0, row: $0)) }
    entities.content.sortByID(&all, 0..<all.count)
    if keys.last?.isDescending == true { all.reverse() }
    for key in keys.reversed() {
      guard let numbers = key.numbers(of: rows, entities.content) else { return nil }
      sort(&all, by: numbers, key)
    }
    return all.map { EntityHandle(row: $0.row) }
  }

  private func sort(_ rows: inout [KeyedRow], by numbers: RowNumbers, _ key: ColumnSortKey) {
    let flip: UInt64 = key.isDescending ? .max : 0
    var nothing: [KeyedRow] = []
    var valued: [KeyedRow] = []
    valued.reserveCapacity(rows.count)
    for row in rows {
      if let number = numbers[row.row] {
        valued.append(KeyedRow(key: number ^ flip, row: row.row))
      } else {
        nothing.append(row)
      }
    }
    RadixSort.sortStably(&valued)
    rows = key.isDescending ? valued + nothing : nothing + valued
  }
}

/// The sort keys of a set of rows, as numbers in the same order.
struct RowNumbers {
  private var numbers: [UInt64]
  private var isThere: [Bool]

  init(_ keyed: [KeyedRow]) {
    let count = keyed.reduce(0) { max($0, Int($1.row) + 1) }
    numbers = [UInt64](repeating: 0, count: count)
    isThere = [Bool](repeating: false, count: count)
    for row in keyed {
      numbers[Int(row.row)] = row.key
      isThere[Int(row.row)] = true
    }
  }

  /// The sort key of a row as a number; nil for a row without a value.
  subscript(row: UInt32) -> UInt64? {
    let place = Int(row)
    return place < numbers.count && isThere[place] ? numbers[place] : nil
  }
}

extension ColumnSortKey {
  /// Whether the kind of the column allows numeric keys. This does not read the cells.
  fileprivate var hasNumbers: Bool {
    column.map { $0.kind == .value || $0.kind == .membership } ?? true
  }

  /// Returns the keys of the rows as numbers; nil if the values are neither all numbers nor all
  /// texts.
  fileprivate func numbers(of rows: RowSet, _ entities: Entities) -> RowNumbers? {
    guard let column else { return RowNumbers([]) }
    var keyed: [KeyedRow] = []
    keyed.reserveCapacity(rows.count)
    let scale = column.keyScale(isDate: isDate)
    if scale != .none {
      column.forEachKey(scale, entities, within: rows) { keyed.append(KeyedRow(key: $1, row: $0)) }
    } else if let ranks = column.textRanks(isCollated: checkedType == .string, within: rows) {
      column.forEachText(within: rows) {
        keyed.append(KeyedRow(key: UInt64(ranks[Int($1)]), row: $0))
      }
    } else {
      return nil
    }
    return RowNumbers(keyed)
  }
}
