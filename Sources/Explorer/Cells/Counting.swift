import InstaQL

/// A column whose values are being counted, and the query whose rows are counted.
struct Counting: Sendable, Equatable {
  let plan: QueryPlan
  let label: String
}
