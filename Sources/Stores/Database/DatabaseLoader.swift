import InstaQL
import LiveQueries
import Triples

/// Loads a database into a store: rows become entities, foreign keys become links.
///
/// A NULL becomes a null value, which takes two bits in memory. An import leaves out NULLs instead,
/// since other stores keep one row per value.
///
/// Entities are in the order of their rowids, or of their keys if the table has no rowid.
struct DatabaseLoader<Session: DatabaseSession> {
  private let db: Session
  private let names: DatabaseNames
  private let progress: ProgressReport
  private let purpose: ReadingPurpose
  private let spelling: BlobEncoder?
  private var store: TripleStore
  /// The reasons why foreign tables cannot be read, keyed by namespace.
  private var unreadable: [String: String] = [:]
  private var jsonStrings: [AttributeID: Set<EntityHandle>] = [:]
  private var rowCount = 0
  private var total = 0

  private var maxViewRows: Int { DatabaseCatalog.maxViewRows }
  /// The maximum number of rows that are loaded into memory from all tables together.
  static var maxRows: Int { 20_000_000 }

  /// Loads all rows and links of a database.
  ///
  /// - Parameter views: The views and foreign tables whose rows are loaded, too. By default, none
  ///   are loaded, because a view repeats rows of tables.
  /// - Throws: ``StoreError`` if there are too many rows, and errors of the database.
  static func load(
    _ shape: SchemaMapping, _ db: Session, path: String, for purpose: ReadingPurpose,
    views: Set<String> = [], progress: ProgressReport
  ) throws -> TripleStore {
    var reading = DatabaseLoader(shape, db, purpose, progress)
    let namespaces = shape.names.namespaces.filter {
      !($0.table.isView || $0.table.isForeign) || views.contains($0.table.name)
    }
    for namespace in namespaces { try reading.read(namespace) { try $0.countRows(of: namespace) } }
    try reading.checkTotal(path: path)
    for namespace in namespaces { try reading.read(namespace) { try $0.load(namespace) } }
    for link in shape.names.links { try reading.load(link) }
    return reading.store
  }

  /// Loads all rows and links of a database and its foreign tables, except of those foreign tables
  /// that cannot be read.
  static func loadReadable(
    _ shape: SchemaMapping, _ db: Session, path: String, for purpose: ReadingPurpose,
    progress: ProgressReport
  ) throws -> ReadableTables {
    var reading = DatabaseLoader(shape, db, purpose, progress)
    let namespaces = shape.names.namespaces.filter { !$0.table.isView }
    for namespace in namespaces {
      try reading.attempt(namespace) { try $0.countRows(of: namespace) }
    }
    try reading.checkTotal(path: path)
    for namespace in namespaces where reading.unreadable[namespace.table.name] == nil {
      try reading.attempt(namespace) { try $0.load(namespace) }
    }
    for link in shape.names.links { try reading.load(link) }
    return ReadableTables(
      store: reading.store, unreadable: reading.unreadable, jsonStrings: reading.jsonStrings)
  }

  /// Reads a table. If it is a foreign table that cannot be read, records the reason.
  private mutating func attempt(
    _ namespace: DatabaseNames.Namespace, _ read: (inout DatabaseLoader) throws -> Void
  ) throws {
    guard namespace.table.isForeign else { return try self.read(namespace, read) }
    var loader = self
    do {
      try db.attempt { try read(&loader) }
      self = loader
    } catch let error as PostgresError where !error.isConnectionLost && !error.isCancelled {
      unreadable[namespace.table.name] = error.reason
    }
  }

  private init(
    _ shape: SchemaMapping, _ db: Session, _ purpose: ReadingPurpose, _ progress: ProgressReport
  ) {
    (self.db, self.purpose, self.progress) = (db, purpose, progress)
    names = shape.names
    store = purpose == .importing ? shape.emptyWithoutKeys : shape.empty
    spelling = BlobEncoder(purpose.bytes)
  }

  /// Reads a table, and adds its name to an error of the server, which for a foreign table does not
  /// have it.
  private mutating func read(
    _ namespace: DatabaseNames.Namespace, _ read: (inout DatabaseLoader) throws -> Void
  ) throws {
    do {
      try read(&self)
    } catch var error as PostgresError where !error.state.isEmpty && !error.isCancelled {
      error.message = "the table \(namespace.table.name) cannot be read: \(error.message)"
      throw error
    }
  }

  private mutating func countRows(of namespace: DatabaseNames.Namespace) throws {
    let name = namespace.table.sqlRows
    let source =
      namespace.table.isView ? "(SELECT 1 FROM \(name) LIMIT \(maxViewRows + 1)) AS v" : name
    let rows = try db.rows(of: SQLStatement(text: "SELECT count(*) FROM \(source) LIMIT 1"))
    defer { rows.reset() }
    let count = try rows.step() ? Int(rows.integer(0)) : 0
    guard !namespace.table.isView || count <= maxViewRows else {
      throw AnswerLimit.view(namespace.table.name, limit: maxViewRows)
    }
    total += count
  }

  private func checkTotal(path: String) throws {
    guard total <= Self.maxRows else {
      throw StoreError.unreadable(
        path: path,
        reason: "the database has \(total) rows, but at most \(Self.maxRows) fit into memory")
    }
  }

