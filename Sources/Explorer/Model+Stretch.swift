import InstaQL
import LiveQueries
package import TerminalUI

/// Which rows of a long answer were asked for, and where the cursor wants to go in it.
///
/// A store that has all rows gives them all; one that reads them from a database gives those around
/// the cursor, and others as the cursor comes near the end of them. Keys need not wait for these: the
/// cursor's row is then a number, ahead of the rows.
struct Stretching: Sendable, Equatable {
  enum Goal: Sendable, Equatable {
    case first, last
    /// A row of the page, counted from its first.
    case row(Int)
  }

  private(set) var asked = AnswerView.Stretch(count: firstRows)
  /// Whether rows that were asked for later than the first ones are on their way.
  private(set) var isAwaited = false
  /// Where the cursor shall be moved to once the rows there have come.
  private(set) var wished: Goal?
  /// How many answers in a row had no rows, or others than were asked for.
  private var misses = 0

  /// All there is of most answers.
  private static let firstRows = 1_000

  /// How many rows of a longer answer are asked for at a time, and how near the end of them others are.
  private struct Portion {
    let rows: Int
    let margin: Int

    /// - Parameter page: How many rows are in view.
    init(page: Int) { (rows, margin) = (max(200, 10 * page), max(60, 3 * page)) }
  }
  /// A store that does not have what it says is not asked again before somebody presses a key.
  private static let mostMisses = 4

  mutating func wish(_ goal: Goal?) {
    wished = goal
    misses = 0
  }

  /// Notes where the rows that came begin: elsewhere than asked for, when there are fewer now.
  mutating func settle(_ answer: Answer) {
    let skipped = answer.stretch?.skipped ?? 0
    // Where rows are not counted yet, nobody says that there are any.
    let isEmpty = answer.rows.isEmpty && answer.stretch?.pageCount != nil
    misses = skipped == asked.skipped && !isEmpty ? 0 : misses + 1
    isAwaited = false
    asked.skipped = skipped
  }

  /// The row of the page where the cursor wants to be; nil where that is not known yet.
  private func goal(_ stretch: Answer.Stretch, row: Int) -> Int? {
    let last = stretch.pageCount.map { max(0, $0 - 1) }
    return switch wished {
    case .first: 0
    case .last: last
    case .row(let row): min(row, last ?? row)
    case nil: stretch.skipped + row
    }
  }

  /// What is to be asked for next; nil when there is no need.
  ///
  /// What is on its way is overtaken only by a wish to see rows that will not be among it.
  /// - Parameters:
  ///   - row: The row of the answer that the cursor is on.
  ///   - page: How many rows are in view.
  mutating func next(_ answer: Answer, row: Int, page: Int) -> AnswerView.Stretch? {
    guard let stretch = answer.stretch, misses < Self.mostMisses else { return nil }
    if answer.rows.isEmpty, !isAwaited { turnBack(from: stretch) }
    let portion = Portion(page: page)
    guard let goal = goal(stretch, row: row), !covers(goal, answer, stretch, portion.margin) else {
      return nil
    }
    let most = stretch.pageCount.map { max(0, $0 - portion.rows) } ?? .max
    let skipped = min(most, max(0, goal - portion.rows / 2))
    if skipped == asked.skipped, asked.count >= portion.rows { return nil }
    isAwaited = true
    asked = AnswerView.Stretch(skipped: skipped, count: portion.rows, of: stretch.pageCount)
    return asked
  }

  /// There are no rows where they were looked for: the last ones are, or else the first.
  private mutating func turnBack(from stretch: Answer.Stretch) {
    // Otherwise the number of rows is being counted.
    guard let count = stretch.pageCount, stretch.skipped > 0 else { return }
    wished = stretch.skipped >= max(0, count - asked.count) ? .first : .last
  }

  /// Whether the rows that were asked for are enough for the cursor to be on one of them.
  private func covers(
    _ goal: Int, _ answer: Answer, _ stretch: Answer.Stretch, _ margin: Int
  ) -> Bool {
    let margin = isAwaited ? 0 : margin
    let end = asked.skipped + asked.count
    let isLast =
      stretch.pageCount.map { end >= $0 } ?? (!isAwaited && answer.rows.count < asked.count)
    return (asked.skipped == 0 || goal - asked.skipped >= margin)
      && (isLast || end - goal > margin)
  }

