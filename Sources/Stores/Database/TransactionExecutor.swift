import FoundationEssentials
import GRDB
import LiveQueries
import Triples

/// Executes a transaction in a database, and reports its changes for undo.
///
/// The transaction runs twice. The first run shows which rows it touches, including cascades and
/// triggers, and is rolled back. Then the previous state of these rows is read, and the second run
/// is committed.
struct TransactionExecutor {
  /// The outcome of a transaction.
  struct Outcome: Sendable {
    /// The touched rows after the transaction.
    var store: TripleStore
    /// The changes except in generated columns, for undo; nil if they cannot be undone completely.
    var changes: ChangeSet?
    /// All changes, including those in generated columns; empty if there are too many.
    var written = ChangeSet()
    /// The records of deleted and renamed rows, with the cells that changes cannot represent.
    var gone: [RowReference: DeletedRow]
    /// The touched rows before the transaction, with the cells that changes cannot represent.
    var replaced: [RowReference: DeletedRow] = [:]
    /// The records of rows that the transaction restored.
    var returned: [RowReference: DeletedRow] = [:]
  }

  private let db: Database
  private let shape: SchemaMapping
  private let touched = TouchedRows()
  private var sources: [AttributeID: Set<Int64>] = [:]

  /// Executes the transaction within an open write transaction of the database.
  ///
  /// - Throws: ``DatabaseWriteError``, `TransactionError`, and errors of the database.
  static func carryOut(
    _ transaction: Transaction, _ db: Database, _ shape: SchemaMapping,
    deletedRows: DeletedRows, own: LastWrittenValues
  ) throws -> Outcome {
    var writing = TransactionExecutor(db: db, shape: shape)
    return try writing.carryOut(transaction, deletedRows: deletedRows, own: own)
  }

  private init(db: Database, shape: SchemaMapping) {
    (self.db, self.shape) = (db, shape)
  }

  private mutating func carryOut(
    _ transaction: Transaction, deletedRows: DeletedRows, own: LastWrittenValues
  ) throws -> Outcome {
    try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
    let rows = RowFinder(db: db, shape: shape)
    let changes = try RowChanges(transaction, rows, deletedRows: deletedRows, own: own)
    let deletes = transaction.steps.contains { step in
      if case .deleteEntity = step { true } else { false }
    }
    let countsBefore = deletes || !changes.undoneCreations.isEmpty ? try withoutRowIDCounts() : [:]
    try db.execute(sql: "SAVEPOINT sonde_trial")
    try run(changes, rows)
    let isAllReported = try countsBefore.isEmpty || countsBefore == withoutRowIDCounts()
    let loose = ForeignKeyViolations.areLeft(in: db) ? try looseKeys() : nil
    try db.execute(sql: "ROLLBACK TO sonde_trial; RELEASE sonde_trial")
    if let loose {
      let tables = loose.without(try looseKeys())
      // If no violation is new, the commit throws the database's own error.
      if !tables.isEmpty { throw DatabaseWriteError.stillReferenced(tables) }
    }
    if !changes.undoneCreations.isEmpty {
      // The user sees a preview of an undo. It does not show rows of other transactions, so the
      // undo must not change them.
      let others = otherChangedRows(by: changes)
      if !others.isEmpty || !isAllReported { throw DatabaseWriteError.wouldChangeOthers(others) }
    }
    if touched.count > UndoLimits.maxRows {
      try run(changes, rows)
      return Outcome(
        store: shape.empty, changes: nil, gone: [:], returned: changes.returning)
    }
    let before = try state(in: shape.empty)
    let raw = try rawRows()
    try run(changes, rows)
    // This store has the same entities with the same handles, but no values.
    var known = before
    for entity in before.allEntities { known.removeTriples(of: entity) }
    let after = try state(in: known)
    var gone = raw?.filter { name, _ in
      after.handle(of: name.entity).map { !after.contains($0, in: name.namespace) } ?? true
    }
    if let raw, try !isAllReported || !isAllKnown(raw) { gone = nil }
    gone = try gone.flatMap { try addingRenamedRows($0, before: raw ?? [:]) }
    let written = difference(before, after)
    return Outcome(
      store: after, changes: gone == nil ? nil : shape.withoutGenerated(written), written: written,
      gone: gone ?? [:], replaced: raw ?? [:], returned: changes.returning)
  }

  private mutating func run(_ changes: RowChanges<RowFinder>, _ rows: RowFinder) throws {
    var writing = RowWriter(changes, rows)
    try touched.recordingChanges(db) { try writing.run() }
    for (namespace, number, new) in writing.moved { touched.move(number, to: new, of: namespace) }
    for (row, number) in writing.renumbered { touched.recordInserted(number, of: row.namespace) }
    sources.merge(writing.sources) { $0.union($1) }
    try recordLinkSources()
  }

