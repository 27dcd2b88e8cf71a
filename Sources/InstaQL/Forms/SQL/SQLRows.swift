package import Triples

/// Which of the sorted rows to read.
package struct SQLWindow: Hashable, Sendable {
  /// The number of rows to skip.
  package var skipped: Int
  /// The number of rows to read; nil for all rows after the skipped ones.
  package var count: Int?
  /// Whether rows are skipped, counted and returned backwards, beginning with the last row.
  package var isReversed: Bool

  package init(skipped: Int = 0, count: Int? = nil, isReversed: Bool = false) {
    self.skipped = skipped
    self.count = count
    self.isReversed = isReversed
  }
}

// Statements for stores that read single rows. They need `rowKeys`.
extension QueryPlan {
  /// Returns a statement that selects the rows of `window` among the plan's matches. The plan's own
  /// page is ignored.
  ///
  /// - Parameters:
  ///   - anchor: A known row before the window, for keyset pagination in PostgreSQL. The statement
  ///     also selects the sort values, as its last columns, for the next anchor.
  ///   - end: A known row after the window, in the order of reading.
  ///   - columns: Returns the expressions to select, for the alias of the table.
  /// - Throws: The errors of `sql`, except for relations and groups, which are ignored.
  package func sqlRows(
    _ dialect: SQLDialect, schema: Schema, names: SQLNames, window: SQLWindow,
    after anchor: SQLAnchor? = nil, before end: SQLAnchor? = nil,
    selecting columns: (String) -> [String]
  ) throws(QueryError) -> SQLStatement {
    var writer = SQLWriter(dialect: dialect, schema: schema, names: names)
    let text =
      names.isTyped
      ? try writer.typedRows(of: self, window, columns, after: anchor, before: end)
      : try writer.rows(of: self, window, columns)
    return SQLStatement(text: text, values: writer.values)
  }

  /// Returns a statement that finds the next row that matches both the plan and `condition`.
  ///
  /// The statement selects the row's position, counted from 0. After the last row, the search
  /// continues with the first row.
  package func sqlPlaceOfMatch(
    _ dialect: SQLDialect, schema: Schema, names: SQLNames, matching condition: ConditionNode?,
    after start: Int, isReversed: Bool
  ) throws(QueryError) -> SQLStatement {
    var writer = SQLWriter(dialect: dialect, schema: schema, names: names)
    let text = try writer.placeOfMatch(
      self, matching: condition, after: start, isReversed: isReversed)
    return SQLStatement(text: text, values: writer.values)
  }

  /// Returns a statement that selects rows by a bound list of locators (the rowid or key columns),
  /// in no order.
  ///
  /// The first columns that it selects are the row's locator.
  package func sqlRowsByLocator(
    _ dialect: SQLDialect, schema: Schema, names: SQLNames,
    selecting columns: (String) -> [String]
  ) throws(QueryError) -> String {
    var writer = SQLWriter(dialect: dialect, schema: schema, names: names)
    return try writer.locatedRows(of: self, columns)
  }

  /// Returns a statement that counts the plan's matches in all pages.
  ///
  /// - Parameter maxCount: The number at which counting stops; nil counts all matches.
  package func sqlCount(
    _ dialect: SQLDialect, schema: Schema, names: SQLNames, maxCount: Int? = nil
  ) throws(QueryError) -> SQLStatement {
    var writer = SQLWriter(dialect: dialect, schema: schema, names: names)
    let text =
      if let maxCount { try writer.cappedCount(of: self, maxCount: maxCount) } else {
        try writer.count(of: self)
      }
    return SQLStatement(text: text, values: writer.values)
  }
}

extension Link {
  /// Returns a statement that selects the targets of a link for a bound list of source rows.
  ///
  /// The source rows are bound by their locators (the rowid or key columns). The first columns that
  /// the statement selects are the source's locator; the columns of `columns` follow.
  ///
  /// - Parameters:
  ///   - nested: The filter, order and limit of the targets. If SQL cannot express them, they are
  ///     all ignored here, and the caller evaluates them.
  ///   - limit: The maximum number of rows per source.
  ///   - total: The maximum number of rows.
  /// - Returns: The statement. Its own bound values are numbered after those of the list.
  package func sqlRows(
    _ dialect: SQLDialect, schema: Schema, names: SQLNames, nested: QueryPlan? = nil,
    limit: Int? = nil, total: Int? = nil, selecting columns: (String) -> [String]
  ) throws(QueryError) -> SQLStatement {
    let empty = SQLWriter(dialect: dialect, schema: schema, names: names)
    let listed = names.rowKeys[reversed.target]?.finder.count ?? 1
    var writer = empty
    for _ in 0..<listed { _ = writer.bind(.null) }
    guard let limit else {
      let text = try writer.rows(along: self, columns)
      return SQLStatement(text: text)
    }
    let start = writer
    do {
      let shown = min(limit, nested?.page.limit ?? .max)
      let text = try writer.rows(along: self, columns, nested, shown, total)
      return SQLStatement(text: text, values: Array(writer.values.dropFirst(listed)))
    } catch {
      guard nested != nil else { throw error }
      writer = start
      let text = try writer.rows(along: self, columns, nil, limit, total)
      return SQLStatement(text: text, values: Array(writer.values.dropFirst(listed)))
    }
  }
}

