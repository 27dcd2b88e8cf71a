import InstaQL
import LiveQueries
package import TerminalUI

/// The loaded window of a long answer, and the row that the cursor is moving to.
///
/// A store in memory returns all rows. A database returns those around the cursor and prefetches
/// others when the cursor gets close to the end of the window. Keys do not wait for them: the
/// cursor then is a row number ahead of the loaded rows.
struct RowWindow: Sendable, Equatable {
  enum Goal: Sendable, Equatable {
    case first, last
    /// A row of the page, counted from its first.
    case row(Int)
  }

  private(set) var asked = AnswerView.Window(count: firstRows)
  /// Whether a window after the first one is loading.
  private(set) var isAwaited = false
  /// The cursor's destination once its rows are loaded.
  private(set) var destination: Goal?
  /// How many answers in a row were empty or had another window than requested.
  private var misses = 0

  /// Enough for most answers.
  private static let firstRows = 1_000

  /// The size of a window, and how close to its end the next one is requested.
  private struct Prefetch {
    let rows: Int
    let margin: Int

    /// Derives both from the height of the pane.
    ///
    /// - Parameter page: The number of visible rows.
    init(page: Int) { (rows, margin) = (max(200, 10 * page), max(60, 3 * page)) }
  }
  /// A store that does not return the rows it promised is not queried again before the next key.
  private static let maxMisses = 4

  mutating func setDestination(_ goal: Goal?) {
    destination = goal
    misses = 0
  }

  /// Records the window of an answer, which starts earlier than requested if there are fewer rows.
  mutating func record(_ answer: Answer) {
    let skipped = answer.window?.skipped ?? 0
    // While rows are not counted yet, an empty window is no miss.
    let isEmpty = answer.rows.isEmpty && answer.window?.pageCount != nil
    misses = skipped == asked.skipped && !isEmpty ? 0 : misses + 1
    isAwaited = false
    asked.skipped = skipped
  }

  /// The destination of the cursor as a row of the page; nil if it is not known yet.
  private func goal(_ window: Answer.Window, row: Int) -> Int? {
    let last = window.pageCount.map { max(0, $0 - 1) }
    return switch destination {
    case .first: 0
    case .last: last
    case .row(let row): min(row, last ?? row)
    case nil: window.skipped + row
    }
  }

  /// The window to request next; nil if none is needed.
  ///
  /// A window in progress is replaced only if the cursor's destination is outside of it.
  ///
  /// - Parameters:
  ///   - row: The row of the answer under the cursor.
  ///   - page: The number of visible rows.
  mutating func next(_ answer: Answer, row: Int, page: Int) -> AnswerView.Window? {
    guard let window = answer.window, misses < Self.maxMisses else { return nil }
    if answer.rows.isEmpty, !isAwaited { turnBack(from: window) }
    let portion = Prefetch(page: page)
    guard let goal = goal(window, row: row), !covers(goal, answer, window, portion.margin) else {
      return nil
    }
    let limit = window.pageCount.map { max(0, $0 - portion.rows) } ?? .max
    let skipped = min(limit, max(0, goal - portion.rows / 2))
    if skipped == asked.skipped, asked.count >= portion.rows { return nil }
    isAwaited = true
    asked = AnswerView.Window(skipped: skipped, count: portion.rows, of: window.pageCount)
    return asked
  }

  /// Moves the destination back to the last existing row, or to the first.
  private mutating func turnBack(from window: Answer.Window) {
    // Otherwise the rows are still being counted.
    guard let count = window.pageCount, window.skipped > 0 else { return }
    destination = window.skipped >= max(0, count - asked.count) ? .first : .last
  }

  /// Whether the requested window contains a row for the cursor.
  private func covers(
    _ goal: Int, _ answer: Answer, _ window: Answer.Window, _ margin: Int
  ) -> Bool {
    let margin = isAwaited ? 0 : margin
    let end = asked.skipped + asked.count
    let isLast =
      window.pageCount.map { end >= $0 } ?? (!isAwaited && answer.rows.count < asked.count)
    return (asked.skipped == 0 || goal - asked.skipped >= margin)
      && (isLast || end - goal > margin)
  }

  /// The row of the answer that the cursor moves to, since its window is loaded; nil if it stays.
  mutating func arrive(in answer: Answer) -> Int? {
    guard let window = answer.window, !answer.rows.isEmpty, destination != nil,
      let goal = goal(window, row: 0)
    else { return nil }
    let row = goal - window.skipped
    // More rows may be loading, but not for this destination.
    guard !isAwaited || answer.rows.indices.contains(row) else { return nil }
    destination = nil
    return min(max(0, row), answer.rows.count - 1)
  }

