package import Triples

/// A statement for a plan with groups, aggregates or distinct rows, and the types of its columns.
package struct SQLSummary: Sendable {
  package let statement: SQLStatement
  package let columns: [Column]
  private let summary: PreparedSummary

  package struct Column: Sendable {
    /// The type of the column's values; nil if unknown.
    package var type: CheckedType?
    /// The PostgreSQL type of the column; nil in SQLite.
    package var form: SQLColumnType?
    /// Whether the column contains JSON text from SQLite.
    package var isJSON = false
  }

  /// Creates the statement for a plan with groups, aggregates or distinct rows.
  ///
  /// - Throws: `notInSQL` if a single statement cannot express the plan, and the errors of an
  ///   invalid query.
  package init(
    _ plan: QueryPlan, _ dialect: SQLDialect, schema: Schema, names: SQLNames
  ) throws(QueryError) {
    let prepared = try QueryEngine.prepare(plan, schema)
    guard let summary = prepared.summary else {
      throw .notInSQL(path: plan.namespace, reason: "the query has no groups or aggregates")
    }
    var writer = SQLWriter(dialect: dialect, schema: schema, names: names)
    let (text, columns) = try writer.table(of: plan, summary)
    statement = SQLStatement(text: text, values: writer.values)
    self.columns = columns
    self.summary = summary
  }

  /// Returns the answer's table: the rows that the statement returned, filtered by `having`,
  /// sorted, and limited to the page.
  package func table(_ rows: [[Value]], _ page: Page) -> ServedAnswer.Table {
    let sorted = summary.sortedMatches(rows)
    let kept = summary.isTotal ? sorted : SummaryBuilder.cut(sorted, page)
    return ServedAnswer.Table(
      columns: summary.columns, rows: summary.shown(kept), total: sorted.count)
  }
}

extension SQLWriter {
  /// The FROM clause of a summary. Each path of links is joined only once.
  private struct Joined {
    var text = ""
    var places: [[Link]: Place] = [:]
    /// The expressions for attributes whose values are in tables of their own, for the tables
    /// joined so far.
    var cells: [String: String] = [:]
  }

  fileprivate mutating func table(
    of plan: QueryPlan, _ summary: PreparedSummary
  ) throws(QueryError) -> (String, [SQLSummary.Column]) {
    try checkNamespace(plan)
    if summary.isTotal, !plan.page.isWhole {
      throw .notInSQL(
        path: plan.namespace, reason: "aggregates with 'limit' or 'offset' are not supported")
    }
    if summary.isDistinct, !plan.order.isEmpty {
      throw .notInSQL(path: plan.namespace, reason: "sorting distinct rows is not supported")
    }
    let row = Place(plan.namespace, alias())
    var joined = Joined(text: table(plan.namespace, row.alias), places: [[]: row])
    var (selected, keys): ([String], [String]) = ([], [])
    var columns: [SQLSummary.Column] = []
    for group in summary.groups {
      let (text, key, column) = try self.group(group, &joined)
      selected.append(text)
      keys.append(key)
      columns.append(column)
    }
    for measure in summary.measures {
      let (text, column) = try self.measure(measure, &joined)
      selected.append(text)
      columns.append(column)
    }
    var text = "SELECT " + selected.joined(separator: ", ") + " FROM " + joined.text
    if let node = plan.condition { text += " WHERE " + (try condition(node, row, depth: 0)) }
    if !keys.isEmpty { text += " GROUP BY " + keys.joined(separator: ", ") }
    if summary.isDistinct {
      let first = locator(row).map { "min(\($0))" }
      guard first.count == 1, names.rowKeys[plan.namespace]?.isUUID != true else {
        throw .notInSQL(path: plan.namespace, reason: "its rows have no rowid")
      }
      text += " ORDER BY " + first[0]
    }
    if let maxRows = dialect.maxRows {
      text += " LIMIT " + bind(number: keys.isEmpty ? 1 : maxRows)
    }
    return (text, columns)
  }

