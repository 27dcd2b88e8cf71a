/// Converts frames to text, for tests and for pictures in documents.
extension Frame {
  /// The rows as text, without trailing spaces, joined by line feeds.
  package var text: String {
    (0..<size.rows).map { text(row: $0) }.joined(separator: "\n")
  }

  /// Returns one row as text, without trailing spaces.
  package func text(row: Int) -> String {
    trimmed(text(row: row, columns: 0..<size.columns))
  }

  /// The rows as text, with the names of ink and ground inserted wherever they change.
  ///
  /// For example, `{title-focused}Results {border}───` and `{number/selection}42`. The ground
  /// `text` is not named.
  package var paintedText: String {
    (0..<size.rows).map { paintedText(row: $0) }.joined(separator: "\n")
  }

  /// Returns one row of `paintedText`. Trailing spaces in plain text are omitted.
  package func paintedText(row: Int) -> String {
    var runs = runs(row: row)
    if let last = runs.last, last.paint == .text {
      runs[runs.count - 1].text = trimmed(last.text)
      if runs[runs.count - 1].text.isEmpty { runs.removeLast() }
    }
    return runs.map { run in
      let ground = run.paint.ground == .text ? "" : "/" + run.paint.ground.name
      return "{" + run.paint.ink.name + ground + "}" + run.text
    }.joined()
  }

  /// Returns the runs of cells with equal paint in one row.
  package func runs(row: Int) -> [(text: String, paint: Paint)] {
    var runs: [(text: String, paint: Paint)] = []
    var start = 0
    for column in 0..<size.columns {
      let isLast = column + 1 == size.columns
      if isLast || cell(row: row, column: column + 1).paint != cell(row: row, column: start).paint {
        let text = text(row: row, columns: start..<column + 1)
        runs.append((text, cell(row: row, column: start).paint))
        start = column + 1
      }
    }
    return runs
  }

  private func text(row: Int, columns: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    for column in columns {
      let cell = cell(row: row, column: column)
      if cell.isSecondHalf { continue }
      view.append(cell.scalar)
      guard cell.hasMarks else { continue }
      for mark in marks(row: row, column: column) where mark != Self.isolation { view.append(mark) }
    }
    return String(view)
  }

  private func trimmed(_ text: String) -> String {
    var view = Substring(text)
    while view.last == " " { view.removeLast() }
    return String(view)
  }
}
