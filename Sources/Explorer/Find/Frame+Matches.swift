import TerminalUI
import Widgets

extension Frame {
  /// Highlights the letters of all matches in an area of one row.
  ///
  /// The whole area is highlighted if the row shows none of them, for example because the text is cut.
  mutating func highlight(_ pattern: TextPattern, in area: Rect, ground: Role) {
    let letters = pattern.letters
    if letters.isEmpty { return }
    var found = columns(of: letters, from: area.column, in: area)
    if found == nil { repaint(area, ground: ground) }
    while let match = found {
      repaint(
        Rect(row: area.row, column: match.lowerBound, rows: 1, columns: match.count),
        ground: ground)
      found = columns(of: letters, from: match.upperBound, in: area)
    }
  }
}
