import TerminalUI
import Widgets

extension Frame {
  /// Highlights the letters of all matches in an area of one row.
  ///
  /// The whole area is highlighted if the row shows none of them, for example because the text is cut.
  mutating func highlight(_ pattern: TextPattern, in area: Rect, ground: Role) {
    let letters = pattern.text.unicodeScalars
    guard let first = letters.first else { return }
    var (column, isFound) = (area.column, false)
    while column < area.endColumn {
      guard Self.isSame(cell(row: area.row, column: column).scalar, as: first),
        let end = end(of: letters, from: column, in: area)
      else {
        column += 1
        continue
      }
      repaint(
        Rect(row: area.row, column: column, rows: 1, columns: end - column), ground: ground)
      (column, isFound) = (end, true)
    }
    if !isFound { repaint(area, ground: ground) }
  }

  /// Returns the column after letters that begin at a column; nil if other letters are there.
  private func end(
    of letters: String.UnicodeScalarView, from start: Int, in area: Rect
  ) -> Int? {
    var column = start
    for letter in letters {
      guard column < area.endColumn else { return nil }
      let cell = cell(row: area.row, column: column)
      guard !cell.isSecondHalf, Self.isSame(cell.scalar, as: letter) else { return nil }
      column += 1
      if cell.isWide, column < area.endColumn { column += 1 }
    }
    return column
  }

  /// Returns whether a letter on the screen is a lowercase letter or its uppercase form.
  private static func isSame(_ shown: Unicode.Scalar, as letter: Unicode.Scalar) -> Bool {
    if shown == letter { return true }
    if shown.isASCII { return ("A"..."Z").contains(shown) && shown.value + 32 == letter.value }
    return shown.properties.lowercaseMapping == String(letter)
  }
}
