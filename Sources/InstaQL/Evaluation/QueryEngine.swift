public import Triples

/// Evaluates queries in a local store.
///
/// `prepare` resolves the names of a plan; `answer` finds its entities. Only the necessary columns
/// are read, and a value is copied only when it is needed.
public enum QueryEngine {
  /// Resolves the names of a plan, which can then be answered in many snapshots.
  ///
  /// - Throws: `invalid` for invalid page numbers and for conditions or relations that are nested
  ///   too deeply, `notALink` for an attribute used as a link.
  public static func prepare(
    _ plan: QueryPlan, _ schema: Schema, options: QueryOptions = .standard
  ) throws(QueryError) -> PreparedPlan {
    try PlanPreparer(schema: schema, options: options).prepare(plan, namespace: plan.namespace)
  }

  /// Returns the answer to a plan. Unknown names match nothing. To reject them, validate the query.
  ///
  /// - Throws: The errors of `prepare`; `invalid` for a cursor that belongs to another order;
  ///   `store` when a search takes too many steps.
  public static func answer(
    _ plan: QueryPlan, in store: TripleStore, options: QueryOptions = .standard
  ) throws(QueryError) -> Answer {
    try answer(try prepare(plan, store.schema, options: options), in: store)
  }

  /// Returns the answer to a plan in a snapshot that the store returned for it.
  package static func answer(
    _ plan: QueryPlan, in snapshot: StoreSnapshot, options: QueryOptions = .standard
  ) throws(QueryError) -> Answer {
    try answer(plan, in: snapshot.store, options: options.answering(plan, in: snapshot))
  }

  /// Returns the answer to a prepared plan.
  public static func answer(
    _ prepared: PreparedPlan, in store: TripleStore
  ) throws(QueryError) -> Answer {
    var evaluator = Evaluator(store: store)
    switch prepared.paging {
    case .found(let found): return try answer(prepared, found: found, in: store)
    case .among(let found):
      return try answer(prepared, among: RowSet(found.rows), in: store)
    case .whole, .served: break
    }
    let matches = try evaluator.rows(prepared.formula, in: .namespace(prepared.namespace))
    return try answer(prepared, matches: matches, in: store)
  }

  /// Returns the answer that a database found. The plan is not evaluated locally.
  private static func answer(
    _ prepared: PreparedPlan, found: ServedAnswer.Found, in store: TripleStore
  ) throws(QueryError) -> Answer {
    let plan = prepared.plan
    if prepared.summary != nil {
      if let table = found.table {
        return Answer(
          store: store, rows: [], pageInfo: nil, total: table.total, prepared: prepared,
          table: prepared.summary?.isDistinct == true && plan.isCount
            ? nil : SummaryTable(columns: table.columns, rows: table.rows))
      }
      return try answer(prepared, matches: RowSet(found.rows), in: store)
    }
    let known = found.skipped + found.rows.count
    let total = found.total ?? known + (found.hasNext ? 1 : 0)
    if plan.isCount {
      return Answer(store: store, rows: [], pageInfo: nil, total: total, prepared: prepared)
    }
    var info: PageInfo?
    if !plan.page.isWhole || !plan.order.isEmpty {
      let sorter = RowSorter(prepared, in: store)
      info = PageInfo(
        start: found.rows.first.map(sorter.cursor), end: found.rows.last.map(sorter.cursor),
        hasNext: found.hasNext, hasPrevious: found.hasPrevious)
    }
    return Answer(
      store: store, rows: found.rows, pageInfo: info, total: total, prepared: prepared,
      window: Answer.Window(found))
  }

  /// Returns the answer to a plan, evaluated only among the given entities.
  package static func answer(
    _ prepared: PreparedPlan, among entities: RowSet, in store: TripleStore
  ) throws(QueryError) -> Answer {
    try answer(prepared, matches: try matches(prepared, among: entities, in: store), in: store)
  }

  /// Returns those of the given entities that belong to the plan's namespace and satisfy its
  /// filter.
  package static func matches(
    _ prepared: PreparedPlan, among entities: RowSet, in store: TripleStore
  ) throws(QueryError) -> RowSet {
    var evaluator = Evaluator(store: store)
    let members = evaluator.clip(entities, to: .namespace(prepared.namespace))
    return try evaluator.rows(prepared.formula, in: .rows(members))
  }

  /// Runs a plan, and returns how it was evaluated, with estimates and results.
  ///
  /// This also evaluates the relations of the page's entities, so it takes about as long as the
  /// query.
  public static func explain(
    _ plan: QueryPlan, in store: TripleStore, options: QueryOptions = .standard
  ) throws(QueryError) -> Explanation {
    let clock = ContinuousClock()
    let start = clock.now
    let prepared = try prepare(plan, store.schema, options: options)
    if case .found(let found) = prepared.paging {
      // The database evaluated the plan, and does not report how it did so.
      let answer = try answer(prepared, in: store)
      var explanation = Explanation(
        plan: plan, steps: [], total: answer.total,
        rows: answer.table?.rows.count ?? answer.rows.count, time: clock.now - start)
      explanation.isCounted = found.table != nil || found.total != nil || !found.hasNext
      return explanation
    }
    var evaluator = Evaluator(store: store, trace: EvaluationTrace())
    let scope = Scope.namespace(prepared.namespace)
    let filter = evaluator.beginStep(of: prepared.namespace, prepared.formula, in: scope)
    let matches = try evaluator.rows(prepared.formula, in: scope)
    evaluator.trace?.end(filter, found: matches.count)
    let (what, how) = lastStep(of: plan)
    let cut = evaluator.trace?.begin(
      StepText(plain: what, json: "order and page"), StepText(plain: how, json: "sort"))
    let answer = try answer(prepared, matches: matches, in: store)
    let rows = answer.table?.rows.count ?? answer.rows.count
    evaluator.trace?.end(cut, found: rows)
    for relation in prepared.relations where !plan.isCount {
      let step = evaluator.trace?.begin("with \(relation.label)", "semi-join for the whole page")
      let nested = try RelationResult(relation, of: answer.rows, in: store)
      evaluator.trace?.end(step, found: nested.children.count)
    }
    return Explanation(
      plan: plan, steps: evaluator.trace?.steps ?? [], total: answer.total, rows: rows,
      time: clock.now - start)
  }

