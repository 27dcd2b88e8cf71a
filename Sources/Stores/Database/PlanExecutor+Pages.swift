import InstaQL
import LiveQueries
import Triples

// Pages and windows of sorted results.
extension PlanExecutor {
  /// Returns the range of the plan's sorted rows that must be read for its page and the view's
  /// window.
  func window(of plan: QueryPlan) -> SQLWindow {
    // Groups are divided into pages after they are computed, so all rows are read.
    if plan.isSummary { return SQLWindow() }
    let page = plan.page
    let offset = max(0, page.offset ?? 0)
    // If the page selects the last rows, the whole page is read, not only the window.
    if let last = page.last { return SQLWindow(skipped: offset, count: last, isReversed: true) }
    let size = page.limit ?? page.first
    guard let view = view.window else { return SQLWindow(skipped: offset, count: size) }
    let isOrdered = shape.names.namespace(plan.namespace)?.ids.isEmpty == false
    if isOrdered, size == nil, let count = view.pageCount, view.skipped > count / 2 {
      let end = min(count, view.skipped + view.count)
      return SQLWindow(skipped: count - end, count: max(1, end - view.skipped), isReversed: true)
    }
    let rest = size.map { max(0, $0 - view.skipped) }
    let (skipped, overflows) = offset.addingReportingOverflow(view.skipped)
    return SQLWindow(
      skipped: overflows ? .max : skipped, count: min(view.count, rest ?? view.count))
  }

  func page(
    of plan: QueryPlan, _ rows: [EntityHandle], hasMore: Bool
  ) -> ServedAnswer.Found {
    if plan.isSummary {
      return ServedAnswer.Found(rows: rows, total: rows.count, pageCount: rows.count)
    }
    let offset = max(0, plan.page.offset ?? 0)
    var found = ServedAnswer.Found(rows: rows, hasNext: hasMore, hasPrevious: offset > 0)
    if plan.page.last != nil {
      found.hasNext = offset > 0 && !rows.isEmpty
      found.hasPrevious = rows.isEmpty ? offset > 0 : hasMore
      found.pageCount = rows.count
      if !hasMore, !rows.isEmpty || offset == 0 { found.total = offset + rows.count }
      return found
    }
    let window = window(of: plan)
    if window.isReversed, let view = view.window {
      found.skipped = view.skipped
      found.pageCount = view.pageCount
      found.hasNext = false
      return found
    }
    found.skipped = window.skipped - offset
    if !hasMore, !rows.isEmpty || window.skipped == 0 {
      let total = window.skipped + rows.count
      found.total = total
      found.pageCount = Self.pageCount(of: plan, total: total)
    } else if found.skipped == 0 {
      let isWhole = view.window == nil || rows.count == plan.page.limit ?? plan.page.first
      if isWhole || rows.isEmpty { found.pageCount = rows.count }
    }
    return found
  }

  /// Returns the number of rows on a plan's page when `total` rows match.
  static func pageCount(of plan: QueryPlan, total: Int) -> Int {
    if let last = plan.page.last { return min(last, max(0, total - (plan.page.offset ?? 0))) }
    return end(of: plan, total: total) - min(total, max(0, plan.page.offset ?? 0))
  }

  /// Returns the index of the end of the page within all matching rows.
  private static func end(of plan: QueryPlan, total: Int) -> Int {
    let start = min(total, max(0, plan.page.offset ?? 0))
    guard let size = plan.page.limit ?? plan.page.first else { return total }
    return start + min(size, total - start)
  }

  func addTotal(_ total: Int, into page: inout ServedAnswer.Found, of plan: QueryPlan) {
    let count = Self.pageCount(of: plan, total: total)
    if window(of: plan).isReversed, let known = page.pageCount {
      // The window's position was computed from the end, so its start depends on the number of
      // rows.
      page.skipped = max(0, page.skipped + count - known)
    }
    page.total = total
    page.pageCount = count
    page.hasNext =
      plan.page.last == nil
      ? Self.end(of: plan, total: total) < total
      : count > 0 && (plan.page.offset ?? 0) > 0
  }
}
