import InstaQL

/// The reason why a query finds nothing.
struct EmptyReason: Sendable, Equatable {
  let plan: QueryPlan
  let name: MissingName
}

extension ResultsPane {
  /// The sentence that says why the query found nothing; nil if the reason is unknown.
  func emptyReason(of table: ResultTable) -> String? {
    emptyReason.flatMap { $0.plan == table.answer.plan ? $0.name.sentence : nil }
  }
}
