import DataSources
public import Triples

extension EntityQuery {
  /// Asks and reads every entity.
  /// - Parameter store: asked instead of the one in the query.
  /// - Throws: `noStore` when there is none, `invalid` for a window that cannot be, `decoding` for an
  ///   entity that is not as its type says, `store` in the store's own words, `cancelled`.
  public func all(in store: (any QueryStore)? = nil) async throws(QueryError) -> [E] {
    try EntityPage.entities(try await level(in: store).level)
  }

  /// The first entity of the answer, nil when there is none; an offset is kept.
  /// - Throws: what `all` throws.
  public func first(in store: (any QueryStore)? = nil) async throws(QueryError) -> E? {
    try await planned(\.firstOnly).level(in: store).level.rows().first.map(E.init)
  }

  /// How many entities `all` would give.
  /// - Throws: what `all` throws, except `decoding`.
  public func count(in store: (any QueryStore)? = nil) async throws(QueryError) -> Int {
    try await planned { $0.removing(.relations) }.answer(in: store).answer.rows.count
  }

  /// How many entities there are, whatever the window.
  /// - Throws: what `all` throws, except `decoding`.
  public func total(in store: (any QueryStore)? = nil) async throws(QueryError) -> Int {
    try await planned { $0.removing(.relations, .page, .order).count() }
      .answer(in: store).answer.total
  }

  /// Whether `all` would give anything.
  /// - Throws: what `all` throws, except `decoding`.
  public func exists(in store: (any QueryStore)? = nil) async throws(QueryError) -> Bool {
    let one = planned { $0.firstOnly.removing(.relations) }
    return try await !one.answer(in: store).answer.rows.isEmpty
  }

  /// The entities with where their page lies, to continue from.
  /// - Throws: what `all` throws.
  public func page(
    in store: (any QueryStore)? = nil
  ) async throws(QueryError) -> EntityPage<E> {
    let found = try await level(in: store)
    return try EntityPage(found)
  }

  /// The values of one field, in the order of the entities; nil where nothing is.
  /// - Throws: what `all` throws.
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

  /// The different values of one field, each where it first appears in the order; nil where nothing is.
  ///
  /// Limits count values.
  /// - Throws: what `all` throws.
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

  /// The value of one field of the first entity; nil where there is no entity, or no value.
  /// - Throws: what `all` throws.
  public func value<V>(
    _ field: KeyPath<E.Fields, Field<V>>, in store: (any QueryStore)? = nil
  ) async throws(QueryError) -> V? {
    try await planned(\.firstOnly).values(field, in: store).first ?? nil
  }

  /// The ids of the entities, in order.
  /// - Throws: what `all` throws, except `decoding`.
  public func ids(in store: (any QueryStore)? = nil) async throws(QueryError) -> [EntityID] {
    let found = try await planned { $0.removing(.relations) }.answer(in: store).answer
    return found.rows.map(found.store.id(of:))
  }

  /// How the query is answered in this process, and what was asked of a server before, where that
  /// understands less than the query says.
  /// - Throws: what `all` throws, except `decoding`.
  public func explain(
    in store: (any QueryStore)? = nil
  ) async throws(QueryError) -> Explanation {
    let snapshot = try await snapshot(in: store)
    return try await QueryRun.explanation(of: plan, in: snapshot)
  }

  // MARK: What all of them do

  /// The store that counts: the one mentioned last.
  func chosen(_ store: (any QueryStore)?) throws(QueryError) -> any QueryStore {
    guard let chosen = store ?? self.store else { throw .noStore(namespace: plan.namespace) }
    return chosen
  }

  func snapshot(in store: (any QueryStore)?) async throws(QueryError) -> StoreSnapshot {
    let store = try chosen(store)
    let snapshot: StoreSnapshot
    do throws(DataSourceError) {
      snapshot = try await store.get(QueryDocument(plan.question))
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
  /// This plan for no more than its first entity. Of the last few, the first can only be told by all.
  var firstOnly: QueryPlan {
    if page.last != nil { return self }
    var plan = limit(nil)
    if page.after != nil || page.before != nil {
      plan.page.first = 1
    } else {
      plan.page.limit = 1
    }
    return plan
  }
}

/// One evaluation of a plan, away from whoever waits for it.
struct QueryRun: Sendable {
  let answer: Answer

  @concurrent
  static func answer(
    to plan: QueryPlan, in snapshot: StoreSnapshot
  ) async throws(QueryError) -> QueryRun {
    QueryRun(
      answer: try QueryEngine.answer(
        plan, in: snapshot.store, options: QueryOptions.standard.answering(plan, in: snapshot)))
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
  /// The failure of a store as the failure of the query asked of it.
  init(_ error: DataSourceError) {
    self = error.code == .cancelled ? .cancelled : .store(error.description)
  }
}