  private mutating func load(_ namespace: DatabaseNames.Namespace) throws {
    guard
      let rows = RowReader(
        namespace, in: store, labels: purpose == .importing ? namespace.labelsWithoutKeys : nil,
        maxBytes: nil, keepsNulls: purpose != .importing, spelling: spelling)
    else { return }
    let statement = try db.allRows(
      of: """
        SELECT \(rows.selected(of: "s").joined(separator: ", "))
        FROM \(namespace.table.sqlRows) AS s\(order(of: namespace))
        """)
    let first = rows.ids.columns.count
    let documents = namespace.values.enumerated().filter { $1.column.sqlType?.form == .json }
      .map { (column: Int32(first + $0), id: $1.attribute.id) }
    var place = 0
    while try statement.step() {
      let row = rows.read(statement, 0, place: place, into: &store)
      for (column, id) in documents {
        guard case .text(let text)? = store.value(row, id), JSONReader.isExactDocument(text) else {
          continue
        }
        let isString = !JSONReader.isExactDocument(statement.text(column))
        if isString { jsonStrings[id, default: []].insert(row) }
      }
      rowCount += 1
      place += 1
      if rowCount & 0xFFFF == 0 {
        progress(LoadingProgress(done: rowCount, of: total, .rows))
      }
    }
  }

  /// Loads links by joining the tables in SQL, without broken references.
  private mutating func load(_ link: DatabaseNames.Link) throws {
    guard let source = names.namespace(link.attribute.namespace),
      let target = names.namespace(link.attribute.reverse?.namespace ?? "")
    else { return }
    let ids = source.ids.columns(of: "s") + target.ids.columns(of: "t")
    let second = Int32(source.ids.columns.count)
    let statement = try db.allRows(
      of: "SELECT \(ids.joined(separator: ", ")) FROM \(joined(link, source, target))")
    while try statement.step() {
      guard let from = store.handle(of: source.ids.id(statement, 0)),
        let to = store.handle(of: target.ids.id(statement, second))
      else { continue }
      let time = store.createdAt(from, in: link.attribute.namespace)
      store.insert(target: to, of: from, link.attribute.id, at: time)
    }
    if purpose == .importing, link.joined == nil { try loadKeys(of: link, source, target) }
  }

  /// Loads the foreign-key values whose target row is missing, for an import.
  ///
  /// Other foreign keys are imported only as links. A separate copy of the key would become wrong
  /// when a user changes the link.
  private mutating func loadKeys(
    of link: DatabaseNames.Link, _ source: DatabaseNames.Namespace,
    _ target: DatabaseNames.Namespace
  ) throws {
    let keys = source.values.filter { $0.attribute.keyOf == link.attribute.id }
    let columns = source.ids.columns(of: "s") + keys.map { "s." + $0.column.name.quotedSQL }
    let named = link.key.columns.map { "s.\($0.quotedSQL) IS NOT NULL" }
    let statement = try db.allRows(
      of: """
        SELECT \(columns.joined(separator: ", ")) FROM \(source.table.sqlRows) AS s
        WHERE \(named.joined(separator: " AND ")) AND NOT EXISTS (
          SELECT 1 FROM \(target.table.sqlRows) AS t WHERE \(Self.equal(link.key, "t", "s")))
        """)
    let first = Int32(source.ids.columns.count)
    while try statement.step() {
      guard let entity = store.handle(of: source.ids.id(statement, 0)) else { continue }
      let time = store.createdAt(entity, in: source.table.name)
      for (place, key) in keys.enumerated() {
        if store.column(of: key.attribute.id) == nil {
          store.addAttribute(store.schema.portable(key.attribute))
        }
        let cell = CellReader(
          key.attribute.checkedType, maxBytes: nil, spelling: spelling, isJSON: key.column.isJSON)
        _ = store.insert(
          statement.value(first + Int32(place), cell), of: entity, key.attribute.id, at: time)
      }
    }
  }

  /// Returns an ORDER BY clause for the primary key, or an empty text if its columns are not
  /// strictly typed.
  private func order(of namespace: DatabaseNames.Namespace) -> String {
    guard namespace.ids.isTyped else { return "" }
    let key = namespace.table.key.map { "s.\($0.quotedSQL)" }
    return " ORDER BY " + key.joined(separator: ", ")
  }

  private func joined(
    _ link: DatabaseNames.Link, _ source: DatabaseNames.Namespace,
    _ target: DatabaseNames.Namespace
  ) -> String {
    let (from, to) = (source.table.sqlRows, target.table.sqlRows)
    let pairs = link.sqlRows
    guard let joined = link.joined else {
      return "\(from) AS s JOIN \(to) AS t ON \(Self.equal(link.key, "t", "s"))"
    }
    return "\(pairs) AS j JOIN \(from) AS s ON \(Self.equal(link.key, "s", "j"))"
      + " JOIN \(to) AS t ON \(Self.equal(joined, "t", "j"))"
  }

  /// Returns the SQL condition that joins referencing rows to the rows that they reference.
  ///
  /// The condition compares with the collation of its left side, the target's columns.
  private static func equal(
    _ key: DatabaseCatalog.ForeignKey, _ named: String, _ naming: String
  ) -> String {
    zip(key.targetColumns, key.columns).map { target, own in
      "\(named).\(target.quotedSQL) = \(naming).\(own.quotedSQL)"
    }.joined(separator: " AND ")
  }
}

/// The tables of a database that can be read.
struct ReadableTables: Sendable {
  let store: TripleStore
  /// The reasons why foreign tables cannot be read, keyed by namespace.
  let unreadable: [String: String]
  /// The strings in columns of JSON that look like other JSON; see ``WholeStore/jsonStrings``.
  let jsonStrings: [AttributeID: Set<EntityHandle>]
}

/// The purpose of loading a whole database.
enum ReadingPurpose {
  /// Reads all values for display, with BLOBs as sizes.
  case showing
  /// Reads all values for an export, with BLOBs in base64.
  case writing
  /// Reads the values for an import into a store of another kind.
  case importing

  fileprivate var bytes: AnswerView.Bytes {
    switch self {
    case .showing: .counted
    case .writing, .importing: .spelled
    }
  }
}
