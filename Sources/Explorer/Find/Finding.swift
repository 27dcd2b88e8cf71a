import Widgets

/// The state of a search in a pane: the pattern, the start, and a match that is not loaded yet.
struct Finding: Sendable, Equatable {
  private(set) var pattern = TextPattern()
  /// The pane that is searched.
  private(set) var pane = PaneTraits.results
  /// The line where the search started, and the reading position in that line.
  private(set) var origin = 0
  private(set) var readingOrigin = ReadingPosition()
  /// The column where the search started.
  private(set) var columnOrigin = ResultsPane.ColumnPlace()
  /// The matching row to which the cursor moves when the row is loaded; nil if there is none.
  private var awaitedRow: Int?

  /// Remembers the position before a pattern is typed.
  mutating func begin(at line: Int, _ reading: ReadingPosition, in column: ResultsPane.ColumnPlace)
  {
    (origin, readingOrigin, columnOrigin) = (line, reading, column)
  }

  mutating func look(for pattern: TextPattern, in pane: PaneTraits) {
    (self.pattern, self.pane) = (pattern, pane)
  }

  /// Returns the pattern to highlight in a pane; empty if another pane is searched.
  func marked(in pane: PaneTraits) -> TextPattern { pane == self.pane ? pattern : TextPattern() }

  /// Records a matching row that is not loaded yet. The cursor moves there when it is loaded.
  mutating func awaitRow(_ row: Int) { awaitedRow = row }

  /// Returns whether the cursor moved to the awaited match, and stops awaiting it.
  mutating func arrives(at goal: RowWindow.Goal) -> Bool {
    defer { awaitedRow = nil }
    return awaitedRow.map { .row($0) == goal } ?? false
  }
}
