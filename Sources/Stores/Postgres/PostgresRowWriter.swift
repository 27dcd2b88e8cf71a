import InstaQL
import Triples

/// Writes changes of rows to a PostgreSQL database.
///
/// Deferrable constraints are checked at the end of the transaction. For other constraints, targets
/// are created before the rows that reference them, and deleted after them.
struct PostgresRowWriter {
  private typealias Values = [(column: String, text: String?)]

  private let rows: PostgresRowFinder
  private let changes: RowChanges<PostgresRowFinder>
  /// The locators of created rows.
  private(set) var created: [RowReference: RowLocator] = [:]
  /// The new locators of rows whose key was changed.
  private(set) var moved: [RowReference: RowLocator] = [:]
  /// The rows being created. If new rows reference each other in a cycle, links are written after
  /// all rows exist.
  private var begun: Set<RowReference> = []
  private var links: [(row: RowReference, link: DatabaseNames.Link, target: RowReference)] = []

  init(_ changes: RowChanges<PostgresRowFinder>, _ rows: PostgresRowFinder) {
    (self.rows, self.changes) = (rows, changes)
  }

  private var session: PostgresSession { rows.session }

  mutating func run() throws {
    let wanted = changes.changes.filter { !$0.isDeleted }
    for change in wanted where change.number == nil { try restoreKey(change) }
    for change in wanted where change.number == nil { try create(change) }
    for (row, link, target) in links { try update(row, try key(of: link, target)) }
    for change in wanted where change.number != nil {
      var values = change.values.map { (column: $0.column, text: $0.value) }
      for (link, target) in change.links { values += try key(of: link, target) }
      try update(change.name, values)
    }
    for pair in changes.pairs where !pair.isAdded { try remove(pair) }
    try delete(changes.changes.filter { $0.isDeleted && created[$0.name] == nil })
    for pair in changes.pairs where pair.isAdded { try add(pair) }
  }

  /// Returns the current locator of a row.
  private func locator(of name: RowReference) throws -> RowLocator {
    if let locator = created[name] ?? moved[name] { return locator }
    guard let locator = try rows.place(of: name) else {
      throw DatabaseWriteError.rowIsGone(namespace: name.namespace)
    }
    return locator
  }

  private func namespace(_ name: RowReference) throws -> DatabaseNames.Namespace {
    guard let namespace = rows.shape.names.namespace(name.namespace) else {
      throw DatabaseWriteError.noTable(name.namespace)
    }
    return namespace
  }

  /// Returns the SQL condition that finds a row by its key.
  ///
  /// - Parameter count: The number of parameters that are bound before the values of the key.
  private func condition(_ namespace: DatabaseNames.Namespace, after count: Int) -> String {
    let key = rows.shape.sql.rowKeys[namespace.table.name]?.locator ?? []
    return key.enumerated().map { place, column in
      "\(column.name) = $\(count + place + 1)::\(column.type)"
    }.joined(separator: " AND ")
  }

  private func type(of column: String, in table: DatabaseCatalog.Table) -> String {
    table.columns.first { $0.name == column }?.sqlType?.name ?? "text"
  }

  // MARK: Rows

  /// Restores the previous key of a renamed row. Creating a row instead would break references.
  private mutating func restoreKey(_ change: RowChanges<PostgresRowFinder>.Change) throws {
    guard let known = changes.returning[change.name], let renamedRow = known.renamedRow,
      changes.deletion(of: renamedRow) != nil
    else { return }
    var values = change.values.filter { known.unrepresentable[$0.column] == nil }
      .map { (column: $0.column, text: $0.value) }
    for (link, target) in change.links {
      if changes.creation(of: target) != nil {
        links.append((change.name, link, target))
      } else {
        values += try key(of: link, target)
      }
    }
    let new = try update(renamedRow, values)
    begun.insert(change.name)
    created[change.name] = new
    created[renamedRow] = new
  }

