import InstaQL

/// Caches the row counts and row orders of plans for one state of a database.
struct RowOrderCache: Sendable {
  private var state = 0
  /// The count of matching rows, keyed by ``SortedMatches/orderPlan(of:)``.
  private(set) var totals: [QueryPlan: Int] = [:]
  /// The known row orders, the newest last.
  private var orders: [SortedMatches] = []

  /// The maximum number of row orders; each takes eight bytes per row in memory.
  private static let maxOrders = 2
  private static let maxTotals = 256

  /// Clears the cache if its content belongs to another state.
  mutating func prepare(for state: Int) {
    guard state != self.state else { return }
    self = RowOrderCache()
    self.state = state
  }

  func order(of plan: QueryPlan) -> SortedMatches? {
    let orderPlan = SortedMatches.orderPlan(of: plan)
    return orders.last { $0.orderPlan == orderPlan }
  }

  /// Adds a row order, unless it belongs to another state than the cache.
  mutating func learn(_ order: SortedMatches, in state: Int) {
    guard state == self.state else { return }
    orders.removeAll { $0.orderPlan == order.orderPlan }
    orders.append(order)
    if orders.count > Self.maxOrders { orders.removeFirst() }
  }

  mutating func learn(total: Int, of plan: QueryPlan, in state: Int) {
    guard state == self.state else { return }
    if totals.count >= Self.maxTotals { totals = [:] }
    totals[SortedMatches.orderPlan(of: plan)] = total
  }
}
