extension TextWidth {
  /// Returns whether terminals disagree about the scalar's width, or join the scalar with its
  /// neighbors.
  ///
  /// Some terminals use the width of the C library (`wcwidth`) for each scalar. Others measure what
  /// is drawn. The two widths differ for vowel signs and conjuncts of Indic scripts, Hangul jamo,
  /// Arabic ligatures, and emoji that are narrow in the standard but drawn wide.
  static func isDisputed(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    if value < 0x590 {
      return false
    }
    switch value {
    case 0x590..<0x1200, 0x1700..<0x1800, 0x1900..<0x1D00, 0xA800..<0xAC00, 0xD7B0..<0xD800,
      0xFB1D..<0xFE00, 0xFE70..<0xFEFF, 0x10800..<0x12000, 0x16100..<0x17000, 0x1E800..<0x1F000:
      return true
    case 0x203C..<0x3300, 0x1F000..<0x1FB00:
      return scalar.isEmoji
    default: return false
    }
  }
}

extension Frame {
  /// Returns the runs of a row whose width is disputed. The cursor must be positioned explicitly
  /// after each of them.
  ///
  /// - Complexity: O(columns).
  package func disputedRuns(row: Int) -> [Range<Int>] {
    let cells = self.row(row)
    guard cells.contains(where: { !$0.isUndisputed }) else { return [] }
    var runs: [Range<Int>] = []
    for (column, cell) in cells.enumerated() {
      if cell.isUndisputed { continue }
      let follows = runs.last?.upperBound == column
      guard cell.hasMarks || TextWidth.isDisputed(cell.scalar) || (cell.isSecondHalf && follows)
      else { continue }
      if follows {
        runs[runs.count - 1] = runs[runs.count - 1].lowerBound..<column + 1
      } else {
        runs.append(column..<column + 1)
      }
    }
    return runs
  }
}
