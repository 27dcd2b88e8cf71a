extension Frame {
  /// Returns the first columns, from a column on, in which an area of one row shows letters. Returns
  /// nil if it does not show them.
  ///
  /// - Parameter letters: Lowercase letters, at least one. They also match their uppercase forms.
  package func columns(
    of letters: [Unicode.Scalar], from start: Int, in area: Rect
  ) -> Range<Int>? {
    for column in max(start, area.column)..<max(start, area.column, area.endColumn)
    where Self.isSame(cell(row: area.row, column: column).scalar, as: letters[0]) {
      if let end = end(of: letters, from: column, in: area) { return column..<end }
    }
    return nil
  }

  /// Returns the column after letters that begin at a column; nil if other letters are there.
  private func end(of letters: [Unicode.Scalar], from start: Int, in area: Rect) -> Int? {
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
