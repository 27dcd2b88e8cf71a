public import DataSources
public import InstaQL

/// A query for the next row of a plan's page that matches an additional condition. The served
/// answer in the snapshot contains only that row, or no row if no row matches.
///
/// Only stores whose snapshots contain just a window of the rows need to support this query.
public struct FindRowQuery: Query {
  /// The plan whose rows are searched.
  public let plan: QueryPlan
  /// The additional condition; nil matches any row.
  public let condition: ConditionNode?
  /// The index within the page of the row after which the search begins, from 0. The search wraps
  /// around and checks this row last.
  public let start: Int
  /// The search direction: 1 for down, -1 for up.
  public let step: Int

  /// Creates a query; see the properties.
  public init(plan: QueryPlan, matching condition: ConditionNode?, after start: Int, step: Int) {
    self.plan = plan
    self.condition = condition
    self.start = start
    self.step = step < 0 ? -1 : 1
  }
}
