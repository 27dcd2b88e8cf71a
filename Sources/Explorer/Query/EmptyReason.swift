import InstaQL

/// The reason why a query finds nothing.
struct EmptyReason: Sendable, Equatable {
  let plan: QueryPlan
  let name: MissingName

  /// Returns the sentence that says why `plan` finds nothing; nil if the reason is that of another
  /// query.
  func sentence(for plan: QueryPlan) -> String? { plan == self.plan ? name.sentence : nil }
}
