import TerminalUI

// What a screen is made of for the eye, turned into what can be heard: lines, boxes and bars are taken
// away, arrows become words.
extension Frame {
  /// The signs that stand for words, and the words; a sign that only shows a place is none.
  private static func words(for sign: Unicode.Scalar) -> String? {
    switch sign {
    case "→": "to "
    case "⇉": "to many "
    case "←": "from "
    case "⇇": "from many "
    case "↻": "to its own kind "
    case "↑": "up "
    case "↓": "down "
    case "·": ", "
    case "◆": "unique "
    case "✕", "‖", "±": ""
    default: isDrawing(sign) ? "" : nil
    }
  }

  /// Lines, blocks, geometric shapes, and the like: none of them says anything.
  package static func isDrawing(_ scalar: Unicode.Scalar) -> Bool {
    (0x2300...0x23FF).contains(scalar.value) || (0x2500...0x25FF).contains(scalar.value)
      || (0x2800...0x28FF).contains(scalar.value)
  }

  /// Takes away lines, bars and boxes, and leaves all else in its column: for rows of a person's data.
  mutating func blankDrawings(in area: Rect) {
    for row in area.row..<area.endRow {
      for column in area.column..<area.endColumn
      where Self.isDrawing(cell(row: row, column: column).scalar) {
        write(" ", row: row, column: column, width: 1, paint: cell(row: row, column: column).paint)
      }
    }
  }

  /// Says in words what signs say; what follows on the line moves.
  mutating func speak(in area: Rect) {
    for row in area.row..<area.endRow {
      let hasSigns = (area.column..<area.endColumn).contains {
        Self.words(for: cell(row: row, column: $0).scalar) != nil
      }
      if hasSigns { speak(row: row, in: area) }
    }
  }

  /// What the sign of a cell says beside its neighbours.
  private func words(forSignAt column: Int, row: Int, in area: Rect) -> String? {
    let cell = cell(row: row, column: column)
    func neighbour(_ step: Int) -> Unicode.Scalar? {
      let place = column + step
      return (area.column..<area.endColumn).contains(place)
        ? self.cell(row: row, column: place).scalar : nil
    }
    switch cell.scalar {
    case "·" where cell.paint.ink == .missing: return "missing"
    // Two keys side by side.
    case "←" where neighbour(1) == "→": return "left, "
    case "→" where neighbour(-1) == "←": return "right "
    case "↑" where neighbour(1) == "↓": return "up, "
    // How many changes wait, or that one does.
    case "↑" where neighbour(1) == " " || neighbour(1)?.properties.numericType != nil: return ""
    default: return Self.words(for: cell.scalar)
    }
  }

  /// A stretch of text in one look.
  private typealias Run = (text: String, paint: Paint)

  /// Makes room for words that are longer than their signs: blanks between columns go, the last first.
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
        // `a · b` is `a, b`: the blank before goes as well.
        if words.first == ",", runs.last?.text.last == " " {
          runs[runs.count - 1].text.removeLast()
        }
        text = words
        isAfterSign = words.last == " " || words.isEmpty
      } else if isAfterSign {
        // The blank that stands after a sign is part of its words.
        isAfterSign = false
        if cell.scalar == " " { continue }
      }
      if runs.last?.paint == cell.paint {
        runs[runs.count - 1].text += text
      } else {
        runs.append((text, cell.paint))
      }
    }
    // Blanks at the end, which have moved, are no text that was cut.
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
