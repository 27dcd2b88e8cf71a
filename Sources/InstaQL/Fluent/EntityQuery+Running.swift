import DataSources
public import Triples

extension EntityQuery {
  /// Runs the query and returns all entities.
  /// - Parameter store: The store to use; nil uses the query's own store.
  /// - Throws: `noStore` if there is no store, `invalid` for an invalid page, `decoding` for an
  ///   entity that does not match its type, `store` with the store's message, `cancelled`.
  public func all(in store: (any QueryStore)? = nil) async throws(QueryError) -> [E] {
    try EntityPage.entities(try await level(in: store).level)
  }

  /// Returns the first entity of the answer, after any offset; nil if the answer is empty.
  /// - Throws: The errors of `all`.
  public func first(in store: (any QueryStore)? = nil) async throws(QueryError) -> E? {
    try await planned(\.firstOnly).level(in: store).level.rows().first.map(E.init)
  }

  /// Returns the number of entities that `all` would return.
  /// - Throws: The errors of `all`, except `decoding`.
  public func count(in store: (any QueryStore)? = nil) async throws(QueryError) -> Int {
    try await planned { $0.removing(.relations) }.answer(in: store).answer.rows.count
  }

  /// Returns the number of all matching entities, regardless of the page.
  /// - Throws: The errors of `all`, except `decoding`.
  public func total(in store: (any QueryStore)? = nil) async throws(QueryError) -> Int {
    try await planned { $0.removing(.relations, .page, .order).count() }
      .answer(in: store).answer.total
  }

  /// Returns whether `all` would return any entity.
  /// - Throws: The errors of `all`, except `decoding`.
  public func exists(in store: (any QueryStore)? = nil) async throws(QueryError) -> Bool {
    let one = planned { $0.firstOnly.removing(.relations) }
    return try await !one.answer(in: store).answer.rows.isEmpty
  }

  /// Returns the entities of the page, with its cursors and the number of all matches.
  /// - Throws: The errors of `all`.
  public func page(
    in store: (any QueryStore)? = nil
  ) async throws(QueryError) -> EntityPage<E> {
    let found = try await level(in: store)
    return try EntityPage(found)
  }

  /// Returns the values of one field in the order of the entities. A missing value is nil.
  /// - Throws: The errors of `all`.
  public func values<V>(
    _ field: KeyPath<E.Fields, Field<V>>, in store: (any QueryStore)? = nil
  ) async throws(QueryError) -> [V?] {
    let field = E.fields[keyPath: field]
    let one = planned { $0.fields([field.name]).removing(.relations) }
    var values: [V?] = []
    for row in try await one.level(in: store).level.rows() {
      values.append(try row.optional(field))
    }
    return values
  }

  /// Returns the distinct values of one field in order of first occurrence. A missing value is nil.
  ///
  /// A limit then counts values, not entities.
  /// - Throws: The errors of `all`.
  public func distinctValues<V>(
    _ field: KeyPath<E.Fields, Field<V>>, in store: (any QueryStore)? = nil
  ) async throws(QueryError) -> [V?] {
    let field = E.fields[keyPath: field]
    let one = planned { $0.fields([field.name]).removing(.relations).distinct() }
    var values: [V?] = []
    for row in try await one.table(in: store).rows {
      values.append(try Projection<E, V>.value([field.name: row[0]], field))
    }
    return values
  }

  /// Returns the value of a field of the first entity; nil if either is missing.
  /// - Throws: The errors of `all`.
  public func value<V>(
    _ field: KeyPath<E.Fields, Field<V>>, in store: (any QueryStore)? = nil
  ) async throws(QueryError) -> V? {
    try await planned(\.firstOnly).values(field, in: store).first ?? nil
  }

  /// Returns the ids of the entities, in order.
  /// - Throws: The errors of `all`, except `decoding`.
  public func ids(in store: (any QueryStore)? = nil) async throws(QueryError) -> [EntityID] {
    let found = try await planned { $0.removing(.relations) }.answer(in: store).answer
    return found.rows.map(found.store.id(of:))
  }

  /// Runs the query and returns how it was evaluated.
  ///
  /// If a server supports only a part of the query, the result contains the query that was sent to
  /// it.
  /// - Throws: The errors of `all`, except `decoding`.
  public func explain(
    in store: (any QueryStore)? = nil
  ) async throws(QueryError) -> Explanation {
    let snapshot = try await snapshot(in: store)
    return try await QueryRun.explanation(of: plan, in: snapshot)
  }

  // MARK: Shared parts

  /// Returns the store to use: `store` if not nil, otherwise the query's own.
  ///
  /// - Throws: `noStore` if there is neither.
  func chosen(_ store: (any QueryStore)?) throws(QueryError) -> any QueryStore {
    guard let chosen = store ?? self.store else { throw .noStore(namespace: plan.namespace) }
    return chosen
  }

  func snapshot(in store: (any QueryStore)?) async throws(QueryError) -> StoreSnapshot {
    let store = try chosen(store)
    let snapshot: StoreSnapshot
    do throws(DataSourceError) {
      snapshot = try await store.get(QueryDocument(plan))
    } catch {
      throw QueryError(error)
    }
    if Task.isCancelled { throw .cancelled }
    return snapshot
  }

  func answer(in store: (any QueryStore)?) async throws(QueryError) -> QueryRun {
    let snapshot = try await snapshot(in: store)
    return try await QueryRun.answer(to: plan, in: snapshot)
  }

  func level(
    in store: (any QueryStore)?
  ) async throws(QueryError) -> (level: RowLevel, answer: Answer) {
    let run = try await answer(in: store)
    return (try await run.level(), run.answer)
  }
}

extension QueryPlan {
  /// The plan limited to its first entity. A plan with `last` stays unchanged, because its first
  /// entity is known only after all others. So does a plan with an invalid page, which cannot run.
  var firstOnly: QueryPlan {
    if page.last != nil || page.fault != nil { return self }
    var plan = limit(nil)
    if page.after != nil || page.before != nil {
      plan.page.first = 1
    } else {
      plan.page.limit = 1
    }
    return plan
  }
}

/// The result of evaluating a plan. The evaluation runs outside the caller's executor.
struct QueryRun: Sendable {
  let answer: Answer

  @concurrent
  static func answer(
    to plan: QueryPlan, in snapshot: StoreSnapshot
  ) async throws(QueryError) -> QueryRun {
    QueryRun(answer: try QueryEngine.answer(plan, in: snapshot))
  }

  @concurrent
  static func explanation(
    of plan: QueryPlan, in snapshot: StoreSnapshot
  ) async throws(QueryError) -> Explanation {
    try QueryEngine.explain(plan, in: snapshot)
  }

  @concurrent
  func level() async throws(QueryError) -> RowLevel {
    try RowLevel(answer.prepared, answer.rows, in: answer.store)
  }
}

extension QueryError {
  /// Converts a store's error to a query error.
  init(_ error: DataSourceError) {
    self = error.code == .cancelled ? .cancelled : .store(error.description)
  }
}