  /// Returns the description of the last step, which turns the matching entities into the answer.
  private static func lastStep(of plan: QueryPlan) -> (what: String, how: String) {
    if plan.isSummary { return ("summarize", "in memory") }
    if plan.isCount { return ("count", "without reading rows") }
    let limit = plan.page.isWhole ? "" : " and limit"
    return plan.order.isEmpty
      ? ("default order" + limit, "by creation time") : ("sort" + limit, "in memory")
  }

  /// Runs a plan in a snapshot, and returns how it was evaluated. If the store is remote, this
  /// includes the query or the statements that were sent to it.
  package static func explain(
    _ plan: QueryPlan, in snapshot: StoreSnapshot, options: QueryOptions = .standard
  ) throws(QueryError) -> Explanation {
    var explanation = try explain(
      plan, in: snapshot.store, options: options.answering(plan, in: snapshot))
    let asked = plan.question(in: snapshot.store.schema)
    // A database receives SQL instead of the simpler query.
    if let served = snapshot.served, !served.canGiveAll, asked != plan { explanation.asked = asked }
    explanation.statements = snapshot.served?.statements ?? []
    return explanation
  }

  /// Returns a page quickly, for display. Its total may be too low.
  ///
  /// If the first entities in order already fill the page, the remaining entities are not tested.
  /// The total then counts only the page, and one more match if there is any.
  static func page(
    _ prepared: PreparedPlan, in store: TripleStore
  ) throws(QueryError) -> Answer {
    guard let window = FirstPage(prepared, in: store), let found = try window.rows(in: store)
    else { return try answer(prepared, in: store) }
    let sorter = RowSorter(prepared, in: store)
    let rows = Array(found.prefix(window.count))
    let info = PageInfo(
      start: rows.first.map(sorter.cursor), end: rows.last.map(sorter.cursor),
      hasNext: found.count > rows.count, hasPrevious: false)
    return Answer(
      store: store, rows: rows, pageInfo: info, total: found.count, prepared: prepared)
  }

  /// Throws `cancelled` if the task is canceled. An evaluation calls this between its steps.
  static func checkWanted() throws(QueryError) {
    if Task.isCancelled { throw .cancelled }
  }

  static func answer(
    _ prepared: PreparedPlan, matches: RowSet, in store: TripleStore
  ) throws(QueryError) -> Answer {
    let plan = prepared.plan
    if let summary = prepared.summary {
      return try self.summary(summary, prepared, matches, in: store)
    }
    if plan.isCount {
      var total = matches.count
      if case .served(_, let counts) = prepared.paging, let count = counts[plan.namespace] {
        total = count
      }
      return Answer(store: store, rows: [], pageInfo: nil, total: total, prepared: prepared)
    }
    if case .served(let pages, _) = prepared.paging {
      return served(pages[plan.namespace], prepared, matches, in: store)
    }
    try checkWanted()
    let sorter = RowSorter(prepared, in: store)
    let cut = try PageCut(matches, plan.page, sorter, of: prepared)
    try checkWanted()
    var info: PageInfo?
    if !plan.page.isWhole || !plan.order.isEmpty {
      info = PageInfo(
        start: cut.rows.first.map(sorter.cursor), end: cut.rows.last.map(sorter.cursor),
        hasNext: cut.hasNext, hasPrevious: cut.hasPrevious)
    }
    return Answer(
      store: store, rows: cut.rows, pageInfo: info, total: matches.count, prepared: prepared)
  }

  /// Returns the table that answers a plan with groups, aggregates or distinct rows.
  ///
  /// Without groups, the aggregates summarize the entities of the page. With groups, the page
  /// consists of rows of the table.
  private static func summary(
    _ summary: PreparedSummary, _ prepared: PreparedPlan, _ matches: RowSet, in store: TripleStore
  ) throws(QueryError) -> Answer {
    let plan = prepared.plan
    let sorter = RowSorter(prepared, in: store)
    var builder = SummaryBuilder(summary, in: store)
    let entities: [EntityHandle]
    if summary.isTotal, !plan.page.isWhole {
      entities = try PageCut(matches, plan.page, sorter, of: prepared).rows
    } else {
      entities = summary.isDistinct ? sorter.sorted(matches) : matches.handles
    }
    for (number, entity) in entities.enumerated() {
      if number % 1_024 == 0 { try checkWanted() }
      try builder.add(entity)
    }
    let (table, total) = builder.table(plan.page)
    return Answer(
      store: store, rows: [], pageInfo: nil, total: total, prepared: prepared,
      table: summary.isDistinct && plan.isCount ? nil : table)
  }

  private static func served(
    _ info: PageInfo?, _ prepared: PreparedPlan, _ matches: RowSet, in store: TripleStore
  ) -> Answer {
    let sorter =
      info?.start.map { RowSorter(prepared, orderOf: $0, in: store) }
      ?? RowSorter(prepared, in: store)
    let cut = PageCut(served: info, matches, prepared.plan.page, sorter)
    return Answer(
      store: store, rows: cut.rows, pageInfo: info, total: matches.count, prepared: prepared)
  }
}
