import GRDB
import InstaQL
import Triples

/// The tables of an SQLite database: their columns, keys, and which of them lead to other tables.
struct DatabaseCatalog: Sendable {
  struct Column: Sendable {
    var name: String
    /// As declared, in upper case; empty when nothing is.
    var type: String
    var isUnique = false
    /// Whether the database works its values out of others.
    var isGenerated = false
    /// Whether each row must be given a value.
    var isRequired = false
    /// Of a database whose columns hold values of their types alone.
    var sqlType: SQLColumnType?
  }

  struct ForeignKey: Sendable {
    var columns: [String]
    var target: String
    /// The columns of the target that these name; its key unless the table says otherwise.
    var targetColumns: [String]
    /// What becomes of the rows when the one that they lead to is deleted.
    var onDelete = Deletion.keep

    enum Deletion: Sendable {
      /// They go with it.
      case cascade
      /// They lead nowhere, or elsewhere, from then on.
      case clear
      /// They keep it from being deleted, at once or once all is done.
      case keep

      /// - Parameter words: As SQLite says them.
      init(_ words: String) {
        self =
          switch words {
          case "CASCADE": .cascade
          case "SET NULL", "SET DEFAULT": .clear
          default: .keep
          }
      }
    }
  }

  struct LinkName: Sendable {
    var label: String
    var reverse: String?
  }

  struct Table: Sendable {
    var name: String
    var columns: [Column]
    /// The columns of the primary key in order; none where only the row number names a row.
    var key: [String]
    var foreignKeys: [ForeignKey]
    /// The name of its row number, such as `rowid`; nil if it has none.
    var number: String?
    /// Whether the key is nothing but the row's number.
    var isKeyNumber = false
    /// Whether it has triggers, which may change or delete rows when one is written.
    var hasTriggers = false
    /// The name as SQL writes it, where more than quotes belong to it.
    var qualifiedName: String?
    /// How many rows there are by the statistics of the database, where it keeps any.
    var estimate: Int?
    /// What links are called, by the columns of their keys, where an export of Sonde wrote them down.
    var linkNames: [String: LinkName] = [:]
    /// Whether its rows can never be changed.
    var isReadOnly = false

    /// The name as SQL writes it.
    var sqlName: String { qualifiedName ?? name.quotedSQL }

    /// The columns that say no more than which row of another table is meant.
    var linkColumns: Set<String> { Set(foreignKeys.flatMap(\.columns)) }

    /// Whether its rows only join rows of two others: two foreign keys, and nothing else but a key.
    var isJoin: Bool {
      // What was a namespace has a name for each of its links.
      guard foreignKeys.count == 2, linkNames.count < 2 else { return false }
      let others = columns.filter { !linkColumns.contains($0.name) }
      return others.allSatisfy { key == [$0.name] }
    }
  }

  private(set) var tables: [Table] = []
  /// What is not shown, in words; empty when everything is.
  private(set) var leftOut: [String] = []
  /// The maximum number of columns of one statement, apart from those of the key.
  private static let mostColumns = 1_990

  /// The catalog of a database that was read elsewhere.
  init(tables: [Table], leftOut: [String]) {
    self.tables = tables
    self.leftOut = leftOut
  }

  /// Reads the catalogue; views, virtual tables and those of SQLite itself are left out.
  init(_ db: Database) throws {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT name, wr FROM pragma_table_list
        WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        ORDER BY name
        """)
    let linkNames = try Self.linkNames(db)
    // Nothing tells the rows of such a table apart.
    var unnumbered: [String] = []
    for row in rows where linkNames == nil || row["name"] != TablePlan.linkNames {
      var table = try Self.table(row["name"], db)
      table.linkNames = linkNames?[table.name] ?? [:]
      if table.columns.count > Self.mostColumns {
        leftOut.append(
          "the last \(table.columns.count - Self.mostColumns) columns of \(table.name)")
        table.columns.removeLast(table.columns.count - Self.mostColumns)
      }
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
        "\(unnumbered.count) \(noun) without a key whose columns hide the row's number "
          + "(\(unnumbered.joined(separator: ", ")))")
    }
    resolveTargets()
    for (type, name) in [("view", "view"), ("virtual", "virtual table")] {
      let names = try String.fetchAll(
        db,
        sql: "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = ? ORDER BY name",
        arguments: [type])
      if !names.isEmpty {
        let noun = names.count == 1 ? name : name + "s"
        leftOut.append("\(names.count) \(noun) (\(names.joined(separator: ", ")))")
      }
    }
  }

  /// What an export of Sonde calls links, by table and column; nil where none wrote them down.
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

  private static func table(_ name: String, _ db: Database) throws -> Table {
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
    for unique in try String.fetchAll(
      db,
      sql: """
        SELECT max(i.name) FROM pragma_index_list(?) AS l, pragma_index_info(l.name) AS i
        WHERE l."unique" = 1 AND l.partial = 0 AND i.name IS NOT NULL
        GROUP BY l.name HAVING count(*) = 1
        """, arguments: [name])
    {
      for place in columns.indices where columns[place].name == unique {
        columns[place].isUnique = true
      }
    }
    var table = Table(
      name: name, columns: columns,
      key: key.sorted { $0.place < $1.place }.map(\.name),
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

  /// Finds out by which name rows can be had by number: a column may have the name itself.
  private static func addNumber(to table: inout Table, _ db: Database) throws {
    let taken = Set(table.columns.map { $0.name.lowercased() })
    table.number = ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
    let keyIndices = try Int.fetchOne(
      db, sql: "SELECT count(*) FROM pragma_index_list(?) WHERE origin = 'pk'",
      arguments: [table.name])
    // A key that is the number needs no index.
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
    // SQLite counts them from the last to the first.
    return keys.sorted { $0.key > $1.key }.map(\.value)
  }

  /// Names of tables and columns are the same in either case; those that lead nowhere are dropped.
  private mutating func resolveTargets() {
    for place in tables.indices {
      tables[place].foreignKeys = tables[place].foreignKeys.compactMap { key in
        guard let target = tables.first(where: { $0.name.lowercased() == key.target.lowercased() })
        else { return nil }
        var key = key
        key.target = target.name
        if key.targetColumns.isEmpty { key.targetColumns = target.key }
        key.targetColumns = key.targetColumns.map { column in
          target.columns.first { $0.name.lowercased() == column.lowercased() }?.name ?? column
        }
        return key.targetColumns.count == key.columns.count ? key : nil
      }
    }
  }
}

extension String {
  /// The name of a table or column as SQL writes it.
  var quotedSQL: String {
    "\"" + escaping("\"", as: "\"\"") + "\""
  }
}
