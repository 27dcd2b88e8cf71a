import GRDB
import LiveQueries
import Triples

/// An SQLite database read into a store: a row is an entity, a foreign key a link.
///
/// A NULL is a null, at two bits each. In what is imported elsewhere it is nothing: stores that keep a
/// row for each value would grow with every empty cell, and no query tells the two apart.
///
/// Rows are as old as their numbers say, or where they have none as their place in the table.
struct DatabaseReading {
  private let db: Database
  private let names: DatabaseNames
  private let progress: ProgressReport
  private let purpose: Purpose
  private let spelling: BytesSpelling?
  private var store: TripleStore
  private var rowCount = 0
  private var total = 0

  /// What the data is read for.
  enum Purpose {
    /// As the database has it, but for bytes.
    case showing
    /// The same, and the bytes.
    case writing
    /// For a store of another kind.
    case importing

    fileprivate var bytes: AnswerView.Bytes {
      switch self {
      case .showing: .counted
      case .writing, .importing: .spelled
      }
    }
  }

  /// More rows are not taken into memory.
  static let mostRows = 20_000_000

  /// - Throws: ``StoreError`` when there are too many rows; what the database throws.
  static func load(
    _ shape: DatabaseShape, _ db: Database, path: String, for purpose: Purpose,
    progress: ProgressReport
  ) throws -> TripleStore {
    var reading = DatabaseReading(
      db: db, names: shape.names, progress: progress, purpose: purpose,
      store: purpose == .importing ? shape.emptyWithoutKeys : shape.empty)
    try reading.countRows(path: path)
    for namespace in shape.names.namespaces { try reading.load(namespace) }
    for link in shape.names.links { try reading.load(link) }
    return reading.store
  }

  private init(
    db: Database, names: DatabaseNames, progress: ProgressReport, purpose: Purpose,
    store: TripleStore
  ) {
    (self.db, self.names, self.progress, self.store) = (db, names, progress, store)
    self.purpose = purpose
    spelling = BytesSpelling(purpose.bytes)
  }

  private mutating func countRows(path: String) throws {
    for namespace in names.namespaces {
      let table = namespace.table.name.quotedSQL
      total += try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
    }
    guard total <= Self.mostRows else {
      throw StoreError.unreadable(
        path: path,
        reason: "it has \(total) rows, and no more than \(Self.mostRows) are taken into memory")
    }
  }

  private mutating func load(_ namespace: DatabaseNames.Namespace) throws {
    guard
      let rows = RowReader(
        namespace, in: store, labels: purpose == .importing ? namespace.labelsWithoutKeys : nil,
        mostBytes: nil, keepsNulls: purpose != .importing, spelling: spelling)
    else { return }
    let statement = try db.makeStatement(
      sql: """
        SELECT \(rows.selected.joined(separator: ", "))
        FROM \(namespace.table.name.quotedSQL)
        """)
    while try statement.step() {
      rowCount += 1
      _ = rows.read(statement, 0, place: rowCount, into: &store)
      if rowCount & 0xFFFF == 0 {
        progress(LoadingProgress(done: rowCount, of: total, .rows))
      }
    }
  }

  /// Links as the database itself would join the tables: a key that leads nowhere is none.
  private mutating func load(_ link: DatabaseNames.Link) throws {
    guard let source = names.namespace(link.attribute.namespace),
      let target = names.namespace(link.attribute.reverse?.namespace ?? "")
    else { return }
    let ids = source.ids.columns(of: "s") + target.ids.columns(of: "t")
    let second = Int32(source.ids.columns.count)
    let statement = try db.makeStatement(
      sql: "SELECT \(ids.joined(separator: ", ")) FROM \(Self.joined(link, source, target))")
    while try statement.step() {
      guard let from = store.handle(of: source.ids.id(statement, 0)),
        let to = store.handle(of: target.ids.id(statement, second))
      else { continue }
      let time = store.createdAt(from, in: link.attribute.namespace)
      store.insert(target: to, of: from, link.attribute.id, at: time)
    }
    if purpose == .importing, link.joined == nil { try loadKeys(of: link, source, target) }
  }

  /// The keys that lead nowhere: elsewhere a link that can be changed need not agree with its key, but
  /// without a link the key is all there is.
  private mutating func loadKeys(
    of link: DatabaseNames.Link, _ source: DatabaseNames.Namespace,
    _ target: DatabaseNames.Namespace
  ) throws {
    let keys = source.values.filter { $0.attribute.keyOf == link.attribute.id }
    let columns = source.ids.columns(of: "s") + keys.map { "s." + $0.column.name.quotedSQL }
    let named = link.key.columns.map { "s.\($0.quotedSQL) IS NOT NULL" }
    let statement = try db.makeStatement(
      sql: """
        SELECT \(columns.joined(separator: ", ")) FROM \(source.table.name.quotedSQL) AS s
        WHERE \(named.joined(separator: " AND ")) AND NOT EXISTS (
          SELECT 1 FROM \(target.table.name.quotedSQL) AS t WHERE \(Self.equal(link.key, "t", "s")))
        """)
    let first = Int32(source.ids.columns.count)
    while try statement.step() {
      guard let entity = store.handle(of: source.ids.id(statement, 0)) else { continue }
      let time = store.createdAt(entity, in: source.table.name)
      for (place, key) in keys.enumerated() {
        if store.column(of: key.attribute.id) == nil { store.addAttribute(key.attribute) }
        let cell = CellReader(key.attribute.checkedType, mostBytes: nil, spelling: spelling)
        _ = store.insert(
          cell.value(statement, first + Int32(place)), of: entity, key.attribute.id, at: time)
      }
    }
  }

  private static func joined(
    _ link: DatabaseNames.Link, _ source: DatabaseNames.Namespace,
    _ target: DatabaseNames.Namespace
  ) -> String {
    let (from, to) = (source.table.name.quotedSQL, target.table.name.quotedSQL)
    guard let joined = link.joined else {
      return "\(from) AS s JOIN \(to) AS t ON \(equal(link.key, "t", "s"))"
    }
    return "\(link.table.quotedSQL) AS j JOIN \(from) AS s ON \(equal(link.key, "s", "j"))"
      + " JOIN \(to) AS t ON \(equal(joined, "t", "j"))"
  }

  /// The column that is named stands first: by its rules the two are compared.
  private static func equal(
    _ key: DatabaseCatalog.ForeignKey, _ named: String, _ naming: String
  ) -> String {
    zip(key.targetColumns, key.columns).map { target, own in
      "\(named).\(target.quotedSQL) = \(naming).\(own.quotedSQL)"
    }.joined(separator: " AND ")
  }
}
