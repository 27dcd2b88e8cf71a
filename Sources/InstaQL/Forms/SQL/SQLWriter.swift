import Triples

/// Writes plans as SQL. Each condition is true or false, but never null, so `NOT` gives its
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
  /// The maximum nesting depth of conditions.
  private static let maxDepth = 100

  /// Binds a value and returns its placeholder.
  mutating func bind(_ value: Value) -> String {
    values.append(value)
    return dialect.placeholder + String(values.count)
  }

  /// Binds a row count, such as a limit, and returns its placeholder. For PostgreSQL, the placeholder
  /// includes a cast.
  mutating func bind(number: Int) -> String {
    let place = bind(.integer(Int64(number)))
    return dialect.placeholder == "$" ? place + "::pg_catalog.int8" : place
  }

  mutating func alias() -> String {
    lastAlias += 1
    return "t\(lastAlias)"
  }

  static func quoted(_ name: String) -> String {
    "\"" + name.escaping("\"", as: "\"\"") + "\""
  }

  /// Returns the SQL expression for the id of a row.
  func key(_ place: Place) -> String {
    guard let key = names.rowKeys[place.namespace] else {
      return place.alias + "." + Self.quoted(names.key)
    }
    guard let function = key.function else {
      return locator(place).first.map { $0 + "::text" } ?? "NULL"
    }
    let texts = key.columns.map { "CAST(\(place.alias).\(Self.quoted($0)) AS TEXT)" }
    let arguments = [Self.literal(place.namespace)] + locator(place) + texts
    return "\(function)(\(arguments.joined(separator: ", ")))"
  }

  /// Returns the expressions that sort rows by id.
  func keyOrder(_ place: Place) -> [String] {
    guard let key = names.rowKeys[place.namespace], key.function == nil || key.high != nil else {
      return [self.key(place)]
    }
    return locator(place)
  }

  /// Returns the columns that identify a row: its rowid or its primary key.
  func locator(_ place: Place) -> [String] {
    guard let key = names.rowKeys[place.namespace] else {
      return [place.alias + "." + Self.quoted(names.key)]
    }
    return key.locator.map { place.alias + "." + $0.name }
  }

  /// Returns the columns by which a row of an answer is found again.
  func finder(_ place: Place) -> [String] {
    guard let key = names.rowKeys[place.namespace] else { return locator(place) }
    return key.finder.map { place.alias + "." + $0.name }
  }

  /// Returns a namespace as an SQL string literal.
  private static func literal(_ text: String) -> String {
    "'" + text.escaping("'", as: "''") + "'"
  }

  func column(_ alias: String, _ attribute: Attribute) -> String {
    alias + "." + Self.quoted(names.column(attribute))
  }

  func table(_ namespace: String, _ alias: String) -> String {
    (names.qualified[namespace] ?? Self.quoted(names.table(namespace))) + " AS " + alias
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
    let row = Place(plan.namespace, alias())
    let from = " FROM " + table(plan.namespace, row.alias)
    var filter: String?
    if let node = plan.condition { filter = try condition(node, row, depth: 0) }
    if plan.isCount { return "SELECT count(*) AS \"count\"" + from + whereClause(filter) }
    let order = try order(of: plan, row)
    let select = "SELECT " + (try columns(of: plan, row)) + from
    if let last = plan.page.last {
      // The last rows are selected in reverse order, and then sorted in the requested order.
      let few =
        "SELECT \(key(row))" + from + whereClause(filter) + orderClause(order, isReversed: true)
        + " LIMIT " + bind(.integer(Int64(last))) + offset(plan.page)
      return select + " WHERE \(key(row)) IN (\(few))" + orderClause(order)
    }
    return select + whereClause(filter) + orderClause(order) + window(plan.page)
  }

  private func check(_ plan: QueryPlan) throws(QueryError) {
    try checkNamespace(plan)
    if let relation = plan.relations.first {
      throw .notInSQL(
        path: "\(plan.namespace).\(relation.label)",
        reason: "a statement returns rows of one table; query the linked rows separately")
    }
    if plan.isSummary {
      throw .notInSQL(
        path: plan.namespace, reason: "groups and aggregates are not supported")
    }
    if plan.page.after != nil || plan.page.before != nil {
      throw .notInSQL(path: plan.namespace, reason: "cursors are not supported")
    }
  }

  func checkNamespace(_ plan: QueryPlan) throws(QueryError) {
    guard schema.identity(of: plan.namespace) != nil else {
      throw unknown("id", of: plan.namespace)
    }
    if let fault = plan.page.fault {
      throw .invalid(path: "\(plan.namespace).$.\(fault.option)", reason: fault.reason)
    }
    try checkKey(plan.namespace)
  }

  func whereClause(_ filter: String?) -> String { filter.map { " WHERE " + $0 } ?? "" }

  private mutating func window(_ page: Page) -> String {
    var text = ""
    if let size = page.limit ?? page.first {
      text = " LIMIT " + bind(.integer(Int64(size)))
    } else if page.offset != nil {
      text = dialect.limitBeforeOffset
    }
    return text + offset(page)
  }

  private mutating func offset(_ page: Page) -> String {
    page.offset.map { " OFFSET " + bind(.integer(Int64($0))) } ?? ""
  }

  private func columns(of plan: QueryPlan, _ row: Place) throws(QueryError) -> String {
    let idLabel = schema.identityLabel(of: plan.namespace)
    var columns = ["\(key(row)) AS \(Self.quoted(idLabel))"]
    for label in plan.fields ?? schema.attributes(of: plan.namespace).map(\.label) {
      guard label != idLabel else { continue }
      if label == QueryPlan.allFields || plan.computed(label) != nil {
        throw .notInSQL(
          path: "\(plan.namespace).\(label)", reason: "computed columns are not supported")
      }
      guard let attribute = schema.attribute(plan.namespace, label) else {
        throw unknown(label, of: plan.namespace)
      }
      if attribute.valueType == .ref || attribute.cardinality == .many { continue }
      columns.append("\(column(row.alias, attribute)) AS \(Self.quoted(label))")
    }
    return columns.joined(separator: ", ")
  }

  // MARK: Order

  struct OrderPart {
    var text: String
    var isDescending: Bool
    /// Whether the sort value can be NULL.
    var isNullable = true
    /// The type to which a text is cast to compare it with the sort value.
    var type = "text"
    /// The column by which rows are sorted; nil for any other expression.
    var column: String?
    /// The row's own attribute, if its values are stored in a table of their own; otherwise nil.
    var cell: Attribute?
  }

  /// Returns the last sort keys, which make the order unique.
  private func tie(_ texts: [String], _ isDescending: Bool, of place: Place) -> [OrderPart] {
    let types = names.rowKeys[place.namespace]?.locator.map(\.type) ?? []
    return texts.enumerated().map { number, text in
      OrderPart(
        text: text, isDescending: isDescending, isNullable: !names.isTyped,
        type: number < types.count ? types[number] : "text")
    }
  }

  mutating func order(of plan: QueryPlan, _ row: Place) throws(QueryError) -> [OrderPart] {
    var parts: [OrderPart] = []
    let keys = plan.order.isEmpty ? [OrderKey(OrderKey.creation)] : plan.order
    for key in keys {
      let path = plan.computed(key.path.dotted) ?? key.path
      if let text = try documentOrder(path, row) {
        parts.append(OrderPart(text: text, isDescending: key.direction == .descending))
        continue
      }
      if key.path.expression != nil || plan.computed(key.path.dotted) != nil {
        throw .notInSQL(
          path: key.path.dotted, reason: "sorting by computed values is not supported")
      }
      let isDescending = key.direction == .descending
      let isNumbered = names.rowKeys[plan.namespace] != nil
      if isNumbered, key.isCreation || key.path == schema.identityPath(from: plan.namespace) {
        // The rowid is unique, so later sort keys would have no effect.
        if key.isCreation, let creation = creation(row, isDescending) { parts.append(creation) }
        return parts + tie(locator(row), isDescending, of: row)
      }
      if !key.isCreation {
        let column = try ownColumn(key.path, row)
        for (text, type) in try orderTexts(key.path, row) {
          parts.append(
            OrderPart(
              text: text, isDescending: isDescending, isNullable: isNullable(key.path, row),
              type: type, column: column, cell: cell(of: key.path, row)))
        }
      } else if let creation = creation(row, isDescending) {
        parts.append(creation)
      }
    }
    let isDescending = keys.last?.direction == .descending
    return parts + tie(keyOrder(row), isDescending, of: row)
  }

  /// Returns the row's own column for a path, if it is NULL for missing values. Nil if there is no
  /// such column.
  private func ownColumn(_ path: AttributePath, _ row: Place) throws(QueryError) -> String? {
    let type = schema.attribute(row.namespace, path.label).flatMap { names.types[$0.id] }
    return try path.isOwn && type?.form != .json ? ownOrderText(path.label, row) : nil
  }

  private func cell(of path: AttributePath, _ row: Place) -> Attribute? {
    let attribute = path.isOwn ? schema.attribute(row.namespace, path.label) : nil
    return attribute.flatMap { names.cells[$0.id] == nil ? nil : $0 }
  }

  private func creation(_ row: Place, _ isDescending: Bool) -> OrderPart? {
    names.creation.map {
      OrderPart(
        text: row.alias + "." + Self.quoted($0), isDescending: isDescending,
        isNullable: !names.isTyped, type: "pg_catalog.int8")
    }
  }

  private func isNullable(_ path: AttributePath, _ place: Place) -> Bool {
    guard path.isOwn, let attribute = schema.attribute(place.namespace, path.label) else {
      return true
    }
    return names.types[attribute.id]?.isNullable ?? true
  }

  /// Returns the sort expressions of a path, and the types to which texts are cast for comparison
  /// with these expressions. In columns without a type, booleans are sorted before other values.
  private mutating func orderTexts(
    _ path: AttributePath, _ place: Place
  ) throws(QueryError) -> [(text: String, type: String)] {
    if path.label == OrderKey.countLabel {
      throw .notInSQL(
        path: path.dotted, reason: "sorting by the number of linked rows is not supported")
    }
    var text = try orderText(path, place)
    let namespace = schema.follow(path.links, from: place.namespace).target
    guard let attribute = schema.attribute(namespace, path.label) else { return [(text, "text")] }
    if names.isTyped {
      guard !attribute.isIdentity else {
        return [(text, names.rowKeys[namespace]?.locator.first?.type ?? "text")]
      }
      return try typedOrder(text, attribute)
    }
    if attribute.checkedType == .string { text += names.collation(of: attribute) }
    guard names.isLoose else { return [(text, "text")] }
    switch attribute.checkedType {
    case .boolean: return [("\(text) NOT IN (0, 1)", "text"), (text, "text")]
    case .number, .string, .date: return [(text, "text")]
    case nil where attribute.isIdentity: return [(text, "text")]
    case nil:
      throw .notInSQL(path: path.dotted, reason: "its values have different types")
    }
  }

  mutating func orderText(
    _ path: AttributePath, _ place: Place
  ) throws(QueryError) -> String {
    guard let label = path.links.first else { return try ownOrderText(path.label, place) }
    guard let link = schema.link(place.namespace, label) else {
      throw schema.attribute(place.namespace, label) == nil
        ? unknown(label, of: place.namespace)
        : .notALink(label: label, namespace: place.namespace)
    }
    guard link.cardinality == .one else {
      throw .notInSQL(
        path: path.dotted,
        reason: "sorting by '\(label)' is not supported, because it is a link to many entities")
    }
    let (from, joined, far) = try join(link, place)
    let rest = try orderText(
      AttributePath(Array(path.labels.dropFirst())), far)
    return "(SELECT \(rest) FROM \(from) WHERE \(joined))"
  }

  private func ownOrderText(_ label: String, _ place: Place) throws(QueryError) -> String {
    if label == schema.identityLabel(of: place.namespace) {
      guard names.isTyped else { return key(place) }
      let columns = locator(place)
      guard columns.count == 1 else {
        throw .notInSQL(path: "id", reason: "the id consists of several columns")
      }
      return columns[0]
    }
    guard let attribute = schema.attribute(place.namespace, label), attribute.valueType == .blob
    else { throw unknown(label, of: place.namespace) }
    try checkSingle(attribute)
    let text = column(place.alias, attribute)
    if attribute.checkedType == .date, let instants = names.instants {
      return "\(instants)(\(text))"
    }
    return text
  }

  func orderClause(_ parts: [OrderPart], isReversed: Bool = false) -> String {
    if parts.isEmpty { return "" }
    let texts = parts.map { part in
      let isDescending = part.isDescending != isReversed
      let nulls =
        dialect.sortsNullsFirst || !part.isNullable
        ? "" : isDescending ? " NULLS LAST" : " NULLS FIRST"
      return part.text + (isDescending ? " DESC" : " ASC") + nulls
    }
    return " ORDER BY " + texts.joined(separator: ", ")
  }

  /// Checks that an entity has at most one value of an attribute.
  func checkSingle(_ attribute: Attribute) throws(QueryError) {
    guard attribute.cardinality == .one else {
      throw .notInSQL(
        path: "\(attribute.namespace).\(attribute.label)",
        reason: "an entity can have several values of it")
    }
  }

  static func checkDepth(_ depth: Int) throws(QueryError) {
    guard depth < maxDepth else {
      throw .invalid(
        path: "",
        reason: "The conditions are nested more than \(maxDepth) levels deep. Simplify the query.")
    }
  }
}
