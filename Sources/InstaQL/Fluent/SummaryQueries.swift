/// A question about all entities of a query together: `query.aggregate(.count, .sum(\.salary))`.
///
/// With a window it is about the entities of the page.
public struct AggregateQuery<E: QueryEntity>: Sendable, Hashable {
  /// The same as a query whose answer is a table.
  public private(set) var query: EntityQuery<E>

  init(_ query: EntityQuery<E>) { self.query = query }

  /// To be asked of `store`; a store named later is asked instead.
  public func `in`(_ store: any QueryStore) -> AggregateQuery { AggregateQuery(query.in(store)) }

  /// What was asked for.
  /// - Throws: what `EntityQuery.all` throws, except `decoding`.
  public func values(
    in store: (any QueryStore)? = nil
  ) async throws(QueryError) -> SummaryRow<E> {
    let table = try await query.table(in: store)
    return SummaryRow(table.columns, table.rows.first ?? [])
  }
}

/// One row for each group of entities: `query.grouped(by: \.level).aggregate(.average(\.salary))`.
///
/// Without aggregates the entities are counted. Groups stand in the order of their values unless another
/// is asked for; limits count groups. An entity with several linked values counts in each group.
public struct GroupQuery<E: QueryEntity>: Sendable, Hashable {
  /// The same as a query whose answer is a table.
  public private(set) var query: EntityQuery<E>

  init(_ query: EntityQuery<E>) { self.query = query }

  /// With this worked out for each group too.
  public func aggregate(_ aggregates: Aggregate<E>...) -> GroupQuery {
    changed { plan in aggregates.reduce(plan) { $0.aggregate($1.aggregation) } }
  }

  /// Ordered by what is worked out, after all keys there are.
  public func order(
    by aggregate: Aggregate<E>, _ direction: OrderKey.Direction = .ascending
  ) -> GroupQuery {
    changed { $0.order(AttributePath(aggregate.aggregation.name), direction) }
  }

  /// Ordered by a field of the groups, after all keys there are.
  public func order<V>(
    by field: KeyPath<E.Fields, Field<V>>, _ direction: OrderKey.Direction = .ascending
  ) -> GroupQuery {
    changed { $0.order(EntityQuery<E>.path(field), direction) }
  }

  /// At most so many groups; nil takes the limit away.
  public func limit(_ count: Int?) -> GroupQuery { changed { $0.limit(count) } }

  /// Without the first so many groups.
  public func offset(_ count: Int?) -> GroupQuery { changed { $0.offset(count) } }

  /// To be asked of `store`; a store named later is asked instead.
  public func `in`(_ store: any QueryStore) -> GroupQuery { GroupQuery(query.in(store)) }

  /// One row a group.
  /// - Throws: what `EntityQuery.all` throws, except `decoding`; `invalid` for an order by what is no
  ///   column.
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
  /// What is worked out of all entities, or of those of the page when there is a window.
  public func aggregate(_ aggregates: Aggregate<E>...) -> AggregateQuery<E> {
    AggregateQuery(
      planned { plan in
        aggregates.reduce(plan.removing(.relations)) { $0.aggregate($1.aggregation) }
      })
  }

  /// One row for each combination of values of these fields.
  public func grouped<each V>(by fields: repeat KeyPath<E.Fields, Field<each V>>) -> GroupQuery<E> {
    var paths: [AttributePath] = []
    for field in repeat each fields { paths.append(Self.path(field)) }
    return grouped(along: paths)
  }

  /// One row for each value at the end of a path: `grouped { $0.department.name }`.
  public func grouped<V>(by path: (Shape<E, E>) -> Term<E, V>) -> GroupQuery<E> {
    grouped(along: [path(Shape()).path])
  }

  /// One row for each combination of values at these paths.
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
