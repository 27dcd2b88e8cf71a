import GRDB
import GRDBSQLite
import LiveQueries
import Triples

/// An SQLite database read into a store: a row is an entity, a foreign key a link.
///
/// An entity's id is made from its table and its key, so that it is the same at each reading; a key
/// that is a UUID is the id. Rows are as old as their place in the table says, which keeps their order.
struct DatabaseReading {
  private let db: Database
  private let names: DatabaseNames
  private let progress: ProgressReport
  private var store = TripleStore()
  private var rowCount = 0
  private var total = 0

  /// More rows are not taken into memory.
  static let mostRows = 20_000_000

  static func load(
    _ db: Database, path: String, progress: ProgressReport
  ) throws -> TripleStore {
    let catalog = try DatabaseCatalog(db)
    var reading = DatabaseReading(
      db: db, names: DatabaseNames(catalog), progress: progress)
    try reading.countRows(catalog, path: path)
    try reading.loadAll()
    return reading.store
  }

  private init(db: Database, names: DatabaseNames, progress: ProgressReport) {
    (self.db, self.names, self.progress) = (db, names, progress)
  }

  private mutating func countRows(_ catalog: DatabaseCatalog, path: String) throws {
    for table in catalog.tables {
      total += try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table.name.quotedSQL)") ?? 0
    }
    guard total <= Self.mostRows else {
      throw StoreError.unreadable(
        path: path,
        reason: "it has \(total) rows, and no more than \(Self.mostRows) are taken into memory")
    }
  }

  private mutating func loadAll() throws {
    for namespace in names.namespaces {
      store.addAttribute(namespace.identity)
      for value in namespace.values { store.addAttribute(value.attribute) }
    }
    for link in names.links { store.addAttribute(link.attribute) }
    for namespace in names.namespaces { try load(namespace) }
    for link in names.links {
      if link.joined == nil { try load(link) } else { try loadJoin(link) }
    }
  }

  // MARK: Rows

  private mutating func load(_ namespace: DatabaseNames.Namespace) throws {
    let table = namespace.table
    let key = Self.key(of: table)
    let columns = namespace.values.map(\.column.name.quotedSQL)
    let statement = try db.makeStatement(
      sql: "SELECT \((key + columns).joined(separator: ", ")) FROM \(table.name.quotedSQL)")
    let numbers = namespace.values.compactMap { store.column(of: $0.attribute.id) }
    guard let identity = store.column(of: namespace.identity.id) else { return }
    var kinds = namespace.values.map { ColumnKinds(declared: $0.column.type) }
    while try statement.step() {
      rowCount += 1
      let time = Int64(rowCount)
      let entity = store.makeEntity(
        Self.id(table.name, statement, 0, key.count), in: table.name)
      store.load(member: entity, column: identity, at: time)
      for (place, number) in numbers.enumerated() {
        let value = kinds[place].value(statement, Int32(key.count + place))
        if value == .null { continue }
        _ = store.insert(value, of: entity, column: number, at: time)
      }
      if rowCount & 0xFFFF == 0 {
        progress(LoadingProgress(done: rowCount, of: total, .rows))
      }
    }
    for (value, kind) in zip(namespace.values, kinds) {
      var attribute = value.attribute
      attribute.checkedType = kind.onlyType
      store.addAttribute(attribute)
    }
  }

  // MARK: Links

  private mutating func load(_ link: DatabaseNames.Link) throws {
    guard let table = names.namespaces.first(where: { $0.table.name == link.table })?.table,
      let end = try end(of: link.key)
    else { return }
    let own = Self.key(of: table)
    let columns = link.key.columns.map(\.quotedSQL)
    let statement = try db.makeStatement(
      sql: """
        SELECT \((own + columns).joined(separator: ", ")) FROM \(table.name.quotedSQL)
        WHERE \(columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))
        """)
    while try statement.step() {
      let source = Self.id(table.name, statement, 0, own.count)
      guard let target = end.id(statement, Int32(own.count), columns.count) else { continue }
      connect(source, target, link)
    }
  }

  private mutating func loadJoin(_ link: DatabaseNames.Link) throws {
    guard let joined = link.joined, let from = try end(of: link.key), let to = try end(of: joined)
    else { return }
    let first = link.key.columns.map(\.quotedSQL)
    let all = first + joined.columns.map(\.quotedSQL)
    let statement = try db.makeStatement(
      sql: """
        SELECT \(all.joined(separator: ", ")) FROM \(link.table.quotedSQL)
        WHERE \(all.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))
        """)
    while try statement.step() {
      guard let source = from.id(statement, 0, first.count),
        let target = to.id(statement, Int32(first.count), joined.columns.count)
      else { continue }
      connect(source, target, link)
    }
  }

  private mutating func connect(
    _ source: EntityID, _ target: EntityID, _ link: DatabaseNames.Link
  ) {
    let attribute = link.attribute
    let from = store.makeEntity(source, in: attribute.namespace)
    let to = store.makeEntity(target, in: attribute.reverse?.namespace ?? "")
    let time = store.createdAt(from, in: attribute.namespace)
    store.insert(target: to, of: from, attribute.id, at: time)
  }

  /// How the values of a foreign key name an entity.
  private struct LinkEnd {
    let table: String
    /// The entities by what names them, where that is not their key.
    var others: [String: EntityID]?

    func id(_ statement: Statement, _ first: Int32, _ count: Int) -> EntityID? {
      guard let others else { return DatabaseReading.id(table, statement, first, count) }
      return others[DatabaseReading.text(statement, first, count)]
    }
  }

  private func end(of key: DatabaseCatalog.ForeignKey) throws -> LinkEnd? {
    guard let target = names.namespaces.first(where: { $0.table.name == key.target })?.table
    else { return nil }
    if key.targetColumns == target.key { return LinkEnd(table: target.name) }
    let own = Self.key(of: target)
    let named = key.targetColumns.map(\.quotedSQL)
    let statement = try db.makeStatement(
      sql: "SELECT \((own + named).joined(separator: ", ")) FROM \(target.name.quotedSQL)")
    var others: [String: EntityID] = [:]
    while try statement.step() {
      others[Self.text(statement, Int32(own.count), named.count)] =
        Self.id(target.name, statement, 0, own.count)
    }
    return LinkEnd(table: target.name, others: others)
  }

  // MARK: Names of rows

  private static func key(of table: DatabaseCatalog.Table) -> [String] {
    table.key.isEmpty ? ["rowid"] : table.key.map(\.quotedSQL)
  }

  fileprivate static func id(
    _ table: String, _ statement: Statement, _ first: Int32, _ count: Int
  ) -> EntityID {
    let key = text(statement, first, count)
    if count == 1 {
      let id = EntityID(key)
      if id.isUUID { return id }
    }
    return EntityID.derived(from: "\(table)/\(key)")
  }

  /// The values of a key as one text; parts cannot run into each other.
  fileprivate static func text(_ statement: Statement, _ first: Int32, _ count: Int) -> String {
    if count == 1 { return statement.text(first) }
    return (0..<Int32(count)).map { place in
      let part = statement.text(first + place)
      return "\(part.utf8.count):\(part)"
    }.joined()
  }
}

