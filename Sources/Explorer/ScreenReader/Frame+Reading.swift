import TerminalUI

// Turns a drawn screen into text for a screen reader. Lines, boxes and bars disappear, and arrows
// become words.
extension Frame {
  /// Returns the words for a symbol; nil for any other character.
  private static func words(for sign: Unicode.Scalar) -> String? {
    switch sign {
    case "→": "to "
    case "⇉": "to many "
    case "←": "from "
    case "⇇": "from many "
    case "↻": "to its own namespace "
    case "↑": "up "
    case "↓": "down "
    case "·": ", "
    case "◆": "unique "
    case "✕", "‖", "±": ""
    default: isDrawing(sign) ? "" : nil
    }
  }

  /// Returns whether a character is purely graphical, such as a line, a block or a geometric shape.
  package static func isDrawing(_ scalar: Unicode.Scalar) -> Bool {
    (0x2300...0x23FF).contains(scalar.value) || (0x2500...0x25FF).contains(scalar.value)
      || (0x2800...0x28FF).contains(scalar.value)
  }

  /// Replaces lines, bars and boxes with spaces.
  ///
  /// All other text keeps its columns, so that rows of data stay aligned.
  mutating func blankDrawings(in area: Rect) {
    for row in area.row..<area.endRow {
      for column in area.column..<area.endColumn
      where Self.isDrawing(cell(row: row, column: column).scalar) {
        write(" ", row: row, column: column, width: 1, paint: cell(row: row, column: column).paint)
      }
    }
  }

  /// Replaces symbols with words. The text after a symbol moves within its line.
  mutating func speak(in area: Rect) {
    for row in area.row..<area.endRow {
      let hasSigns = (area.column..<area.endColumn).contains {
        Self.words(for: cell(row: row, column: $0).scalar) != nil
      }
      if hasSigns { speak(row: row, in: area) }
    }
  }

  /// Returns the words for the symbol in a cell, depending on the cells next to it; nil for other
  /// cells.
  private func words(forSignAt column: Int, row: Int, in area: Rect) -> String? {
    let cell = cell(row: row, column: column)
    func neighbor(_ step: Int) -> Unicode.Scalar? {
      let place = column + step
      return (area.column..<area.endColumn).contains(place)
        ? self.cell(row: row, column: place).scalar : nil
    }
    // An arrow before the first word of a field marks a link; any other arrow is between two texts.
    var isFieldStart: Bool {
      guard let before = neighbor(-1) else { return true }
      return before == " " && [nil, " ", "·", "*"].contains(neighbor(-2))
    }
    // The arrow before the first word of a line marks the label of a link.
    var isLineStart: Bool {
      (area.column..<column).allSatisfy {
        [" ", "*"].contains(self.cell(row: row, column: $0).scalar)
      }
    }
    switch cell.scalar {
    case "▸" where neighbor(2) == "[" || neighbor(2) == "{": return "collapsed "
    case "·" where cell.paint.ink == .missing: return "missing"
    case "→" where isLineStart, "⇉" where isLineStart: return "link "
    case "→" where isFieldStart: return "link to "
    case "⇉" where isFieldStart: return "link to many "
    case "←" where isFieldStart && neighbor(1) != "→": return "link from "
    case "⇇" where isFieldStart: return "link from many "
    // The two arrows are keys next to each other.
    case "←" where neighbor(1) == "→": return "left, "
    case "→" where neighbor(-1) == "←": return "right "
    case "↑" where neighbor(1) == "↓": return "up, "
    // The arrow precedes the number of pending changes, or marks a pending change.
    case "↑" where neighbor(1) == " " || neighbor(1)?.properties.numericType != nil: return ""
    default: return Self.words(for: cell.scalar)
    }
  }

  /// Adjacent cells of the same style, as a text.
  private typealias Run = (text: String, paint: Paint)

  /// Shortens the texts to `columns` in total, since words are longer than symbols. Spaces between
  /// columns are removed, the last ones first.
  private static func shorten(_ runs: inout [Run], to columns: Int) {
    var excess = runs.reduce(0) { $0 + TextWidth.columns(of: $1.text) } - columns
    for index in runs.indices.reversed() where excess > 0 {
      let text = runs[index].text
      guard let end = text.lastIndex(of: " "), text[...end].hasSuffix("   ") else { continue }
      let blanks = text[...end].reversed().prefix { $0 == " " }.count
      let removed = min(excess, blanks - 2)
      let start = text.index(end, offsetBy: 1 - removed)
      runs[index].text.removeSubrange(start...end)
      excess -= removed
    }
  }

  private mutating func speak(row: Int, in area: Rect) {
    var runs: [Run] = []
    var isAfterSign = false
    for column in area.column..<area.endColumn {
      let cell = cell(row: row, column: column)
      if cell.isSecondHalf { continue }
      var text = String(cell.scalar)
      for mark in marks(row: row, column: column) { text.unicodeScalars.append(mark) }
      if let words = words(forSignAt: column, row: row, in: area) {
        // The text `a · b` becomes `a, b`, without the space before the comma.
        if words.first == ",", runs.last?.text.last == " " {
          runs[runs.count - 1].text.removeLast()
        }
        text = words
        isAfterSign = words.last == " " || words.isEmpty
      } else if isAfterSign {
        // The words already end with the space that follows the sign.
        isAfterSign = false
        if cell.scalar == " " { continue }
      }
      if runs.last?.paint == cell.paint {
        runs[runs.count - 1].text += text
      } else {
        runs.append((text, cell.paint))
      }
    }
    // Trailing spaces are dropped, since cutting them loses no text.
    while let last = runs.popLast() {
      guard let end = last.text.lastIndex(where: { $0 != " " }) else { continue }
      runs.append((String(last.text[...end]), last.paint))
      break
    }
    Self.shorten(&runs, to: area.columns)
    let ground = cell(row: row, column: area.endColumn - 1).paint
    fill(Rect(row: row, column: area.column, rows: 1, columns: area.columns), ground)
    var column = area.column
    for run in runs where column < area.endColumn {
      column += write(
        run.text, row: row, column: column, width: area.endColumn - column, paint: run.paint)
    }
  }
}
