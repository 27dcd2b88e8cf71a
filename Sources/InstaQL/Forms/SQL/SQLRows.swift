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
  /// - Parameter columns: What is selected of each row, as SQL, of a row that is called as given.
  /// - Throws: what `sql` throws, but for relations and summaries, which are left out.
  package func sqlRows(
    _ dialect: SQLDialect, schema: Schema, names: SQLNames, stretch: SQLStretch,
    selecting columns: (String) -> [String]
  ) throws(QueryError) -> SQLStatement {
    var writer = SQLWriter(dialect: dialect, schema: schema, names: names)
    let text = try writer.rows(of: self, stretch, columns)
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
  package func sqlCount(
    _ dialect: SQLDialect, schema: Schema, names: SQLNames
  ) throws(QueryError) -> SQLStatement {
    var writer = SQLWriter(dialect: dialect, schema: schema, names: names)
    let text = try writer.count(of: self)
    return SQLStatement(text: text, values: writer.values)
  }
}

extension Link {
  /// The rows that a link leads to from the rows of its namespace whose locators the only values list:
  /// first the locator of the row that the link leads from, then what is selected.
  package func sqlRows(
    _ dialect: SQLDialect, schema: Schema, names: SQLNames,
    selecting columns: (String) -> [String]
  ) throws(QueryError) -> String {
    var writer = SQLWriter(dialect: dialect, schema: schema, names: names)
    return try writer.rows(along: self, columns)
  }
}

extension SQLWriter {
  fileprivate mutating func rows(
    of plan: QueryPlan, _ stretch: SQLStretch, _ columns: (String) -> [String]
  ) throws(QueryError) -> String {
    let (row, filter) = try matching(plan)
    let order = try order(of: plan, row)
    var text = "SELECT " + columns(row.alias).joined(separator: ", ") + " FROM "
    text += table(plan.namespace, row.alias) + filter
    text += orderClause(order, isReversed: stretch.isReversed)
    if stretch.count != nil || stretch.skipped > 0 {
      text += " LIMIT " + bind(.integer(Int64(stretch.count ?? -1)))
    }
    if stretch.skipped > 0 { text += " OFFSET " + bind(.integer(Int64(stretch.skipped))) }
    return text
  }

  fileprivate mutating func locatedRows(
    of plan: QueryPlan, _ columns: (String) -> [String]
  ) throws(QueryError) -> String {
    try checkNamespace(plan)
    let row = Place(plan.namespace, alias())
    return "SELECT " + (locator(row) + columns(row.alias)).joined(separator: ", ") + " FROM "
      + table(plan.namespace, row.alias) + " WHERE " + isListed(row)
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
    return "SELECT count(*) FROM " + table(plan.namespace, row.alias) + filter
  }

  private mutating func matching(
    _ plan: QueryPlan
  ) throws(QueryError) -> (row: Place, filter: String) {
    try checkNamespace(plan)
    guard plan.page.after == nil, plan.page.before == nil else {
      throw .notInSQL(path: plan.namespace, reason: "a cursor is a place in an answer of ours")
    }
    let row = Place(plan.namespace, alias())
    var filter: String?
    if let node = plan.condition { filter = try condition(node, row, depth: 0) }
    return (row, whereClause(filter))
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
