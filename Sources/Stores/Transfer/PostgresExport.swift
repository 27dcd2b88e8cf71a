import InstaQL
public import LiveQueries
import Triples

// Writes a PostgreSQL database.
extension StoreExport {
  /// Writes a store into a PostgreSQL database as tables, in one transaction.
  ///
  /// - Parameter isReplacing: Whether tables of the same names are replaced.
  /// - Returns: The data that the export lacks, each as a sentence for the user.
  /// - Throws: ``StoreError`` if a table with the name of a namespace exists and is not replaced,
  ///   if the database belongs to an Instant server, or if the server rejects a statement. Nothing
  ///   is written then.
  @concurrent @discardableResult
  public static func write(
    _ content: WholeStore, to parameters: PostgresParameters, isReplacing: Bool = false,
    progress: ProgressReport = .unread
  ) async throws(StoreError) -> [String] {
    try await write(
      content, to: PostgresTarget(parameters), isReplacing: isReplacing, progress: progress)
  }

  /// Writes a store into a PostgreSQL database, as ``write(_:to:isReplacing:progress:)`` does.
  @concurrent
  package static func write(
    _ content: WholeStore, to target: PostgresTarget, isReplacing: Bool = false,
    progress: ProgressReport = .unread
  ) async throws(StoreError) -> [String] {
    let parameters = target.parameters
    do {
      let remarks = try await target.connection.write { session in
        if try InstantApps.haveTables(session) {
          throw StoreError.unwritable(path: parameters.shown, reason: InstantWords.noExport)
        }
        var export = PostgresExport(content, session, progress)
        return try export.run(isReplacing: isReplacing)
      }
      await target.connection.close()
      return remarks + content.attachments.remarks
    } catch let error as ExistingTables {
      throw .unwritable(path: parameters.shown, reason: error.description)
    } catch {
      throw StoreError(writing: error, to: parameters)
    }
  }

  /// The error that an export would overwrite existing tables.
  fileprivate struct ExistingTables: Error, CustomStringConvertible {
    let names: [String]

    var description: String {
      let some = names.prefix(10).joined(separator: ", ") + (names.count > 10 ? ", …" : "")
      let noun = names.count == 1 ? "a table" : "tables"
      return "the database already has \(noun) named \(some). Use another database, or --force to "
        + "replace \(names.count == 1 ? "it" : "them")"
    }
  }
}

/// Writes tables within a transaction of a PostgreSQL server.
private struct PostgresExport {
  private let store: TripleStore
  private let session: PostgresSession
  private let progress: ProgressReport
  private let plan: TablePlan
  private var remarks: [String]
  /// The SQL type of the primary keys, keyed by table.
  private var keyTypes: [String: String] = [:]
  private var columns: [String: [PostgresColumnPlan]] = [:]
  private var done = 0

  /// The number of rows that one statement inserts.
  private static let rowsAtOnce = 1_000

  init(_ content: WholeStore, _ session: PostgresSession, _ progress: ProgressReport) {
    let store = content.store
    (self.store, self.session, self.progress) = (store, session, progress)
    plan = TablePlan(store, for: .postgres)
    remarks = plan.remarks
    for table in plan.tables {
      let rows = store.rows(of: table.namespace).handles
      keyTypes[table.name] = Self.keyType(of: table, rows, store)
      columns[table.name] = table.columns.map { column in
        PostgresColumnPlan(
          column, rows, store, strings: content.jsonStrings[column.attribute.id] ?? [])
      }
    }
  }

  mutating func run(isReplacing: Bool) throws -> [String] {
    try session.allowLongTransaction()
    try removeTables(isReplacing: isReplacing)
    for table in plan.tables { try session.run(sql(table)) }
    for pairs in plan.pairs { try session.run(sql(pairs)) }
    try session.run(Self.linkTable)
    for table in plan.tables { try insert(table) }
    for pairs in plan.pairs { try insert(pairs) }
    try insertNames()
    try addConstraints()
    for table in plan.tables {
      for column in columns[table.name] ?? [] {
        if let remark = column.remark {
          remarks.append("\(table.namespace).\(column.plan.attribute.label): \(remark).")
        }
      }
    }
    return remarks
  }

  // MARK: Tables

