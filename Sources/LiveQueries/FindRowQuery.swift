public import DataSources
public import InstaQL

/// A query for the next row on a plan's page that also matches a condition. The served answer of
/// the snapshot contains only that row, or no row if none matches.
///
/// Only stores that serve windows of answers need to support this query.
public struct FindRowQuery: Query {
  /// The plan whose rows are searched.
  public let plan: QueryPlan
  /// The condition to match; nil matches any row.
  public let condition: ConditionNode?
  /// The index of the row after which the search begins, from 0 within the page. This row is
  /// checked last, after wrapping around.
  public let start: Int
  /// The search direction: 1 for down, -1 for up. The search wraps around.
  public let step: Int

  /// Creates a query; see the properties.
  public init(plan: QueryPlan, matching condition: ConditionNode?, after start: Int, step: Int) {
    self.plan = plan
    self.condition = condition
    self.start = start
    self.step = step < 0 ? -1 : 1
  }
}