extension SQLWriter {
  fileprivate mutating func rows(
    of plan: QueryPlan, _ window: SQLWindow, _ columns: (String) -> [String]
  ) throws(QueryError) -> String {
    let (row, filter) = try matching(plan)
    let order = try order(of: plan, row)
    var text = "SELECT " + columns(row.alias).joined(separator: ", ") + " FROM "
    text += table(plan.namespace, row.alias) + whereClause(filter)
    text += orderClause(order, isReversed: window.isReversed)
    if let count = window.count ?? dialect.maxRows {
      text += " LIMIT " + bind(number: count)
    } else if window.skipped > 0 {
      text += dialect.limitBeforeOffset
    }
    if window.skipped > 0 { text += " OFFSET " + bind(number: window.skipped) }
    return text
  }

  fileprivate mutating func locatedRows(
    of plan: QueryPlan, _ columns: (String) -> [String]
  ) throws(QueryError) -> String {
    try checkNamespace(plan)
    let row = Place(plan.namespace, alias())
    let limit = dialect.maxRows.map { " LIMIT \($0)" } ?? ""
    return "SELECT " + (finder(row) + columns(row.alias)).joined(separator: ", ") + " FROM "
      + table(plan.namespace, row.alias) + " WHERE " + isListed(row) + limit
  }

  /// Returns the condition that the row's locator is in the bound list.
  private func isListed(_ row: Place) -> String {
    let columns = finder(row)
    let types = names.rowKeys[row.namespace]?.finder.map(\.type) ?? [""]
    let listed = dialect.listedRows(types)
    return columns.count == 1
      ? "\(columns[0]) IN \(listed)" : "(\(columns.joined(separator: ", "))) IN \(listed)"
  }

  fileprivate mutating func count(of plan: QueryPlan) throws(QueryError) -> String {
    let (row, filter) = try matching(plan)
    return "SELECT count(*) FROM " + table(plan.namespace, row.alias) + whereClause(filter)
      + (dialect.maxRows == nil ? "" : " LIMIT 1")
  }

  mutating func matching(
    _ plan: QueryPlan
  ) throws(QueryError) -> (row: Place, filter: String?) {
    try checkNamespace(plan)
    guard plan.page.after == nil, plan.page.before == nil else {
      throw .notInSQL(path: plan.namespace, reason: "cursors are not supported")
    }
    let row = Place(plan.namespace, alias())
    var filter: String?
    if let node = plan.condition { filter = try condition(node, row, depth: 0) }
    return (row, filter)
  }

  fileprivate mutating func rows(
    along link: Link, _ columns: (String) -> [String]
  ) throws(QueryError) -> String {
    let namespace = link.reversed.target
    try checkKey(namespace)
    let near = Place(namespace, alias())
    let (from, joined, far) = try join(link, near)
    let selected = finder(near) + columns(far.alias)
    return
      "SELECT \(selected.joined(separator: ", ")) FROM \(table(namespace, near.alias)), \(from)"
      + " WHERE \(isListed(near)) AND \(joined)"
      + " ORDER BY \(locator(far).joined(separator: ", "))"
  }
}

extension SQLWriter {
  /// Returns a statement that selects the targets of a link, at most `limit` for each source row.
  fileprivate mutating func rows(
    along link: Link, _ columns: (String) -> [String], _ nested: QueryPlan?, _ limit: Int,
    _ total: Int?
  ) throws(QueryError) -> String {
    let namespace = link.reversed.target
    try checkKey(namespace)
    let near = Place(namespace, alias())
    let (from, joined, far) = try join(link, near)
    var filter = joined
    var plan = nested ?? QueryPlan(link.target)
    plan.namespace = link.target
    if let node = plan.condition { filter += " AND (\(try condition(node, far, depth: 0)))" }
    let order = orderClause(try self.order(of: plan, far))
    let inner =
      "SELECT \(columns(far.alias).joined(separator: ", ")) FROM \(from) WHERE \(filter)\(order)"
      + " LIMIT \(bind(number: limit))"
    return "SELECT \((finder(near) + ["l.*"]).joined(separator: ", "))"
      + " FROM \(table(namespace, near.alias)) CROSS JOIN LATERAL (\(inner)) AS l"
      + " WHERE \(isListed(near))" + (total.map { " LIMIT \(bind(number: $0))" } ?? "")
  }
}

extension QueryPlan {
  /// Returns whether the plan can have results. It cannot if it is invalid, or if its filter has an
  /// unknown name.
  package func needsData(_ schema: Schema) -> Bool {
    guard let prepared = try? QueryEngine.prepare(self, schema) else { return false }
    return if case .never = prepared.formula { false } else { true }
  }
}
