public import DataSources
public import InstaQL
public import Triples

/// Asks a store how often each value of an attribute is there in the page of a plan: the snapshot says so
/// in its `tally`.
///
/// Only a store that gives stretches of answers need know it; without a tally in the snapshot the rows
/// must be counted by who asks.
public struct TallyQuery: Query {
  public let plan: QueryPlan
  /// An attribute of the plan's namespace with one value at most.
  public let attribute: Attribute
  /// The attribute that says when an entity was, if any.
  public let dates: Attribute?

  public init(plan: QueryPlan, attribute: Attribute, along dates: Attribute?) {
    self.plan = plan
    self.attribute = attribute
    self.dates = dates
  }
}
