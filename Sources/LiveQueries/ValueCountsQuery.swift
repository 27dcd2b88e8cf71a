public import DataSources
public import InstaQL
public import Triples

/// Asks how often each value of an attribute occurs in a plan's page. The snapshot's `valueCounts`
/// contains the counts.
///
/// Only stores whose snapshots contain just a window of the rows need to support this query. If the
/// snapshot has no counts, the caller counts the rows itself.
public struct ValueCountsQuery: Query {
  /// The plan whose entities are counted.
  public let plan: QueryPlan
  /// A single-valued attribute of the plan's namespace.
  public let attribute: Attribute
  /// The attribute with the date of each entity, for counting values over time; nil to count
  /// without dates.
  public let dates: Attribute?

  /// Creates a query; see the properties.
  public init(plan: QueryPlan, attribute: Attribute, along dates: Attribute?) {
    self.plan = plan
    self.attribute = attribute
    self.dates = dates
  }
}
