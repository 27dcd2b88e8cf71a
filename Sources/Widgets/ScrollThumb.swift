package import TerminalUI

/// The thumb of a scroll bar, which shows the position of the visible lines.
package enum ScrollThumb {
  /// Returns the rows of a scroll bar that its thumb covers.
  ///
  /// Unless the bar is too short, the thumb touches an end of the bar only if the view is at that
  /// end.
  ///
  /// - Parameters:
  ///   - top: The index of the first visible line.
  ///   - page: The number of visible lines.
  ///   - rows: The length of the bar.
  /// - Returns: The rows; nil if all lines are visible.
  package static func rows(top: Int, page: Int, of count: Int, in rows: Int) -> Range<Int>? {
    guard page > 0, rows > 0, count > page else { return nil }
    let size = min(max(1, rows * page / count), max(1, rows - 2))
    let (last, end) = (count - page, rows - size)
    var first = min(end, max(0, (top * end + last / 2) / last))
    if top > 0 { first = max(first, min(1, end)) }
    if top < last { first = min(first, max(0, end - 1)) }
    return first..<first + size
  }
}

extension Frame {
  /// Draws a scroll bar over the right border of an area, unless all lines are visible.
  package mutating func drawScrollThumb(top: Int, page: Int, of count: Int, in area: Rect) {
    // Without borders, a text shows the position instead.
    guard area.endColumn < size.columns,
      let thumb = ScrollThumb.rows(top: top, page: page, of: count, in: area.rows)
    else { return }
    fill(
      Rect(
        row: area.row + thumb.lowerBound, column: area.endColumn, rows: thumb.count, columns: 1),
      Paint(.scrollbarThumb), with: "█")
  }
}
