/// Orders of many rows by several keys, each key sorted as numbers: to compare a million rows with
/// each other takes twenty million looks at two values.
extension TripleStore {
  /// So few rows are compared sooner.
  private static let fewRows = 4_096

  /// All of a set in an order, ties by id; nil where comparing is cheaper, or a key is no number and
  /// no text throughout.
  ///
  /// The rows are sorted by id and then by each key, the last one first; every sort leaves rows of
  /// equal keys as they were.
  ///
  /// - Complexity: a few looks at each row for every key.
  func ranked(_ rows: RowSet, by keys: [SortKey]) -> [EntityHandle]? {
    guard rows.count > Self.fewRows, keys.allSatisfy(\.hasNumbers) else { return nil }
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

  private func sort(_ rows: inout [KeyedRow], by numbers: RowNumbers, _ key: SortKey) {
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

/// What the rows of a set are ordered by, as numbers in the same order.
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

  /// Nil for a row without a value.
  subscript(row: UInt32) -> UInt64? {
    let place = Int(row)
    return place < numbers.count && isThere[place] ? numbers[place] : nil
  }
}

extension SortKey {
  /// Whether the column is one of numbers or texts, as far as can be told without a look at it.
  fileprivate var hasNumbers: Bool {
    column.map { $0.kind == .value || $0.kind == .membership } ?? true
  }

  /// Nil when the values are not numbers, nor texts, throughout.
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
