import InstaQL
import LiveQueries
import Triples

/// Evaluates a query in a database: reads the matching rows and the linked rows that it includes.
///
/// The database filters, sorts and counts. Linked rows are read with one statement per link and
/// level, and filtered and sorted in memory.
struct PlanExecutor<Session: DatabaseSession> {
  typealias Answer = PlanResult

  let db: Session
  let shape: SchemaMapping
  let view: AnswerView
  private let order: SortedMatches?
  private let anchors: PageAnchors?
  private let totals: [QueryPlan: Int]
  let spelling: BlobEncoder?
  var answer: Answer

  /// The maximum number of linked entities, per row and link, whose values are read for a screen.
  static var maxNeighborsWithValues: Int { 100 }
  /// The maximum size in bytes of a text for a screen; longer texts are cut.
  private static var maxBytesShown: Int { 1 << 16 }

  /// Creates an executor that starts or extends an answer.
  ///
  /// - Parameters:
  ///   - answer: The parts read so far; nil starts a new answer.
  ///   - order: The order of all rows of a plan, if known.
  ///   - totals: The known counts of matching rows, keyed by ``SortedMatches/orderPlan(of:)``.
  init(
    _ db: Session, _ shape: SchemaMapping, _ view: AnswerView, from answer: Answer? = nil,
    in order: SortedMatches? = nil, totals: [QueryPlan: Int] = [:], anchors: PageAnchors? = nil
  ) {
    self.anchors = anchors
    (self.db, self.shape, self.view, self.order) = (db, shape, view, order)
    self.totals = totals
    spelling = BlobEncoder(view.bytes)
    self.answer = answer ?? Answer(store: shape.empty)
  }

  var maxBytes: Int? { view.window == nil ? nil : Self.maxBytesShown }

  /// Reads a complete answer, not only a window of it.
  ///
  /// Without a view, the answer also includes the linked rows that a screen would show. This does
  /// not apply to answers of more than ``ReadingLimits/maxRowsWithLinks`` rows.
  static func wholeAnswer(
    _ document: QueryDocument, _ db: Session, _ shape: SchemaMapping, _ view: AnswerView?
  ) throws -> Answer {
    var reading = PlanExecutor(db, shape, view ?? AnswerView(reach: .ownLinks))
    try reading.read(document)
    if view == nil {
      reading = PlanExecutor(db, shape, AnswerView(reach: .neighbors), from: reading.answer)
    }
    try reading.readMore(document)
    return reading.answer
  }

  /// Reads the rows of each plan, and the linked rows of its relations.
  ///
  /// - Throws: `QueryError.notInSQL` if SQL cannot express the query, and errors of the database.
  mutating func read(_ document: QueryDocument) throws {
    for plan in document.plans {
      let text = plan.text
      guard answer.found[text] == nil else { continue }
      if plan.isCount, !plan.isSummary {
        // A count needs no rows.
        let total = try count(plan)
        answer.found[text] = ServedAnswer.Found(rows: [], total: total, pageCount: 0)
        continue
      }
      if plan.isSummary, let found = try summary(of: plan) {
        answer.found[text] = found
        continue
      }
      let rows: [EntityHandle]
      if shape.sql.isTyped, plan.page.after != nil || plan.page.before != nil {
        let found = try pageAtCursor(of: plan)
        answer.found[text] = found
        rows = found.rows
      } else if let order, let view = view.window, order.hasWindows(of: plan) {
        let found = try page(of: plan, in: order, view)
        answer.found[text] = found
        rows = found.rows
      } else {
        let hasMore: Bool
        // The columns by which groups are ordered are not those of rows.
        (rows, hasMore) = try self.rows(of: plan.groups.isEmpty ? plan : plan.removing(.order))
        var page = page(of: plan, rows, hasMore: hasMore)
        if page.total == nil, !totals.isEmpty, let total = totals[SortedMatches.orderPlan(of: plan)]
        {
          addTotal(total, into: &page, of: plan)
        }
        answer.found[text] = page
      }
      let wide = view.reach == .ownLinks ? view.reach.widened(plan, in: shape.schema) : plan
      try follow(
        IncludedLinks(of: wide, withConditions: view.reach == .evidence), from: rows,
        in: plan.namespace)
    }
  }

