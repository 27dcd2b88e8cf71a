import InstaQL

/// A column whose values are being counted, in the rows of a query.
struct Counting: Sendable, Equatable {
  let plan: QueryPlan
  let label: String
}
