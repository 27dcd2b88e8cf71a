import InstaQL

/// The number of rows that match a typed query. It is shown while the user types.
struct TypedCount: Sendable, Equatable {
  let plan: QueryPlan
  let rows: Int
  /// Whether the store is unchanged since the rows were counted.
  var isCurrent = true
}
