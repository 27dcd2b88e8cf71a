package import Triples

/// The answer to one plan, which can be updated after changes without evaluating the plan again.
///
/// It does not contain the store. It stays valid for later states of the store, until something
/// that it depends on changes.
package struct MaterializedAnswer: Sendable {
  package let prepared: PreparedPlan
  package let dependencies: PlanDependencies
  package private(set) var rows: [EntityHandle]
  package private(set) var pageInfo: PageInfo?
  package private(set) var total: Int
  private var table: SummaryTable?
  private var window: Answer.Window?

  /// Evaluates the plan in a store.
  ///
  /// - Parameter reach: The scope of changes that the dependencies must include.
  /// - Throws: The errors of preparing and answering.
  package init(
    _ plan: QueryPlan, in store: TripleStore, options: QueryOptions,
    reach: AnswerReach = .answer
  ) throws(QueryError) {
    let prepared = try QueryEngine.prepare(plan, store.schema, options: options)
    let answer = try QueryEngine.answer(prepared, in: store)
    self.prepared = prepared
    let wide = try QueryEngine.prepare(
      reach.widened(plan, in: store.schema), store.schema, options: options)
    dependencies = PlanDependencies(wide, store.schema, fields: prepared.fields)
    rows = answer.rows
    pageInfo = answer.pageInfo
    total = answer.total
    table = answer.table
    window = answer.window
  }

  /// Returns the answer in a state of the store. The answer must be valid for that state.
  ///
  /// - Complexity: O(1).
  package func answer(in store: TripleStore) -> Answer {
    Answer(
      store: store, rows: rows, pageInfo: pageInfo, total: total, prepared: prepared,
      table: table, window: window)
  }

  /// What an update changed.
  package struct Update: Equatable, Sendable {
    /// Whether the displayed answer may have changed. It is also true if only entities beyond the
    /// limit of a relation changed.
    package var isVisible: Bool
    /// Whether the whole plan was evaluated again, because an incremental update was impossible.
    package var isFullEvaluation: Bool
  }

  /// Updates the answer from the state `old` to the state `new`.
  ///
  /// Only affected entities are read. If that is not enough, the whole plan is evaluated again:
  /// when a limited page loses a row, for offsets and cursors, and after many changes.
  ///
  /// - Parameter changes: All changes of data between the two states.
  /// - Throws: The errors of answering. The answer is invalid after an error.
  /// - Complexity: O(affected entities × log rows), and a copy of the rows when some are added or
  ///   removed.
  package mutating func update(
    from old: TripleStore, to new: TripleStore, _ changes: [AttributeID: [ChangeSet.Change]]
  ) throws(QueryError) -> Update {
    let before = self
    let isFullEvaluation = try updateRows(from: old, to: new, changes)
    if !isFullEvaluation { refreshCursors(in: new) }
    let isOther =
      rows != before.rows || total != before.total || pageInfo != before.pageInfo
      || table != before.table
    if isOther { return Update(isVisible: true, isFullEvaluation: isFullEvaluation) }
    let look = ChangedRows(old: old, new: new, changes: changes)
    let touched = try look.entities(shownBy: dependencies)
    return Update(isVisible: shows(some: touched, in: new), isFullEvaluation: isFullEvaluation)
  }

  /// Updates the cursors of the first and the last row. They contain creation times, which change
  /// even when an equal value is written.
  private mutating func refreshCursors(in store: TripleStore) {
    guard let info = pageInfo, case .whole = prepared.paging else { return }
    let sorter = RowSorter(prepared, in: store)
    pageInfo = PageInfo(
      start: rows.first.map(sorter.cursor), end: rows.last.map(sorter.cursor),
      hasNext: info.hasNext, hasPrevious: info.hasPrevious)
  }

  // MARK: Rows

  /// Updates the rows. Returns whether the whole plan was evaluated again.
  private mutating func updateRows(
    from old: TripleStore, to new: TripleStore, _ changes: [AttributeID: [ChangeSet.Change]]
  ) throws(QueryError) -> Bool {
    let candidates = dependencies.candidates(of: changes, in: new)
    if candidates.isEmpty { return false }
    if dependencies.hasCursor { return try askAgain(new) }
    let before = try QueryEngine.matches(prepared, among: candidates, in: old)
    let after = try QueryEngine.matches(prepared, among: candidates, in: new)
    if before.isEmpty && after.isEmpty { return false }
    guard prepared.summary == nil, case .whole = prepared.paging else {
      return try askAgain(new)
    }
    if prepared.plan.isCount {
      total += after.count - before.count
      return false
    }
    let moved = before.count + after.count
    guard isPlainPage, moved <= max(Self.maxSingleMoves, rows.count / 8),
      move(before.handles, after.handles, from: old, to: new)
    else { return try askAgain(new) }
    return false
  }

  /// The number of rows that are moved one by one, or an eighth of all rows if that is more. After
  /// more changes, the whole plan is evaluated again.
  private static let maxSingleMoves = 16

  /// Whether the page begins at the first match: it has no offset, `last` or cursor.
  private var isPlainPage: Bool {
    let page = prepared.plan.page
    return page.last == nil && (page.offset ?? 0) == 0 && !dependencies.hasCursor
  }

  private mutating func askAgain(_ store: TripleStore) throws(QueryError) -> Bool {
    let answer = try QueryEngine.answer(prepared, in: store)
    rows = answer.rows
    total = answer.total
    pageInfo = answer.pageInfo
    table = answer.table
    window = answer.window
    return true
  }

  /// Moves rows from their old to their new positions.
  ///
  /// Returns false, without changing anything, if the page would need rows that are not in the
  /// answer.
  private mutating func move(
    _ before: [EntityHandle], _ after: [EntityHandle], from old: TripleStore, to new: TripleStore
  ) -> Bool {
    let isCut = total > rows.count
    let newTotal = total - before.count + after.count
    let places = before.compactMap { RowSorter(prepared, in: old).place(of: $0, in: rows) }
    var kept = rows
    for place in places.sorted(by: >) { kept.remove(at: place) }
    let sorter = RowSorter(prepared, in: new)
    // If the page is cut, unknown rows may follow the last row that stayed. So entities after it
    // cannot be placed.
    let known = kept.last
    for entity in after {
      if isCut {
        guard let known, sorter.precedes(entity, known) else { continue }
      }
      kept.insert(entity, at: sorter.firstPlace(notBefore: entity, in: kept))
    }
    let page = prepared.plan.page
    let size = min(page.limit ?? page.first ?? Int.max, newTotal)
    if kept.count < size { return false }
    kept.removeLast(kept.count - size)
    rows = kept
    total = newTotal
    pageInfo?.hasNext = !rows.isEmpty && total > rows.count
    return true
  }

  // MARK: What is seen

  private func shows(some touched: RowSet, in store: TripleStore) -> Bool {
    if touched.isEmpty || rows.isEmpty { return false }
    guard case .whole = prepared.paging, touched.count <= Self.maxSingleMoves else {
      return !touched.intersection(RowSet(rows)).isEmpty
    }
    let sorter = RowSorter(prepared, in: store)
    for entity in touched where sorter.place(of: entity, in: rows) != nil { return true }
    return false
  }
}

extension RowSorter {
  /// Returns the index of an entity in a sorted list; nil if it is not there.
  ///
  /// - Complexity: O(log entities) comparisons.
  func place(of entity: EntityHandle, in entities: [EntityHandle]) -> Int? {
    let place = firstPlace(notBefore: entity, in: entities)
    return place < entities.count && entities[place] == entity ? place : nil
  }

  /// Returns the index at which to insert `entity` in a sorted list.
  func firstPlace(notBefore entity: EntityHandle, in entities: [EntityHandle]) -> Int {
    var low = 0
    var high = entities.count
    while low < high {
      let middle = (low + high) / 2
      if precedes(entities[middle], entity) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
