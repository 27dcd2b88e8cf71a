import InstaQL
import LiveQueries
import Triples

/// Executes a transaction in a PostgreSQL database, and reports its changes for undo.
///
/// The transaction runs in one snapshot of the server. The server rejects changes of rows that
/// another transaction has changed since then. The rows that foreign keys delete or unlink are read
/// first. Other effects of triggers are not part of the undo.
struct PostgresTransaction {
  private let session: PostgresSession
  private let shape: SchemaMapping
  private let rows: PostgresRowFinder
  /// The rows that the transaction changes, directly or through foreign keys.
  private var touched: Set<RowReference> = []
  /// The numbers of rows without a key that foreign keys also delete or unlink, keyed by table. No
  /// undo can find these rows again.
  private var rowsWithoutKey: [String: Int] = [:]

  /// Executes the transaction within an open write transaction of the server.
  ///
  /// - Throws: ``DatabaseWriteError``, `TransactionError` and ``PostgresError``.
  static func carryOut(
    _ transaction: Transaction, _ session: PostgresSession, _ shape: SchemaMapping,
    deletedRows: DeletedRows, own: LastWrittenValues
  ) throws -> TransactionExecutor.Outcome {
    var run = PostgresTransaction(
      session: session, shape: shape, rows: PostgresRowFinder(session, shape))
    return try run.carryOut(transaction, deletedRows: deletedRows, own: own)
  }

  private mutating func carryOut(
    _ transaction: Transaction, deletedRows: DeletedRows, own: LastWrittenValues
  ) throws -> TransactionExecutor.Outcome {
    try session.run("SET CONSTRAINTS ALL DEFERRED")
    try rows.readRows(of: transaction)
    let changes = try RowChanges(transaction, rows, deletedRows: deletedRows, own: own)
    touched = Set(changes.changes.filter { $0.number != nil }.map(\.name))
    for pair in changes.pairs { touched.insert(pair.source) }
    // Restoring the previous key of a row appears as a deletion, but the row is not deleted.
    let renamed = Set(changes.returning.values.compactMap(\.renamedRow))
    let deleted = changes.changes.filter { $0.isDeleted && $0.number != nil }.map(\.name)
      .filter { !renamed.contains($0) }
    try addDependents(of: deleted)
    try checkOthers(changes)
    let isUndoable = touched.count <= UndoLimits.maxRows && rowsWithoutKey.isEmpty
    let raw = isUndoable && !hasReplacedBytes ? try rawRows(of: touched) : nil
    var writer = PostgresRowWriter(changes, rows)
    try writer.run()
    try session.run("SET CONSTRAINTS ALL IMMEDIATE")
    guard isUndoable else {
      return TransactionExecutor.Outcome(
        store: shape.empty, changes: nil, gone: [:], returned: changes.returning)
    }
    return try outcome(writer, raw, changes.returning)
  }

  // MARK: Before

  /// Adds the rows that the database would delete or unlink together with the deleted rows.
  private mutating func addDependents(of deleted: [RowReference]) throws {
    var waiting = Dictionary(grouping: deleted, by: \.namespace)
    while let (namespace, names) = waiting.popFirst() {
      for link in shape.names.links where touched.count <= UndoLimits.maxRows {
        let isTarget = link.attribute.reverse?.namespace == namespace
        guard isTarget else { continue }
        if link.joined == nil, link.key.onDelete != .keep {
          let count = try rows.countWithoutKey(along: Link(link.attribute, .reverse), from: names)
          if count > 0 { rowsWithoutKey[link.table, default: 0] += count }
        }
        let found = try rows.rows(along: Link(link.attribute, .reverse), from: names)
        let new = found.filter { touched.insert($0).inserted }
        if link.joined == nil, link.key.onDelete == .cascade, !new.isEmpty {
          waiting[link.table, default: []] += new
        }
      }
    }
  }

