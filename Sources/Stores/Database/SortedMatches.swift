import GRDB
import InstaQL
import LiveQueries
import Triples

/// The rowids of all rows that match a plan, in the plan's order. With them, any window of a long
/// result can be read directly.
struct SortedMatches: Sendable {
  /// The plan without the parts that do not affect the order: page, fields, relations and count.
  let orderPlan: QueryPlan
  let numbers: [Int64]

  static func orderPlan(of plan: QueryPlan) -> QueryPlan {
    plan.removing(.page, .fields, .relations, .count)
  }

  /// Reads the plan's matching rows in sorted order. Stops early if the task is canceled.
  ///
  /// - Throws: `QueryError.notInSQL` if SQL cannot express the plan, and errors of the database.
  /// - Complexity: O(rows log rows); eight bytes per matching row.
  init(of plan: QueryPlan, _ db: Database, _ shape: SchemaMapping) throws {
    orderPlan = Self.orderPlan(of: plan)
    numbers = try Self.numbers(of: orderPlan, db, shape)
  }

  private static func numbers(
    of plan: QueryPlan, _ db: Database, _ shape: SchemaMapping
  ) throws -> [Int64] {
    guard let number = shape.names.namespace(plan.namespace)?.ids.number else {
      throw QueryError.notInSQL(path: plan.namespace, reason: "its rows have no rowid")
    }
    let text = try plan.sqlRows(
      shape.dialect, schema: shape.schema, names: shape.sql, window: SQLWindow()
    ) { ["\($0).\(number)"] }
    let statement = try db.statement(text.text, text.values)
    var numbers: [Int64] = []
    while try statement.step() { numbers.append(statement.integer(0)) }
    return numbers
  }

  /// Returns whether this row order can be used to read windows of a plan's page.
  func hasWindows(of plan: QueryPlan) -> Bool {
    !plan.isSummary && !plan.isCount && plan.page.last == nil
      && orderPlan == Self.orderPlan(of: plan)
  }

  /// Returns the range of a plan's page in ``numbers``.
  func page(of plan: QueryPlan) -> Range<Int> {
    let count = PlanExecutor<Database>.pageCount(of: plan, total: numbers.count)
    let start = min(max(0, plan.page.offset ?? 0), numbers.count)
    return plan.page.last == nil
      ? start..<start + count : numbers.count - start - count..<numbers.count - start
  }

  /// Returns whether matching rows follow and precede the page of a plan.
  func pageEdges(of plan: QueryPlan) -> (hasNext: Bool, hasPrevious: Bool) {
    let page = page(of: plan)
    let isPassed = (plan.page.offset ?? 0) > 0
    if page.isEmpty { return (false, isPassed) }
    return (page.upperBound < numbers.count, page.lowerBound > 0)
  }

  /// Returns the position of the next row that also matches `condition`; nil if there is none.
  ///
  /// - Parameters:
  ///   - start: The position to search from. The search wraps around and checks this row last.
  ///   - step: 1 downwards, -1 upwards.
  ///   - page: The positions to search.
  func next(
    matching condition: ConditionNode?, after start: Int, step: Int, within page: Range<Int>,
    _ db: Database, _ shape: SchemaMapping
  ) throws -> Int? {
    var narrower = orderPlan
    if let condition { narrower = narrower.filter(condition) }
    let matches = try Self.numbers(of: narrower, db, shape)
    // Both lists of rowids are in the same order.
    var places: [Int] = []
    var place = 0
    for match in matches {
      while place < numbers.count, numbers[place] != match { place += 1 }
      if place == numbers.count { break }
      if page.contains(place) { places.append(place) }
    }
    return step < 0
      ? places.last { $0 < start } ?? places.last : places.first { $0 > start } ?? places.first
  }
}

extension PlanExecutor where Session == Database {
  /// Reads the next row that matches the query, if such a row exists.
  mutating func read(_ query: FindRowQuery, in order: SortedMatches) throws {
    let page = order.page(of: query.plan)
    let place = try order.next(
      matching: query.condition, after: page.lowerBound + query.start, step: query.step,
      within: page, db, shape)
    let numbers = place.map { order.numbers[$0...$0] } ?? []
    answer.found[query.plan.text] = ServedAnswer.Found(
      rows: try rows(of: query.plan, numbered: numbers),
      skipped: place.map { $0 - page.lowerBound } ?? 0, total: order.numbers.count,
      pageCount: page.count)
  }
}

extension QueryPlan {
  /// Returns whether the view shows only a window of a longer page, so that a row order is useful.
  func isLong(in view: AnswerView, pageCount: Int) -> Bool {
    guard let window = view.window, pageCount > window.count else { return false }
    return !isSummary && !isCount && page.last == nil
  }
}
