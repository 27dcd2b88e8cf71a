import Explorer
import Ncurses
import TerminalUI

extension ScreenInvariant {
  /// Rules about single characters.
  static let glyphs = [
    ScreenInvariant("Every character drawn by the program has ASCII and console forms") { view in
      let data = view.state.dataScalars
      let foreign = view.frame.cells(in: view.frame.bounds) { cell in
        !cell.scalar.isASCII && !data.contains(cell.scalar)
          && (ASCIIGlyphs.drawing(cell.scalar) == nil || ConsoleGlyphs.drawing(cell.scalar) == nil)
      }
      return foreign.first.map {
        "“\(view.frame.cell(row: $0.row, column: $0.column).scalar)” has none"
      }
    },
    ScreenInvariant("In Unicode and in ASCII, every row takes the columns of the screen") { view in
      for (row, line) in view.lines.enumerated() {
        let widths = line.unicodeScalars.map { TextWidth.columns(of: $0) ?? 0 }
        let ascii = zip(line.unicodeScalars, widths).filter { $0.1 > 0 }.map { scalar, width in
          // The rest of a wide character becomes a space.
          (TextWidth.columns(of: ASCIIGlyphs.any(scalar)) ?? 0) + width - 1
        }
        for columns in [widths, ascii].map({ $0.reduce(0, +) })
        where columns != view.frame.size.columns {
          return "row \(row) takes \(columns) columns"
        }
      }
      return nil
    },
    ScreenInvariant("No row contains a control character") { view in
      for (row, line) in view.lines.enumerated() {
        if let harmful = line.unicodeScalars.first(where: \.isHarmful) {
          return "U+\(String(harmful.value, radix: 16)) is in row \(row)"
        }
      }
      return nil
    },
    ScreenInvariant("Right-to-left text is isolated from the border after it") { view in
      for row in 0..<view.frame.size.rows {
        var isOpen = false
        for column in 0..<view.frame.size.columns {
          let scalar = view.frame.cell(row: row, column: column).scalar
          if (0x590..<0x900).contains(scalar.value) { isOpen = true }
          if view.frame.marks(row: row, column: column).contains("\u{200E}") { isOpen = false }
          if isOpen, !view.frame.arms(row: row, column: column).isEmpty {
            return "it is not in row \(row)"
          }
        }
      }
      return nil
    },
    ScreenInvariant("A screen reader reads no drawings") { view in
      guard view.isHeard else { return nil }
      let drawings = view.frame.cells(in: view.frame.bounds) { $0.scalar.isDrawing }
      return drawings.first.map {
        "“\(view.frame.cell(row: $0.row, column: $0.column).scalar)” in row \($0.row)"
      }
    },
    ScreenInvariant("A screen reader has a cursor and the name of the focused pane") { view in
      guard view.isHeard else { return nil }
      guard view.frame.cursor != nil else { return "there is no cursor" }
      guard view.isOpen else { return nil }
      let name = view.scene.focus?.title ?? view.scene.lineTitle
      let row = view.frame.text(row: 1)
      return row.hasPrefix(name) ? nil : "“\(row)” is not “\(name)”"
    },
  ]
}

extension Unicode.Scalar {
  /// Whether a terminal would take the character as a command, or reorder the text around it.
  fileprivate var isHarmful: Bool {
    value < 0x20 || (0x7F..<0xA0).contains(value) || (0x2028...0x202E).contains(value)
      || (0x2066...0x2069).contains(value)
  }

  /// Whether the character is an arrow, a line, a block or another symbol.
  fileprivate var isDrawing: Bool {
    [0x2190...0x23FF, 0x2500...0x27BF, 0x2800...0x2BFF].contains { $0.contains(value) }
  }
}
