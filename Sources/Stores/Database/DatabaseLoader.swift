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
    var reading = DatabaseLoader(
      db: db, names: shape.names, progress: progress, purpose: purpose,
      store: purpose == .importing ? shape.emptyWithoutKeys : shape.empty)
    let namespaces = shape.names.namespaces.filter {
      !($0.table.isView || $0.table.isForeign) || views.contains($0.table.name)
    }
    try reading.countRows(of: namespaces, path: path)
    for namespace in namespaces {
      try naming(namespace.table.name) { try reading.load(namespace) }
    }
    for link in shape.names.links { try reading.load(link) }
    return reading.store
  }

  private init(
    db: Session, names: DatabaseNames, progress: ProgressReport, purpose: ReadingPurpose,
    store: TripleStore
  ) {
    (self.db, self.names, self.progress, self.store) = (db, names, progress, store)
    self.purpose = purpose
    spelling = BlobEncoder(purpose.bytes)
  }

  /// Adds the name of a table to an error of the server, which for a foreign table does not have it.
  private static func naming<Result>(
    _ table: String, _ read: () throws -> Result
  ) throws -> Result {
    do {
      return try read()
    } catch var error as PostgresError where !error.state.isEmpty && !error.isCancelled {
      error.message = "the table \(table) cannot be read: \(error.message)"
      throw error
    }
  }

  private mutating func countRows(
    of namespaces: [DatabaseNames.Namespace], path: String
  ) throws {
    for namespace in namespaces {
      let name = namespace.table.sqlRows
      let source =
        namespace.table.isView ? "(SELECT 1 FROM \(name) LIMIT \(maxViewRows + 1)) AS v" : name
      let count = try Self.naming(namespace.table.name) {
        let rows = try db.rows(of: SQLStatement(text: "SELECT count(*) FROM \(source) LIMIT 1"))
        defer { rows.reset() }
        return try rows.step() ? Int(rows.integer(0)) : 0
      }
      guard !namespace.table.isView || count <= maxViewRows else {
        throw AnswerLimit.view(namespace.table.name, limit: maxViewRows)
      }
      total += count
    }
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
    var place = 0
    while try statement.step() {
      _ = rows.read(statement, 0, place: place, into: &store)
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
        let cell = CellReader(key.attribute.checkedType, maxBytes: nil, spelling: spelling)
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
