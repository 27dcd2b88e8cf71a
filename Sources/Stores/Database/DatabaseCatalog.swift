import GRDB
import GRDBSQLite
import InstaQL
import Triples

/// The tables of a database with their columns, primary keys and foreign keys.
struct DatabaseCatalog: Sendable {
  private(set) var tables: [Table] = []
  /// Descriptions of the tables and columns that cannot be shown; empty if all can be shown.
  private(set) var leftOut: [String] = []
  /// The maximum number of columns that one statement reads, not counting key columns.
  private static let maxColumns = 1_990

  /// Creates a catalog of the given tables.
  init(tables: [Table], leftOut: [String]) {
    self.tables = tables
    self.leftOut = leftOut
    markReferenced()
  }

  private mutating func markReferenced() {
    let targets = Set(tables.flatMap(\.foreignKeys).map(\.target))
    for place in tables.indices {
      tables[place].isReferenced = targets.contains(tables[place].name)
    }
  }

  /// Reads the catalog of a SQLite database, without virtual tables and SQLite's own tables.
  ///
  /// - Parameter maxViewSteps: The maximum number of virtual-machine steps that reading all rows of a
  ///   view may take. All views together may take four times as many. Views that take more are named
  ///   as left out. Nil shows all views.
  init(_ db: Database, maxViewSteps: Int32? = nil) throws {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT name, wr FROM pragma_table_list
        WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        ORDER BY name
        """)
    let linkNames = try Self.linkNames(db)
    // The tables whose rows have neither a rowid nor a primary key, so that they cannot be shown.
    var unnumbered: [String] = []
    for row in rows where linkNames == nil || row["name"] != TablePlan.linkNames {
      var table = try Self.table(row["name"], db)
      table.linkNames = linkNames?[table.name] ?? [:]
      cutColumns(of: &table)
      if row["wr"] == 0 { try Self.addNumber(to: &table, db) }
      if table.number == nil, table.key.isEmpty {
        unnumbered.append(table.name)
      } else {
        tables.append(table)
      }
    }
    if !unnumbered.isEmpty {
      let noun = unnumbered.count == 1 ? "table" : "tables"
      leftOut.append(
        "\(unnumbered.count) \(noun) with neither a primary key nor a usable rowid "
          + "(\(unnumbered.joined(separator: ", ")))")
    }
    resolveTargets()
    markReferenced()
    try addViews(db, maxSteps: maxViewSteps)
    let virtual = try Self.names(ofType: "virtual", db)
    if !virtual.isEmpty {
      let noun = virtual.count == 1 ? "virtual table" : "virtual tables"
      leftOut.append("\(virtual.count) \(noun) (\(virtual.joined(separator: ", ")))")
    }
  }

  private mutating func cutColumns(of table: inout Table) {
    let excess = table.columns.count - Self.maxColumns
    guard excess > 0 else { return }
    leftOut.append(
      "the last \(excess) columns of \(table.name) (Sonde shows at most \(Self.maxColumns))")
    table.columns.removeLast(excess)
  }

  private static func names(ofType type: String, _ db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      sql: "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = ? ORDER BY name",
      arguments: [type])
  }

  /// Adds the views. A view that refers to a missing table or column is left out.
  private mutating func addViews(_ db: Database, maxSteps: Int32?) throws {
    var budget = maxSteps.map { ViewBudget(maxSteps: $0) }
    for name in try Self.names(ofType: "view", db) {
      do {
        if try budget?.canRead(name, db) == false {
          leftOut.append("the view \(name) (reading its rows takes too long)")
          continue
        }
        var view = Table(
          name: name, columns: try Self.columns(of: name, db).columns, key: [], foreignKeys: [])
        view.readOnlyReason = "is a view"
        view.isView = true
        cutColumns(of: &view)
        tables.append(view)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        leftOut.append("the view \(name) (\(error.message ?? "it is invalid"))")
      }
    }
  }

  /// The maximum number of rows of all views that are loaded into memory.
  static let maxViewRows = 200_000

  /// Returns the names of links that an export of Sonde recorded, by table and column; nil without
  /// a record.
  private static func linkNames(_ db: Database) throws -> [String: [String: LinkName]]? {
    let columns = try String.fetchAll(
      db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [TablePlan.linkNames])
    guard columns == ["table", "column", "label", "reverse"] else { return nil }
    var names: [String: [String: LinkName]] = [:]
    for row in try Row.fetchAll(db, sql: "SELECT * FROM \(TablePlan.linkNames)") {
      names[row["table"], default: [:]][row["column"]] = LinkName(
        label: row["label"], reverse: row["reverse"])
    }
    return names
  }

  func table(_ name: String) -> Table? { tables.first { $0.name == name } }

  /// Returns the columns of a table or view, and the names of its primary-key columns in order.
  private static func columns(
    of name: String, _ db: Database
  ) throws -> (columns: [Column], key: [String]) {
    var columns: [Column] = []
    var key: [(place: Int, name: String)] = []
    for row in try Row.fetchAll(
      db,
      sql: """
        SELECT name, type, pk, hidden, "notnull" AS needed, dflt_value IS NOT NULL AS has_default
        FROM pragma_table_xinfo(?) WHERE hidden <> 1
        """,
      arguments: [name])
    {
      let column: String = row["name"]
      columns.append(
        Column(
          name: column, type: (row["type"] as String? ?? "").uppercased(),
          isGenerated: row["hidden"] > 1, isRequired: row["needed"] == 1 && row["has_default"] == 0)
      )
      let place: Int = row["pk"]
      if place > 0 { key.append((place, column)) }
    }
    return (columns, key.sorted { $0.place < $1.place }.map(\.name))
  }

  private static func table(_ name: String, _ db: Database) throws -> Table {
    var (columns, key) = try columns(of: name, db)
    for unique in try String.fetchAll(
      db,
      sql: """
        SELECT max(i.name) FROM pragma_index_list(?) AS l, pragma_index_info(l.name) AS i
        WHERE l."unique" = 1 AND l.partial = 0
        GROUP BY l.name HAVING count(*) = 1 AND max(i.name) IS NOT NULL
        """, arguments: [name])
    {
      for place in columns.indices where columns[place].name == unique {
        columns[place].isUnique = true
      }
    }
    try addIndexes(to: &columns, of: name, db)
    var table = Table(
      name: name, columns: columns, key: key,
      foreignKeys: try foreignKeys(of: name, db))
    table.hasTriggers =
      try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'trigger'
          AND tbl_name = ? COLLATE NOCASE)
          """, arguments: [name]) ?? false
    return table
  }

  /// Records which columns begin an index, and by which collation it sorts all rows.
  private static func addIndexes(
    to columns: inout [Column], of table: String, _ db: Database
  ) throws {
    let indexes = try Row.fetchAll(
      db,
      sql: """
        SELECT i.name, upper(i.coll) AS collation, l.partial
        FROM pragma_index_list(?) AS l, pragma_index_xinfo(l.name) AS i
        WHERE i.seqno = 0 AND i.name IS NOT NULL
        """, arguments: [table])
    for place in columns.indices {
      let own = indexes.filter { $0["name"] == columns[place].name }
      columns[place].isIndexed = !own.isEmpty
      // Collations of other programs are unknown here. NOCASE is more like the query language.
      columns[place].indexCollation = ["NOCASE", "BINARY"].first { collation in
        own.contains { $0["partial"] == 0 && $0["collation"] == collation }
      }
    }
  }

  /// Determines the SQL name of the rowid. If a column is named `rowid`, the rowid has another
  /// name.
  private static func addNumber(to table: inout Table, _ db: Database) throws {
    let taken = Set(table.columns.map { $0.name.lowercased() })
    table.number = ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
    let keyIndices = try Int.fetchOne(
      db, sql: "SELECT count(*) FROM pragma_index_list(?) WHERE origin = 'pk'",
      arguments: [table.name])
    // A primary key that is an alias of the rowid has no index.
    table.isKeyNumber = table.key.isEmpty || table.key.count == 1 && keyIndices == 0
  }

  private static func foreignKeys(of table: String, _ db: Database) throws -> [ForeignKey] {
    var keys: [Int: ForeignKey] = [:]
    for row in try Row.fetchAll(
      db,
      sql:
        #"SELECT id, "table", "from", "to", on_delete FROM pragma_foreign_key_list(?) ORDER BY id, seq"#,
      arguments: [table])
    {
      let id: Int = row["id"]
      var key =
        keys[id] ?? ForeignKey(columns: [], target: row["table"], targetColumns: [])
      key.columns.append(row["from"])
      key.onDelete = ForeignKey.Deletion(row["on_delete"])
      if let column: String = row["to"] { key.targetColumns.append(column) }
      keys[id] = key
    }
    // SQLite lists foreign keys from the last to the first.
    return keys.sorted { $0.key > $1.key }.map(\.value)
  }

  /// Finds referenced tables and columns regardless of case. Removes keys to missing tables.
  private mutating func resolveTargets() {
    let places = Dictionary(
      tables.enumerated().map { ($1.name.lowercased(), $0) },
      uniquingKeysWith: { first, _ in first })
    for place in tables.indices {
      let found = tables[place].foreignKeys.compactMap { key -> ForeignKey? in
        guard let target = places[key.target.lowercased()].map({ tables[$0] }) else { return nil }
        var key = key
        key.target = target.name
        if key.targetColumns.isEmpty { key.targetColumns = target.key }
        key.targetColumns = key.targetColumns.map { column in
          target.columns.first { $0.name.lowercased() == column.lowercased() }?.name ?? column
        }
        return key.targetColumns.count == key.columns.count ? key : nil
      }
      tables[place].foreignKeys = Self.distinct(found)
    }
  }
}

extension String {
  /// The name of a table or column in quotes, for use in SQL.
  var quotedSQL: String {
    "\"" + escaping("\"", as: "\"\"") + "\""
  }
}

/// The remaining steps and rows for reading all views.
///
/// The cost of all views together is limited, so that a file with many slow views opens quickly.
private struct ViewBudget {
  /// The maximum number of steps for one view.
  private let maxSteps: Int32
  private var steps: Int32
  private var rows = DatabaseCatalog.maxViewRows

  init(maxSteps: Int32) { (self.maxSteps, steps) = (maxSteps, 4 * maxSteps) }

  /// Returns whether all rows of a view can be read with the remaining steps and rows.
  mutating func canRead(_ view: String, _ db: Database) throws -> Bool {
    guard steps > 0 else { return false }
    let statement = try db.makeStatement(
      sql: "SELECT * FROM \(view.quotedSQL) LIMIT \(rows + 1)")
    var count = 0
    let isRead = try db.withinSteps(min(steps, maxSteps)) {
      while try statement.step() { count += 1 }
    }
    steps -= sqlite3_stmt_status(statement.sqliteStatement, SQLITE_STMTSTATUS_VM_STEP, 0)
    guard isRead, count <= rows else { return false }
    rows -= count
    return true
  }
}
