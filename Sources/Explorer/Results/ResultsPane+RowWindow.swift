import InstaQL

extension ResultsPane {
  /// Whether a requested window of rows is still loading.
  var isLoadingWindow: Bool { table?.answer.window != nil && rowWindow.isAwaited }

  /// The number of the row to which the cursor moves when the row is loaded; nil if the cursor
  /// stays.
  var rowAhead: Int? {
    guard isLoadingWindow, case .row(let row, _)? = rowWindow.destination else { return nil }
    return row + 1
  }

  /// Cancels the cursor's movement to a row that is not loaded, unless the command continues that
  /// movement.
  mutating func clearDestination(unless command: Command) {
    if command.steps(page: 2) == 0 { rowWindow.setDestination(nil) }
  }

  /// Sets the cursor's destination if a command moves to a row outside the loaded window.
  ///
  /// - Returns: Whether the command is done. This is so if it moved the cursor from an earlier
  ///   destination to a loaded row.
  mutating func seek(_ command: Command, page: Int) -> Bool {
    switch command {
    case .first: rowWindow.setDestination(.first)
    case .last: rowWindow.setDestination(.last)
    default:
      let steps = command.steps(page: page)
      return steps != 0 && seek(steps: steps, page: page)
    }
    return false
  }

  private mutating func seek(steps: Int, page: Int) -> Bool {
    let before = rowWindow
    rowWindow.setDestination(nil)
    locator = nil
    guard !isReading, let table, let window = table.answer.window else { return false }
    let ahead = before.rowAhead(in: window)
    let here = window.skipped + table.rowAtCursor(cursor)
    let last = window.pageCount.map { max(0, $0 - 1) } ?? .max
    let goal = min(last, max(0, (ahead ?? here) + steps))
    let row = goal - window.skipped
    guard table.answer.rows.indices.contains(row) else {
      rowWindow.setDestination(.row(goal))
      return false
    }
    guard ahead != nil else { return false }
    move(to: table.line(ofRow: row), page: page)
    return true
  }

  /// Moves the cursor to its destination when the rows there are loaded.
  mutating func moveToDestination(page: Int) {
    guard let table else { return }
    let isLast = rowWindow.destination == .last
    guard let row = rowWindow.arrive(in: table.answer) else { return }
    // The last line may belong to a relation that is expanded below the last row.
    let isEnd = isLast && row == table.answer.rows.count - 1
    move(to: isEnd ? table.height - 1 : table.line(ofRow: row), page: page)
  }
}