  /// Counts, per table, the rows of other transactions that the undo would also change.
  ///
  /// These rows reference rows that the undo deletes.
  private func otherChangedRows(by changes: RowChanges<RowFinder>) -> [(table: String, rows: Int)] {
    let homes = Set(changes.undoneCreations.map(\.namespace))
    var own: [String: Set<Int64>] = [:]
    for change in changes.changes {
      if let number = change.number { own[change.name.namespace, default: []].insert(number) }
    }
    let tables = Set(
      shape.names.links.filter { $0.joined == nil && homes.contains($0.key.target) }.map(\.table))
    return tables.sorted().compactMap { table in
      // A table that references itself contains the rows whose keys the undo changes.
      let others = touched.numbers[table, default: []].subtracting(own[table, default: []])
        .subtracting(touched.inserted[table, default: []])
        .subtracting(touched.moved[table, default: [:]].values)
      return others.isEmpty ? nil : (table, others.count)
    }
  }

  private func looseKeys() throws -> ForeignKeyViolations {
    try ForeignKeyViolations(to: Set(touched.numbers.keys), db, shape.names)
  }

  /// Counts the rows and the foreign-key values of tables WITHOUT ROWID that cascades can change.
  ///
  /// SQLite does not report changes of such tables, but different counts reveal a cascade. Join
  /// tables are left out, because their rows are read as links.
  ///
  /// - Complexity: O(rows) of such tables; most databases have none.
  private func withoutRowIDCounts() throws -> [String: [Int64]] {
    let keys = try Row.fetchAll(
      db,
      sql: """
        SELECT DISTINCT l.name, f."from" FROM pragma_table_list AS l
        JOIN pragma_foreign_key_list(l.name) AS f WHERE l.wr AND l.type = 'table'
        AND f.on_delete IN ('CASCADE', 'SET NULL', 'SET DEFAULT') ORDER BY 1, 2
        """)
    let joining = Set(shape.names.links.filter { $0.joined != nil }.map(\.table))
    var counts: [String: [Int64]] = [:]
    for (table, keys) in Dictionary(grouping: keys, by: { $0[0] as String })
    where !joining.contains(table) {
      let columns = keys.map { ", count(\(($0[1] as String).quotedSQL))" }.joined()
      let row = try Row.fetchOne(
        db, sql: "SELECT count(*)\(columns) FROM \(table.quotedSQL)")
      counts[table] = row?.databaseValues.compactMap { Int64.fromDatabaseValue($0) }
    }
    return counts
  }

  /// Records the rows whose links through a join table were changed by a cascade.
  private mutating func recordLinkSources() throws {
    for link in shape.names.links where link.joined != nil {
      guard let numbers = touched.numbers[link.table],
        let source = shape.names.namespace(link.attribute.namespace),
        let number = source.ids.number
      else { continue }
      let equal = zip(link.key.targetColumns, link.key.columns).map {
        "s.\($0.quotedSQL) = j.\($1.quotedSQL)"
      }
      let found = try Int64.fetchAll(
        db,
        sql: """
          SELECT s.\(number) FROM \(link.table.quotedSQL) AS j JOIN \(source.table.name.quotedSQL) AS s
          ON \(equal.joined(separator: " AND "))
          WHERE j.rowid IN (SELECT value FROM json_each(?))
          """, arguments: [Self.list(numbers)])
      sources[link.attribute.id, default: []].formUnion(found)
    }
  }

  private static func list(_ numbers: Set<Int64>) -> String {
    "[" + numbers.map(String.init).joined(separator: ",") + "]"
  }

  // MARK: States

  /// Reads all touched rows with their current values and links.
  private func state(in store: TripleStore) throws -> TripleStore {
    var reading = PlanExecutor(db, shape, AnswerView(), from: PlanResult(store: store))
    for namespace in shape.names.namespaces where namespace.ids.number != nil {
      let name = namespace.table.name
      try reading.readRows((touched.numbers[name] ?? []).map { .number($0) }, of: name)
    }
    for link in shape.names.links where link.joined != nil {
      guard let numbers = sources[link.attribute.id] else { continue }
      try reading.readRows(numbers.map { .number($0) }, of: link.attribute.namespace)
    }
    return reading.answer.store
  }

