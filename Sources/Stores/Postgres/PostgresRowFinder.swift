import InstaQL
import LiveQueries
import Triples

/// Finds the rows that a transaction refers to. Each row is read once, in one snapshot.
final class PostgresRowFinder: RowFinding {
  let session: PostgresSession
  let shape: SchemaMapping
  private var reading: PlanExecutor<PostgresSession>
  /// The rows that were already looked up. `places` contains those rows that exist.
  private var known: Set<RowReference> = []
  private var places: [RowReference: RowLocator] = [:]
  private var entities: [String: [RowLocator: EntityHandle]] = [:]
  /// The namespaces whose keys were all read, because keys cannot be computed from ids.
  private var scanned: Set<String> = []

  /// The maximum number of rows that are read to find a row whose id is a hash of its key.
  private static let maxScannedRows = 1_000_000

  init(_ session: PostgresSession, _ shape: SchemaMapping) {
    (self.session, self.shape) = (session, shape)
    reading = PlanExecutor(session, shape, AnswerView())
  }

  /// The rows read so far.
  var store: TripleStore { reading.answer.store }

  static var null: String? { nil }

  // MARK: Rows

  /// Reads all rows that a transaction refers to, with one statement for each namespace.
  func readRows(of transaction: Transaction) throws {
    var wanted: [String: Set<EntityID>] = [:]
    func want(_ reference: EntityReference, _ namespace: String) {
      if case .id(let id) = reference { wanted[namespace, default: []].insert(id) }
    }
    for step in transaction.steps {
      switch step {
      case .addTriple(let entity, let attribute, _, _),
        .retractTriple(let entity, let attribute, _),
        .deepMergeTriple(let entity, let attribute, _, _):
        if let attribute = shape.schema.attribute(attribute) { want(entity, attribute.namespace) }
      case .deleteEntity(let entity, let namespace?): want(entity, namespace)
      case .deleteEntity, .ruleParameters, .addAttribute, .updateAttribute, .deleteAttribute,
        .restoreAttribute:
        break
      }
    }
    for (namespace, ids) in wanted {
      guard let home = shape.names.namespace(namespace), !home.ids.isEmpty else { continue }
      try read(ids.map { RowReference(entity: $0, namespace: namespace) }, home)
    }
  }

  private func read(_ names: [RowReference], _ namespace: DatabaseNames.Namespace) throws {
    known.formUnion(names)
    var locators: [RowLocator] = []
    for name in names {
      if let locator = try locator(of: name.entity, namespace) { locators.append(locator) }
    }
    try read(locators, namespace)
  }

  /// Reads rows with their values and forward links.
  func read(_ locators: [RowLocator], _ namespace: DatabaseNames.Namespace) throws {
    recordLocators(try reading.readRows(locators, of: namespace.table.name), namespace)
  }

  private func recordLocators(_ rows: [EntityHandle], _ namespace: DatabaseNames.Namespace) {
    let table = namespace.table.name
    for row in rows {
      guard let locator = reading.locator(of: row, namespace) else { continue }
      places[RowReference(entity: store.id(of: row), namespace: table)] = locator
      entities[table, default: [:]][locator] = row
    }
  }

  /// Reads the target rows of a link with their values and forward links, up to one row more than
  /// an undo can restore.
  func rows(along link: Link, from names: [RowReference]) throws -> [RowReference] {
    guard let far = shape.names.namespace(link.target), !far.ids.isEmpty else { return [] }
    let reached = try reading.read(
      link, from: names.compactMap { store.handle(of: $0.entity) },
      PlanExecutor<PostgresSession>.Portion(all: UndoLimits.maxRows + 1))
    try read(reached.compactMap { reading.locator(of: $0, far) }, far)
    return reached.map { RowReference(entity: store.id(of: $0), namespace: far.table.name) }
  }

  /// Counts the target rows of a link if their table has no key, up to one row more than an undo can
  /// restore; 0 for any other table.
  func countWithoutKey(along link: Link, from names: [RowReference]) throws -> Int {
    guard shape.names.namespace(link.target)?.ids.isEmpty == true else { return 0 }
    return try reading.read(
      link, from: names.compactMap { store.handle(of: $0.entity) },
      PlanExecutor<PostgresSession>.Portion(all: UndoLimits.maxRows + 1, withValues: 0)
    ).count
  }

  /// Returns the locator that belongs to an id, whether or not the row exists.
  ///
  /// Nil if the id is a hash of a key that was not found.
  private func locator(
    of id: EntityID, _ namespace: DatabaseNames.Namespace
  ) throws -> RowLocator? {
    let table = namespace.table.name
    guard let key = shape.sql.rowKeys[table] else { return nil }
    if let texts = key.locator(of: id) {
      return namespace.ids.number == nil ? .key(texts) : Int64(texts[0]).map { .number($0) }
    }
    if key.canFind([id]) || !scanned.insert(table).inserted { return nil }
    try scan(namespace)
    return key.locator(of: id).map { .key($0) }
  }

  /// Reads the keys of a table, so that rows can be found by ids that are hashes of keys.
  private func scan(_ namespace: DatabaseNames.Namespace) throws {
    let columns = namespace.ids.columns.joined(separator: ", ")
    let rows = try session.allRows(
      of: "SELECT \(columns) FROM \(namespace.table.sqlRows) LIMIT \(Self.maxScannedRows)")
    while try rows.step() {
      guard let key = namespace.ids.key(rows, 0) else { continue }
      namespace.ids.memory?.remember(key, of: namespace.ids.id(rows, 0))
    }
  }

  private func namespace(_ name: String) throws -> DatabaseNames.Namespace {
    guard let namespace = shape.names.namespace(name) else {
      throw DatabaseWriteError.noTable(name)
    }
    if let reason = namespace.table.readOnlyReason {
      throw DatabaseWriteError.readOnly(namespace: name, reason: reason)
    }
    return namespace
  }

