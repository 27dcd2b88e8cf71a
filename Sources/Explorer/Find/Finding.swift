/// What is looked for, where one began, and whether it is still looked for beside the screen.
struct Finding: Sendable, Equatable {
  private(set) var pattern = TextPattern()
  /// The pane that it is looked for in.
  private(set) var pane = Focus.results
  /// The line that typing the pattern began at, and where one read in it.
  private(set) var origin = 0
  private(set) var readingOrigin = Reading()
  /// The column that it began in.
  private(set) var columnOrigin = ResultsPane.ColumnPlace()
  /// The row that was found and is not read yet; nil for none.
  private var awaitedRow: Int?

  /// Remembers where one is before a pattern is typed.
  mutating func begin(at line: Int, _ reading: Reading, in column: ResultsPane.ColumnPlace) {
    (origin, readingOrigin, columnOrigin) = (line, reading, column)
  }

  mutating func look(for pattern: TextPattern, in pane: Focus) {
    (self.pattern, self.pane) = (pattern, pane)
  }

  /// What is to be marked in a pane: nothing where something is looked for in another one.
  func marked(in pane: Focus) -> TextPattern { pane == self.pane ? pattern : TextPattern() }

  /// The cursor goes to a row of the page once it is read.
  mutating func awaitRow(_ row: Int) { awaitedRow = row }

  /// Whether the row where the cursor has come to is the one that was found.
  mutating func arrives(at goal: Stretching.Goal) -> Bool {
    defer { awaitedRow = nil }
    return awaitedRow.map { .row($0) == goal } ?? false
  }
}
