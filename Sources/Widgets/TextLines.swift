package import TerminalUI

extension Frame {
  /// Writes a text into as many lines of `area` as it needs, with a margin of one column.
  ///
  /// - Returns: The number of lines written.
  @discardableResult
  package mutating func writeWrapped(_ text: String, in area: Rect, paint: Paint) -> Int {
    let width = area.columns - 2
    guard area.rows > 0, width > 0 else { return 0 }
    let lines = TextLines.wrapped(text, width: width, limit: area.rows)
    for (row, line) in lines.enumerated() {
      write(line, row: area.row + row, column: area.column + 1, width: width, paint: paint)
    }
    return lines.count
  }
}

/// Wraps text, between words if possible.
package enum TextLines {
  /// Returns a text as lines of limited width.
  ///
  /// - Parameters:
  ///   - width: The width in columns.
  ///   - limit: The maximum number of lines. A text with more lines ends with `…`.
  package static func wrapped(_ text: String, width: Int, limit: Int) -> [String] {
    // A text has at most as many columns as bytes.
    if text.utf8.count <= width, !text.utf8.contains(UInt8(ascii: "\n")) { return [text] }
    var lines: [String] = []
    var line = ""
    var used = 0
    // A text can be much longer than `limit` lines, so it is read only up to there.
    for character in text {
      let columns = TextWidth.columns(of: String(character))
      let isParagraphEnd = character == "\n"
      if isParagraphEnd || used + columns > width && !line.isEmpty {
        let rest = isParagraphEnd ? "" : removeLastWord(of: &line, width: width)
        lines.append(line)
        if lines.count == limit { return ended(lines) }
        line = rest
        used = TextWidth.columns(of: rest)
        if isParagraphEnd { continue }
      }
      line.append(character)
      used += columns
    }
    lines.append(line)
    return lines
  }

  /// Removes the last word of a line and returns it, to continue with it on the next line. Returns
  /// an empty text for a word that fills most of the line.
  private static func removeLastWord(of line: inout String, width: Int) -> String {
    guard let blank = line.lastIndex(of: " ") else { return "" }
    let word = String(line[line.index(after: blank)...])
    guard TextWidth.columns(of: word) * 2 < width else { return "" }
    line.removeSubrange(blank...)
    return word
  }

  private static func ended(_ lines: [String]) -> [String] {
    var lines = lines
    lines[lines.count - 1] += " …"
    return lines
  }
}
