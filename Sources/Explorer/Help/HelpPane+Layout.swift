extension HelpPane {
  /// The lines of the help in columns, and what they were laid out for.
  struct LineLayout: Equatable {
    var rows: [Keymap.Row] = []
    var commands: [CommandOffer] = []
    var filter = TypedLetters("")
    var width = 0
    var page = 0
    var columns = 1
    /// The width of the keys before their descriptions.
    var keyColumns = 0
    var lines: [Line] = []

    /// The first visible line after scrolling to the end.
    var lastTop: Int { max(0, lines.count - columns * max(1, page)) }

    /// Returns the lines of each column, beginning with the line `top`. All columns scroll
    /// together.
    func columns(of rows: Int, from top: Int) -> [Range<Int>] {
      let rows = max(1, rows)
      return (0..<columns).map { column in
        let start = min(top + column * rows, lines.count)
        return start..<min(start + rows, lines.count)
      }
    }

    /// Inserts blank lines so that no column break separates a description or a title from its
    /// keys.
    mutating func keepTogether() {
      guard columns > 1, page > 0 else { return }
      var end = page
      while end < lines.count {
        let filled = (end - page + 1...end).last(where: canBreak) ?? end
        lines.insert(contentsOf: repeatElement(.blank, count: end - filled), at: filled)
        end += page
      }
    }

    private func canBreak(before line: Int) -> Bool {
      if case .more = lines[line] { return false }
      if case .title = lines[line - 1] { return false }
      return true
    }

    /// Returns the index of the line after the last visible one.
    func end(from top: Int) -> Int { columns(of: page, from: top).last?.upperBound ?? top }
  }
}
