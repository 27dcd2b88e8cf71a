import InstaQL
import TerminalUI

/// A text wrapped into lines of a maximum width.
///
/// If the text does not fit on one line, each clause begins a new line, and a long clause continues
/// on further lines. No character is added or removed, so a position in the text is also a position
/// in its lines.
package struct BrokenText: Sendable, Equatable {
  /// A line of the text: a range of characters, and its indentation.
  package struct Line: Sendable, Equatable {
    package let range: Range<Int>
    /// The indentation of the line in columns.
    package let indent: Int
  }

  package let lines: [Line]
  private let characters: [Character]
  private let width: Int

  /// The indentation of all lines but the first, in columns.
  private static let indent = 2

  /// Wraps a text.
  ///
  /// - Parameter clauses: The offsets in bytes at which lines begin if the text is too long for one
  ///   line.
  package init(_ text: String, width: Int, clauses: [Int] = []) {
    characters = Array(text)
    self.width = max(8, width)
    if TextWidth.columns(of: text) < self.width {
      lines = [Line(range: 0..<characters.count, indent: 0)]
      return
    }
    let starts = Self.characterOffsets(of: clauses, in: characters).filter { $0 > 0 }
    var lines: [Line] = []
    var start = 0
    for end in starts + [characters.count] where end > start {
      Self.wrap(start..<end, of: characters, width: self.width, into: &lines)
      start = end
    }
    self.lines = lines
  }

  private static func characterOffsets(of bytes: [Int], in characters: [Character]) -> [Int] {
    var wanted = bytes.sorted()[...]
    var (offset, found) = (0, [Int]())
    for (index, character) in characters.enumerated() {
      guard let next = wanted.first else { break }
      if offset >= next {
        found.append(index)
        wanted.removeFirst()
      }
      offset += character.utf8.count
    }
    return found
  }

  /// Wraps a clause. A line ends after a space or a comma, unless it would be mostly empty. It then
  /// ends at the maximum width.
  private static func wrap(
    _ range: Range<Int>, of characters: [Character], width: Int, into lines: inout [Line]
  ) {
    var start = range.lowerBound
    while start < range.upperBound {
      let indent = lines.isEmpty ? 0 : Self.indent
      // The cursor after the last character needs another column.
      let room = width - indent - 1
      var (end, used, gap) = (start, 0, start)
      while end < range.upperBound {
        let columns = TextWidth.columns(of: String(characters[end]))
        if used + columns > room, end > start { break }
        used += columns
        end += 1
        let isBeforeComma = end < range.upperBound && characters[end] == ","
        if breaksAfter(characters[end - 1]), !isBeforeComma { gap = end }
      }
      if end < range.upperBound, (gap - start) * 2 > end - start { end = gap }
      lines.append(Line(range: start..<end, indent: indent))
      start = end
    }
  }

  private static func breaksAfter(_ character: Character) -> Bool {
    character == " " || character == "," || character == "{" || character == "}"
  }

  /// Returns the index of the line that contains a position in the text.
  package func line(of position: Int) -> Int {
    lines.lastIndex { $0.range.lowerBound <= position } ?? 0
  }

  /// Returns the column of a position within its line.
  package func column(of position: Int) -> Int {
    let line = lines[line(of: position)]
    return line.indent + columns(line.range.lowerBound..<position)
  }

  /// Returns the position that is nearest to a column of a line.
  package func position(line: Int, column: Int) -> Int {
    let line = lines[max(0, min(lines.count - 1, line))]
    var end = line.indent
    for index in line.range {
      end += TextWidth.columns(of: String(characters[index]))
      if column < end { return index }
    }
    // The position after a line's last character belongs to the next line.
    return line.range.upperBound == characters.count
      ? characters.count : max(line.range.lowerBound, line.range.upperBound - 1)
  }

  private func columns(_ range: Range<Int>) -> Int {
    let range = range.clamped(to: 0..<characters.count)
    return TextWidth.columns(of: String(characters[range]))
  }

  /// Draws the lines from `top` onwards.
  ///
  /// - Parameters:
  ///   - spans: The byte ranges of the highlighted pieces and their colors, in order.
  ///   - selection: The characters that are selected.
  func draw(
    into frame: inout Frame, area: Rect, top: Int = 0, paint: Paint,
    spans: [(bytes: Range<Int>, role: Role)] = [], selection: Range<Int>? = nil
  ) {
    let roles = roles(spans)
    for row in 0..<max(0, min(area.rows, lines.count - top)) {
      let line = lines[top + row]
      var column = line.indent
      for index in line.range where column < area.columns {
        let text = String(characters[index])
        let columns = TextWidth.columns(of: text)
        let place = Rect(
          row: area.row + row, column: area.column + column, rows: 1,
          columns: min(columns, area.columns - column))
        frame.write(
          text, row: place.row, column: place.column, width: place.columns, paint: paint,
          overflow: .clip)
        if let role = roles[index] { frame.repaint(place, ink: role) }
        if selection?.contains(index) == true { frame.repaint(place, ground: .cursorCell) }
        column += columns
      }
    }
  }

  /// Returns the color of each character; nil for characters outside the spans.
  private func roles(_ spans: [(bytes: Range<Int>, role: Role)]) -> [Role?] {
    var roles: [Role?] = []
    var (offset, next) = (0, 0)
    for character in characters {
      while next < spans.count, spans[next].bytes.upperBound <= offset { next += 1 }
      let isInside = next < spans.count && spans[next].bytes.contains(offset)
      roles.append(isInside ? spans[next].role : nil)
      offset += character.utf8.count
    }
    return roles
  }

  /// Wraps a query into lines that begin with its clauses.
  init(query text: String, width: Int, spans: [QuerySpan]) {
    self.init(text, width: width, clauses: Self.clauseStarts(in: text, spans))
  }

  /// Returns the offsets in bytes at which the clauses of the outermost query begin.
  private static func clauseStarts(in text: String, _ spans: [QuerySpan]) -> [Int] {
    let bytes = Array(text.utf8)
    var depth = 0
    var starts: [Int] = []
    for span in spans {
      let word = String(decoding: bytes[span.range.clamped(to: 0..<bytes.count)], as: UTF8.self)
      switch span.kind {
      case .punctuation where word == "{" || word == "(": depth += 1
      case .punctuation where word == "}" || word == ")": depth -= 1
      case .keyword where depth <= 0 && clauses.contains(word): starts.append(span.range.lowerBound)
      default: break
      }
    }
    return starts
  }

  private static let clauses: Set = [
    "filter", "where", "group", "aggregate", "having", "order", "limit", "offset", "fields", "with",
    "distinct",
  ]
}
