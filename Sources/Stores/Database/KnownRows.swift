import InstaQL

/// What was found out about all rows that match plans, in one state of a database: how many they are,
/// and where they stand.
struct KnownRows: Sendable {
  private var state = 0
  /// By the question of the plan, see ``RowOrder/question(of:)``.
  private(set) var totals: [QueryPlan: Int] = [:]
  /// The newest last.
  private var orders: [RowOrder] = []

  /// Each takes eight bytes a row.
  private static let mostOrders = 2
  private static let mostTotals = 256

  /// Forgets what was so in another state.
  mutating func turn(to state: Int) {
    guard state != self.state else { return }
    self = KnownRows()
    self.state = state
  }

  func order(of plan: QueryPlan) -> RowOrder? {
    let question = RowOrder.question(of: plan)
    return orders.last { $0.question == question }
  }

  /// Takes in what was read in a state; nothing of one that is over.
  mutating func learn(_ order: RowOrder, in state: Int) {
    guard state == self.state else { return }
    orders.removeAll { $0.question == order.question }
    orders.append(order)
    if orders.count > Self.mostOrders { orders.removeFirst() }
  }

  mutating func learn(total: Int, of plan: QueryPlan, in state: Int) {
    guard state == self.state else { return }
    if totals.count >= Self.mostTotals { totals = [:] }
    totals[RowOrder.question(of: plan)] = total
  }
}