  private mutating func create(_ change: RowChanges<PostgresRowFinder>.Change) throws {
    guard begun.insert(change.name).inserted else { return }
    let namespace = try namespace(change.name)
    var values: Values = []
    func set(_ column: String, _ text: String?) {
      values.removeAll { $0.column == column }
      values.append((column, text))
    }
    let known = changes.returning[change.name]
    if known?.isForgotten == true {
      throw DatabaseWriteError.forgotten(namespace: change.name.namespace)
    }
    // In a new row, a null is not written, so that the column gets its default.
    for (column, text) in change.values where text != nil || known != nil { set(column, text) }
    for (column, value) in known?.unrepresentable ?? [:] {
      if case .spelled(let text, _) = value { set(column, text) }
    }
    for (link, target) in change.links {
      let creation = changes.creation(of: target)
      if let creation, created[target] == nil { try create(creation) }
      if creation != nil, created[target] == nil {
        links.append((change.name, link, target))
        continue
      }
      for (column, text) in try key(of: link, target) { set(column, text) }
    }
    addKey(of: change.name, namespace, to: &values)
    let keys = namespace.ids.columns.joined(separator: ", ")
    let places = values.indices.map {
      "$\($0 + 1)::\(type(of: values[$0].column, in: namespace.table))"
    }
    let inserted = try session.rows(
      values.isEmpty
        ? "INSERT INTO \(namespace.table.sqlName) DEFAULT VALUES RETURNING \(keys)"
        : "INSERT INTO \(namespace.table.sqlName) "
          + "(\(values.map(\.column.quotedSQL).joined(separator: ", "))) OVERRIDING SYSTEM VALUE "
          + "VALUES (\(places.joined(separator: ", "))) RETURNING \(keys)", values.map(\.text))
    created[change.name] = try returned(inserted, namespace)
  }

  /// Adds a key to `values` if it can be computed from the new row's id: a number, or a UUID.
  private func addKey(
    of name: RowReference, _ namespace: DatabaseNames.Namespace, to values: inout Values
  ) {
    let key = namespace.table.key
    guard key.count == 1, !values.contains(where: { $0.column == key[0] }) else { return }
    if namespace.ids.number != nil {
      if let high = namespace.ids.sqlKey?.high, let number = name.entity.number(in: high) {
        values.append((key[0], String(number)))
      }
    } else if name.entity.isUUID,
      let column = namespace.table.columns.first(where: { $0.name == key[0] }),
      column.sqlType?.form == .uuid || column.sqlType?.form == .text && column.isRequired
    {
      // If the key is a text, the generated id can be the key.
      values.append((key[0], name.entity.text))
    }
  }

  /// Returns the locator of the row in a statement's RETURNING clause.
  private func returned(
    _ rows: PostgresRows, _ namespace: DatabaseNames.Namespace
  ) throws -> RowLocator {
    guard try rows.step() else {
      throw DatabaseWriteError.leftUnchanged(namespace: namespace.table.name)
    }
    if let key = namespace.ids.key(rows, 0) {
      namespace.ids.memory?.remember(key, of: namespace.ids.id(rows, 0))
      return .key(key)
    }
    return .number(rows.integer(0))
  }

  /// Updates a row and returns its locator. The locator changes with the row's key.
  @discardableResult
  private mutating func update(_ name: RowReference, _ values: Values) throws -> RowLocator {
    let (namespace, locator) = (try namespace(name), try locator(of: name))
    // If one link replaces another, its columns are set twice. The last value is used.
    var last: Values = []
    for value in values {
      last.removeAll { $0.column == value.column }
      last.append(value)
    }
    let values = last
    if values.isEmpty { return locator }
    let sets = values.enumerated().map { place, value in
      "\(value.column.quotedSQL) = $\(place + 1)::\(type(of: value.column, in: namespace.table))"
    }
    let updated = try session.rows(
      "UPDATE \(namespace.table.sqlRows) SET \(sets.joined(separator: ", ")) "
        + "WHERE \(condition(namespace, after: values.count)) "
        + "RETURNING \(namespace.ids.columns.joined(separator: ", "))",
      values.map(\.text) + locator.texts)
    let new = try returned(updated, namespace)
    if new != locator { moved[name] = new }
    return new
  }

  /// Deletes rows and their rows in join tables, with one statement for each table.
  private func delete(_ gone: [RowChanges<PostgresRowFinder>.Change]) throws {
    let byTable = Dictionary(grouping: gone, by: \.name.namespace)
    for change in gone { try removePairs(of: change) }
    for table in deletionOrder(Array(byTable.keys)) {
      guard let namespace = rows.shape.names.namespace(table),
        let key = rows.shape.sql.rowKeys[table]?.locator
      else { continue }
      let locators = try byTable[table, default: []].map { try locator(of: $0.name).texts }
      let condition =
        "(\(key.map(\.name).joined(separator: ", "))) IN "
        + SQLDialect.unnested(key.enumerated().map { ("$\($0 + 1)", $1.type) })
      let lists = rows.shape.dialect.list(locators, columns: key.count, areNumbers: false)
        .map(\.postgresText)
      try session.rows("DELETE FROM \(namespace.table.sqlRows) WHERE \(condition)", lists)
      // A cascade may already have deleted some of the rows.
      let left = try session.rows(
        "SELECT 1 FROM \(namespace.table.sqlRows) WHERE \(condition) LIMIT 1", lists)
      if try left.step() { throw DatabaseWriteError.leftUnchanged(namespace: table) }
    }
  }

