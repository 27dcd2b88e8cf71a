public import DataSources
public import InstaQL
public import Triples

/// Asks how often each value of an attribute occurs in a plan's page. The snapshot's `valueCounts`
/// contains the counts.
///
/// Only stores that serve windows of answers need to support it; without counts in the snapshot,
/// the caller counts the rows.
public struct ValueCountsQuery: Query {
  /// The plan whose entities are counted.
  public let plan: QueryPlan
  /// A single-valued attribute of the plan's namespace.
  public let attribute: Attribute
  /// The attribute with the date of each entity, to compute values over time; nil for none.
  public let dates: Attribute?

  /// Creates a query; see the properties.
  public init(plan: QueryPlan, attribute: Attribute, along dates: Attribute?) {
    self.plan = plan
    self.attribute = attribute
    self.dates = dates
  }
}