  /// Returns the table at the end of to-one links, and joins it unless it is already joined.
  private mutating func place(
    along links: [Link], _ joined: inout Joined
  ) throws(QueryError) -> Place {
    if let known = joined.places[links] { return known }
    guard let link = links.last, link.cardinality == .one else {
      throw .notInSQL(
        path: links.last?.label ?? "",
        reason: "grouping by links to many entities is not supported")
    }
    let near = try place(along: Array(links.dropLast()), &joined)
    let (from, condition, far) = try join(link, near)
    let isPlain = !from.contains(" JOIN ")
    joined.text += " LEFT JOIN \(isPlain ? from : "(\(from))") ON \(condition)"
    joined.places[links] = far
    return far
  }

  /// Returns the expression for the values of an attribute at the end of to-one links.
  private mutating func value(
    _ attribute: Attribute, along links: [Link], _ joined: inout Joined
  ) throws(QueryError) -> String {
    let place = try place(along: links, &joined)
    guard let table = names.cells[attribute.id] else { return column(place.alias, attribute) }
    if let known = joined.cells[place.alias + attribute.id.text] { return known }
    let (from, condition, value) = cell(table, place)
    joined.text += " LEFT JOIN \(from) ON \(condition)"
    joined.cells[place.alias + attribute.id.text] = value
    return value
  }

  private mutating func group(
    _ group: PreparedSummary.Group, _ joined: inout Joined
  ) throws(QueryError) -> (text: String, key: String, column: SQLSummary.Column) {
    let source = group.source
    if let (text, part) = try document(source, &joined) {
      return (
        call(.text, text, part), call(.group, text, part), SQLSummary.Column(isJSON: true)
      )
    }
    guard case .attribute(let attribute) = source.end, !attribute.isIdentity,
      attribute.cardinality == .one
    else {
      throw .notInSQL(
        path: group.name, reason: "grouping by ids or links is not supported")
    }
    let text = try value(attribute, along: source.links, &joined)
    if names.isTyped {
      let type = names.types[attribute.id]
      guard let type, type.comparisonKind != nil || type.form == .json,
        type.form != .json || attribute.checkedType != .date
      else {
        throw .notInSQL(
          path: group.name, reason: "its equal values may be stored in different forms")
      }
      let plain =
        type.form == .json
        ? SQLColumnType.withoutNull(text) : type.isDeterministic ? text : "\(text) COLLATE \"C\""
      return (
        type.selection(of: plain, isShown: false), plain,
        SQLSummary.Column(type: attribute.checkedType, form: type)
      )
    }
    switch attribute.checkedType {
    case .string, .number, .boolean: break
    case .date where !names.isLoose: break
    case .date, nil:
      throw .notInSQL(path: group.name, reason: "its equal values may be stored in different forms")
    }
    return (
      text, names.isLoose ? text + " COLLATE BINARY" : text,
      SQLSummary.Column(type: attribute.checkedType)
    )
  }

  private mutating func measure(
    _ measure: PreparedSummary.Measure, _ joined: inout Joined
  ) throws(QueryError) -> (String, SQLSummary.Column) {
    let counted = SQLSummary.Column(
      type: .number, form: names.isTyped ? SQLColumnType(.integer, name: "pg_catalog.int8") : nil)
    guard let source = measure.source else { return ("count(*)", counted) }
    if let (text, part) = try document(source, &joined) {
      return try documentMeasure(measure, text, part, counted)
    }
    if source.links.last?.cardinality == .many || source.isLinkToSeveral {
      return try severalMeasure(measure, source, &joined, counted)
    }
    switch source.end {
    case .nowhere: throw .notInSQL(path: measure.name, reason: "it is not stored in a column")
    case .computed:
      throw .notInSQL(path: measure.name, reason: "computed values are not supported")
    case .link(let link):
      guard measure.function == .count else {
        throw .notInSQL(path: measure.name, reason: "links support no aggregate except 'count'")
      }
      let place = try place(along: source.links + [link], &joined)
      return ("count(\(locator(place).first ?? "NULL"))", counted)
    case .attribute(let attribute):
      if attribute.isIdentity, measure.function == .count {
        let place = try place(along: source.links, &joined)
        return ("count(\(locator(place).first ?? "NULL"))", counted)
      }
      let (text, column) = try aggregate(
        measure.function, value(attribute, along: source.links, &joined), attribute)
      return (text, column ?? counted)
    }
  }

