package import TerminalUI

/// A visible line of a list.
package struct ListLine {
  package let index: Int
  package let area: Rect
  /// The background, which shows whether the cursor is on the line.
  package let ground: Role
}

extension ListCursor {
  /// Draws the visible lines: the background of each, then its content.
  ///
  /// - Parameter chosen: The background of the line at the cursor.
  package func draw(
    _ count: Int, in area: Rect, chosen: Role = .selection, into frame: inout Frame,
    _ drawContent: (ListLine, inout Frame) -> Void
  ) {
    for (index, line, ground) in lines(of: count, in: area, chosen: chosen) {
      frame.fill(line, Paint(.text, on: ground))
      drawContent(ListLine(index: index, area: line, ground: ground), &frame)
    }
  }
}

extension Frame {
  /// Writes text in a line of a list, whose last column stays free.
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
