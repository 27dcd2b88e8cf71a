public import DataSources
public import InstaQL

/// Asks a store which row of a plan's page is the next that also matches a condition: the snapshot says
/// so in what was found for the plan, whose only row it is, and none where nothing matches.
///
/// Only a store that gives stretches of answers need know it.
public struct NextRowQuery: Query {
  public let plan: QueryPlan
  /// What is looked for; nil is any row.
  public let condition: ConditionNode?
  /// Where the search begins, counted from the first row of the page; that row itself comes last.
  public let start: Int
  /// 1 downwards, -1 upwards; after the last row comes the first.
  public let step: Int

  public init(plan: QueryPlan, matching condition: ConditionNode?, after start: Int, step: Int) {
    self.plan = plan
    self.condition = condition
    self.start = start
    self.step = step < 0 ? -1 : 1
  }
}