  /// Returns the expression for a JSON column at the end of to-one links, and the path within its
  /// values; nil for any other source.
  private mutating func document(
    _ source: PreparedSummary.Source, _ joined: inout Joined
  ) throws(QueryError) -> (text: String, part: DocumentPath)? {
    switch source.end {
    case .attribute(let attribute) where names.documents.contains(attribute.id):
      return (try value(attribute, along: source.links, &joined), DocumentPath(""))
    case .computed(.value(let links, let attribute, let labels))
    where names.documents.contains(attribute.id):
      return (try value(attribute, along: links, &joined), DocumentPath(labels))
    case .attribute, .link, .computed, .nowhere: return nil
    }
  }

  private mutating func documentMeasure(
    _ measure: PreparedSummary.Measure, _ text: String, _ part: DocumentPath,
    _ counted: SQLSummary.Column
  ) throws(QueryError) -> (String, SQLSummary.Column) {
    switch measure.function {
    case .count: return ("count(\(call(.group, text, part)))", counted)
    case .countDistinct: return ("count(DISTINCT \(call(.group, text, part)))", counted)
    case .sum: return ("coalesce(sum(\(call(.number, text, part))), 0)", counted)
    case .average: return ("avg(\(call(.number, text, part)))", counted)
    case .median, .min, .max:
      throw .notInSQL(path: measure.name, reason: "its values have different types")
    }
  }

  /// Returns the expression that aggregates values of the targets of a to-many link, such as
  /// `sum(cities.population)`.
  ///
  /// A subquery aggregates the linked rows of each entity, and the outer function combines these
  /// results.
  private mutating func severalMeasure(
    _ measure: PreparedSummary.Measure, _ source: PreparedSummary.Source, _ joined: inout Joined,
    _ counted: SQLSummary.Column
  ) throws(QueryError) -> (String, SQLSummary.Column) {
    var links = source.links
    if case .link(let link) = source.end { links.append(link) }
    guard let last = links.popLast() else { return ("0", counted) }
    let near = try place(along: links, &joined)
    let (from, condition, far) = try join(last, near)
    func nested(_ text: String) -> String { "(SELECT \(text) FROM \(from) WHERE \(condition))" }
    guard case .attribute(let attribute) = source.end, !attribute.isIdentity else {
      guard measure.function == .count, let key = locator(far).first, locator(far).count == 1 else {
        throw .notInSQL(
          path: measure.name, reason: "linked rows can be counted only if their key has one column")
      }
      return ("coalesce(sum(\(nested("count(DISTINCT \(key))"))), 0)", counted)
    }
    // A join table may contain the same pair of rows several times, but the pair must count only
    // once.
    guard !from.contains(" JOIN ") else {
      throw .notInSQL(
        path: measure.name, reason: "aggregates over many-to-many links are not supported")
    }
    let (text, column) = try aggregate(
      measure.function, self.column(far.alias, attribute), attribute)
    switch measure.function {
    case .count, .sum: return ("coalesce(sum(\(nested(text))), 0)", column ?? counted)
    case .min, .max:
      // In SQLite, the result of a subquery has no collation.
      let isText = !names.isTyped && attribute.checkedType == .string
      let collation = isText ? names.collation(of: attribute) : ""
      return ("\(measure.function.rawValue)(\(nested(text))\(collation))", column ?? counted)
    case .average, .median, .countDistinct:
      throw .notInSQL(
        path: measure.name, reason: "this aggregate is not supported for links to many entities")
    }
  }
}

extension PreparedSummary.Source {
  fileprivate var isLinkToSeveral: Bool {
    if case .link(let link) = end { link.cardinality == .many } else { false }
  }
}
