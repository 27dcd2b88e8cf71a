public import Triples

/// A field's type whose values can be added up.
public protocol NumberFieldValue: OrderedFieldValue {}

extension Int: NumberFieldValue {}
extension Double: NumberFieldValue {}
extension Value: NumberFieldValue {}

/// One number, or one value, that stands for many entities: `.sum(\.salary)`, `.count`.
///
/// Missing and null values are not counted in. The average is a double whatever the field is.
public struct Aggregate<E: QueryEntity>: Sendable, Hashable {
  let aggregation: Aggregation

  /// How many entities.
  public static var count: Aggregate { Aggregate(aggregation: Aggregation(.count)) }

  /// How many values there are.
  public static func count<V>(
    _ field: KeyPath<E.Fields, Field<V>>, named name: String? = nil
  ) -> Aggregate {
    make(.count, EntityQuery<E>.path(field), name)
  }

  /// How many different values there are.
  public static func countDistinct<V>(
    _ field: KeyPath<E.Fields, Field<V>>, named name: String? = nil
  ) -> Aggregate {
    make(.countDistinct, EntityQuery<E>.path(field), name)
  }

  /// The number in the middle, or the mean of the two there; nothing has no median.
  public static func median<V: NumberFieldValue>(
    _ field: KeyPath<E.Fields, Field<V>>, named name: String? = nil
  ) -> Aggregate {
    make(.median, EntityQuery<E>.path(field), name)
  }

  /// All values added up; nothing adds up to 0.
  public static func sum<V: NumberFieldValue>(
    _ field: KeyPath<E.Fields, Field<V>>, named name: String? = nil
  ) -> Aggregate {
    make(.sum, EntityQuery<E>.path(field), name)
  }

  /// Nothing has no average.
  public static func average<V: NumberFieldValue>(
    _ field: KeyPath<E.Fields, Field<V>>, named name: String? = nil
  ) -> Aggregate {
    make(.average, EntityQuery<E>.path(field), name)
  }

  /// The value that stands first.
  public static func min<V: OrderedFieldValue>(
    _ field: KeyPath<E.Fields, Field<V>>, named name: String? = nil
  ) -> Aggregate {
    make(.min, EntityQuery<E>.path(field), name)
  }

  /// The value that stands last.
  public static func max<V: OrderedFieldValue>(
    _ field: KeyPath<E.Fields, Field<V>>, named name: String? = nil
  ) -> Aggregate {
    make(.max, EntityQuery<E>.path(field), name)
  }

  /// The same of a path of names, over links too.
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

/// One row of aggregates: of a group, or of all entities.
public struct SummaryRow<E: QueryEntity>: Sendable, Hashable {
  private let values: [String: Value]

  init(_ columns: [String], _ row: [Value]) {
    values = Dictionary(zip(columns, row)) { first, _ in first }
  }

  /// The value in a column: a path of the groups, or the name of an aggregate; nil when null.
  public subscript(column: String) -> Value? {
    let value = values[column]
    return value == .null ? Value?.none : value
  }

  public subscript(aggregate: Aggregate<E>) -> Value? { self[aggregate.aggregation.name] }

  /// The value that a group has in common; nil when it is missing there, or of another type.
  public subscript<V>(field: KeyPath<E.Fields, Field<V>>) -> V? {
    self[EntityQuery<E>.path(field).dotted].flatMap(V.init(queryValue:))
  }

  /// The number of an aggregate; nil when it is none.
  public func number(_ aggregate: Aggregate<E>) -> Double? {
    self[aggregate].flatMap(Double.init(queryValue:))
  }

  /// The whole number of an aggregate; nil when it is none.
  public func integer(_ aggregate: Aggregate<E>) -> Int? {
    self[aggregate].flatMap(Int.init(queryValue:))
  }

  /// How many entities, where they were counted.
  public var count: Int? { integer(.count) }
}