  /// Rejects an undo that would delete rows of other transactions as well.
  private func checkOthers(_ changes: RowChanges<PostgresRowFinder>) throws {
    if changes.undoneCreations.isEmpty { return }
    let own = Set(changes.changes.map(\.name)).union(changes.pairs.map(\.source))
    let others = Dictionary(grouping: touched.subtracting(own), by: \.namespace)
      .mapValues(\.count).merging(rowsWithoutKey, uniquingKeysWith: +)
    if others.isEmpty { return }
    throw DatabaseWriteError.wouldChangeOthers(
      others.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  /// Whether a text in one of the rows had bytes that are not UTF-8, which no undo could restore.
  private var hasReplacedBytes: Bool {
    if shape.sql.isUnicode { return false }
    return touched.contains { name in
      guard let entity = rows.store.handle(of: name.entity) else { return false }
      return shape.schema.attributes(of: name.namespace).contains { attribute in
        guard case .text(let text)? = rows.store.value(entity, attribute.id) else { return false }
        return text.unicodeScalars.contains("\u{FFFD}")
      }
    }
  }

  /// Returns the cells that no ``Value`` represents exactly, as the server prints them.
  ///
  /// Nil if they are too large to be kept for undo.
  private func rawRows(
    of names: Set<RowReference>
  ) throws -> [RowReference: [String: ColumnValue]]? {
    var raw: [RowReference: [String: ColumnValue]] = [:]
    var bytes = 0
    for (table, names) in Dictionary(grouping: names, by: \.namespace) {
      guard let namespace = shape.names.namespace(table),
        let key = shape.sql.rowKeys[table]?.locator
      else { continue }
      let columns = namespace.values.filter { !$0.column.isGenerated && $0.column.mayLoseContent }
      if columns.isEmpty { continue }
      let locators = try names.compactMap { try rows.place(of: $0)?.texts }
      let selected =
        namespace.ids.columns + columns.map { "\($0.column.name.quotedSQL)::text" }
      let found = try session.rows(
        "SELECT \(selected.joined(separator: ", ")) FROM \(namespace.table.sqlRows) "
          + "WHERE (\(key.map(\.name).joined(separator: ", "))) IN "
          + SQLDialect.unnested(key.enumerated().map { ("$\($0 + 1)", $1.type) })
          + " LIMIT \(UndoLimits.maxRows)",
        shape.dialect.list(locators, columns: key.count, areNumbers: false).map(\.postgresText))
      let first = Int32(namespace.ids.columns.count)
      while try found.step() {
        let name = RowReference(entity: namespace.ids.id(found, 0), namespace: table)
        let entity = rows.store.handle(of: name.entity)
        for (place, column) in columns.enumerated() where !found.isNull(first + Int32(place)) {
          let text = found.text(first + Int32(place))
          bytes += text.utf8.count
          if bytes > UndoLimits.maxBytes { return nil }
          let shown = entity.flatMap { rows.store.value($0, column.attribute.id) } ?? .null
          raw[name, default: [:]][column.column.name] = .spelled(text, shown: shown)
        }
      }
    }
    return raw
  }

  // MARK: After

  private func outcome(
    _ writer: PostgresRowWriter, _ raw: [RowReference: [String: ColumnValue]]?,
    _ returned: [RowReference: DeletedRow]
  ) throws -> TransactionExecutor.Outcome {
    let before = rows.store
    // The same entities with the same handles, without values.
    var known = before
    for entity in before.allEntities { known.removeTriples(of: entity) }
    var reading = PlanExecutor(session, shape, AnswerView(), from: PlanResult(store: known))
    var locators: [String: Set<RowLocator>] = [:]
    for name in touched {
      let locator = try writer.moved[name] ?? writer.created[name] ?? rows.place(of: name)
      if let locator { locators[name.namespace, default: []].insert(locator) }
    }
    for (name, locator) in writer.created { locators[name.namespace, default: []].insert(locator) }
    var present: Set<RowReference> = []
    var renamedRows: [RowReference: RowReference] = [:]
    for (table, locators) in locators {
      guard let namespace = shape.names.namespace(table) else { continue }
      for entity in try reading.readRows(Array(locators), of: table) {
        let name = RowReference(entity: reading.answer.store.id(of: entity), namespace: table)
        present.insert(name)
        let locator = reading.locator(of: entity, namespace)
        for (old, new) in writer.moved where old.namespace == table && new == locator {
          renamedRows[old] = name
        }
      }
    }
    let after = reading.answer.store
    let written = difference(before, after, touched.union(present))
    var gone: [RowReference: DeletedRow] = [:]
    for name in touched where !present.contains(name) {
      var row = DeletedRow(
        number: 0, unrepresentable: raw?[name] ?? [:], renamedRow: renamedRows[name])
      row.bytes = row.unrepresentable.values.reduce(0) { $0 + $1.byteCount }
      gone[name] = row
    }
    return TransactionExecutor.Outcome(
      store: after, changes: raw == nil ? nil : shape.withoutGenerated(written), written: written,
      gone: gone, returned: returned)
  }

  private func difference(
    _ before: TripleStore, _ after: TripleStore, _ names: Set<RowReference>
  ) -> ChangeSet {
    var changes = ChangeSet()
    let rows = names.compactMap { name in
      after.handle(of: name.entity).map { (name: name, entity: $0) }
    }
    for (name, entity) in rows.sorted(by: { $0.name < $1.name }) {
      for attribute in shape.schema.allAttributes(of: name.namespace) {
        changes.append(attribute, of: entity, from: before, to: after)
      }
      for link in shape.schema.links(of: name.namespace) where link.direction == .forward {
        changes.append(link.attribute, of: entity, from: before, to: after)
      }
    }
    return changes
  }
}

extension RowReference: Comparable {
  static func < (a: RowReference, b: RowReference) -> Bool {
    (a.namespace, a.entity) < (b.namespace, b.entity)
  }
}

extension DatabaseCatalog.Column {
  /// Whether a ``Value`` may lose a part of the column's content, as for a BLOB.
  fileprivate var mayLoseContent: Bool {
    switch sqlType?.form {
    case .json, .unordered, .bytes: true
    case .integer, .float, .numeric, .boolean, .text, .uuid, .enumeration, .date, .timestamp,
      .timestamptz, .other, nil:
      false
    }
  }
}

extension SchemaMapping {
  /// Returns the changes without those of generated columns, whose values the database computes.
  func withoutGenerated(_ changes: ChangeSet) -> ChangeSet {
    let generated = Set(
      names.namespaces.flatMap(\.values).filter(\.column.isGenerated).map(\.attribute.id))
    var changes = changes
    changes.changes.removeAll { generated.contains($0.attribute) }
    return changes
  }
}
