package import Triples

/// Some rows of an order.
package struct SQLStretch: Hashable, Sendable {
  /// How many rows are passed over.
  package var skipped: Int
  /// How many are wanted; nil is all that follow.
  package var count: Int?
  /// Whether rows are counted, and given, from the end of the order.
  package var isReversed: Bool

  package init(skipped: Int = 0, count: Int? = nil, isReversed: Bool = false) {
    self.skipped = skipped
    self.count = count
    self.isReversed = isReversed
  }
}

// For stores that read rows themselves: only where names have `rowKeys`.
extension QueryPlan {
  /// The rows that match, in the plan's order; its page does not count, the stretch does.
  ///
  /// - Parameters:
  ///   - anchor: A row before the stretch, from which a database that keeps to its types reads on; there
  ///     what rows are ordered by is selected too, last.
  ///   - columns: What is selected of each row, as SQL, of a row that is called as given.
  /// - Throws: what `sql` throws, but for relations and summaries, which are left out.
  package func sqlRows(
    _ dialect: SQLDialect, schema: Schema, names: SQLNames, stretch: SQLStretch,
    after anchor: SQLAnchor? = nil, selecting columns: (String) -> [String]
  ) throws(QueryError) -> SQLStatement {
    var writer = SQLWriter(dialect: dialect, schema: schema, names: names)
    let text =
      names.isTyped
      ? try writer.typedRows(of: self, stretch, columns, after: anchor)
      : try writer.rows(of: self, stretch, columns)
    return SQLStatement(text: text, values: writer.values)
  }

  /// Which row of the order is the next that also matches a condition, counted from 0; after the last
  /// comes the first.
  package func sqlPlaceOfMatch(
    _ dialect: SQLDialect, schema: Schema, names: SQLNames, matching condition: ConditionNode?,
    after start: Int, isReversed: Bool
  ) throws(QueryError) -> SQLStatement {
    var writer = SQLWriter(dialect: dialect, schema: schema, names: names)
    let text = try writer.placeOfMatch(
      self, matching: condition, after: start, isReversed: isReversed)
    return SQLStatement(text: text, values: writer.values)
  }

  /// Rows of the plan's namespace by their locators, which the only values list; in no order. First
  /// among the columns are those of the locator.
  package func sqlRowsByLocator(
    _ dialect: SQLDialect, schema: Schema, names: SQLNames,
    selecting columns: (String) -> [String]
  ) throws(QueryError) -> String {
    var writer = SQLWriter(dialect: dialect, schema: schema, names: names)
    return try writer.locatedRows(of: self, columns)
  }

  /// How many match, whatever the page.
  ///
  /// - Parameter most: More are not counted; nil counts all.
  package func sqlCount(
    _ dialect: SQLDialect, schema: Schema, names: SQLNames, most: Int? = nil
  ) throws(QueryError) -> SQLStatement {
    var writer = SQLWriter(dialect: dialect, schema: schema, names: names)
    let text =
      if let most { try writer.cappedCount(of: self, most: most) } else {
        try writer.count(of: self)
      }
    return SQLStatement(text: text, values: writer.values)
  }
}

extension Link {
  /// The rows that a link leads to from the rows of its namespace whose locators the only values list:
  /// first the locator of the row that the link leads from, then what is selected.
  ///
  /// - Parameters:
  ///   - nested: What is asked of the rows at the other end; what SQL cannot say of it is left to the
  ///     reader.
  ///   - limit: Of each row no more are given, in the order of the nested plan.
  ///   - total: Of all rows together no more are given.
  /// - Returns: The statement, whose values follow those of the list.
  package func sqlRows(
    _ dialect: SQLDialect, schema: Schema, names: SQLNames, nested: QueryPlan? = nil,
    limit: Int? = nil, total: Int? = nil, selecting columns: (String) -> [String]
  ) throws(QueryError) -> SQLStatement {
    let empty = SQLWriter(dialect: dialect, schema: schema, names: names)
    let listed = names.rowKeys[reversed.target]?.locator.count ?? 1
    var writer = empty
    for _ in 0..<listed { _ = writer.bind(.null) }
    guard let limit else {
      let text = try writer.rows(along: self, columns)
      return SQLStatement(text: text)
    }
    let start = writer
    do {
      let text = try writer.rows(along: self, columns, nested, limit, total)
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
    of plan: QueryPlan, _ stretch: SQLStretch, _ columns: (String) -> [String]
  ) throws(QueryError) -> String {
    let (row, filter) = try matching(plan)
    let order = try order(of: plan, row)
    var text = "SELECT " + columns(row.alias).joined(separator: ", ") + " FROM "
    text += table(plan.namespace, row.alias) + whereClause(filter)
    text += orderClause(order, isReversed: stretch.isReversed)
    if let count = stretch.count ?? dialect.maxRows {
      text += " LIMIT " + bind(number: count)
    } else if stretch.skipped > 0 {
      text += dialect.limitBeforeOffset
    }
    if stretch.skipped > 0 { text += " OFFSET " + bind(number: stretch.skipped) }
    return text
  }

  fileprivate mutating func locatedRows(
    of plan: QueryPlan, _ columns: (String) -> [String]
  ) throws(QueryError) -> String {
    try checkNamespace(plan)
    let row = Place(plan.namespace, alias())
    let most = dialect.maxRows.map { " LIMIT \($0)" } ?? ""
    return "SELECT " + (locator(row) + columns(row.alias)).joined(separator: ", ") + " FROM "
      + table(plan.namespace, row.alias) + " WHERE " + isListed(row) + most
  }

  /// That the locator of a row is among those that the values from the first on list.
  private func isListed(_ row: Place) -> String {
    let columns = locator(row)
    let types = names.rowKeys[row.namespace]?.locator.map(\.type) ?? [""]
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
      throw .notInSQL(path: plan.namespace, reason: "a cursor is a place in an answer of ours")
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
    let selected = locator(near) + columns(far.alias)
    return
      "SELECT \(selected.joined(separator: ", ")) FROM \(table(namespace, near.alias)), \(from)"
      + " WHERE \(isListed(near)) AND \(joined)"
      + " ORDER BY \(locator(far).joined(separator: ", "))"
  }
}

extension SQLWriter {
  /// The same with a limit for each row that the link leads from.
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
    return "SELECT \((locator(near) + ["l.*"]).joined(separator: ", "))"
      + " FROM \(table(namespace, near.alias)) CROSS JOIN LATERAL (\(inner)) AS l"
      + " WHERE \(isListed(near))" + (total.map { " LIMIT \(bind(number: $0))" } ?? "")
  }
}

extension QueryPlan {
  /// Whether it takes data to answer it: a question with a name that nothing has finds nothing.
  /// - Throws: what preparing throws for a question that is none.
  package func needsData(_ schema: Schema) throws(QueryError) -> Bool {
    switch try QueryEngine.prepare(self, schema).formula {
    case .never: false
    default: true
    }
  }
}