  /// The row of the answer that the cursor goes to now, since what it wished for has come, or all that
  /// there is of it; nil where it stays.
  mutating func arrive(in answer: Answer) -> Int? {
    guard let stretch = answer.stretch, !answer.rows.isEmpty, wished != nil,
      let goal = goal(stretch, row: 0)
    else { return nil }
    let row = goal - stretch.skipped
    // More may be on their way, but not for this.
    guard !isAwaited || answer.rows.indices.contains(row) else { return nil }
    wished = nil
    return min(max(0, row), answer.rows.count - 1)
  }

  /// Whether rows are on their way, and the cursor with them.
  var isAhead: Bool { isAwaited && wished != nil }
}

extension Model {
  /// Whether an event can be taken before the rows that were asked for have come.
  package func canTakeAhead(_ event: TerminalEvent) -> Bool {
    tab.results.isStretching && onlyMoves(event)
  }

  /// Whether an event does no more than to move the cursor on among the rows of the query.
  package func onlyMoves(_ event: TerminalEvent) -> Bool {
    guard case .key(let key) = event, prompt == nil, tab.overlays.isEmpty, tab.focus == .results,
      tab.composer?.plan == tab.results.table?.answer.plan,
      let intent = preferences.keymap.intent(for: key, in: listening)
    else { return false }
    return ListCursor.steps(intent, page: layout.resultRows) != 0
  }

  /// Asks for the rows that the cursor comes near to.
  mutating func stretchOn() -> [Effect] {
    guard let table = tab.results.table, table.answer.stretch != nil, let plan = tab.composer?.plan,
      plan == table.answer.plan
    else { return [] }
    let row =
      table.lineCount == 0
      ? 0 : table.row(ofLine: min(tab.results.cursor.index, table.lineCount - 1))
    let stretch = tab.results.stretching.next(
      table.answer, row: row, page: layout.resultRows)
    let goal = tab.results.stretching.wished
    tab.results.goWhereWished(page: layout.resultRows)
    if let goal, tab.results.stretching.wished == nil { arrive(at: goal) }
    return stretch.map { watch(plan, $0) } ?? []
  }

  /// The query whose rows the cursor is on its way to; nil when it is where it shall be.
  package var awaitedRows: WatchToken? {
    tab.results.table?.answer.stretch != nil && tab.results.stretching.isAhead ? tab.watch : nil
  }
}

extension ResultsPane {
  /// Whether rows that were asked for are on their way.
  var isStretching: Bool { table?.answer.stretch != nil && stretching.isAwaited }

  /// The row that the cursor is on its way to, counted from 1; nil when it is there.
  var rowAhead: Int? {
    guard isStretching, case .row(let row)? = stretching.wished else { return nil }
    return row + 1
  }

  /// Ends the wish to see rows that are not here, but for what moves on: all else is for what is in
  /// sight.
  mutating func endWish(unless intent: Intent) {
    if ListCursor.steps(intent, page: 2) == 0 { stretching.wish(nil) }
  }

  /// Notes that an intent wishes to see rows that are not here yet.
  ///
  /// - Returns: Whether that is all that is to be done: the cursor was ahead of the rows.
  mutating func wish(_ intent: Intent, page: Int) -> Bool {
    switch intent {
    case .first: stretching.wish(.first)
    case .last: stretching.wish(.last)
    default:
      let steps = ListCursor.steps(intent, page: page)
      return steps != 0 && wish(steps: steps, page: page)
    }
    return false
  }

  private mutating func wish(steps: Int, page: Int) -> Bool {
    let wished = stretching.wished
    stretching.wish(nil)
    quest = nil
    guard !isReading, let table, let stretch = table.answer.stretch else {
      return false
    }
    let last = stretch.pageCount.map { max(0, $0 - 1) }
    let ahead: Int? =
      switch wished {
      case .first: 0
      case .last: last
      case .row(let row): row
      case nil: nil
      }
    let here = table.lineCount == 0 ? 0 : table.row(ofLine: min(cursor.index, table.lineCount - 1))
    let goal = min(last ?? .max, max(0, (ahead ?? stretch.skipped + here) + steps))
    let row = goal - stretch.skipped
    guard table.answer.rows.indices.contains(row) else {
      stretching.wish(.row(goal))
      return false
    }
    guard ahead != nil else { return false }
    move(to: table.line(ofRow: row), page: page)
    return true
  }

  /// Moves the cursor where it shall go to, when the rows there have come.
  mutating func goWhereWished(page: Int) {
    guard let table else { return }
    let isLast = stretching.wished == .last
    guard let row = stretching.arrive(in: table.answer) else { return }
    // What is open beneath the last row comes after it.
    let isEnd = isLast && row == table.answer.rows.count - 1
    move(to: isEnd ? table.height - 1 : table.line(ofRow: row), page: page)
  }
}
