extension TextWidth {
  /// Whether terminals differ in how many columns the scalar takes, or join it with its neighbours.
  ///
  /// Some give each scalar the width that the C library says. Others count by what is drawn: the vowel
  /// signs and conjuncts of Indic scripts, Hangul in parts, ligatures of Arabic, and emoji that are
  /// narrow by the book and wide on the screen.
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
  /// The stretches of a row of whose width terminals may have another idea: whoever draws the row says
  /// after each of them where the rest of it begins.
  ///
  /// - Complexity: O(columns).
  package func disputedRuns(row: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for column in 0..<size.columns {
      let cell = cell(row: row, column: column)
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
