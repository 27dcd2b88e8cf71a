package import InstaQL

extension QueryPlan {
  /// Whether the first entities of a store are the first rows of the answer.
  ///
  /// A query with a filter, an order, a limit, aggregates or linked rows depends on other entities.
  package var isAnsweredByBeginning: Bool {
    condition == nil && order.isEmpty && page.isWhole && !isCount && !isSummary
      && relations.isEmpty
  }
}
