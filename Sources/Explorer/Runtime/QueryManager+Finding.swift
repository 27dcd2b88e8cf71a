import InstaQL
import LiveQueries
import Triples
import Widgets

// Searches a partly loaded answer by querying the store.
extension QueryManager {
  /// The number of rows to read in one batch.
  private static let rowsAtOnce = 2_000

  /// Returns the next match of a search among all rows of the page; nil if no row matches.
  ///
  /// If only text values can match, the store evaluates the search as a condition. Otherwise all
  /// rows are read in batches.
  ///
  /// - Parameter tell: Called with the number of rows searched so far.
  nonisolated func hit(
    of search: RowSearch, tell: (Int) -> Void
  ) async throws(LiveFailure) -> RowHit? {
    let plan = search.table.answer.plan
    let skipped = search.table.answer.window?.skipped ?? 0
    let isEmpty = search.table.answer.rows.isEmpty
    var place = skipped + (isEmpty ? 0 : search.table.row(ofLine: search.start))
    guard let condition = search.condition else {
      return try await hit(of: search, in: plan, around: place, tell: tell)
    }
    let start = place
    var seen = 0
    while true {
      let snapshot = try await snapshot(
        for: FindRowQuery(plan: plan, matching: condition, after: place, step: search.step))
      guard let found = snapshot.served?.found[plan.text], !found.rows.isEmpty else { return nil }
      let count = found.pageCount ?? 0
      // The distance is measured from the start, in the direction of the search. Nearer rows were
      // searched before.
      let distance = ((found.skipped - start) * search.step + count) % max(1, count)
      if distance != 0, distance <= seen { return nil }
      let rows = try await self.rows(of: search, from: found.skipped, count: 1)
      if let hit = rows.hit(of: search) { return hit }
      if distance == 0 { return nil }
      (place, seen) = (found.skipped, distance)
      tell(distance)
    }
  }

  /// Returns the position of an entity's row on a plan's page; nil if the entity is not on the
  /// page.
  nonisolated func row(of entity: EntityID, in plan: QueryPlan) async throws(LiveFailure) -> Int? {
    let schema = try await snapshot(for: SchemaQuery()).store.schema
    let condition = schema.condition(matching: entity, in: plan.namespace)
    let snapshot = try await snapshot(
      for: FindRowQuery(plan: plan, matching: condition, after: 0, step: 1))
    return snapshot.served?.found[plan.text].flatMap { $0.rows.isEmpty ? nil : $0.skipped }
  }

  /// Searches all rows in batches, from the row after `place` and around to `place` itself.
  private nonisolated func hit(
    of search: RowSearch, in plan: QueryPlan, around place: Int, tell: (Int) -> Void
  ) async throws(LiveFailure) -> RowHit? {
    // This query makes the store build its row order, so that each batch is read fast.
    let first = try await snapshot(
      for: FindRowQuery(plan: plan, matching: nil, after: place, step: search.step))
    let count = first.served?.found[plan.text]?.pageCount ?? 0
    var searched = 0
    while searched < count {
      // The row at `place` comes last.
      let next = place + search.step * (1 + searched)
      let from = ((next % count) + count) % count
      let room = search.step > 0 ? count - from : from + 1
      let many = min(Self.rowsAtOnce, room, count - searched)
      let rows = try await rows(
        of: search, from: search.step > 0 ? from : from - many + 1, count: many)
      if let hit = rows.hit(of: search) { return hit }
      searched += many
      tell(searched)
    }
    return nil
  }

  /// Returns `count` rows of the page as the screen shows them, from the row `first`.
  private nonisolated func rows(
    of search: RowSearch, from first: Int, count: Int
  ) async throws(LiveFailure) -> ResultTable {
    let shown = search.table
    let plan = shown.answer.plan
    // The query also includes the links that columns show. The plan's own relations stay unchanged.
    let wide = shown.catalog.nesting(plan, along: shown.columns.links(besides: plan))
    let snapshot = try await snapshot(
      of: QueryDocument(wide),
      showing: AnswerView(
        reach: .neighbors,
        window: .init(skipped: first, count: count, of: shown.answer.window?.pageCount)))
    do throws(QueryError) {
      let answer = try QueryEngine.answer(wide, in: snapshot)
      let own = try QueryEngine.prepare(plan, snapshot.store.schema)
      return ResultTable(
        answer: Answer(answer, as: own),
        catalog: Catalog(snapshot: snapshot, linked: snapshot), settings: shown.settings)
    } catch {
      throw LiveFailure(error)
    }
  }
}

extension ResultTable {
  /// Returns the first match among the rows, in the direction of the search.
  fileprivate func hit(of search: RowSearch) -> RowHit? {
    let search = RowSearch(
      table: self, form: search.form, pattern: search.pattern, start: 0, step: search.step)
    let skipped = answer.window?.skipped ?? 0
    let rows = search.step > 0 ? Array(answer.rows.indices) : answer.rows.indices.reversed()
    return rows.first { search.holds($0) }.map {
      RowHit(entity: catalog.store.id(of: answer.rows[$0]), row: skipped + $0)
    }
  }
}

extension RowSearch {
  /// A condition that is true for every row with a match; nil if no condition can express the
  /// search.
  var condition: ConditionNode? {
    guard form == .table, pattern.isShownByTextsAlone else { return nil }
    let like = Value.text("%" + WhereOperator.escapingWildcards(pattern.text) + "%")
    var conditions: [ConditionNode] = []
    for column in table.columns {
      switch column.source {
      case .attribute(let attribute)?:
        guard !attribute.isIdentity, attribute.cardinality == .one else { return nil }
        switch attribute.checkedType {
        case .number, .boolean: continue
        case .string, .date, nil:
          conditions.append(.compare(AttributePath([attribute.label]), .ilike, like))
        }
      case .computed?, nil: return nil
      case .link(let link)?:
        guard table.answer.plan.relation(link.label) == nil,
          let label = table.catalog.schema.labelAttribute(of: link.target)
        else { return nil }
        conditions.append(.compare(AttributePath([link.label, label.label]), .ilike, like))
        // Entities without a label are shown by their id.
        let own = AttributePath([label.label])
        conditions.append(
          .quantified(
            .some, AttributePath([link.label]),
            .any([.isNull(own, true), .compare(own, .equal, .text(""))])))
      }
    }
    return .any(conditions)
  }
}
