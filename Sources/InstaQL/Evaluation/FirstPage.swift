import Triples

/// Finds the first page of an unselective filter by testing growing prefixes of the order until
/// the page is full.
struct FirstPage {
  /// The page size.
  let count: Int
  private let plan: PreparedPlan
  private let sorter: RowSorter

  /// The minimum ratio of the namespace's size to the tested prefix. Below it, filtering all
  /// entities is faster.
  private static let worthwhile = 4

  /// Prepares the search. Nil when the page does not begin at the start of the order, or when the
  /// filter seems too selective.
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

  /// Returns the first matches in order: the page, and one more match if there is one. Nil if the
  /// tested prefixes contain too few matches.
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
