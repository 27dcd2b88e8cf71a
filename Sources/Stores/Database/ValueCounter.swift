import InstaQL
import LiveQueries
import Triples

/// Counts the values of a column with GROUP BY, so that only the groups are read.
struct ValueCounter<Session: DatabaseSession> {
  private let db: Session
  private let shape: SchemaMapping
  private let query: ValueCountsQuery

  /// The maximum size of a text in bytes; longer texts are cut, as on a screen.
  private static var maxBytes: Int { 1 << 12 }

  /// Counts the values of the query's column.
  ///
  /// - Throws: `QueryError.notInSQL` if SQL cannot express the query, and errors of the database.
  /// - Complexity: O(rows log rows) in the database; the memory is proportional to the number of
  ///   distinct values.
  static func counts(
    _ query: ValueCountsQuery, _ db: Session, _ shape: SchemaMapping
  ) throws -> ValueCounts {
    let reading = ValueCounter(db: db, shape: shape, query: query)
    var counts = ValueCounts(of: query.attribute, along: query.dates)
    try reading.count(into: &counts)
    if let dates = counts.dates { try reading.follow(dates, into: &counts) }
    return counts
  }

  private func count(into counts: inout ValueCounts) throws {
    let column = try column(of: query.attribute)
    let cell = CellReader(
      query.attribute.checkedType, maxBytes: Self.maxBytes, form: column.sqlType,
      isJSON: column.isJSON)
    let statement = try statement(grouping: "SELECT v, count(*) FROM", by: "v") { alias in
      ["\(RowReader.selection(of: column, alias: alias, isShown: true)) AS v"]
    }
    try eachGroup(of: statement) {
      counts.add($0.value(0, cell), count: Int($0.integer(1)))
    }
  }

  /// Sums the values of a numeric column for each date, to show their mean over time.
  private func follow(_ dates: Attribute, into counts: inout ValueCounts) throws {
    // Booleans have no mean value over time.
    guard query.attribute.checkedType != .boolean, !counts.numbers.isEmpty else { return }
    let (column, moment) = (try column(of: query.attribute), try column(of: dates))
    let cell = CellReader(dates.checkedType, maxBytes: Self.maxBytes, form: moment.sqlType)
    let statement = try statement(grouping: "SELECT t, sum(n), count(n) FROM", by: "t") { alias in
      let name = alias + "." + column.name.quotedSQL
      return [
        "\(alias).\(moment.name.quotedSQL) AS t",
        column.sqlType == nil
          ? "CASE WHEN typeof(\(name)) IN ('integer', 'real') THEN \(name) * 1.0 END AS n"
          : column.sqlType?.checkedType == .number ? "\(name)::float8 AS n" : "NULL::float8 AS n",
      ]
    }
    try eachGroup(of: statement) {
      counts.add(date: $0.value(0, cell), sum: $0.double(1), count: Int($0.integer(2)))
    }
  }

  /// Calls `body` for each group of a statement.
  ///
  /// - Throws: ``AnswerLimit`` if there are too many groups.
  private func eachGroup(of statement: Session.Rows, _ body: (Session.Rows) -> Void) throws {
    var count = 0
    while try statement.step() {
      count += 1
      if let limits = shape.limits, count > limits.rows {
        throw AnswerLimit.values(of: query.attribute.label, limit: limits.rows)
      }
      body(statement)
    }
  }

  private func column(of attribute: Attribute) throws -> DatabaseCatalog.Column {
    let values = shape.names.namespace(query.plan.namespace)?.values ?? []
    guard let value = values.first(where: { $0.attribute.id == attribute.id }) else {
      throw QueryError.notInSQL(path: attribute.label, reason: "the table has no such column")
    }
    return value.column
  }

  /// Returns a statement that groups the rows of the plan's page by the bytes of a value.
  private func statement(
    grouping: String, by key: String, selecting columns: (String) -> [String]
  ) throws -> Session.Rows {
    let page = query.plan.page
    var plan = query.plan.removing(.page, .fields, .relations, .count)
    var window = SQLWindow()
    if page.isWhole {
      // The order does not matter for counts.
      plan = plan.removing(.order)
    } else if let last = page.last {
      window = SQLWindow(skipped: max(0, page.offset ?? 0), count: last, isReversed: true)
    } else {
      window = SQLWindow(skipped: max(0, page.offset ?? 0), count: page.limit ?? page.first)
    }
    // All rows are counted, without a limit.
    if shape.sql.isTyped { window.count = window.count ?? .max }
    let rows = try plan.sqlRows(
      shape.dialect, schema: shape.schema, names: shape.sql, window: window, selecting: columns)
    let end = shape.limits.map { " LIMIT \($0.rows + 1)" } ?? " COLLATE BINARY"
    return try db.rows(
      of: SQLStatement(
        text: "\(grouping) (\(rows.text)) AS q GROUP BY \(key)\(end)", values: rows.values))
  }
}
