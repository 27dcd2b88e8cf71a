import InstaQL
import LiveQueries

/// Which rows of a long answer were asked for, and where the cursor wants to go in it.
///
/// A store that has all rows gives them all; one that reads them from a database gives those around
/// the cursor, and others as the cursor comes near the end of them.
struct Stretching: Sendable, Equatable {
  enum Goal: Sendable, Equatable {
    case first, last
    /// A row of the page, counted from its first.
    case row(Int)
  }

  private(set) var asked = AnswerView.Stretch(count: rows)
  /// Where the cursor shall be moved to once the rows there have come.
  private(set) var wished: Goal?

  /// Several screens; SQLite reads so many in a few milliseconds.
  private static let rows = 1_000
  /// So near the end of the rows, others are asked for.
  private static let margin = 200

  mutating func wish(_ goal: Goal?) { wished = goal }

  /// Notes where the rows that came begin: elsewhere than asked for, when there are fewer now.
  mutating func settle(_ answer: Answer) {
    let skipped = answer.stretch?.skipped ?? 0
    if skipped != asked.skipped { asked.skipped = skipped }
  }

  /// What is to be asked for next; nil while what was asked for is on its way, and when there is no
  /// need.
  /// - Parameter row: The row of the answer that the cursor is on.
  mutating func next(_ answer: Answer, row: Int) -> AnswerView.Stretch? {
    guard let stretch = answer.stretch, stretch.skipped == asked.skipped,
      let skipped = skipped(answer.rows.count, stretch, row), skipped != asked.skipped
    else { return nil }
    asked = AnswerView.Stretch(
      skipped: skipped, count: Self.rows, of: stretch.pageCount)
    return asked
  }

  private func skipped(_ count: Int, _ stretch: Answer.Stretch, _ row: Int) -> Int? {
    let end = stretch.skipped + count
    let most = stretch.pageCount.map { max(0, $0 - Self.rows) } ?? .max
    // Those that were here are gone.
    if count == 0 { return min(most, max(0, stretch.skipped - Self.rows)) }
    switch wished {
    case .first: return 0
    case .last: return stretch.pageCount == nil || end == stretch.pageCount ? nil : most
    case .row(let goal):
      let isHere = goal >= stretch.skipped && (goal < end || !hasMore(count, stretch))
      return isHere ? nil : min(most, max(0, goal - Self.rows / 2))
    case nil: break
    }
    let isNearStart = row < Self.margin && stretch.skipped > 0
    guard isNearStart || count - row <= Self.margin && hasMore(count, stretch) else { return nil }
    return min(most, max(0, stretch.skipped + row - Self.rows / 2))
  }

  /// Whether rows follow after those that are here.
  private func hasMore(_ count: Int, _ stretch: Answer.Stretch) -> Bool {
    stretch.pageCount.map { stretch.skipped + count < $0 } ?? (count >= Self.rows)
  }
}

extension Model {
  /// Asks for the rows that the cursor comes near to.
  mutating func stretchOn() -> [Effect] {
    guard let table = results.table, table.answer.stretch != nil, let plan = composer?.plan,
      plan == table.answer.plan
    else { return [] }
    let row =
      table.lineCount == 0
      ? 0 : table.row(ofLine: min(results.cursor.index, table.lineCount - 1))
    guard let stretch = results.stretching.next(table.answer, row: row) else {
      results.goWhereWished(page: layout.resultRows)
      return []
    }
    let stop = watch.map { [Effect.stopWatching($0)] } ?? []
    lastToken += 1
    let token = WatchToken(number: lastToken)
    watch = token
    return stop + [.watch(QueryDocument(plan), token, stretch)]
  }
}

extension ResultsPane {
  /// Whether rows that were asked for are on their way.
  var isStretching: Bool {
    guard let stretch = table?.answer.stretch else { return false }
    return stretch.skipped != stretching.asked.skipped
  }

  /// Notes a wish to see an end of the answer; any other intent ends it.
  mutating func wish(_ intent: Intent) {
    switch intent {
    case .first: stretching.wish(.first)
    case .last: stretching.wish(.last)
    default: stretching.wish(nil)
    }
  }

  /// Moves the cursor where it shall go to, when the rows there have come.
  mutating func goWhereWished(page: Int) {
    guard let table, !isStretching, let stretch = table.answer.stretch else { return }
    switch stretching.wished {
    case nil: return
    case .first: move(to: 0, page: page)
    case .row(let goal):
      let row = min(max(0, goal - stretch.skipped), max(0, table.answer.rows.count - 1))
      move(to: table.line(ofRow: row), page: page)
    case .last:
      guard stretch.skipped + table.answer.rows.count == stretch.pageCount else { return }
      move(to: table.height - 1, page: page)
    }
    stretching.wish(nil)
  }
}
