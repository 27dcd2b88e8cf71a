public import DataSources
public import InstaQL

/// Finds the next row of a plan's page that also matches a condition. The snapshot contains it as
/// the only row of the served answer, or no row without a match.
///
/// Only stores that serve windows of answers need to support it.
public struct FindRowQuery: Query {
  /// The plan whose rows are searched.
  public let plan: QueryPlan
  /// The condition to match; nil matches any row.
  public let condition: ConditionNode?
  /// The row before the first candidate, from 0 within the page; it is itself the last candidate.
  public let start: Int
  /// 1 searches down and -1 up; the search wraps around.
  public let step: Int

  /// A query; see the properties.
  public init(plan: QueryPlan, matching condition: ConditionNode?, after start: Int, step: Int) {
    self.plan = plan
    self.condition = condition
    self.start = start
    self.step = step < 0 ? -1 : 1
  }
}