  /// Reads what a screen shows in addition to the results: linked rows, and totals still unknown.
  mutating func readMore(_ document: QueryDocument) throws {
    for plan in document.plans {
      guard var page = answer.found[plan.text] else { continue }
      if view.reach == .neighbors, view.window == nil, !plan.isSummary,
        answer.rowCount <= ReadingLimits.maxRowsWithLinks
      {
        for link in shape.schema.links(of: plan.namespace)
        where plan.relation(link.label) == nil {
          try read(link, from: page.rows, Portion(withValues: Self.maxNeighborsWithValues))
        }
      }
      if page.total == nil, view.showsTotals {
        let (total, isEstimate) = try self.total(plan)
        addTotal(total, into: &page, of: plan)
        page.isEstimate = isEstimate
        answer.found[plan.text] = page
      }
    }
  }

  // MARK: Rows

  private static var maxCountOfViews: Int { 1_000_000 }

  /// Returns the number of matching rows, estimated if counting would be slow.
  func total(_ plan: QueryPlan) throws -> (Int, isEstimate: Bool) {
    if !shape.sql.isTyped, shape.views.contains(plan.namespace) {
      // A view of SQLite may have endless rows.
      let counted = try count(plan, maxCount: Self.maxCountOfViews + 1)
      return (min(counted, Self.maxCountOfViews), counted > Self.maxCountOfViews)
    }
    guard let maxCount = shape.maxCounted, view.window != nil else {
      return (try count(plan), false)
    }
    let counted = try count(plan, maxCount: maxCount + 1)
    guard counted > maxCount else { return (counted, false) }
    if plan.condition == nil,
      let estimate = shape.names.namespace(plan.namespace)?.table.estimate
    {
      return (max(estimate, counted), true)
    }
    let statement = try plan.sqlCount(shape.dialect, schema: shape.schema, names: shape.sql)
    return (max(counted, try db.estimatedInput(of: statement) ?? counted), true)
  }

  /// Returns the groups or aggregates of the plan; nil if SQL cannot compute them.
  private mutating func summary(of plan: QueryPlan) throws -> ServedAnswer.Found? {
    let summary: SQLSummary
    do {
      summary = try SQLSummary(plan, shape.dialect, schema: shape.schema, names: shape.sql)
    } catch {
      if case .notInSQL = error { return nil }
      throw error
    }
    let cells = summary.columns.map {
      CellReader($0.type, maxBytes: nil, form: $0.form, isJSON: $0.isJSON)
    }
    var rows: [[Value]] = []
    let statement = try db.rows(of: summary.statement)
    do {
      while try statement.step() {
        let row = cells.enumerated().map { statement.value(Int32($0), $1) }
        // The sum overflows in SQL, but may not overflow in the query engine.
        if row.contains(where: \.isGreatest) { return nil }
        rows.append(row)
      }
    } catch  where Session.isOverflow(error) {
      return nil
    }
    if let maxGroups = shape.dialect.maxRows, rows.count >= maxGroups {
      throw QueryError.notInSQL(
        path: plan.namespace, reason: "the query has more than \(maxGroups) groups. Add a filter")
    }
    var found = ServedAnswer.Found(rows: [], total: rows.count, pageCount: rows.count)
    found.table = summary.table(rows, plan.page)
    return found
  }

  private func count(_ plan: QueryPlan, maxCount: Int? = nil) throws -> Int {
    let statement = try plan.sqlCount(
      shape.dialect, schema: shape.schema, names: shape.sql, maxCount: maxCount)
    let rows = try db.rows(of: statement)
    defer { rows.reset() }
    return try rows.step() ? Int(rows.integer(0)) : 0
  }

