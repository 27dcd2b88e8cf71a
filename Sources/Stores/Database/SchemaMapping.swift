import FoundationEssentials
import GRDB
import GRDBSQLite
import InstaQL
import Triples

/// The mapping of a database to namespaces, attributes and links, with its SQL dialect.
struct SchemaMapping: Sendable {
  private(set) var names: DatabaseNames
  private(set) var schema: Schema
  private(set) var sql = SQLNames()
  /// The SQL dialect of the database.
  let dialect: SQLDialect
  /// Descriptions of the parts that cannot be shown.
  let leftOut: [String]
  /// The reason why the database sorts all strings by its own collation, as a clause; nil if it does
  /// not.
  private(set) var ownOrderReason: String?
  /// The maximum number of rows to count for a screen; nil counts all.
  var maxCounted: Int? { sql.isTyped ? PostgresCatalog.maxSmallTable : nil }

  /// The limits for reading one result; nil if there are none.
  private(set) var limits: ReadingLimits?

  /// A store with the attributes of all tables and no entities.
  private(set) var empty = TripleStore()

  /// The number of rows that are read to determine the type of an untyped column.
  private static let rowsSeen = 1_000
  /// The maximum number of virtual-machine steps in SQLite that reading a view's rows may take,
  /// about 20 ms.
  private static let maxSteps: Int32 = 2_000_000
  /// The maximum number of views that may exceed `maxSteps`. After that, no further view is read.
  private static let maxSlowViews = 5

  /// The namespaces of views.
  var views: Set<String> {
    Set(names.namespaces.filter(\.table.isView).map(\.table.name))
  }

  /// The namespaces of foreign tables.
  var foreignTables: Set<String> {
    Set(names.namespaces.filter(\.table.isForeign).map(\.table.name))
  }

  /// Reads the schema of a SQLite database.
  ///
  /// - Parameters:
  ///   - isInMemory: Whether all rows are read into memory. Views whose rows take long are then not
  ///     namespaces.
  ///   - limits: Only the limit for sorted texts is used.
  init(_ db: Database, isInMemory: Bool = false, limits: ReadingLimits) throws {
    let catalog = try DatabaseCatalog(db, maxViewSteps: isInMemory ? Self.maxSteps : nil)
    var names = DatabaseNames(catalog)
    var slowViews = 0
    for place in names.namespaces.indices {
      guard names.namespaces[place].table.isView else {
        try Self.setTypes(&names, of: place, db)
        continue
      }
      // Reading the rows of a view may take any amount of time. If it takes too long, the types of
      // the view's columns stay unknown.
      guard slowViews < Self.maxSlowViews else { continue }
      let isRead = try db.withinSteps(Self.maxSteps) {
        try Self.setTypes(&names, of: place, db)
      }
      if !isRead { slowViews += 1 }
    }
    self.init(names, leftOut: catalog.leftOut, .sqlite)
    nameColumns()
    nameIndexOrders(db, maxSortedTexts: limits.sortedTexts)
  }

  /// Creates the mapping of a PostgreSQL catalog.
  init(_ catalog: PostgresCatalog, limits: ReadingLimits) {
    let tables = catalog.databaseCatalog
    self.init(DatabaseNames(tables), leftOut: tables.leftOut, .postgres)
    empty.setPartitions(catalog.tablesOfPartitions)
    schema = empty.schema
    sql.isUnicode = catalog.isUnicode
    for table in tables.tables { sql.qualified[table.name] = table.sqlRows }
    nameTypedColumns()
    ownOrderReason = catalog.ownOrderReason
    self.limits = limits
  }

  /// Creates the mapping of an app of an Instant server.
  init(_ tables: InstantTables, limits: ReadingLimits) {
    self.init(tables.names, leftOut: tables.leftOut, .postgres)
    sql.isUnicode = tables.isUnicode
    sql.creation = InstantTables.creation
    sql.cells = tables.cells
    for namespace in names.namespaces {
      sql.qualified[namespace.table.name] = namespace.table.sqlName
    }
    for link in names.links { sql.qualified[link.table] = link.sqlName }
    for attribute in tables.others { empty.addAttribute(attribute) }
    schema = empty.schema
    nameTypedColumns()
    ownOrderReason = tables.ownOrderReason
    self.limits = limits
  }

