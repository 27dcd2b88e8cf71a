public import Triples

/// One or more plans, each for a different namespace, that are answered together.
///
/// A document has three lossless forms: Swift values, text, and InstaQL JSON.
public struct QueryDocument: Hashable, Sendable {
  /// The plans, sorted by namespace. There is at most one for each namespace.
  public private(set) var plans: [QueryPlan]
  /// Parameters for permission rules; nil when there are none.
  public var ruleParams: JSONObject?

  /// Creates a document. If several plans have the same namespace, the last one is used.
  public init(_ plans: [QueryPlan] = [], ruleParams: JSONObject? = nil) {
    self.plans = []
    self.ruleParams = ruleParams
    for plan in plans { set(plan) }
  }

  /// Creates a document with one plan.
  public init(_ plan: QueryPlan) { self.init([plan]) }

  /// Returns the plan of a namespace; nil when the document has none.
  public func plan(of namespace: String) -> QueryPlan? {
    plans.first { $0.namespace == namespace }
  }

  /// Adds `plan`, or replaces the plan of its namespace.
  public mutating func set(_ plan: QueryPlan) {
    plans.removeAll { $0.namespace == plan.namespace }
    let place =
      plans.firstIndex { plan.namespace.utf8.lexicographicallyPrecedes($0.namespace.utf8) }
      ?? plans.count
    plans.insert(plan, at: place)
  }

  /// Removes the plan of a namespace.
  public mutating func remove(_ namespace: String) {
    plans.removeAll { $0.namespace == namespace }
  }
}
