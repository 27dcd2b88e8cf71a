public import Triples

/// A field type whose values can be summed.
public protocol NumberFieldValue: OrderedFieldValue {}

extension Int: NumberFieldValue {}
extension Double: NumberFieldValue {}
extension Value: NumberFieldValue {}

/// An aggregate of entities: `.sum(\.salary)`, `.count`.
///
/// Aggregates ignore missing and null values. The average is always a double.
public struct Aggregate<E: QueryEntity>: Sendable, Hashable {
  let aggregation: Aggregation

  /// The number of entities.
  public static var count: Aggregate { Aggregate(aggregation: Aggregation(.count)) }

  /// Returns the aggregate that counts the values of a field.
  public static func count<V>(
    _ field: KeyPath<E.Fields, Field<V>>, named name: String? = nil
  ) -> Aggregate {
    make(.count, EntityQuery<E>.path(field), name)
  }

  /// Returns the aggregate that counts the different values of a field.
  public static func countDistinct<V>(
    _ field: KeyPath<E.Fields, Field<V>>, named name: String? = nil
  ) -> Aggregate {
    make(.countDistinct, EntityQuery<E>.path(field), name)
  }

  /// Returns the aggregate for the median of a field; nil without values.
  ///
  /// The median of an even number of values is the mean of the middle two.
  public static func median<V: NumberFieldValue>(
    _ field: KeyPath<E.Fields, Field<V>>, named name: String? = nil
  ) -> Aggregate {
    make(.median, EntityQuery<E>.path(field), name)
  }

  /// Returns the aggregate that sums the values of a field; 0 without values.
  public static func sum<V: NumberFieldValue>(
    _ field: KeyPath<E.Fields, Field<V>>, named name: String? = nil
  ) -> Aggregate {
    make(.sum, EntityQuery<E>.path(field), name)
  }

  /// Returns the aggregate for the average of a field; nil without values.
  public static func average<V: NumberFieldValue>(
    _ field: KeyPath<E.Fields, Field<V>>, named name: String? = nil
  ) -> Aggregate {
    make(.average, EntityQuery<E>.path(field), name)
  }

  /// Returns the aggregate for the smallest value of a field, in the field's order; nil without
  /// values.
  public static func min<V: OrderedFieldValue>(
    _ field: KeyPath<E.Fields, Field<V>>, named name: String? = nil
  ) -> Aggregate {
    make(.min, EntityQuery<E>.path(field), name)
  }

  /// Returns the aggregate for the greatest value of a field, in the field's order; nil without
  /// values.
  public static func max<V: OrderedFieldValue>(
    _ field: KeyPath<E.Fields, Field<V>>, named name: String? = nil
  ) -> Aggregate {
    make(.max, EntityQuery<E>.path(field), name)
  }

  /// Returns an aggregate of the values at a path, such as `department.budget`.
  public static func of(
    _ function: Aggregation.Function, _ path: AttributePath, named name: String? = nil
  ) -> Aggregate {
    make(function, path, name)
  }

  private static func make(
    _ function: Aggregation.Function, _ path: AttributePath, _ name: String?
  ) -> Aggregate {
    Aggregate(aggregation: Aggregation(function, path, name: name))
  }
}

/// A row of aggregates for a group, or for all entities.
public struct SummaryRow<E: QueryEntity>: Sendable, Hashable {
  private let values: [String: Value]

  init(_ columns: [String], _ row: [Value]) {
    values = Dictionary(zip(columns, row)) { first, _ in first }
  }

  /// The value of the column with this name; nil for null.
  ///
  /// The name is the path of a group, such as `country.name`, or the name of an aggregate.
  public subscript(column: String) -> Value? {
    let value = values[column]
    return value == .null ? Value?.none : value
  }

  /// The value of an aggregate; nil for null, or if the query does not request the aggregate.
  public subscript(aggregate: Aggregate<E>) -> Value? { self[aggregate.aggregation.name] }

  /// The value of the field by which the entities are grouped; nil when it is missing or has
  /// another type.
  public subscript<V>(field: KeyPath<E.Fields, Field<V>>) -> V? {
    self[EntityQuery<E>.path(field).dotted].flatMap(V.init(queryValue:))
  }

  /// Returns the value of an aggregate as a double; nil when it is not a number.
  public func number(_ aggregate: Aggregate<E>) -> Double? {
    self[aggregate].flatMap(Double.init(queryValue:))
  }

  /// Returns the value of an aggregate as an integer; nil when it is not an integer.
  public func integer(_ aggregate: Aggregate<E>) -> Int? {
    self[aggregate].flatMap(Int.init(queryValue:))
  }

  /// The number of entities; nil if the query does not request it.
  public var count: Int? { integer(.count) }
}