  private func difference(_ before: TripleStore, _ after: TripleStore) -> ChangeSet {
    var changes = ChangeSet()
    let sourceNamespaces = shape.names.links.filter { sources[$0.attribute.id] != nil }
      .map(\.attribute.namespace)
    let namespaces = shape.names.namespaces.map(\.table.name).filter {
      touched.numbers[$0] != nil || sourceNamespaces.contains($0)
    }
    for entity in after.allEntities {
      for namespace in namespaces {
        let isBefore = before.contains(entity, in: namespace)
        guard isBefore || after.contains(entity, in: namespace),
          isTouched(entity, namespace, in: isBefore ? before : after)
        else { continue }
        for attribute in shape.schema.allAttributes(of: namespace) {
          changes.append(attribute, of: entity, from: before, to: after)
        }
        for link in shape.schema.links(of: namespace) where link.direction == .forward {
          changes.append(link.attribute, of: entity, from: before, to: after)
        }
      }
    }
    return changes
  }

  /// Returns whether the transaction touched an entity's row, so that its values were read.
  private func isTouched(
    _ entity: EntityHandle, _ namespace: String, in store: TripleStore
  ) -> Bool {
    let number = store.createdAt(entity, in: namespace)
    return touched.numbers[namespace]?.contains(number) == true
      || shape.names.links.contains {
        $0.attribute.namespace == namespace && sources[$0.attribute.id]?.contains(number) == true
      }
  }

  /// Returns the cells of touched rows that no ``Value`` can represent; nil if they are too large.
  private func rawRows() throws -> [RowReference: DeletedRow]? {
    var raw: [RowReference: DeletedRow] = [:]
    var bytes = 0
    for namespace in shape.names.namespaces {
      guard let numbers = touched.numbers[namespace.table.name],
        let numberName = namespace.ids.number
      else { continue }
      let columns = namespace.values.filter { !$0.column.isGenerated }
      let count = Int32(namespace.ids.columns.count)
      let statement = try db.makeStatement(
        sql: """
          SELECT \((namespace.ids.columns + columns.map(\.column.name.quotedSQL)).joined(separator: ", "))
          FROM \(namespace.table.name.quotedSQL)
          WHERE \(numberName) IN (SELECT value FROM json_each(?))
          """)
      try statement.setArguments([Self.list(numbers)])
      while try statement.step() {
        var record = DeletedRow(number: statement.integer(0))
        for (place, column) in columns.enumerated() {
          let cell = count + Int32(place)
          let value =
            column.column.isJSON
            ? ColumnValue(json: statement, cell)
            : ColumnValue(unrepresentable: statement, cell, of: column.attribute.checkedType)
          guard let value else { continue }
          let size = statement.byteCount(cell)
          if bytes + size > UndoLimits.maxBytes {
            // JSON may be restored with other spaces.
            if value.isReformatted { continue }
            statement.reset()
            return nil
          }
          bytes += size
          record.unrepresentable[column.column.name] = value
          record.bytes += size
        }
        let name = RowReference(
          entity: namespace.ids.id(statement, 0), namespace: namespace.table.name)
        raw[name] = record
      }
    }
    return raw
  }

  /// Returns whether the previous state of each touched row is known. SQLite reports only the new
  /// rowid when a cascade or trigger changes a rowid.
  private func isAllKnown(_ raw: [RowReference: DeletedRow]) throws -> Bool {
    var known = touched.inserted
    for (name, record) in raw { known[name.namespace, default: []].insert(record.number) }
    for (table, moved) in touched.moved { known[table, default: []].formUnion(moved.values) }
    return shape.names.namespaces.allSatisfy { namespace in
      namespace.ids.number == nil
        || touched.numbers[namespace.table.name, default: []]
          .isSubset(of: known[namespace.table.name, default: []])
    }
  }

  /// Adds the new reference to the record of each renamed row. Returns nil if another row had that
  /// reference before.
  private func addingRenamedRows(
    _ gone: [RowReference: DeletedRow], before: [RowReference: DeletedRow]
  ) throws -> [RowReference: DeletedRow]? {
    var gone = gone
    for namespace in shape.names.namespaces {
      guard let number = namespace.ids.number else { continue }
      let table = namespace.table.name
      var names: [Int64: RowReference] = [:]
      for (name, record) in gone where name.namespace == table {
        names[touched.moved[table]?[record.number] ?? record.number] = name
      }
      if names.isEmpty { continue }
      let statement = try db.makeStatement(
        sql: """
          SELECT \(namespace.ids.columns.joined(separator: ", ")) FROM \(table.quotedSQL)
          WHERE \(number) IN (SELECT value FROM json_each(?))
          """)
      try statement.setArguments([Self.list(Set(names.keys))])
      while try statement.step() {
        let number = statement.integer(0)
        // A new row that reuses the rowid of a deleted row is not the renamed row.
        guard let name = names[number], touched.inserted[table]?.contains(number) != true else {
          continue
        }
        let renamedRow = RowReference(entity: namespace.ids.id(statement, 0), namespace: table)
        if before[renamedRow] != nil {
          statement.reset()
          return nil
        }
        gone[name]?.renamedRow = renamedRow
      }
    }
    return gone
  }
}
