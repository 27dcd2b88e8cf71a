public import Triples

/// A whole query: one or more plans, each of another namespace, answered together.
///
/// It has three spellings that convert without loss: Swift values, text, and InstaQL JSON.
public struct QueryDocument: Hashable, Sendable {
  /// Sorted by namespace, each once.
  public private(set) var plans: [QueryPlan]
  /// What permission rules may read; nil when nothing was given.
  public var ruleParams: JSONObject?

  /// A later plan of a namespace replaces an earlier one.
  public init(_ plans: [QueryPlan] = [], ruleParams: JSONObject? = nil) {
    self.plans = []
    self.ruleParams = ruleParams
    for plan in plans { set(plan) }
  }

  public init(_ plan: QueryPlan) { self.init([plan]) }

  public func plan(of namespace: String) -> QueryPlan? {
    plans.first { $0.namespace == namespace }
  }

  /// Puts `plan` where the plan of its namespace was, or among the others.
  public mutating func set(_ plan: QueryPlan) {
    plans.removeAll { $0.namespace == plan.namespace }
    let place =
      plans.firstIndex { plan.namespace.utf8.lexicographicallyPrecedes($0.namespace.utf8) }
      ?? plans.count
    plans.insert(plan, at: place)
  }

  public mutating func remove(_ namespace: String) {
    plans.removeAll { $0.namespace == namespace }
  }
}