  /// Reads the rows of the plan's page within the view's window. Also returns whether rows follow.
  ///
  /// - Parameters:
  ///   - given: The window to read instead.
  ///   - cursor: The row at which the window begins.
  ///   - end: The row at which the rows end, in the order of reading.
  mutating func rows(
    of plan: QueryPlan, in given: SQLWindow? = nil, after cursor: SQLAnchor? = nil,
    before end: SQLAnchor? = nil
  ) throws -> (rows: [EntityHandle], hasMore: Bool) {
    let reader = try reader(of: plan)
    let window = given ?? window(of: plan)
    if window.isReversed, reader.ids.isEmpty {
      throw QueryError.notInSQL(
        path: plan.namespace, reason: "its rows have no ids and so no order")
    }
    var asked = window
    // Reading one row more than needed shows whether further rows exist.
    let maxRows = shape.limits?.rows ?? .max
    let wanted = min(window.count ?? .max, maxRows)
    asked.count = wanted == .max ? window.count : wanted + 1
    let orderPlan = SortedMatches.orderPlan(of: plan)
    // The positions of rows after a cursor are unknown.
    let anchors = cursor == nil && !window.isReversed ? anchors : nil
    let anchor = cursor ?? anchors?.nearest(before: window.skipped, of: orderPlan)
    let text = try plan.sqlRows(
      shape.dialect, schema: shape.schema, names: shape.sql, window: asked, after: anchor,
      before: end
    ) { reader.selected(of: $0) }
    // An id made from a row's position is valid for only one condition and order.
    let isPlain = plan.condition == nil && plan.order.isEmpty
    let scope = reader.ids.isEmpty && !isPlain ? orderPlan.text : ""
    let statement = try db.rows(of: text)
    var rows: [EntityHandle] = []
    while try statement.step() {
      if let anchors, rows.count + 1 == window.count {
        anchors.remember(
          SQLAnchor(
            position: window.skipped + rows.count,
            values: statement.texts(from: Int32(reader.selected.count))), of: orderPlan)
      }
      if rows.count == wanted {
        statement.reset()
        guard window.count ?? .max <= maxRows else {
          throw AnswerLimit.rows(of: plan.namespace, limit: maxRows)
        }
        recordLoaded(rows, of: plan.namespace, by: reader)
        return (window.isReversed ? rows.reversed() : rows, true)
      }
      let place = window.skipped + rows.count
      rows.append(read(statement, 0, reader, place: place, of: scope))
    }
    recordLoaded(rows, of: plan.namespace, by: reader)
    return (window.isReversed ? rows.reversed() : rows, false)
  }

  /// Reads the rows in the view's window, whose rowids are known from the row order.
  private mutating func page(
    of plan: QueryPlan, in order: SortedMatches, _ view: AnswerView.Window
  ) throws -> ServedAnswer.Found {
    let page = order.page(of: plan)
    let first = min(page.upperBound, page.lowerBound + min(view.skipped, page.count))
    let last = min(page.upperBound, first + min(view.count, page.count))
    return ServedAnswer.Found(
      rows: try rows(of: plan, numbered: order.numbers[first..<last]),
      skipped: first - page.lowerBound, total: order.numbers.count, pageCount: page.count,
      hasNext: page.upperBound < order.numbers.count, hasPrevious: page.lowerBound > 0)
  }

  /// Reads the current row of a statement, and records its locator.
  private mutating func read(
    _ statement: Session.Rows, _ first: Int32, _ reader: RowReader, place: Int = 0,
    of scope: String = ""
  ) -> EntityHandle {
    let entity = reader.read(
      statement, first, place: place, of: scope, into: &answer.store)
    if !reader.ids.areByPosition, let key = reader.ids.key(statement, first) {
      answer.keys[entity] = key
    }
    return entity
  }

  /// Reads the rows with these rowids, in this order. Deleted rows are skipped.
  mutating func rows(
    of plan: QueryPlan, numbered numbers: ArraySlice<Int64>
  ) throws -> [EntityHandle] {
    try rows(of: plan, numbers.map { .number($0) })
  }

