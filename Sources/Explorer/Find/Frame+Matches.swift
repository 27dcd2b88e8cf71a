import TerminalUI
import Widgets

extension Frame {
  /// Highlights the letters of all matches in an area of one row.
  ///
  /// The whole area is highlighted if the row shows none of them, for example because the text is cut.
  mutating func highlight(_ pattern: TextPattern, in area: Rect, ground: Role) {
    let letters = pattern.text.unicodeScalars.map(String.init)
    let columns = (area.column..<area.endColumn).filter {
      !cell(row: area.row, column: $0).isSecondHalf
    }
    let shown = columns.map { cell(row: area.row, column: $0).scalar.properties.lowercaseMapping }
    var (start, isFound) = (0, false)
    while !letters.isEmpty, start + letters.count <= shown.count {
      let end = start + letters.count
      guard shown[start..<end].elementsEqual(letters) else {
        start += 1
        continue
      }
      let endColumn = end < columns.count ? columns[end] : area.endColumn
      let match = Rect(
        row: area.row, column: columns[start], rows: 1, columns: endColumn - columns[start])
      repaint(match, ground: ground)
      (start, isFound) = (end, true)
    }
    if !isFound { repaint(area, ground: ground) }
  }
}
