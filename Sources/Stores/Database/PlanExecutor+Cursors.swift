import InstaQL
import LiveQueries
import Triples

// Pages that begin or end at a cursor.
extension PlanExecutor {
  /// The maximum number of rows that are searched for the row of a cursor whose id is a hash.
  private static var maxTies: Int { 10_000 }
  /// The maximum number of keys that are searched for the key of such a row.
  private static var maxKeys: Int { 1_000_000 }

  /// Reads the page of a plan that begins at a cursor, ends at one, or both, by keyset pagination.
  ///
  /// - Throws: `QueryError.notInSQL` if SQL cannot express the page, or if the row of a cursor does
  ///   not exist.
  mutating func pageAtCursor(of plan: QueryPlan) throws -> ServedAnswer.Found {
    let page = plan.page
    var uncut = plan
    (uncut.page.after, uncut.page.before) = (nil, nil)
    let after = try anchor(at: page.after, "after", isIncluded: page.afterInclusive, of: uncut)
    let before = try anchor(at: page.before, "before", isIncluded: page.beforeInclusive, of: uncut)
    let isReversed = page.last != nil
    let offset = max(0, page.offset ?? 0)
    let window = SQLWindow(
      skipped: offset, count: page.limit ?? page.first ?? page.last, isReversed: isReversed)
    let (rows, hasMore) = try self.rows(
      of: uncut, in: window, after: isReversed ? before : after,
      before: isReversed ? after : before)
    var found = ServedAnswer.Found(rows: rows, pageCount: rows.count)
    if rows.isEmpty {
      (found.hasNext, found.hasPrevious) = (false, offset > 0 || after != nil)
    } else {
      let (isCutAtStart, isCutAtEnd) = (
        isReversed ? hasMore : offset > 0, isReversed ? offset > 0 : hasMore
      )
      found.hasPrevious = try isCutAtStart || hasRow(beyond: after, isReversed: true, of: uncut)
      found.hasNext = try isCutAtEnd || hasRow(beyond: before, isReversed: false, of: uncut)
    }
    if view.showsTotals {
      let (total, isEstimate) = try total(uncut)
      (found.total, found.isEstimate) = (total, isEstimate)
    }
    return found
  }

  /// Returns whether the plan has rows on the other side of a cursor, where the page is not.
  ///
  /// - Parameter isReversed: Whether these rows come before the cursor.
  private mutating func hasRow(
    beyond cursor: SQLAnchor?, isReversed: Bool, of plan: QueryPlan
  ) throws -> Bool {
    guard var cursor else { return false }
    cursor.isIncluded.toggle()
    let window = SQLWindow(count: 1, isReversed: isReversed)
    return try !rows(of: plan, in: window, after: cursor).rows.isEmpty
  }

  /// Reads the sort values of the row of a cursor.
  private mutating func anchor(
    at cursor: Cursor?, _ option: String, isIncluded: Bool, of plan: QueryPlan
  ) throws -> SQLAnchor? {
    guard let cursor else { return nil }
    let key = plan.order.first?.path
    let identity = shape.schema.identity(of: plan.namespace)
    let attribute =
      key.flatMap { $0.isOwn ? shape.schema.attribute(plan.namespace, $0.label) : nil } ?? identity
    guard let attribute, attribute.id == cursor.attribute else {
      throw QueryError.invalid(
        path: "\(plan.namespace).$.\(option)",
        reason: "the cursor belongs to a query with another order; start from the first page")
    }
    if attribute.id != identity?.id { try readTies(of: cursor, in: attribute.label, of: plan) }
    try findKey(of: cursor, in: plan.namespace)
    var row = plan.removing(.page, .relations)
    row.condition = .compare(
      AttributePath([shape.schema.identityLabel(of: plan.namespace)]), .equal,
      .text(cursor.entity.text))
    let statement = try db.rows(
      of: row.sqlRows(
        shape.dialect, schema: shape.schema, names: shape.sql, window: SQLWindow(count: 1)
      ) { _ in ["1"] })
    defer { statement.reset() }
    guard try statement.step() else {
      throw QueryError.notInSQL(
        path: plan.namespace, reason: "the row of the cursor no longer exists")
    }
    return SQLAnchor(position: -1, values: statement.texts(from: 1), isIncluded: isIncluded)
  }

  /// Reads the rows with the sort value of a cursor, unless its row was already read.
  ///
  /// This is needed for ids that are hashes: only a row that was read can be found by its id.
  private mutating func readTies(
    of cursor: Cursor, in label: String, of plan: QueryPlan
  ) throws {
    guard let memory = shape.names.namespace(plan.namespace)?.ids.memory,
      memory.key(of: cursor.entity) == nil
    else { return }
    let path = AttributePath([label])
    let isTied: ConditionNode =
      cursor.value == .null ? .isNull(path, true) : .compare(path, .equal, cursor.value)
    var ties = plan.removing(.page, .relations, .order)
    ties.condition = plan.condition.map { .all([$0, isTied]) } ?? isTied
    _ = try rows(of: ties, in: SQLWindow(count: Self.maxTies))
  }

  /// Searches the keys of a table for that of a cursor's row, unless the row was already read.
  private func findKey(of cursor: Cursor, in namespace: String) throws {
    guard let home = shape.names.namespace(namespace), let memory = home.ids.memory,
      memory.key(of: cursor.entity) == nil
    else { return }
    let columns = home.ids.columns.joined(separator: ", ")
    let keys = try db.rows(
      of: SQLStatement(
        text: "SELECT \(columns) FROM \(home.table.sqlRows) LIMIT \(Self.maxKeys)"))
    defer { keys.reset() }
    while try keys.step() {
      guard home.ids.id(keys, 0) == cursor.entity, let key = home.ids.key(keys, 0) else { continue }
      return memory.remember(key, of: cursor.entity)
    }
  }
}
