/// The rows of a column that have a value, sorted by value and then by id.
struct SortedRows: Sendable {
  /// The rows in ascending order of their values, then of their ids.
  let rows: [UInt32]
  /// The same rows as a set.
  let set: RowSet
  /// Whether `rows` is also in ascending order of row numbers.
  let isRowOrder: Bool
  /// The numbers by which the rows were sorted, if all values are integers or all are doubles.
  let numbers: Numbers

  enum Numbers: Sendable {
    case none
    case integers([Int64])
    case doubles([Double])
  }

  /// Builds the index of a column's values.
  init(_ column: Column, _ checkedType: CheckedType?, _ entities: Entities) {
    let isDate = checkedType == .date
    let isCollated = checkedType == .string
    let scale = column.keyScale(isDate: isDate)
    var keyed: [KeyedRow] = []
    keyed.reserveCapacity(column.filled)
    if scale != .none {
      column.forEachKey(scale, entities, within: nil) { keyed.append(KeyedRow(key: $1, row: $0)) }
      entities.sort(&keyed)
    } else if let ranks = column.textRanks(isCollated: isCollated) {
      column.forEachText { keyed.append(KeyedRow(key: UInt64(ranks[Int($1)]), row: $0)) }
      entities.sort(&keyed)
    } else {
      let key = ColumnSortKey(Boxed(column), checkedType, Boxed(entities), isDescending: false)
      column.rows(.notNull, isDate: isDate, within: nil).forEachRow {
        keyed.append(KeyedRow(key: 0, row: $0))
      }
      keyed.sort { a, b in
        let order = key.compare(a.row, b.row)
        return order != 0 ? order < 0 : entities.precedes(a.row, b.row)
      }
    }
    switch scale {
    case .integers, .instants: numbers = .integers(keyed.map { KeyScale.integer($0.key) })
    case .doubles: numbers = .doubles(keyed.map { KeyScale.double($0.key) })
    case .booleans, .created, .none: numbers = .none
    }
    rows = keyed.map(\.row)
    isRowOrder = zip(rows, rows.dropFirst()).allSatisfy { $0 < $1 }
    set = RowSet(rows: isRowOrder ? rows : rows.sorted())
  }

  /// Returns the rows whose number is in a range; nil when the values are not all integers.
  func rows(_ range: ClosedRange<Int64>) -> ArraySlice<UInt32>? {
    guard case .integers(let numbers) = numbers else { return nil }
    return rows[Self.slice(numbers, range)]
  }

  func rows(_ range: ClosedRange<Double>) -> ArraySlice<UInt32>? {
    guard case .doubles(let numbers) = numbers else { return nil }
    return rows[Self.slice(numbers, range)]
  }

  @inline(__always)
  private static func slice<Number: Comparable>(
    _ numbers: [Number], _ range: ClosedRange<Number>
  ) -> Range<Int> {
    func firstPlace(_ isBeyond: (Number) -> Bool) -> Int {
      var low = 0
      var high = numbers.count
      while low < high {
        let middle = (low + high) >> 1
        if isBeyond(numbers[middle]) { high = middle } else { low = middle + 1 }
      }
      return low
    }
    let start = firstPlace { $0 >= range.lowerBound }
    return start..<max(start, firstPlace { $0 > range.upperBound })
  }
}

extension Column {
  /// Returns the ranks of the rows' texts, indexed by code; nil if some values are not texts. Texts
  /// that the order does not distinguish have equal ranks.
  ///
  /// - Parameter rows: The rows; nil for all rows of the column.
  func textRanks(isCollated: Bool, within rows: RowSet? = nil) -> [UInt32]? {
    guard kind == .value else { return nil }
    var isUsed = [Bool](repeating: false, count: texts.count)
    var isPure = true
    forEachChunk(.value, within: rows) { _, chunk, bits in
      switch chunk.cells {
      case .none: break
      case .texts(let codes): Bits.forEach(bits) { isUsed[Int(codes[$0])] = true }
      case .integers, .doubles, .booleans, .targets, .mixed, .targetLists, .valueLists:
        Bits.forEach(bits) { _ in isPure = false }
      }
    }
    guard isPure else { return nil }
    let used = isUsed.indices.filter { isUsed[$0] }.map { UInt32($0) }
    return TextOrder(texts, isCollated: isCollated).ranks(of: used)
  }

  /// Calls `body` for each row that contains a text, in ascending order, with the text's code.
  func forEachText(within rows: RowSet? = nil, _ body: (_ row: UInt32, _ code: UInt32) -> Void) {
    forEachChunk(.value, within: rows) { place, chunk, bits in
      guard case .texts(let codes) = chunk.cells else { return }
      let base = UInt32(place) << Chunk.shift
      Bits.forEach(bits) { body(base | UInt32(truncatingIfNeeded: $0), codes[$0]) }
    }
  }
}
