import Widgets

/// The state of a search in one pane: the pattern and the starting position.
struct Finding: Sendable, Equatable {
  private(set) var pattern = TextPattern()
  private(set) var pane = PaneTraits.results
  /// The line where the search started, and the reading position in that line.
  private(set) var origin = 0
  private(set) var readingOrigin = ReadingPosition()
  /// The columns that were selected where the search started.
  private(set) var columnOrigin = [0]

  /// Stores the position at which the search starts, before the user types a pattern.
  mutating func begin(at line: Int, _ reading: ReadingPosition, in columns: [Int]) {
    (origin, readingOrigin, columnOrigin) = (line, reading, columns)
  }

  mutating func look(for pattern: TextPattern, in pane: PaneTraits) {
    (self.pattern, self.pane) = (pattern, pane)
  }

  /// Returns the pattern to highlight in a pane; empty if the search is in another pane.
  func marked(in pane: PaneTraits) -> TextPattern { pane == self.pane ? pattern : TextPattern() }
}