  /// Records the names of an earlier mapping of the database, so that queries of names that no longer
  /// exist can be reported.
  mutating func rememberNames(of earlier: SchemaMapping) {
    empty.rememberNames(of: earlier.schema)
    schema = empty.schema
  }

  private mutating func nameTypedColumns() {
    sql.isTyped = true
    sql.columns.reserveCapacity(schema.attributes.count)
    sql.types.reserveCapacity(schema.attributes.count)
    for namespace in names.namespaces {
      let table = namespace.table
      for value in namespace.values {
        sql.columns[value.attribute.id] = value.column.name
        sql.types[value.attribute.id] = value.column.sqlType
      }
      if (table.estimate ?? .max) > PostgresCatalog.maxSmallTable { sql.large.insert(table.name) }
      sql.rowKeys[table.name] = namespace.ids.typedKey(of: table)
    }
    nameLinks()
  }

  private init(_ names: DatabaseNames, leftOut: [String], _ dialect: SQLDialect) {
    self.names = names
    self.leftOut = leftOut
    self.dialect = dialect
    schema = Schema()
    for namespace in names.namespaces {
      empty.addAttribute(namespace.identity)
      for value in namespace.values { empty.addAttribute(value.attribute) }
    }
    for link in names.links { empty.addAttribute(link.attribute) }
    schema = empty.schema
  }

  /// An empty store with the schema that imports use. It has no foreign-key columns and no
  /// constraints.
  var emptyWithoutKeys: TripleStore {
    var store = TripleStore()
    let views = views
    for attribute in schema.attributes
    where attribute.keyOf == nil && !views.contains(attribute.namespace) {
      var attribute = schema.portable(attribute)
      attribute.isRequired = false
      attribute.onDelete = nil
      attribute.isColumn = false
      attribute.column = nil
      attribute.removeDatabaseProperties()
      store.addAttribute(attribute)
    }
    return store
  }

  private static func setTypes(
    _ names: inout DatabaseNames, of place: Int, _ db: Database
  ) throws {
    let namespace = names.namespaces[place]
    var unsure: [Int] = []
    for (column, value) in namespace.values.enumerated() {
      if let type = ColumnKinds.sureType(declared: value.column.type) {
        names.setType(type, of: column, in: place)
      } else if value.column.type != "BLOB", !value.column.isJSON {
        unsure.append(column)
      }
    }
    if unsure.isEmpty { return }
    let columns = unsure.map { namespace.values[$0].column.name.quotedSQL }
    let statement = try db.makeStatement(
      sql: """
        SELECT \(columns.joined(separator: ", ")) FROM \(namespace.table.name.quotedSQL)
        LIMIT \(rowsSeen)
        """)
    var kinds = unsure.map { ColumnKinds(declared: namespace.values[$0].column.type) }
    while try statement.step() {
      for column in kinds.indices { kinds[column].see(statement, Int32(column)) }
    }
    for (column, kind) in zip(unsure, kinds) {
      names.setType(kind.onlyType, of: column, in: place)
    }
  }

  private mutating func nameColumns() {
    sql.isLoose = true
    sql.instants = Self.instants.name
    sql.collation = Self.collation.name
    for namespace in names.namespaces {
      for value in namespace.values {
        sql.columns[value.attribute.id] = value.column.name
        if value.column.isJSON { sql.documents.insert(value.attribute.id) }
      }
      guard let key = namespace.ids.sqlKey else {
        if namespace.ids.isEmpty { sql.rowKeys[namespace.table.name] = SQLRowKey(locator: []) }
        continue
      }
      sql.rowKeys[namespace.table.name] = SQLRowKey(
        locator: [SQLRowKey.Column(key.number)], function: RowIDs.function.name,
        columns: key.columns, high: key.high)
    }
    nameLinks()
  }

  /// Finds the columns of large tables whose texts are sorted in the order of an index.
  private mutating func nameIndexOrders(_ db: Database, maxSortedTexts: Int) {
    for namespace in names.namespaces {
      let texts = namespace.values.filter {
        $0.attribute.checkedType == .string && $0.column.indexCollation != nil
      }
      // A damaged table counts as small, so that the other tables can be shown.
      guard !texts.isEmpty,
        (try? db.hasMoreRows(than: maxSortedTexts, in: namespace.table)) == true
      else { continue }
      for text in texts { sql.collations[text.attribute.id] = text.column.indexCollation }
    }
  }

