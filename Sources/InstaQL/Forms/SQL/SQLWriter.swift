import Triples

/// Writes plans as SQL. Every condition it writes is true or false, never null, so that `NOT` means the
/// opposite.
struct SQLWriter {
  let dialect: SQLDialect
  let schema: Schema
  let names: SQLNames
  private(set) var values: [Value] = []
  private var lastAlias = 0

  init(dialect: SQLDialect, schema: Schema, names: SQLNames) {
    self.dialect = dialect
    self.schema = schema
    self.names = names
  }

  static let never = "1 = 0"
  static let always = "1 = 1"
  /// How deep conditions may nest.
  private static let mostDepth = 100

  /// The number under which a value is bound.
  mutating func bind(_ value: Value) -> String {
    values.append(value)
    return (dialect == .sqlite ? "?" : "$") + String(values.count)
  }

  mutating func alias() -> String {
    lastAlias += 1
    return "t\(lastAlias)"
  }

  static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  func key(_ alias: String) -> String { alias + "." + Self.quoted(names.key) }

  func column(_ alias: String, _ attribute: Attribute) -> String {
    alias + "." + Self.quoted(names.column(attribute))
  }

  func table(_ namespace: String, _ alias: String) -> String {
    Self.quoted(names.table(namespace)) + " AS " + alias
  }

  func unknown(_ name: String, of namespace: String) -> QueryError {
    let known =
      schema.attributes(of: namespace).map(\.label) + schema.links(of: namespace).map(\.label)
    return .unknownField(
      name, namespace: namespace, hint: NearestName.hint(name, among: known.sorted()))
  }

  // MARK: A whole statement

  mutating func select(_ plan: QueryPlan) throws(QueryError) -> String {
    try check(plan)
    let row = alias()
    let from = " FROM " + table(plan.namespace, row)
    var filter: String?
    if let node = plan.condition {
      filter = try condition(node, Place(plan.namespace, row), depth: 0)
    }
    if plan.isCount { return "SELECT count(*) AS \"count\"" + from + whereClause(filter) }
    let order = try order(of: plan, row)
    let select = "SELECT " + (try columns(of: plan, row)) + from
    if let last = plan.page.last {
      // The last few in the opposite order, and those in the order that was asked for.
      let few =
        "SELECT \(key(row))" + from + whereClause(filter) + orderClause(order, isReversed: true)
        + " LIMIT " + bind(.integer(Int64(last)))
      return select + " WHERE \(key(row)) IN (\(few))" + orderClause(order)
    }
    return select + whereClause(filter) + orderClause(order) + window(plan.page)
  }

  private func check(_ plan: QueryPlan) throws(QueryError) {
    guard schema.attribute(plan.namespace, "id") != nil else {
      throw unknown("id", of: plan.namespace)
    }
    if let fault = plan.page.fault {
      throw .invalid(path: "\(plan.namespace).$.\(fault.option)", reason: fault.reason)
    }
    if let relation = plan.relations.first {
      throw .notInSQL(
        path: "\(plan.namespace).\(relation.label)",
        reason: "a statement gives rows of one table; ask for the linked ones on their own")
    }
    if plan.isSummary {
      throw .notInSQL(path: plan.namespace, reason: "groups and aggregates are worked out here")
    }
    if plan.page.after != nil || plan.page.before != nil {
      throw .notInSQL(path: plan.namespace, reason: "a cursor is a place in an answer of ours")
    }
    if plan.page.last != nil, plan.page.offset != nil {
      throw .notInSQL(path: plan.namespace, reason: "last goes without an offset")
    }
  }

  private func whereClause(_ filter: String?) -> String { filter.map { " WHERE " + $0 } ?? "" }

  private mutating func window(_ page: Page) -> String {
    var text = ""
    if let size = page.limit ?? page.first {
      text = " LIMIT " + bind(.integer(Int64(size)))
    } else if page.offset != nil, dialect == .sqlite {
      text = " LIMIT -1"
    }
    if let offset = page.offset { text += " OFFSET " + bind(.integer(Int64(offset))) }
    return text
  }

