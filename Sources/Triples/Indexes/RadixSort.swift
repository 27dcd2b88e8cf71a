/// Sorts rows by 64-bit keys, 11 bits at a time. It skips passes in which all keys agree.
enum RadixSort {
  /// Sorts rows by key. Rows with equal keys keep their order. If there are fewer than 256 rows,
  /// rows with equal keys are sorted by row number instead.
  static func sort(_ rows: inout [KeyedRow]) {
    if isSorted(rows) { return }
    if rows.count < 256 {
      rows.sort { $0.key != $1.key ? $0.key < $1.key : $0.row < $1.row }
      return
    }
    sortStably(&rows)
  }

  /// Sorts rows by key. Rows with equal keys always keep their order.
  static func sortStably(_ rows: inout [KeyedRow]) {
    var all: UInt64 = 0
    var common = UInt64.max
    for row in rows {
      all |= row.key
      common &= row.key
    }
    let differing = all & ~common
    var other = rows
    for shift in stride(from: 0, to: 64, by: 11) where differing >> UInt64(shift) & 2047 != 0 {
      pass(from: rows, to: &other, shift: UInt64(shift))
      swap(&rows, &other)
    }
  }

  private static func isSorted(_ rows: [KeyedRow]) -> Bool {
    var last: UInt64 = 0
    for row in rows {
      if row.key < last { return false }
      last = row.key
    }
    return true
  }

  private static func pass(from rows: [KeyedRow], to sorted: inout [KeyedRow], shift: UInt64) {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 2048) { next in
      next.initialize(repeating: 0)
      rows.withUnsafeBufferPointer { rows in
        sorted.withUnsafeMutableBufferPointer { sorted in
          for row in rows { next[Int(row.key >> shift & 2047)] &+= 1 }
          var sum = 0
          for digit in 0..<2048 {
            let count = next[digit]
            next[digit] = sum
            sum &+= count
          }
          for row in rows {
            let digit = Int(row.key >> shift & 2047)
            sorted[next[digit]] = row
            next[digit] &+= 1
          }
        }
      }
    }
  }
}

extension Entities {
  /// Sorts by id within each run of equal keys in a range.
  func sortByID(_ rows: inout [KeyedRow], _ range: Range<Int>) {
    if range.count < 2 { return }
    if range.count < 64 {
      rows[range].sort { precedes($0.row, $1.row) }
      return
    }
    var run = rows[range].map { row in
      KeyedRow(key: uuidBits(row.row)?.high ?? .max, row: row.row)
    }
    RadixSort.sort(&run)
    var start = 0
    while start < run.count {
      var end = start + 1
      while end < run.count, run[end].key == run[start].key { end += 1 }
      if end - start > 1 { run[start..<end].sort { precedes($0.row, $1.row) } }
      start = end
    }
    let key = rows[range.lowerBound].key
    for (place, row) in zip(range, run) { rows[place] = KeyedRow(key: key, row: row.row) }
  }

  /// Sorts rows by key, and rows with equal keys by id.
  func sort(_ rows: inout [KeyedRow]) {
    RadixSort.sort(&rows)
    var start = 0
    while start < rows.count {
      var end = start + 1
      let key = rows[start].key
      while end < rows.count, rows[end].key == key { end += 1 }
      if end - start > 1 { sortByID(&rows, start..<end) }
      start = end
    }
  }
}