  private mutating func nameLinks() {
    for link in names.links {
      let own = zip(link.key.columns, link.key.targetColumns).map { SQLJoin.Match($0, $1) }
      if let joined = link.joined {
        let others = zip(joined.columns, joined.targetColumns).map { SQLJoin.Match($0, $1) }
        sql.joins[link.attribute.id] = .pairs(table: link.table, source: own, target: others)
      } else {
        sql.joins[link.attribute.id] = .columns(own)
      }
    }
  }

  // MARK: SQL functions and collations

  /// The SQLite collation that sorts texts as the query language does.
  static let collation = DatabaseCollation("sonde_language") { a, b in
    let order = Collation.compare(a, b)
    return order < 0 ? .orderedAscending : order > 0 ? .orderedDescending : .orderedSame
  }

  /// The SQL function `sonde_instant(date)`: the date in milliseconds; NULL for anything else.
  static let instants = DatabaseFunction("sonde_instant", argumentCount: 1, pure: true) { values in
    switch values[0].storage {
    case .string(let text): Instant(text)?.milliseconds
    case .int64(let number): Instant(milliseconds: number)?.milliseconds
    case .double(let number): Instant(milliseconds: number)?.milliseconds
    case .null, .blob: nil
    }
  }

  /// Registers the SQL functions and collations that queries use.
  static func registerFunctions(in db: Database) {
    db.add(collation: collation)
    db.add(function: instants)
    db.add(function: RowIDs.function)
    for function in JSONFunctions.all { db.add(function: function) }
  }
}

extension SchemaMapping {
  /// Returns a remark about parts of the database that Sonde hides or cannot change; nil if there
  /// are none.
  func remark(for access: StoreAccess) -> String? {
    var remarks: [String] = leftOut.isEmpty ? [] : ["Not shown: " + leftOut.joined(separator: ", ")]
    let fixed = names.namespaces.map(\.table)
      .filter { access != .readOnly && $0.fixedReason != nil }
    for (reason, tables) in Dictionary(grouping: fixed, by: { $0.fixedReason ?? "" })
      .sorted(by: { $0.key < $1.key })
    {
      let names = tables.map(\.name)
      let some = names.prefix(10).joined(separator: ", ") + (names.count > 10 ? ", …" : "")
      remarks.append(
        names.count == 1
          ? "\(some) \(reason), so Sonde cannot change its rows"
          : "Sonde cannot change these, because each \(reason): \(some)")
    }
    return remarks.isEmpty ? nil : remarks.joined(separator: ". ")
  }
}

extension Database {
  /// The number of bytes of a file for which a row is assumed.
  private static let bytesPerRow: Int64 = 64

  /// Returns whether a table has more rows than `count`, by an estimate if there are many.
  ///
  /// The range of the rowids is quickly read. The rows are counted only if there are no rowids, or
  /// if their range is too large for the file, because many are unused.
  ///
  /// - Complexity: O(`count`)
  fileprivate func hasMoreRows(
    than count: Int, in table: DatabaseCatalog.Table
  ) throws -> Bool {
    if let number = table.number {
      let ends = try Row.fetchOne(
        self,
        sql: """
          SELECT (SELECT max(\(number)) FROM \(table.sqlName)),
            (SELECT min(\(number)) FROM \(table.sqlName)), page_count * page_size
          FROM pragma_page_count, pragma_page_size
          """)
      guard let ends, let last = ends[0] as Int64?, let first = ends[1] as Int64?
      else { return false }
      let (range, overflows) = last.subtractingReportingOverflow(first)
      if !overflows, range < count { return false }
      if !overflows, range <= (ends[2] as Int64) / Self.bytesPerRow { return true }
    }
    let counted = try Int.fetchOne(
      self,
      sql: "SELECT count(*) FROM (SELECT 1 FROM \(table.sqlName) LIMIT ?)",
      arguments: [count + 1])
    return (counted ?? 0) > count
  }
}
