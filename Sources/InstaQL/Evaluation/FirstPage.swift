import Triples

/// Finds the first page of a filter that matches many entities, without testing all of them.
///
/// It tests the first entities in the plan's order, then twice as many, and so on, until the page
/// is full.
struct FirstPage {
  /// The page size.
  let count: Int
  private let plan: PreparedPlan
  private let sorter: RowSorter

  /// The search stops when it would test more than 1/n of the namespace. Filtering all entities is
  /// then faster.
  private static let worthwhile = 4

  /// Prepares the search. Nil if filtering all entities is probably faster, or if the page does not
  /// begin at the first entity.
  init?(_ plan: PreparedPlan, in store: TripleStore) {
    let page = plan.plan.page
    guard case .whole = plan.paging, !plan.plan.isCount, plan.summary == nil, page.after == nil,
      page.before == nil,
      page.last == nil, (page.offset ?? 0) == 0, let count = page.limit ?? page.first
    else { return nil }
    switch plan.formula {
    case .always, .never: return nil
    default: break
    }
    let total = store.count(of: plan.namespace)
    let expected = Evaluator(store: store).estimate(
      plan.formula, in: .namespace(plan.namespace))
    guard total > 4096, count < total, expected > 0,
      count.multipliedReportingOverflow(by: total / expected + 1).partialValue
        < total / Self.worthwhile
    else { return nil }
    self.count = count
    self.plan = plan
    sorter = RowSorter(plan, in: store)
    guard sorter.isKnownToStore else { return nil }
  }

  /// Returns the page's entities in order, plus the next match if there is one. Nil if the search
  /// stops before the page is full.
  func rows(in store: TripleStore) throws(QueryError) -> [EntityHandle]? {
    let all = store.rows(of: plan.namespace)
    let total = all.count
    var window = max(512, count * 8)
    var seen = 0
    var found: [EntityHandle] = []
    while window * Self.worthwhile <= total {
      let next = sorter.sorted(all, first: window).dropFirst(seen)
      var evaluator = Evaluator(store: store)
      let matches = try evaluator.rows(plan.formula, in: .rows(RowSet(next)))
      for entity in next where matches.contains(entity) {
        found.append(entity)
        if found.count > count { return found }
      }
      seen = window
      window *= 2
    }
    return nil
  }
}
