import InstaQL
import LiveQueries
import Triples

/// Counts the values of a column where the rows lie: SQLite groups them, and only the groups are read.
struct TallyReading<Session: DatabaseSession> {
  private let db: Session
  private let shape: DatabaseShape
  private let query: TallyQuery

  /// Longer texts are cut, as a screen cuts them.
  private static var mostBytes: Int { 1 << 12 }

  /// - Throws: `QueryError.notInSQL` for what SQL cannot say; what the database throws.
  /// - Complexity: O(rows log rows), in the database; the memory is that of the different numbers.
  static func tally(
    _ query: TallyQuery, _ db: Session, _ shape: DatabaseShape
  ) throws -> Tally {
    let reading = TallyReading(db: db, shape: shape, query: query)
    var tally = Tally(of: query.attribute, along: query.dates)
    try reading.count(into: &tally)
    if let dates = tally.dates { try reading.follow(dates, into: &tally) }
    return tally
  }

  private func count(into tally: inout Tally) throws {
    let column = try column(of: query.attribute)
    let cell = CellReader(
      query.attribute.checkedType, mostBytes: Self.mostBytes, form: column.sqlType)
    let statement = try statement(grouping: "SELECT v, count(*) FROM", by: "v") { alias in
      ["\(RowReader.selection(of: column, alias: alias, isShown: true)) AS v"]
    }
    try eachGroup(of: statement) {
      tally.add($0.value(0, cell), count: Int($0.integer(1)))
    }
  }

  /// The numbers of each date.
  private func follow(_ dates: Attribute, into tally: inout Tally) throws {
    // What is true or false has no mean.
    guard query.attribute.checkedType != .boolean, !tally.numbers.isEmpty else { return }
    let (column, moment) = (try column(of: query.attribute), try column(of: dates))
    let cell = CellReader(dates.checkedType, mostBytes: Self.mostBytes, form: moment.sqlType)
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
      tally.add(date: $0.value(0, cell), sum: $0.double(1), count: Int($0.integer(2)))
    }
  }

  /// - Throws: ``AnswerLimit`` where there are more than are read at once.
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
      throw QueryError.notInSQL(path: attribute.label, reason: "no column holds it")
    }
    return value.column
  }

  /// A statement about the rows of the plan's page, grouped byte by byte.
  private func statement(
    grouping: String, by key: String, selecting columns: (String) -> [String]
  ) throws -> Session.Rows {
    let page = query.plan.page
    var plan = query.plan.removing(.page, .fields, .relations, .count)
    var stretch = SQLStretch()
    if page.isWhole {
      // Then it is no matter in which order they are counted.
      plan = plan.removing(.order)
    } else if let last = page.last {
      stretch = SQLStretch(skipped: max(0, page.offset ?? 0), count: last, isReversed: true)
    } else {
      stretch = SQLStretch(skipped: max(0, page.offset ?? 0), count: page.limit ?? page.first)
    }
    // All rows are counted, however many.
    if shape.sql.isTyped { stretch.count = stretch.count ?? .max }
    let rows = try plan.sqlRows(
      shape.dialect, schema: shape.schema, names: shape.sql, stretch: stretch, selecting: columns)
    let end = shape.limits.map { " LIMIT \($0.rows + 1)" } ?? " COLLATE BINARY"
    return try db.rows(
      of: SQLStatement(
        text: "\(grouping) (\(rows.text)) AS q GROUP BY \(key)\(end)", values: rows.values))
  }
}
