package import TerminalUI

/// A line of a pane, such as a visible line of a list.
package struct ListLine {
  /// The index among all lines of a list.
  package var index = 0
  package let area: Rect
  /// The background, which shows whether the cursor is on the line.
  package let ground: Role
}

extension Rect {
  /// Returns the line in a row of the area, counted from the top of the area.
  package func line(_ row: Int, ground: Role = .text) -> ListLine {
    ListLine(
      area: Rect(row: self.row + row, column: column, rows: 1, columns: columns), ground: ground)
  }
}

extension Frame {
  /// Fills a line with its background.
  package mutating func fill(_ line: ListLine) { fill(line.area, Paint(.text, on: line.ground)) }

  /// Writes text in a line, whose last column stays free.
  ///
  /// - Parameter column: The column in the line.
  /// - Returns: The width of the text in columns.
  @discardableResult
  package mutating func write(
    _ text: String, _ role: Role, in line: ListLine, at column: Int = 1, width: Int = .max,
    alignment: Alignment = .leading
  ) -> Int {
    write(
      text, row: line.area.row, column: line.area.column + column,
      width: max(0, min(width, line.area.columns - column - 1)),
      paint: Paint(role, on: line.ground), alignment: alignment)
  }

  /// Writes text at the end of a line of a list.
  ///
  /// - Returns: The width that remains for text at the start of the line.
  @discardableResult
  package mutating func writeAtEnd(_ text: String, _ role: Role, in line: ListLine) -> Int {
    let width = TextWidth.columns(of: text)
    write(
      text, row: line.area.row, column: line.area.endColumn - width - 1, width: width,
      paint: Paint(role, on: line.ground))
    return max(0, line.area.columns - width - 3)
  }
}
