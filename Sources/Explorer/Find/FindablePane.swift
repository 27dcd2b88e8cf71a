import TerminalUI

/// A pane of lines among which a text can be found, and which the pager can show as they are.
protocol FindablePane: Pane {
  var cursor: ListCursor { get set }
  func lineCount(in context: PaneContext) -> Int
  /// What can be found on a line: all its words, one blank between them.
  func text(ofLine line: Int, in context: PaneContext) -> String
  /// Rows above the first line that belong to no line, such as titles.
  var rowsAboveLines: Int { get }
  /// How many of the pane's rows are for its lines.
  func rowsForLines(of rows: Int) -> Int
  /// Puts the cursor on a line.
  mutating func go(to line: Int, in context: PaneContext)
  /// Marks the lines in view that hold the pattern.
  func drawMatches(
    of pattern: TextPattern, into frame: inout Frame, area: Rect, context: PaneContext)
  /// All that the pager shows.
  func text(in context: PaneContext) -> String
}

extension FindablePane {
  var rowsAboveLines: Int { 0 }
  func rowsForLines(of rows: Int) -> Int { max(1, rows - rowsAboveLines) }

  /// Puts the cursor on the next line that holds the pattern; after the last comes the first.
  /// - Parameter step: 0 begins with the line the cursor is on.
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
