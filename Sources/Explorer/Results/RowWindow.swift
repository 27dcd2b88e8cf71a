import InstaQL
import LiveQueries

/// The loaded part of a long answer, and the row to which the cursor moves.
///
/// A store in memory returns all rows. A database returns a window of rows around the cursor, and
/// more rows are prefetched when the cursor approaches an end of the window. Keys never wait for
/// rows: the cursor can move to a row that is not loaded yet.
struct RowWindow: Sendable, Equatable {
  enum Goal: Sendable, Equatable {
    case first, last
    /// The row with this index on the page of the query, from 0.
    /// - Parameter isMatch: Whether the row is a match of a search, which is shown on arrival.
    case row(Int, isMatch: Bool = false)

    var isMatch: Bool { if case .row(_, isMatch: true) = self { true } else { false } }
  }

  private(set) var requested = AnswerView.Window(count: firstRows)
  /// Whether a window was requested that has not been loaded yet.
  private(set) var isAwaited = false
  /// The row to which the cursor will move once it is loaded; nil if the cursor stays.
  private(set) var destination: Goal?
  /// The number of successive answers without the requested rows.
  private var misses = 0

  /// The size of the first window, which is enough for most answers.
  private static let firstRows = 1_000

  /// The maximum number of successive answers without the requested rows.
  ///
  /// Beyond it, no window is requested before the next key press.
  private static let maxMisses = 4

  mutating func setDestination(_ goal: Goal?) {
    destination = goal
    misses = 0
  }

  /// Stores which window an answer contains. The window can begin earlier than requested if there
  /// are fewer rows.
  mutating func record(_ answer: Answer) {
    let skipped = answer.window?.skipped ?? 0
    // While rows are not counted yet, an empty window is no miss.
    let isEmpty = answer.rows.isEmpty && answer.window?.pageCount != nil
    misses = skipped == requested.skipped && !isEmpty ? 0 : misses + 1
    isAwaited = false
    requested.skipped = skipped
  }

  /// Returns the index of the row to which the cursor will move; nil if the cursor stays, or if the
  /// row is unknown.
  func rowAhead(in window: Answer.Window) -> Int? {
    let last = window.pageCount.map { max(0, $0 - 1) }
    return switch destination {
    case .first: 0
    case .last: last
    case .row(let row, _): min(row, last ?? row)
    case nil: nil
    }
  }

  /// Returns the index of the row that the cursor needs: its destination, or else its own row. Nil
  /// if the destination is unknown.
  private func goal(_ window: Answer.Window, row: Int) -> Int? {
    destination == nil ? window.skipped + row : rowAhead(in: window)
  }

  /// Returns the window to request next; nil if none is needed.
  ///
  /// While a window is loading, it is only replaced if the cursor's destination is outside it.
  ///
  /// - Parameters:
  ///   - row: The row of the answer at the cursor.
  ///   - page: The number of visible rows.
  mutating func next(_ answer: Answer, row: Int, page: Int) -> AnswerView.Window? {
    guard let window = answer.window, misses < Self.maxMisses else { return nil }
    if answer.rows.isEmpty, !isAwaited { turnBack(from: window) }
    // The next window is requested when the cursor is within the margin of the current one.
    let (count, margin) = (max(200, 10 * page), max(60, 3 * page))
    guard let goal = goal(window, row: row), !covers(goal, answer, window, margin) else {
      return nil
    }
    let limit = window.pageCount.map { max(0, $0 - count) } ?? .max
    let skipped = min(limit, max(0, goal - count / 2))
    if skipped == requested.skipped, requested.count >= count { return nil }
    isAwaited = true
    requested = AnswerView.Window(skipped: skipped, count: count, of: window.pageCount)
    return requested
  }

  /// Moves the destination to the last row, because there are no rows at the requested position. If
  /// even the last window was empty, moves the destination to the first row.
  private mutating func turnBack(from window: Answer.Window) {
    // If the number of rows is unknown, they are still being counted.
    guard let count = window.pageCount, window.skipped > 0 else { return }
    destination = window.skipped >= max(0, count - requested.count) ? .first : .last
  }

  /// Returns whether the requested window contains a row and enough rows around it.
  private func covers(
    _ goal: Int, _ answer: Answer, _ window: Answer.Window, _ margin: Int
  ) -> Bool {
    let margin = isAwaited ? 0 : margin
    let end = requested.skipped + requested.count
    let isLast =
      window.pageCount.map { end >= $0 } ?? (!isAwaited && answer.rows.count < requested.count)
    return (requested.skipped == 0 || goal - requested.skipped >= margin)
      && (isLast || end - goal > margin)
  }

  /// Returns the row of the answer to which the cursor can move now; nil if the cursor stays.
  mutating func arrive(in answer: Answer) -> Int? {
    guard let window = answer.window, !answer.rows.isEmpty, destination != nil,
      let goal = goal(window, row: 0)
    else { return nil }
    let row = goal - window.skipped
    // Other rows may be loading, but this destination does not depend on them.
    guard !isAwaited || answer.rows.indices.contains(row) else { return nil }
    destination = nil
    return min(max(0, row), answer.rows.count - 1)
  }

  /// Whether the cursor waits for its destination to be loaded.
  var isAhead: Bool { isAwaited && destination != nil }
}