/// Which kinds of values a column holds, and the values as they are meant.
private struct ColumnKinds {
  private let isTruth: Bool
  private let isDate: Bool
  private var seen: Set<CheckedType> = []
  private var hasOthers = false

  init(declared type: String) {
    isTruth = type.contains("BOOL")
    isDate = type.contains("DATE") || type.contains("TIME")
  }

  /// The one type that all values are of.
  var onlyType: CheckedType? { seen.count == 1 && !hasOthers ? seen.first : nil }

  mutating func value(_ statement: Statement, _ column: Int32) -> Value {
    switch statement.type(column) {
    case SQLITE_NULL: return .null
    case SQLITE_INTEGER:
      let number = statement.integer(column)
      if isTruth, number == 0 || number == 1 {
        seen.insert(.boolean)
        return .bool(number == 1)
      }
      seen.insert(.number)
      return .integer(number)
    case SQLITE_FLOAT:
      let number = statement.double(column)
      seen.insert(.number)
      return number.isFinite ? .double(number) : .null
    case SQLITE_TEXT:
      let text = statement.text(column)
      seen.insert(isDate && Instant(text) != nil ? .date : .string)
      return .text(text)
    default:
      hasOthers = true
      return ["bytes": .integer(Int64(statement.withBytes(column) { $0.count }))]
    }
  }
}
