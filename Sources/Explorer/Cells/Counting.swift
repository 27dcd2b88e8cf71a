import InstaQL

/// A count of values that is in progress: the column, and the query whose rows are counted.
struct Counting: Sendable, Equatable {
  let plan: QueryPlan
  let label: String
}
