package import TerminalUI

/// The part of a scroll bar that shows the position of the visible lines.
package enum ScrollThumb {
  /// The rows of the thumb.
  ///
  /// It is at an end of the bar only if the view is at that end, as far as the bar has rows for it.
  ///
  /// - Parameters:
  ///   - top: The first visible line.
  ///   - page: The number of visible lines.
  ///   - rows: The length of the bar.
  /// - Returns: Nil if all lines are visible.
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
  /// Draws a scroll bar over the right border of an area in which not all lines are visible.
  package mutating func drawScrollThumb(top: Int, page: Int, of count: Int, in area: Rect) {
    // Without borders, the position is shown in words.
    guard area.endColumn < size.columns,
      let thumb = ScrollThumb.rows(top: top, page: page, of: count, in: area.rows)
    else { return }
    fill(
      Rect(
        row: area.row + thumb.lowerBound, column: area.endColumn, rows: thumb.count, columns: 1),
      Paint(.key), with: "█")
  }
}