  func number(of name: RowReference) throws -> RowLocator? {
    _ = try namespace(name.namespace)
    return try place(of: name)
  }

  /// Returns the locator that a row had before the transaction; nil if the row did not exist.
  func place(of name: RowReference) throws -> RowLocator? {
    guard let home = shape.names.namespace(name.namespace), !home.ids.isEmpty else { return nil }
    if places[name] == nil, !known.contains(name) { try read([name], home) }
    return places[name]
  }

  func name(of reference: EntityReference, in namespace: String) throws -> RowReference? {
    switch reference {
    case .id(let id): return RowReference(entity: id, namespace: namespace)
    case .lookup(let id, let value):
      guard let home = shape.names.namespace(namespace), let attribute = shape.schema.attribute(id),
        attribute.namespace == namespace, let (column, _) = column(of: attribute)
      else { throw DatabaseWriteError.noColumn }
      let rows = try session.rows(
        "SELECT \(home.ids.columns.joined(separator: ", ")) FROM \(home.table.sqlRows) "
          + "WHERE \(column.name.quotedSQL) = $1::\(type(of: column)) LIMIT 1",
        [try databaseValue(value, of: attribute)])
      guard try rows.step() else { return nil }
      if let key = home.ids.key(rows, 0) {
        home.ids.memory?.remember(key, of: home.ids.id(rows, 0))
      }
      return RowReference(entity: home.ids.id(rows, 0), namespace: namespace)
    }
  }

  // MARK: Values

  private func entity(_ namespace: String, _ locator: RowLocator) throws -> EntityHandle {
    guard let entity = entities[namespace]?[locator] else {
      throw DatabaseWriteError.rowIsGone(namespace: namespace)
    }
    return entity
  }

  func value(of attribute: Attribute, at number: RowLocator) throws -> Value {
    store.value(try entity(attribute.namespace, number), attribute.id) ?? .null
  }

  func isOtherText(_ attribute: Attribute, at number: RowLocator) -> Bool { false }

  func values(
    of attributes: [Attribute], in name: String, at number: RowLocator
  ) throws -> [Value] {
    let entity = try entity(name, number)
    return attributes.map { store.value(entity, $0.id) ?? .null }
  }

  func target(of link: DatabaseNames.Link, at number: RowLocator) throws -> EntityID? {
    let entity = try entity(link.attribute.namespace, number)
    return store.targets(entity, Link(link.attribute, .forward)).first.map { store.id(of: $0) }
  }

  /// Returns the SQL type to which a value of a column is cast.
  func type(of column: DatabaseCatalog.Column) -> String { column.sqlType?.name ?? "text" }

  func databaseValue(_ value: Value, of attribute: Attribute) throws -> String? {
    guard let type = column(of: attribute)?.column.sqlType else { return value.postgresText }
    guard let text = type.written(value) else {
      if value.isNull { return nil }
      if case .bytes = type.form { throw DatabaseWriteError.holdsBytes(attribute) }
      if case .unordered = type.form { throw DatabaseWriteError.holdsList(attribute) }
      throw DatabaseWriteError.wrongType(attribute, expected: type.checkedType)
    }
    return text
  }

  func earlierValue(
    _ value: Value, of attribute: Attribute, from cell: ColumnValue?
  ) throws -> String? {
    // A number in JSON that a double would round is shown as text.
    if case .text(let text) = value, case .json? = column(of: attribute)?.column.sqlType?.form,
      case .text? = Value(exactNumber: text)
    {
      return text
    }
    return try databaseValue(value, of: attribute)
  }
}

extension Value {
  fileprivate var isNull: Bool { self == .null }
}

extension SQLColumnType {
  /// Returns the text that represents a value in a column of this type. Nil for NULL, and for a
  /// value that the type cannot contain. The server validates the text itself.
  func written(_ value: Value) -> String? {
    switch (form, value) {
    case (.json, .null), (_, .null): nil
    case (.json, .text(let text)) where JSONReader.isExactDocument(text): text
    case (.json, _): JSONWriter.text(value)
    case (.unordered, _), (.bytes, _), (_, .array), (_, .object): nil
    case (.integer, .integer(let number)): String(number)
    case (.integer, .double(let number)):
      Int64(exactly: number).map { String($0) } ?? "\(number)"
    case (.float, .integer), (.float, .double), (.numeric, .integer), (.numeric, .double):
      value.postgresText
    // Numbers that a double cannot represent are shown as texts.
    case (.integer, .text(let text)), (.float, .text(let text)), (.numeric, .text(let text)):
      Double(text) == nil && ExactNumber(text) == nil ? nil : text
    case (.boolean, .bool): value.postgresText
    case (.date, _), (.timestamp, _), (.timestamptz, _): Self.writtenDate(value)
    case (.text, .text(let text)), (.uuid, .text(let text)), (.enumeration, .text(let text)),
      (.other, .text(let text)):
      text
    case (.integer, _), (.float, _), (.numeric, _), (.boolean, _), (.text, _), (.uuid, _),
      (.enumeration, _), (.other, _):
      nil
    }
  }

  private static func writtenDate(_ value: Value) -> String? {
    switch value {
    case .integer(let number): return Instant(milliseconds: number)?.description
    case .double(let number): return Instant(milliseconds: number)?.description
    case .text(let text):
      let isISO = text.utf8.prefix(4).allSatisfy { (0x30...0x39).contains($0) }
      if isISO || text == "infinity" || text == "-infinity" { return text }
      return Instant(text)?.description
    case .null, .bool, .array, .object: return nil
    }
  }
}