  /// Whether the cursor waits for a window.
  var isAhead: Bool { isAwaited && destination != nil }
}

extension Model {
  /// Whether an event can be handled before the requested rows are loaded.
  package func acceptsWhileLoading(_ event: TerminalEvent) -> Bool {
    tab.results.isLoadingWindow && isCursorMovement(event)
  }

  /// Whether an event only moves the cursor among the rows of the query.
  package func isCursorMovement(_ event: TerminalEvent) -> Bool {
    guard case .key(let key) = event, prompt == nil, tab.overlays.isEmpty, tab.focus == .results,
      tab.queryHistory?.plan == tab.results.table?.answer.plan,
      let intent = preferences.keymap.intent(for: key, in: focusedPane)
    else { return false }
    return ListCursor.steps(intent, page: layout.resultRows) != 0
  }

  /// Requests the rows that the cursor is getting close to.
  mutating func prefetchRows() -> [Effect] {
    guard let table = tab.results.table, table.answer.window != nil,
      let plan = tab.queryHistory?.plan,
      plan == table.answer.plan
    else { return [] }
    let row =
      table.lineCount == 0
      ? 0 : table.row(ofLine: min(tab.results.cursor.index, table.lineCount - 1))
    let window = tab.results.rowWindow.next(
      table.answer, row: row, page: layout.resultRows)
    let goal = tab.results.rowWindow.destination
    tab.results.moveToDestination(page: layout.resultRows)
    if let goal, tab.results.rowWindow.destination == nil { arrive(at: goal) }
    return window.map { watch(plan, $0) } ?? []
  }

  /// The subscription whose rows the cursor waits for; nil if it does not wait.
  package var awaitedRows: WatchToken? {
    tab.results.table?.answer.window != nil && tab.results.rowWindow.isAhead ? tab.watch : nil
  }
}

extension ResultsPane {
  /// Whether a requested window is loading.
  var isLoadingWindow: Bool { table?.answer.window != nil && rowWindow.isAwaited }

  /// The row that the cursor is moving to, counted from 1; nil if it has arrived.
  var rowAhead: Int? {
    guard isLoadingWindow, case .row(let row)? = rowWindow.destination else { return nil }
    return row + 1
  }

  /// Cancels the cursor's destination unless the intent moves it further.
  mutating func clearDestination(unless intent: Intent) {
    if ListCursor.steps(intent, page: 2) == 0 { rowWindow.setDestination(nil) }
  }

  /// Sets a destination for an intent that needs rows outside the window.
  ///
  /// - Returns: Whether nothing else remains to be done, since the cursor is ahead of the rows.
  mutating func seek(_ intent: Intent, page: Int) -> Bool {
    switch intent {
    case .first: rowWindow.setDestination(.first)
    case .last: rowWindow.setDestination(.last)
    default:
      let steps = ListCursor.steps(intent, page: page)
      return steps != 0 && seek(steps: steps, page: page)
    }
    return false
  }

  private mutating func seek(steps: Int, page: Int) -> Bool {
    let destination = rowWindow.destination
    rowWindow.setDestination(nil)
    locator = nil
    guard !isReading, let table, let window = table.answer.window else {
      return false
    }
    let last = window.pageCount.map { max(0, $0 - 1) }
    let ahead: Int? =
      switch destination {
      case .first: 0
      case .last: last
      case .row(let row): row
      case nil: nil
      }
    let here = table.lineCount == 0 ? 0 : table.row(ofLine: min(cursor.index, table.lineCount - 1))
    let goal = min(last ?? .max, max(0, (ahead ?? window.skipped + here) + steps))
    let row = goal - window.skipped
    guard table.answer.rows.indices.contains(row) else {
      rowWindow.setDestination(.row(goal))
      return false
    }
    guard ahead != nil else { return false }
    move(to: table.line(ofRow: row), page: page)
    return true
  }

  /// Moves the cursor to its destination once the rows there are loaded.
  mutating func moveToDestination(page: Int) {
    guard let table else { return }
    let isLast = rowWindow.destination == .last
    guard let row = rowWindow.arrive(in: table.answer) else { return }
    // Rows expanded below the last row come after it.
    let isEnd = isLast && row == table.answer.rows.count - 1
    move(to: isEnd ? table.height - 1 : table.line(ofRow: row), page: page)
  }
}
