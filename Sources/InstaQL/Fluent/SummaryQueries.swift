/// Aggregates of all entities of a query: `query.aggregate(.count, .sum(\.salary))`.
///
/// If the query has a page, only the entities of the page are aggregated.
public struct AggregateQuery<E: QueryEntity>: Sendable, Hashable {
  /// The underlying query, whose answer is a table.
  public private(set) var query: EntityQuery<E>

  init(_ query: EntityQuery<E>) { self.query = query }

  /// Returns the query with a store. A later call replaces the store.
  public func `in`(_ store: any QueryStore) -> AggregateQuery { AggregateQuery(query.in(store)) }

  /// Returns the values of the aggregates.
  /// - Throws: The errors of `EntityQuery.all`, except `decoding`.
  public func values(
    in store: (any QueryStore)? = nil
  ) async throws(QueryError) -> SummaryRow<E> {
    let table = try await query.table(in: store)
    return SummaryRow(table.columns, table.rows.first ?? [])
  }
}

/// A query with one row for each group of entities:
/// `query.grouped(by: \.level).aggregate(.average(\.salary))`.
///
/// If there are no aggregates, each row has the number of entities. By default, groups are ordered
/// by their values. A limit counts groups. An entity with several linked values belongs to the
/// group of each value.
public struct GroupQuery<E: QueryEntity>: Sendable, Hashable {
  /// The underlying query, whose answer is a table.
  public private(set) var query: EntityQuery<E>

  init(_ query: EntityQuery<E>) { self.query = query }

  /// Adds aggregates for each group.
  public func aggregate(_ aggregates: Aggregate<E>...) -> GroupQuery {
    changed { plan in aggregates.reduce(plan) { $0.aggregate($1.aggregation) } }
  }

  /// Adds a sort key that orders groups by an aggregate.
  public func order(
    by aggregate: Aggregate<E>, _ direction: OrderKey.Direction = .ascending
  ) -> GroupQuery {
    changed { $0.order(AttributePath(aggregate.aggregation.name), direction) }
  }

  /// Adds a sort key that orders groups by one of their fields.
  public func order<V>(
    by field: KeyPath<E.Fields, Field<V>>, _ direction: OrderKey.Direction = .ascending
  ) -> GroupQuery {
    changed { $0.order(EntityQuery<E>.path(field), direction) }
  }

  /// Sets the maximum number of groups; nil removes the limit.
  public func limit(_ count: Int?) -> GroupQuery { changed { $0.limit(count) } }

  /// Skips groups; nil skips none.
  public func offset(_ count: Int?) -> GroupQuery { changed { $0.offset(count) } }

  /// Returns the query with a store, which a later call replaces.
  public func `in`(_ store: any QueryStore) -> GroupQuery { GroupQuery(query.in(store)) }

  /// Returns one row for each group.
  /// - Throws: The errors of `EntityQuery.all`, except `decoding`; `invalid` for an order by a name
  ///   that is not a column.
  public func all(
    in store: (any QueryStore)? = nil
  ) async throws(QueryError) -> [SummaryRow<E>] {
    let table = try await query.table(in: store)
    return table.rows.map { SummaryRow(table.columns, $0) }
  }

  private func changed(_ change: (QueryPlan) -> QueryPlan) -> GroupQuery {
    GroupQuery(query.planned(change))
  }
}

extension EntityQuery {
  /// Returns a query for aggregates of all entities. If the query has a page, only its entities are
  /// aggregated.
  public func aggregate(_ aggregates: Aggregate<E>...) -> AggregateQuery<E> {
    AggregateQuery(
      planned { plan in
        aggregates.reduce(plan.removing(.relations)) { $0.aggregate($1.aggregation) }
      })
  }

  /// Returns a query with one row for each combination of values of these fields.
  public func grouped<each V>(by fields: repeat KeyPath<E.Fields, Field<each V>>) -> GroupQuery<E> {
    var paths: [AttributePath] = []
    for field in repeat each fields { paths.append(Self.path(field)) }
    return grouped(along: paths)
  }

  /// Returns a query with one row for each value at the end of a path:
  /// `grouped { $0.department.name }`.
  public func grouped<V>(by path: (Shape<E, E>) -> Term<E, V>) -> GroupQuery<E> {
    grouped(along: [path(Shape()).path])
  }

  /// Returns a query with one row for each combination of values at these paths.
  public func grouped(by names: String...) -> GroupQuery<E> {
    grouped(along: names.map { AttributePath($0) })
  }

  private func grouped(along paths: [AttributePath]) -> GroupQuery<E> {
    GroupQuery(
      planned { plan in
        paths.reduce(plan.removing(.relations, .order, .fields)) { $0.group(by: $1) }
      })
  }
}
