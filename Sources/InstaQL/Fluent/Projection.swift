import Triples

/// A query for selected fields of each entity, created by `select(\.name, \.salary)`.
///
/// ```swift
/// for (name, salary) in try await query.select(\.name, \.salary).all(in: store) {
///   print(name, salary)
/// }
/// ```
public struct Projection<E: QueryEntity, each V: FieldValue>: Sendable {
  /// The underlying query, which selects these fields.
  public private(set) var query: EntityQuery<E>
  private let fields: (repeat Field<each V>)

  init(_ query: EntityQuery<E>, _ fields: (repeat Field<each V>)) {
    var names: [String] = []
    for field in repeat each fields {
      if !names.contains(field.name) { names.append(field.name) }
    }
    self.query = query.planned { $0.removing(.relations).fields(names) }
    self.fields = fields
  }

  /// Returns a projection with each combination of values only once, in order of first occurrence.
  /// A limit then counts combinations.
  public func distinct() -> Projection {
    var copy = self
    copy.query = query.planned { $0.distinct() }
    return copy
  }

  /// Returns the projection with a store. A later call replaces the store.
  public func `in`(_ store: any QueryStore) -> Projection {
    var copy = self
    copy.query = query.in(store)
    return copy
  }

  /// Returns the selected values of each entity, where a missing value is nil.
  /// - Throws: The errors of `EntityQuery.all`.
  public func all(
    in store: (any QueryStore)? = nil
  ) async throws(QueryError) -> [(repeat (each V)?)] {
    var all: [(repeat (each V)?)] = []
    if query.plan.isDistinct {
      let names = query.plan.fields ?? []
      for row in try await query.table(in: store).rows {
        let values = Dictionary(zip(names, row)) { first, _ in first }
        all.append((repeat try Self.value(values, each fields)))
      }
    } else {
      for row in try await query.level(in: store).level.rows() {
        all.append((repeat try row.optional(each fields)))
      }
    }
    return all
  }

  /// Returns the selected values of the first entity, or nil if there is none.
  /// - Throws: The errors of `EntityQuery.all`.
  public func first(
    in store: (any QueryStore)? = nil
  ) async throws(QueryError) -> (repeat (each V)?)? {
    var copy = self
    copy.query = query.planned(\.firstOnly)
    return try await copy.all(in: store).first
  }

  /// Returns the number of rows that `all` would return.
  /// - Throws: The errors of `EntityQuery.all`, except `decoding`.
  public func count(in store: (any QueryStore)? = nil) async throws(QueryError) -> Int {
    if query.plan.isDistinct { return try await query.table(in: store).rows.count }
    return try await query.count(in: store)
  }

  static func value<T>(
    _ values: [String: Triples.Value], _ field: Field<T>
  ) throws(QueryError) -> T? {
    guard let value = values[field.name], value != .null else { return nil }
    guard let read = T(queryValue: value) else {
      throw .decoding(
        path: "\(E.namespace).\(field.name)",
        reason: "expected \(T.queryTypeName), found \(value.kindName)")
    }
    return read
  }
}

extension EntityQuery {
  /// Returns a query for only these fields of each entity, as typed tuples.
  public func select<each V: FieldValue>(
    _ fields: repeat KeyPath<E.Fields, Field<each V>>
  ) -> Projection<E, repeat each V> {
    Projection(self, (repeat E.fields[keyPath: each fields]))
  }

  /// Returns the table of a plan with groups, aggregates or distinct rows.
  func table(in store: (any QueryStore)?) async throws(QueryError) -> SummaryTable {
    try await answer(in: store).answer.table ?? SummaryTable(columns: [], rows: [])
  }
}
