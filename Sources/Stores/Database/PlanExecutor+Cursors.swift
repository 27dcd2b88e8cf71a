import InstaQL
import LiveQueries
import Triples

// Pages that begin or end at a cursor.
extension PlanExecutor {
  /// Reads the page of a plan that begins after a cursor, or ends before one, by keyset pagination.
  ///
  /// - Throws: `QueryError.notInSQL` if SQL cannot express the page, or if the row of the cursor does
  ///   not exist.
  mutating func pageAtCursor(of plan: QueryPlan) throws -> ServedAnswer.Found {
    let page = plan.page
    let isReversed = page.before != nil
    let isForward = page.before == nil && page.last == nil && !page.afterInclusive
    let isBackward =
      page.after == nil && page.limit == nil && page.first == nil && !page.beforeInclusive
    guard isForward || isBackward, let cursor = page.after ?? page.before else {
      throw QueryError.notInSQL(
        path: plan.namespace,
        reason: "'after' is supported with 'first' or 'limit', and 'before' with 'last'")
    }
    var uncut = plan
    (uncut.page.after, uncut.page.before) = (nil, nil)
    let anchor = try anchor(at: cursor, of: uncut)
    let offset = max(0, page.offset ?? 0)
    let window = SQLWindow(
      skipped: offset, count: page.limit ?? page.first ?? page.last, isReversed: isReversed)
    let (rows, hasMore) = try self.rows(of: uncut, in: window, after: anchor)
    var found = ServedAnswer.Found(rows: rows, pageCount: rows.count)
    // The row of the cursor is on the other side of the page.
    (found.hasNext, found.hasPrevious) = isReversed ? (true, hasMore) : (hasMore, true)
    if rows.isEmpty { (found.hasNext, found.hasPrevious) = (false, offset > 0 || !isReversed) }
    if view.showsTotals {
      let (total, isEstimate) = try total(uncut)
      (found.total, found.isEstimate) = (total, isEstimate)
    }
    return found
  }

  /// Reads the sort values of the row of a cursor.
  private mutating func anchor(at cursor: Cursor, of plan: QueryPlan) throws -> SQLAnchor {
    let key = plan.order.first?.path
    let attribute =
      key.flatMap { $0.isOwn ? shape.schema.attribute(plan.namespace, $0.label) : nil }
      ?? shape.schema.identity(of: plan.namespace)
    guard attribute?.id == cursor.attribute else {
      throw QueryError.invalid(
        path: "\(plan.namespace).$.\(plan.page.last == nil ? "after" : "before")",
        reason: "the cursor belongs to a query with another order; start from the first page")
    }
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
    return SQLAnchor(position: -1, values: statement.texts(from: 1))
  }
}
