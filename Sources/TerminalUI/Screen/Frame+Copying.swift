/// Copies a frame that was drawn before into another one.
extension Frame {
  /// Copies all cells of a frame to a position, where they replace the cells of this frame.
  ///
  /// - Complexity: O(copied cells). It is much faster than drawing the cells again.
  package mutating func copy(_ other: Frame, row: Int, column: Int) {
    let area = clip.intersection(
      Rect(row: row, column: column, rows: other.size.rows, columns: other.size.columns))
    if area.isEmpty { return }
    for line in area.row..<area.endRow {
      copy(other, row: line - row, from: area.column - column, to: area, row: line)
    }
  }

  private mutating func copy(
    _ other: Frame, row: Int, from column: Int, to area: Rect, row line: Int
  ) {
    cover(row: line, from: area.column, to: area.endColumn)
    let target = line * size.columns + area.column
    let source = row * other.size.columns + column
    cells.withUnsafeMutableBufferPointer { all in
      other.cells.withUnsafeBufferPointer { others in
        _ = UnsafeMutableBufferPointer(rebasing: all[target..<target + area.columns])
          .update(fromContentsOf: others[source..<source + area.columns])
      }
    }
    if other.hasWideGlyphs {
      hasWideGlyphs = true
      let last = target + area.columns - 1
      // The edges of the clip area cut wide glyphs in half.
      if cells[target].isSecondHalf { cells[target] = Cell(paint: cells[target].paint) }
      if cells[last].isWide { cells[last] = Cell(paint: cells[last].paint) }
    }
    if other.marks.isEmpty { return }
    for offset in 0..<area.columns where cells[target + offset].hasMarks {
      marks[target + offset] = other.marks[source + offset]
    }
  }
}
