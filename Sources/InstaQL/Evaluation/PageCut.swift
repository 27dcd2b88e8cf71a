import Triples

/// Cuts the rows of the requested page from all matching entities.
struct PageCut {
  var rows: [EntityHandle]
  var hasNext: Bool
  var hasPrevious: Bool

  /// Selects the page's rows.
  /// - Throws: `invalid` when a cursor belongs to a query with another order.
  init(
    _ matches: RowSet, _ page: Page, _ sorter: RowSorter, of plan: PreparedPlan
  ) throws(QueryError) {
    try Self.check(page.after, "after", sorter, plan)
    try Self.check(page.before, "before", sorter, plan)
    let total = matches.count
    let between = Self.between(page, matches, sorter)
    let skipped = max(0, page.offset ?? 0)
    let available = max(0, between.rows.count - skipped)
    if let last = page.last {
      // With `last`, the rows to skip are also counted from the end of the order.
      let passed = min(skipped, between.rows.count)
      let taken = min(last, available)
      rows = Array(sorter.sorted(between.rows, last: taken + passed).dropLast(passed))
      hasPrevious = taken + passed < between.rows.count || between.before > 0
      hasNext = passed > 0 || between.after > 0
    } else {
      let wanted = min(page.limit ?? page.first ?? Int.max, available)
      let (end, overflows) = skipped.addingReportingOverflow(wanted)
      rows = Array(
        sorter.sorted(between.rows, first: overflows ? nil : end).dropFirst(skipped))
      hasPrevious = between.before > 0 || min(skipped, total) > 0
      hasNext = skipped + rows.count < between.rows.count || between.after > 0
    }
    if rows.isEmpty {
      hasNext = false
      hasPrevious = (page.offset ?? 0) > 0 || page.after != nil
    }
  }

  /// Selects the page's rows in a store that contains a server's answer to the query.
  ///
  /// A page without an offset or cursor has the first rows, or with `last` the last ones: the answer
  /// may contain other matches, to which its links lead. Any other page has the rows between the
  /// server's two cursors, including the rows at the cursors.
  init(served info: PageInfo?, _ matches: RowSet, _ page: Page, _ sorter: RowSorter) {
    let wanted = page.limit ?? page.first ?? page.last
    hasNext = info?.hasNext ?? false
    hasPrevious = info?.hasPrevious ?? false
    if page.after == nil && page.before == nil && (page.offset ?? 0) == 0 {
      if let last = page.last, info?.start != nil {
        rows = sorter.sorted(matches, last: last)
      } else {
        rows = sorter.sorted(matches, first: wanted)
      }
    } else if let start = info?.start {
      var within = RowSet()
      matches.forEach { entity in
        guard sorter.compare(entity, with: start) >= 0 else { return }
        if let end = info?.end, sorter.compare(entity, with: end) > 0 { return }
        within.insert(entity)
      }
      rows = sorter.sorted(within, first: wanted)
    } else {
      rows = []
    }
  }

  /// Returns the matches between the page's cursors, and the numbers of matches before and after
  /// them.
  private static func between(
    _ page: Page, _ matches: RowSet, _ sorter: RowSorter
  ) -> (rows: RowSet, before: Int, after: Int) {
    guard page.after != nil || page.before != nil else { return (matches, 0, 0) }
    var rows = RowSet()
    var before = 0
    var after = 0
    matches.forEach { entity in
      if let cursor = page.after {
        let order = sorter.compare(entity, with: cursor)
        if order < 0 || (order == 0 && !page.afterInclusive) {
          before += 1
          return
        }
      }
      if let cursor = page.before {
        let order = sorter.compare(entity, with: cursor)
        if order > 0 || (order == 0 && !page.beforeInclusive) {
          after += 1
          return
        }
      }
      rows.insert(entity)
    }
    return (rows, before, after)
  }

  /// Throws `invalid` if the cursor belongs to a query with another order.
  private static func check(
    _ cursor: Cursor?, _ option: String, _ sorter: RowSorter, _ plan: PreparedPlan
  ) throws(QueryError) {
    guard let cursor else { return }
    var expected = sorter.store.schema.identity(of: plan.namespace)?.id
    if case .value(let links, let attribute) = sorter.keys[0].source, links.isEmpty {
      expected = attribute.id
    }
    guard let expected, expected != cursor.attribute else { return }
    throw .invalid(
      path: "\(plan.plan.namespace).$.\(option)",
      reason: "the cursor belongs to a query with another order; start from the first page")
  }
}