  /// Reads the rows with these locators, in this order. Deleted rows are skipped.
  mutating func rows(
    of plan: QueryPlan, _ locators: [RowLocator]
  ) throws -> [EntityHandle] {
    let reader = try reader(of: plan)
    let text = try plan.sqlRowsByLocator(
      shape.dialect, schema: shape.schema, names: shape.sql
    ) { reader.selected(of: $0) }
    let statement = try db.rows(
      of: SQLStatement(text: text, values: values(of: locators, reader.ids)), isRepeated: true)
    var byLocator: [RowLocator: EntityHandle] = [:]
    let first = Int32(reader.ids.locatorCount)
    while try statement.step() {
      byLocator[reader.ids.locator(statement)] = read(statement, first, reader)
    }
    let rows = locators.compactMap { byLocator[$0] }
    recordLoaded(rows, of: plan.namespace, by: reader)
    return rows
  }

  /// Records that all values of these rows were read. If the plan needed only some attributes, the
  /// rows are read again when a relation reaches them.
  private mutating func recordLoaded(
    _ rows: [EntityHandle], of namespace: String, by reader: RowReader
  ) {
    guard reader.readsAll else { return }
    for row in rows { answer.loaded[namespace, default: RowSet()].insert(row) }
  }

  func values(of locators: [RowLocator], _ ids: RowIDs) -> [Value] {
    shape.dialect.list(
      locators.map(\.texts), columns: ids.locatorCount, areNumbers: ids.number != nil)
  }

  /// Reads the rows with these locators, with all values and forward links.
  @discardableResult
  mutating func readRows(
    _ locators: [RowLocator], of namespace: String
  ) throws -> [EntityHandle] {
    if locators.isEmpty { return [] }
    let rows = try rows(of: QueryPlan(namespace), locators)
    for link in shape.schema.links(of: namespace)
    where link.direction == .forward && shape.sql.rowKeys[link.target] != nil {
      try read(link, from: rows, Portion(withValues: 0))
    }
    return rows
  }

  private func reader(of plan: QueryPlan) throws -> RowReader {
    guard let namespace = shape.names.namespace(plan.namespace),
      let reader = RowReader(
        namespace, in: answer.store, labels: labels(of: plan), maxBytes: maxBytes,
        spelling: spelling)
    else { throw QueryError.unknownField("id", namespace: plan.namespace, hint: nil) }
    return reader
  }

  /// Returns the labels of the attributes that the plan reads; nil reads all attributes.
  private func labels(of plan: QueryPlan) -> Set<String>? {
    // A summary needs only the fields from which it is computed.
    let isNarrow = [.answer, .evidence].contains(view.reach) && plan.fields != nil
    guard plan.isSummary || isNarrow else { return nil }
    if plan.fields?.contains(QueryPlan.allFields) == true { return nil }
    var paths = plan.readPaths
    if view.reach == .evidence { plan.condition?.forEachPath { paths += $0.plainPaths } }
    // The first label of a path into JSON is the column.
    let read = (plan.fields ?? []) + paths.map { $0.labels[0] }
    let id = plan.isSummary ? nil : shape.schema.shownID(of: plan.namespace)?.label
    return Set(read + [id].compactMap { $0 })
  }

  /// Finds and reads the next row of a plan that also matches the query's condition.
  mutating func read(_ query: FindRowQuery) throws {
    let page = query.plan.page
    guard page.last == nil else {
      throw QueryError.notInSQL(
        path: query.plan.namespace,
        reason: "a search for the next row does not support 'last'")
    }
    let offset = max(0, page.offset ?? 0)
    let statement = try query.plan.sqlPlaceOfMatch(
      shape.dialect, schema: shape.schema, names: shape.sql, matching: query.condition,
      after: offset + query.start, isReversed: query.step < 0)
    let places = try db.rows(of: statement)
    let place = try places.step() ? Int(places.integer(0)) : nil
    places.reset()
    let isInPage = place.map { $0 >= offset && $0 - offset < page.limit ?? page.first ?? .max }
    var found = ServedAnswer.Found(rows: [], skipped: 0)
    if let place, isInPage == true {
      let row = query.plan.removing(.page, .relations).offset(place).limit(1)
      found.rows = try rows(of: row).rows
      found.skipped = place - offset
    }
    answer.found[query.plan.text] = found
  }
}

extension Value {
  /// Whether the value stands for an infinity of the database: it is the greatest finite double.
  fileprivate var isGreatest: Bool {
    if case .double(let number) = self { abs(number) == .greatestFiniteMagnitude } else { false }
  }
}