  private func columns(of plan: QueryPlan, _ row: String) throws(QueryError) -> String {
    var columns = ["\(key(row)) AS \"id\""]
    for label in plan.fields ?? schema.attributes(of: plan.namespace).map(\.label) {
      guard label != "id" else { continue }
      guard let attribute = schema.attribute(plan.namespace, label) else {
        throw unknown(label, of: plan.namespace)
      }
      if attribute.valueType == .ref || attribute.cardinality == .many { continue }
      columns.append("\(column(row, attribute)) AS \(Self.quoted(label))")
    }
    return columns.joined(separator: ", ")
  }

  // MARK: Order

  private struct OrderPart {
    var text: String
    var isDescending: Bool
  }

  private mutating func order(of plan: QueryPlan, _ row: String) throws(QueryError) -> [OrderPart] {
    var parts: [OrderPart] = []
    let keys = plan.order.isEmpty ? [OrderKey(OrderKey.creation)] : plan.order
    for key in keys {
      let isDescending = key.direction == .descending
      if !key.isCreation {
        let text = try orderText(key.path, Place(plan.namespace, row))
        parts.append(OrderPart(text: text, isDescending: isDescending))
      } else if let creation = names.creation {
        parts.append(
          OrderPart(text: row + "." + Self.quoted(creation), isDescending: isDescending))
      }
    }
    let isDescending = keys.last?.direction == .descending
    return parts + [OrderPart(text: key(row), isDescending: isDescending)]
  }

  private mutating func orderText(
    _ path: AttributePath, _ place: Place
  ) throws(QueryError) -> String {
    guard let label = path.links.first else { return try ownOrderText(path.label, place) }
    guard let link = schema.link(place.namespace, label) else {
      throw schema.attribute(place.namespace, label) == nil
        ? unknown(label, of: place.namespace)
        : .notALink(label: label, namespace: place.namespace)
    }
    guard link.cardinality == .one else {
      throw .notInSQL(path: path.dotted, reason: "'\(label)' leads to several entities")
    }
    let (from, joined, far) = join(link, place.alias)
    let rest = try orderText(
      AttributePath(Array(path.labels.dropFirst())), Place(link.target, far))
    return "(SELECT \(rest) FROM \(from) WHERE \(joined))"
  }

  private func ownOrderText(_ label: String, _ place: Place) throws(QueryError) -> String {
    if label == "id" { return key(place.alias) }
    guard let attribute = schema.attribute(place.namespace, label), attribute.valueType == .blob
    else { throw unknown(label, of: place.namespace) }
    let text = column(place.alias, attribute)
    guard attribute.checkedType == .string, let collation = names.collation else { return text }
    return text + " COLLATE " + Self.quoted(collation)
  }

  private func orderClause(_ parts: [OrderPart], isReversed: Bool = false) -> String {
    let texts = parts.map { part in
      let isDescending = part.isDescending != isReversed
      // SQLite has what is missing before everything else by itself.
      let nulls = dialect == .sqlite ? "" : isDescending ? " NULLS LAST" : " NULLS FIRST"
      return part.text + (isDescending ? " DESC" : " ASC") + nulls
    }
    return " ORDER BY " + texts.joined(separator: ", ")
  }

  static func checkDepth(_ depth: Int) throws(QueryError) {
    guard depth < mostDepth else {
      throw .invalid(
        path: "", reason: "Conditions nest deeper than \(mostDepth) levels; split the query")
    }
  }
}

extension SQLWriter {
  /// The rows that a condition is about.
  struct Place {
    let namespace: String
    let alias: String

    init(_ namespace: String, _ alias: String) {
      self.namespace = namespace
      self.alias = alias
    }
  }

  /// The rows at the other end of a link: where from, which of them, and what they are called.
  mutating func join(
    _ link: Link, _ near: String
  ) -> (from: String, condition: String, alias: String) {
    let far = alias()
    let attribute = link.attribute
    if attribute.cardinality == .one {
      let condition =
        link.direction == .forward
        ? "\(key(far)) = \(column(near, attribute))" : "\(column(far, attribute)) = \(key(near))"
      return (table(link.target, far), condition, far)
    }
    let pairs = names.pairs(attribute)
    let pair = alias()
    let (here, there) =
      link.direction == .forward ? (pairs.source, pairs.target) : (pairs.target, pairs.source)
    let from =
      "\(Self.quoted(pairs.table)) AS \(pair) JOIN \(table(link.target, far))"
      + " ON \(key(far)) = \(pair).\(Self.quoted(there))"
    return (from, "\(pair).\(Self.quoted(here)) = \(key(near))", far)
  }
}
