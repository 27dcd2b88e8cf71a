import TerminalUI

/// A pane of lines that can be searched, and shown in the pager.
protocol FindablePane: Pane {
  var cursor: ListCursor { get set }
  func lineCount(in context: PaneContext) -> Int
  /// The searchable text of a line: all its words, separated by single spaces.
  func text(ofLine line: Int, in context: PaneContext) -> String
  /// The rows above the first line that belong to no line, such as titles.
  var rowsAboveLines: Int { get }
  /// The number of the pane's rows that show lines.
  func rowsForLines(of rows: Int) -> Int
  /// Moves the cursor to a line.
  mutating func go(to line: Int, in context: PaneContext)
  /// Highlights the matches in the visible lines.
  func drawMatches(
    of pattern: TextPattern, into frame: inout Frame, area: Rect, context: PaneContext)
  /// The full text for the pager.
  func text(in context: PaneContext) -> String
}

extension FindablePane {
  var rowsAboveLines: Int { 0 }
  func rowsForLines(of rows: Int) -> Int { max(1, rows - rowsAboveLines) }

  /// Moves the cursor to the next match, cyclically.
  ///
  /// - Parameter step: 0 starts with the line of the cursor.
  mutating func find(
    _ pattern: TextPattern, from start: Int, step: Int, in context: PaneContext
  ) -> Bool {
    let count = lineCount(in: context)
    guard count > 0 else { return false }
    for distance in (step == 0 ? 0..<count : 1..<(count + 1)) {
      let line = ((start + distance * (step < 0 ? -1 : 1)) % count + count) % count
      if pattern.isIn(text(ofLine: line, in: context)) {
        go(to: line, in: context)
        return true
      }
    }
    return false
  }

  mutating func go(to line: Int, in context: PaneContext) {
    cursor.move(
      to: line, of: lineCount(in: context), page: rowsForLines(of: context.page))
  }

  /// All lines, as the pager shows them.
  func text(in context: PaneContext) -> String {
    (0..<lineCount(in: context)).map { text(ofLine: $0, in: context) + "\n" }.joined()
  }

  func drawMatches(
    of pattern: TextPattern, into frame: inout Frame, area: Rect, context: PaneContext
  ) {
    guard !pattern.isEmpty else { return }
    let count = lineCount(in: context)
    for row in 0..<rowsForLines(of: area.rows) where cursor.top + row < count {
      let line = cursor.top + row
      guard pattern.isIn(text(ofLine: line, in: context)) else { continue }
      frame.repaint(
        Rect(
          row: area.row + rowsAboveLines + row, column: area.column, rows: 1,
          columns: area.columns),
        ground: line == cursor.index ? .matchCurrent : .match)
    }
  }
}