  private func removeTables(isReplacing: Bool) throws {
    let names = plan.tables.map(\.name) + plan.pairs.map(\.name) + [TablePlan.linkNames]
    let found = try session.rows(
      """
      SELECT c.relname FROM pg_catalog.pg_class AS c
      WHERE c.relname = ANY ($1::text[]) AND c.relnamespace = (
        SELECT n.oid FROM pg_catalog.pg_namespace AS n
        WHERE n.nspname = pg_catalog.current_schema())
      LIMIT 100000
      """, [Self.array(names)])
    var existing: [String] = []
    while try found.step() { existing.append(found.text(0)) }
    if existing.isEmpty { return }
    guard isReplacing else { throw StoreExport.ExistingTables(names: existing.sorted()) }
    let tables = existing.map(\.quotedSQL).joined(separator: ", ")
    try session.run("DROP TABLE \(tables)")
  }

  private static let linkTable = """
    CREATE TABLE \(TablePlan.linkNames.quotedSQL) ("table" text NOT NULL, "column" text NOT NULL,
      "label" text NOT NULL, "reverse" text, PRIMARY KEY ("table", "column"))
    """

  private func sql(_ table: TablePlan.Table) -> String {
    let values = (columns[table.name] ?? []).map { column in
      column.plan.name.quotedSQL + " " + column.type + (column.plan.isRequired ? " NOT NULL" : "")
    }
    let links = table.keys.map { key in
      key.name.quotedSQL + " " + (keyTypes[key.end.table.name] ?? "text")
        + (key.isRequired ? " NOT NULL" : "")
    }
    let key =
      "\(table.keyName.quotedSQL) \(keyTypes[table.name] ?? "text")"
      + (table.isNumbered ? " GENERATED BY DEFAULT AS IDENTITY" : "") + " PRIMARY KEY"
    return
      "CREATE TABLE \(table.name.quotedSQL) (\n  \(([key] + values + links).joined(separator: ",\n  "))\n)"
  }

  private static func keyType(
    of table: TablePlan.Table, _ rows: [EntityHandle], _ store: TripleStore
  ) -> String {
    if let key = table.key { return key.kind == .integer ? "bigint" : "text" }
    return rows.allSatisfy { store.id(of: $0).isUUID } ? "uuid" : "text"
  }

  private func sql(_ pairs: TablePlan.Pairs) -> String {
    let columns = [pairs.source, (pairs.target, pairs.end.table)].map { end in
      "\(end.column.quotedSQL) \(keyTypes[end.table.name] ?? "text") NOT NULL"
    }
    return "CREATE TABLE \(pairs.name.quotedSQL) (\n  \(columns.joined(separator: ",\n  ")),\n  "
      + "PRIMARY KEY (\(pairs.source.column.quotedSQL), \(pairs.target.quotedSQL))\n)"
  }

  /// Adds keys and indexes after all rows are written.
  private func addConstraints() throws {
    for table in plan.tables {
      for column in columns[table.name] ?? [] {
        let name = column.plan.name.quotedSQL
        if column.isUnique {
          try session.run("ALTER TABLE \(table.name.quotedSQL) ADD UNIQUE (\(name))")
        } else if column.isIndexed {
          try session.run("CREATE INDEX ON \(table.name.quotedSQL) (\(name))")
        }
      }
      for key in table.keys {
        let onDelete =
          key.end.attribute.onDelete == .cascade
          ? " ON DELETE CASCADE" : key.isRequired ? "" : " ON DELETE SET NULL"
        try addKey(key.name, of: table.name, to: key.end.table.name, onDelete)
        try session.run(
          key.isUnique
            ? "ALTER TABLE \(table.name.quotedSQL) ADD UNIQUE (\(key.name.quotedSQL))"
            : "CREATE INDEX ON \(table.name.quotedSQL) (\(key.name.quotedSQL))")
      }
    }
    for pairs in plan.pairs {
      try addKey(
        pairs.source.column, of: pairs.name, to: pairs.source.table.name, " ON DELETE CASCADE")
      try addKey(pairs.target, of: pairs.name, to: pairs.end.table.name, " ON DELETE CASCADE")
      try session.run("CREATE INDEX ON \(pairs.name.quotedSQL) (\(pairs.target.quotedSQL))")
    }
  }

  private func addKey(
    _ column: String, of table: String, to target: String, _ onDelete: String
  ) throws {
    try session.run(
      "ALTER TABLE \(table.quotedSQL) ADD FOREIGN KEY (\(column.quotedSQL)) "
        + "REFERENCES \(target.quotedSQL)\(onDelete) DEFERRABLE")
  }

  // MARK: Rows

