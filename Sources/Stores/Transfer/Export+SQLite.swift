import GRDB
import InstaQL
import LiveQueries
import Triples

// Writes a SQLite database in one transaction.
extension Export {
  /// Writes a SQLite database.
  ///
  /// - Returns: The data that did not fit into tables, each as a sentence.
  func sqlite() throws -> [String] {
    let plan = TablePlan(store)
    let database = try DatabaseQueue(path: draft)
    defer { try? database.close() }
    try database.write { db in
      for statement in plan.tables.map(\.sql) + plan.pairs.map(\.sql) + [TablePlan.linkTable] {
        try db.execute(sql: statement)
      }
      // Foreign keys may reference rows that are inserted later, so they are checked at the end.
      try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
      var done = 0
      let total = plan.tables.reduce(0) { $0 + store.count(of: $1.namespace) }
      for table in plan.tables { try insert(table, db, &done, total) }
      for pairs in plan.pairs { try insert(pairs, db) }
      try insertNames(of: plan, db)
      let indexed =
        plan.tables.flatMap(\.indexed) + plan.pairs.map { ($0.name, $0.target) }
      for (number, (table, column)) in indexed.enumerated() {
        let name = "\(table)_\(column)_index\(number + 1)"
        try db.execute(
          sql: "CREATE INDEX \(name.quotedSQL) ON \(table.quotedSQL) (\(column.quotedSQL))")
      }
    }
    return plan.remarks
  }

  private func insert(
    _ table: TablePlan.Table, _ db: Database, _ done: inout Int, _ total: Int
  ) throws {
    let names = [table.keyName] + table.columns.map(\.name) + table.keys.map(\.name)
    let statement = try db.makeStatement(
      sql:
        "INSERT INTO \(table.name.quotedSQL) (\(names.map(\.quotedSQL).joined(separator: ", "))) "
        + "VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))")
    // Rowids are assigned in the order of creation.
    let rows = store.rows(of: table.namespace).handles
      .map { (time: store.createdAt($0, in: table.namespace), id: store.id(of: $0), handle: $0) }
      .sorted { ($0.time, $0.id) < ($1.time, $1.id) }
    for row in rows {
      var cells = [table.keyValue(of: row.handle, in: store).databaseValue]
      for column in table.columns {
        cells.append(cell(store.values(row.handle, column.attribute.id), column))
      }
      for key in table.keys {
        let target = key.end.targets(of: row.handle, in: store).first
        cells.append(
          target.map { key.end.table.keyValue(of: $0, in: store).databaseValue } ?? .null)
      }
      try statement.execute(arguments: StatementArguments(cells))
      done += 1
      if done & 0xFFF == 0 {
        progress(LoadingProgress(done: done, of: total, .rows))
        try Task.checkCancellation()
      }
    }
  }

  private func cell(_ values: [Value], _ column: TablePlan.Column) -> DatabaseValue {
    if column.attribute.cardinality == .many, !values.isEmpty {
      return JSONWriter.text(.array(values)).databaseValue
    }
    let value = values.first ?? .null
    if column.kind == .json { return JSONCell.cell(of: value, replacing: nil) }
    switch value {
    case .array, .object: return JSONWriter.text(value).databaseValue
    case .null, .bool, .integer, .double, .text: return value.databaseValue
    }
  }

  private func insert(_ pairs: TablePlan.Pairs, _ db: Database) throws {
    let statement = try db.makeStatement(
      sql: "INSERT OR IGNORE INTO \(pairs.name.quotedSQL) VALUES (?, ?)")
    for source in store.rows(of: pairs.end.attribute.namespace).handles {
      let key = pairs.source.table.keyValue(of: source, in: store).databaseValue
      for target in pairs.end.targets(of: source, in: store) {
        let other = pairs.end.table.keyValue(of: target, in: store).databaseValue
        try statement.execute(arguments: [key, other])
      }
    }
  }

  private func insertNames(of plan: TablePlan, _ db: Database) throws {
    let statement = try db.makeStatement(
      sql: "INSERT INTO \(TablePlan.linkNames.quotedSQL) VALUES (?, ?, ?, ?)")
    func insert(_ table: String, _ column: String, _ end: TablePlan.LinkEnd) throws {
      try statement.execute(arguments: [table, column, end.attribute.label, end.reverse])
    }
    for table in plan.tables {
      for key in table.keys { try insert(table.name, key.name, key.end) }
    }
    for pairs in plan.pairs { try insert(pairs.name, pairs.source.column, pairs.end) }
  }
}

extension TablePlan {
  fileprivate static let linkTable = """
    CREATE TABLE \(linkNames.quotedSQL) ("table" TEXT NOT NULL, "column" TEXT NOT NULL,
      "label" TEXT NOT NULL, "reverse" TEXT, PRIMARY KEY ("table", "column"))
    """
}

extension StoredKind {
  /// The declared type of the column in SQL. The type is empty for mixed values, so that SQLite
  /// does not convert them.
  fileprivate var sql: String {
    switch self {
    case .text: " TEXT"
    case .integer: " INTEGER"
    case .real: " REAL"
    case .boolean: " BOOLEAN"
    case .date: " DATETIME"
    case .json: " JSON"
    case .mixed: ""
    }
  }
}

extension TablePlan.Table {
  fileprivate var sql: String {
    let values = columns.map { column in
      column.name.quotedSQL + column.kind.sql + (column.isRequired ? " NOT NULL" : "")
        + (column.isUnique ? " UNIQUE" : "")
    }
    let links = keys.map { key in
      let onDelete =
        key.end.attribute.onDelete == .cascade
        ? " ON DELETE CASCADE" : key.isRequired ? "" : " ON DELETE SET NULL"
      return key.name.quotedSQL + key.end.table.keyType + (key.isRequired ? " NOT NULL" : "")
        + (key.isUnique ? " UNIQUE" : "") + " REFERENCES \(key.end.table.name.quotedSQL)\(onDelete)"
    }
    // In SQLite only a column declared as INTEGER contains the rowid.
    let key = keyName.quotedSQL + keyType + " NOT NULL PRIMARY KEY"
    let parts = [key] + values + links
    return "CREATE TABLE \(name.quotedSQL) (\n  \(parts.joined(separator: ",\n  "))\n)"
  }

  /// The declared type of the key.
  fileprivate var keyType: String { key?.kind.sql ?? StoredKind.text.sql }

  /// The columns that need an index: indexed attributes and foreign keys without a unique
  /// constraint.
  fileprivate var indexed: [(table: String, column: String)] {
    (columns.filter { $0.attribute.hasIndex && !$0.isUnique }.map(\.name)
      + keys.filter { !$0.isUnique }.map(\.name)).map { (name, $0) }
  }
}

extension TablePlan.Pairs {
  fileprivate var sql: String {
    let columns = [source, (target, end.table)].map { end in
      "\(end.column.quotedSQL)\(end.table.keyType) NOT NULL "
        + "REFERENCES \(end.table.name.quotedSQL) ON DELETE CASCADE"
    }
    return "CREATE TABLE \(name.quotedSQL) (\n  \(columns.joined(separator: ",\n  ")),\n  "
      + "PRIMARY KEY (\(source.column.quotedSQL), \(target.quotedSQL))\n)"
  }
}
