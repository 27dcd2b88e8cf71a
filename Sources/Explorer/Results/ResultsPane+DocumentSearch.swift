import Widgets

// Finds matches in the selected document.
extension ResultsPane {
  /// Moves to the next match in the selected document.
  ///
  /// - Parameter step: The direction, 1 or -1; 0 also considers the line at the cursor.
  mutating func findInDocument(step: Int, page: Int) -> Bool {
    guard isReading, !pattern.isEmpty else { return false }
    readDocument()
    let lines = selectedDocument
    var line = reading.line + step
    while lines.indices.contains(line) {
      if pattern.isIn(lines[line].text) {
        moveLine(by: line - reading.line, rows: rows(of: page))
        return true
      }
      line += step < 0 ? -1 : 1
    }
    return false
  }

  /// Moves to the first search match in the selected document, or backwards to the last match.
  mutating func reachMatch(isBackwards: Bool, page: Int) {
    guard isReading, !pattern.isEmpty else { return }
    readDocument()
    if matchInDocument(isBackwards) == nil { unfoldDocument(page: page) }
    if let place = matchInDocument(isBackwards) {
      moveLine(by: place - reading.line, rows: rows(of: page))
    }
  }

  private func matchInDocument(_ isBackwards: Bool) -> Int? {
    let lines = selectedDocument
    return isBackwards
      ? lines.lastIndex { pattern.isIn($0.text) } : lines.firstIndex { pattern.isIn($0.text) }
  }
}