  private mutating func insert(_ table: TablePlan.Table) throws {
    let total = plan.tables.reduce(0) { $0 + store.count(of: $1.namespace) }
    let columns = columns[table.name] ?? []
    let names = [table.keyName] + columns.map(\.plan.name) + table.keys.map(\.name)
    let types =
      [keyTypes[table.name] ?? "text"] + columns.map(\.type)
      + table.keys.map { keyTypes[$0.end.table.name] ?? "text" }
    var rows = store.rows(of: table.namespace).handles[...]
    while !rows.isEmpty {
      let portion = rows.prefix(Self.rowsAtOnce)
      rows = rows.dropFirst(portion.count)
      var cells = [portion.map { table.postgresKey(of: $0, in: store) }]
      for place in columns.indices {
        cells.append(
          portion.map { row in
            self.columns[table.name]?[place].cell(of: row, in: store)
          })
      }
      for key in table.keys {
        cells.append(
          portion.map { row in
            key.end.targets(of: row, in: store).first
              .flatMap { key.end.table.postgresKey(of: $0, in: store) }
          })
      }
      try insert(cells, into: table.name, names, types)
      done += portion.count
      progress(LoadingProgress(done: done, of: total, .rows))
      try Task.checkCancellation()
    }
    if table.isNumbered { try continueNumbers(of: table) }
  }

  /// Sets the number that the next row without a key gets to the one after the last key.
  private func continueNumbers(of table: TablePlan.Table) throws {
    let key = table.keyName.quotedSQL
    try session.rows(
      """
      SELECT pg_catalog.setval(pg_catalog.pg_get_serial_sequence($1, $2), max(\(key)))
      FROM \(table.name.quotedSQL) HAVING max(\(key)) > 0
      """, [table.name.quotedSQL, table.keyName])
  }

  private func insert(
    _ cells: [[String?]], into table: String, _ names: [String], _ types: [String],
    ending: String = ""
  ) throws {
    let lists = types.enumerated().map { "$\($0 + 1)::\($1)[]" }.joined(separator: ", ")
    try session.rows(
      "INSERT INTO \(table.quotedSQL) (\(names.map(\.quotedSQL).joined(separator: ", "))) "
        + "SELECT * FROM unnest(\(lists))\(ending)", cells.map(Self.array))
  }

  private func insert(_ pairs: TablePlan.Pairs) throws {
    var cells: [[String?]] = [[], []]
    let types = [
      keyTypes[pairs.source.table.name] ?? "text", keyTypes[pairs.end.table.name] ?? "text",
    ]
    let names = [pairs.source.column, pairs.target]
    for source in store.rows(of: pairs.end.attribute.namespace).handles {
      for target in pairs.end.targets(of: source, in: store) {
        cells[0].append(pairs.source.table.postgresKey(of: source, in: store))
        cells[1].append(pairs.end.table.postgresKey(of: target, in: store))
      }
      if cells[0].count >= Self.rowsAtOnce {
        try insert(cells, into: pairs.name, names, types, ending: " ON CONFLICT DO NOTHING")
        cells = [[], []]
      }
    }
    if cells[0].isEmpty { return }
    try insert(cells, into: pairs.name, names, types, ending: " ON CONFLICT DO NOTHING")
  }

  private func insertNames() throws {
    var cells: [[String?]] = [[], [], [], []]
    func add(_ table: String, _ column: String, _ end: TablePlan.LinkEnd) {
      for (place, cell) in [table, column, end.attribute.label, end.reverse].enumerated() {
        cells[place].append(cell?.filter { $0 != "\0" })
      }
    }
    for table in plan.tables {
      for key in table.keys { add(table.name, key.name, key.end) }
    }
    for pairs in plan.pairs { add(pairs.name, pairs.source.column, pairs.end) }
    if cells[0].isEmpty { return }
    try insert(
      cells, into: TablePlan.linkNames, ["table", "column", "label", "reverse"],
      Array(repeating: "text", count: 4))
  }

  /// Writes texts as the literal of a PostgreSQL array; a nil text is NULL.
  ///
  /// - Source: PostgreSQL's manual, 8.15.6.
  private static func array(_ texts: [String?]) -> String {
    let elements = texts.map { text in
      guard let text else { return "NULL" }
      return "\"" + text.escaping("\\", as: "\\\\").escaping("\"", as: "\\\"") + "\""
    }
    return "{" + elements.joined(separator: ",") + "}"
  }
}