  /// Sorts tables for deletion: a table comes before the tables that its foreign keys reference.
  private func deletionOrder(_ tables: [String]) -> [String] {
    var order: [String] = []
    var seen: Set<String> = []
    func visit(_ table: String) {
      guard seen.insert(table).inserted else { return }
      for link in rows.shape.names.links where link.joined == nil && link.key.target == table {
        if tables.contains(link.table) { visit(link.table) }
      }
      order.append(table)
    }
    for table in tables.sorted() { visit(table) }
    return order
  }

  // MARK: Links

  /// Returns the columns of a foreign key, with the values that reference the target row.
  private func key(of link: DatabaseNames.Link, _ target: RowReference) throws -> Values {
    zip(link.key.columns, try keyTexts(link.key, target, link)).map { ($0, $1) }
  }

  private func keyTexts(
    _ key: DatabaseCatalog.ForeignKey, _ target: RowReference, _ link: DatabaseNames.Link
  ) throws -> [String?] {
    guard let namespace = rows.shape.names.namespace(target.namespace),
      let locator = try created[target] ?? moved[target] ?? rows.place(of: target)
    else { throw DatabaseWriteError.noTarget(link.attribute) }
    let columns = key.targetColumns.map { "\($0.quotedSQL)::text" }.joined(separator: ", ")
    let found = try session.rows(
      "SELECT \(columns) FROM \(namespace.table.sqlRows) WHERE \(condition(namespace, after: 0)) "
        + "LIMIT 1", locator.texts)
    guard try found.step() else { throw DatabaseWriteError.noTarget(link.attribute) }
    return found.texts(from: 0)
  }

  /// Returns the join-table columns that reference a row, with their types and values.
  private func end(
    _ key: DatabaseCatalog.ForeignKey, _ row: RowReference, _ link: DatabaseNames.Link
  ) throws -> [(column: String, type: String, text: String?)] {
    let table = try namespace(row).table
    let texts = try keyTexts(key, row, link)
    return zip(key.columns, zip(key.targetColumns, texts)).map { column, target in
      (column.quotedSQL, type(of: target.0, in: table), target.1)
    }
  }

  private func add(_ pair: LinkPair) throws {
    guard let joined = pair.link.joined else { return }
    let ends =
      try end(pair.link.key, pair.source, pair.link) + end(joined, pair.target, pair.link)
    let values = ends.enumerated().map { "$\($0 + 1)::\($1.type)" }
    let equal = ends.enumerated().map { "\($1.column) = $\($0 + 1)::\($1.type)" }
    // An existing link is not added again.
    try session.rows(
      """
      INSERT INTO \(pair.link.sqlName) (\(ends.map(\.column).joined(separator: ", ")))
      SELECT \(values.joined(separator: ", ")) WHERE NOT EXISTS (
        SELECT 1 FROM \(pair.link.sqlRows) WHERE \(equal.joined(separator: " AND ")))
      """, ends.map(\.text))
  }

  private func remove(_ pair: LinkPair) throws {
    guard let joined = pair.link.joined else { return }
    try removeRows(
      of: pair.link,
      try end(pair.link.key, pair.source, pair.link) + end(joined, pair.target, pair.link))
  }

  /// Removes the rows of join tables that reference a deleted row.
  private func removePairs(of change: RowChanges<PostgresRowFinder>.Change) throws {
    for link in rows.shape.names.links {
      guard let joined = link.joined else { continue }
      if link.key.target == change.name.namespace, link.key.onDelete == .keep {
        try removeRows(of: link, try end(link.key, change.name, link))
      }
      if joined.target == change.name.namespace, joined.onDelete == .keep {
        try removeRows(of: link, try end(joined, change.name, link))
      }
    }
  }

  private func removeRows(
    of link: DatabaseNames.Link, _ ends: [(column: String, type: String, text: String?)]
  ) throws {
    let equal = ends.enumerated().map { "\($1.column) = $\($0 + 1)::\($1.type)" }
    try session.rows(
      "DELETE FROM \(link.sqlRows) WHERE \(equal.joined(separator: " AND "))", ends.map(\.text))
  }
}
