import GRDB
import Triples

/// Writes changes of rows. Foreign keys are checked at the end of the transaction, so that the
/// order of rows does not matter, except for RESTRICT.
///
/// Statements use `OR ABORT`, since a table may be declared with `ON CONFLICT REPLACE`, which would
/// silently replace a conflicting row.
struct RowWriter {
  private let rows: RowFinder
  private let changes: RowChanges<RowFinder>
  /// The rowids of created rows.
  private var created: [RowReference: Int64] = [:]
  /// The rows being created. If new rows reference each other in a cycle, links are written after
  /// all rows exist.
  private var begun: Set<RowReference> = []
  private var links: [(row: RowReference, link: DatabaseNames.Link, target: RowReference)] = []
  /// The rowids of rows whose links through a join table were changed, keyed by link.
  private(set) var sources: [AttributeID: Set<Int64>] = [:]
  /// The rows whose rowid changed.
  private(set) var moved: [(namespace: String, from: Int64, to: Int64)] = []
  /// The restored rows with a temporary rowid, because another row still uses their previous rowid.
  private(set) var renumbered: [(row: RowReference, number: Int64)] = []

  init(_ changes: RowChanges<RowFinder>, _ rows: RowFinder) {
    (self.rows, self.changes) = (rows, changes)
  }

  private var db: Database { rows.db }

  mutating func run() throws {
    let wanted = changes.changes.filter { !$0.isDeleted }
    for change in wanted where change.number == nil { try restoreKey(change) }
    for change in wanted where change.number == nil { try create(change) }
    for (row, link, target) in links {
      let values = try key(of: link, target)
      try update(
        try number(of: row), of: row.namespace,
        zip(link.key.columns, values).map { ($0, .value($1)) })
    }
    for change in wanted {
      guard let number = change.number else { continue }
      var values = change.values
      for (link, target) in change.links {
        values += zip(link.key.columns, try key(of: link, target)).map { ($0, $1) }
      }
      try update(number, of: change.name.namespace, values.map { ($0, .value($1)) })
    }
    for pair in changes.pairs where !pair.isAdded { try remove(pair) }
    for change in changes.changes where change.isDeleted && created[change.name] == nil {
      try delete(change)
    }
    for (row, number) in renumbered { try giveBack(number, to: row) }
    for pair in changes.pairs where pair.isAdded { try add(pair) }
  }

  private func number(of name: RowReference) throws -> Int64 {
    if let number = created[name] { return number }
    guard let number = try rows.number(of: name) else {
      throw DatabaseWriteError.rowIsGone(namespace: name.namespace)
    }
    return number
  }

  private func table(_ namespace: String) -> (name: String, number: String) {
    (namespace.quotedSQL, rows.shape.names.namespace(namespace)?.ids.number ?? "rowid")
  }

  // MARK: Rows

  /// Restores the previous key of a renamed row.
  ///
  /// Inserting a row with that key instead would break references to the renamed row.
  private mutating func restoreKey(_ change: RowChanges<RowFinder>.Change) throws {
    guard let known = changes.returning[change.name], let renamedRow = known.renamedRow,
      let number = changes.deletion(of: renamedRow)?.number
    else { return }
    // The row still contains the cells that a ``ChangeSet`` cannot represent.
    var values: [(column: String, value: ColumnValue)] = change.values
      .filter { known.unrepresentable[$0.column] == nil }.map { ($0.column, .value($0.value)) }
    for (link, target) in change.links {
      if changes.creation(of: target) != nil {
        links.append((change.name, link, target))
      } else {
        values += zip(link.key.columns, try key(of: link, target)).map { ($0, .value($1)) }
      }
    }
    let new = try update(number, of: change.name.namespace, values)
    begun.insert(change.name)
    created[change.name] = new
    created[renamedRow] = new
  }

  private mutating func create(_ change: RowChanges<RowFinder>.Change) throws {
    guard begun.insert(change.name).inserted else { return }
    guard let namespace = rows.shape.names.namespace(change.name.namespace),
      let numberName = namespace.ids.number
    else { throw DatabaseWriteError.noNumbers(namespace: change.name.namespace) }
    var values: [(column: String, value: ColumnValue)] = []
    func set(_ column: String, _ value: ColumnValue) {
      values.removeAll { $0.column == column }
      values.append((column, value))
    }
    let known = changes.returning[change.name]
    if known?.isForgotten == true {
      throw DatabaseWriteError.forgotten(namespace: change.name.namespace)
    }
    // In a new row, a null is not written, so that the column gets its default.
    for (column, value) in change.values where !value.isNull || known != nil {
      set(column, .value(value))
    }
    for (column, value) in (known?.unrepresentable ?? [:]).sorted(by: { $0.key < $1.key })
    where !values.contains(where: { $0.column == column }) {
      set(column, value)
    }
    for (link, target) in change.links {
      let creation = changes.creation(of: target)
      if let creation, created[target] == nil { try create(creation) }
      if creation != nil, created[target] == nil {
        links.append((change.name, link, target))
        continue
      }
      for (column, value) in zip(link.key.columns, try key(of: link, target)) {
        set(column, .value(value))
      }
    }
    let number =
      known?.number ?? namespace.ids.sqlKey?.high.flatMap { change.name.entity.number(in: $0) }
    let isNumberGiven =
      namespace.table.isKeyNumber
      && namespace.table.key.contains { key in values.contains { $0.column == key } }
    if let number, !isNumberGiven {
      if known != nil, !namespace.table.isKeyNumber, try isTaken(number, change.name.namespace) {
        recordTakenRowID(number, by: change.name)
      } else {
        values.append((numberName, .value(number.databaseValue)))
      }
    }
    if namespace.ids.key.count == 1, change.name.entity.isUUID,
      !values.contains(where: { $0.column == namespace.ids.key[0] }),
      ColumnKinds.sureType(
        declared: namespace.table.columns.first { $0.name == namespace.ids.key[0] }?.type ?? "")
        == .string
    {
      // If the key is a text, the generated id can be the key.
      set(namespace.ids.key[0], .value(change.name.entity.text.databaseValue))
    }
    try insert(
      into: change.name.namespace.quotedSQL,
      values.map { ($0.column == numberName ? numberName : $0.column.quotedSQL, $0.value) })
    created[change.name] = db.lastInsertedRowID
  }

  /// Inserts a row into a table. All names are quoted.
  private func insert(
    into table: String, _ values: [(column: String, value: ColumnValue)]
  ) throws {
    let names = values.map(\.column).joined(separator: ", ")
    let places = values.map { _ in "?" }.joined(separator: ", ")
    try db.run(
      values.isEmpty
        ? "INSERT OR ABORT INTO \(table) DEFAULT VALUES"
        : "INSERT OR ABORT INTO \(table) (\(names)) VALUES (\(places))",
      values.map(\.value))
  }

  /// Returns whether a rowid is in use.
  private func isTaken(_ number: Int64, _ namespace: String) throws -> Bool {
    let (table, name) = table(namespace)
    return try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(name) = ?)", arguments: [number])
      ?? false
  }

  /// Records that another row uses the rowid of a restored row. If the transaction deletes the
  /// other row, the restored row gets its rowid back. Otherwise it gets any free rowid.
  private mutating func recordTakenRowID(_ number: Int64, by row: RowReference) {
    let goes = changes.changes.contains {
      $0.isDeleted && $0.number == number && $0.name.namespace == row.namespace
    }
    if goes { renumbered.append((row, number)) }
  }

  private mutating func giveBack(_ number: Int64, to row: RowReference) throws {
    guard let created = created[row], try !isTaken(number, row.namespace) else { return }
    let (table, name) = table(row.namespace)
    try db.execute(
      sql: "UPDATE OR ABORT \(table) SET \(name) = ? WHERE \(name) = ?",
      arguments: [number, created])
    self.created[row] = number
  }

  /// Updates a row and returns its rowid. The rowid changes if the row's INTEGER PRIMARY KEY
  /// changes.
  @discardableResult
  private mutating func update(
    _ number: Int64, of namespace: String, _ values: [(column: String, value: ColumnValue)]
  ) throws -> Int64 {
    if values.isEmpty { return number }
    let (table, name) = table(namespace)
    let sets = values.map { "\($0.column.quotedSQL) = ?" }
    try db.run(
      "UPDATE OR ABORT \(table) SET \(sets.joined(separator: ", ")) WHERE \(name) = ?",
      values.map(\.value) + [.value(number.databaseValue)])
    guard let place = rows.shape.names.namespace(namespace)?.table, place.isKeyNumber,
      let key = values.last(where: { place.key.contains($0.column) })?.value,
      case .value(let value) = key, let new = Int64.fromDatabaseValue(value), new != number
    else { return number }
    moved.append((namespace, number, new))
    return new
  }

  /// Deletes a row with its rows in join tables.
  private mutating func delete(_ change: RowChanges<RowFinder>.Change) throws {
    guard let number = change.number else { return }
    for link in rows.shape.names.links {
      guard let joined = link.joined else { continue }
      if link.attribute.namespace == change.name.namespace {
        try removePairs(of: link, [(link.key, change.name, number)])
      }
      if link.attribute.reverse?.namespace == change.name.namespace {
        try removePairs(of: link, [(joined, change.name, number)])
      }
    }
    let (table, name) = table(change.name.namespace)
    do {
      try db.execute(sql: "DELETE FROM \(table) WHERE \(name) = ?", arguments: [number])
    } catch let error as DatabaseError where error.isOfForeignKey {
      // RESTRICT is checked immediately, so the referencing rows still exist.
      let tables = try leading(to: change.name, number)
      throw tables.isEmpty ? error : DatabaseWriteError.stillReferenced(tables)
    }
  }

  /// Returns the number of rows per table that reference a row and so prevent its deletion.
  private func leading(
    to name: RowReference, _ number: Int64
  ) throws -> [(table: String, rows: Int)] {
    try rows.shape.names.links.compactMap { link in
      guard link.joined == nil, link.key.target == name.namespace, link.key.onDelete == .keep
      else { return nil }
      let values = try rows.values(link.key.targetColumns, of: name, at: number)
      let equal = link.key.columns.map { "\($0.quotedSQL) = ?" }.joined(separator: " AND ")
      let count = try Int.fetchOne(
        db, sql: "SELECT count(*) FROM \(link.table.quotedSQL) WHERE \(equal)",
        arguments: StatementArguments(values))
      return count.flatMap { $0 > 0 ? (link.table, $0) : nil }
    }
  }

  // MARK: Links

  /// Returns the foreign-key values that reference a target row.
  private func key(of link: DatabaseNames.Link, _ target: RowReference) throws -> [DatabaseValue] {
    do {
      return try rows.values(
        link.key.targetColumns, of: target, at: try number(of: target))
    } catch DatabaseWriteError.rowIsGone {
      throw DatabaseWriteError.noTarget(link.attribute)
    }
  }

  private typealias End = (key: DatabaseCatalog.ForeignKey, row: RowReference, number: Int64)

  private func ends(of pair: LinkPair) throws -> [End]? {
    guard let joined = pair.link.joined else { return nil }
    return [
      (pair.link.key, pair.source, try number(of: pair.source)),
      (joined, pair.target, try number(of: pair.target)),
    ]
  }

  private mutating func add(_ pair: LinkPair) throws {
    guard let ends = try ends(of: pair) else { return }
    sources[pair.link.attribute.id, default: []].insert(ends[0].number)
    var columns: [String] = []
    var values: [DatabaseValue] = []
    for end in ends {
      columns += end.key.columns.map(\.quotedSQL)
      values += try rows.values(end.key.targetColumns, of: end.row, at: end.number)
    }
    let table = pair.link.table.quotedSQL
    // An existing link is not added again.
    let equal = columns.map { "\($0) = ?" }.joined(separator: " AND ")
    try db.execute(
      sql: """
        INSERT OR ABORT INTO \(table) (\(columns.joined(separator: ", ")))
        SELECT \(columns.map { _ in "?" }.joined(separator: ", "))
        WHERE NOT EXISTS (SELECT 1 FROM \(table) WHERE \(equal))
        """, arguments: StatementArguments(values + values))
  }

  private mutating func remove(_ pair: LinkPair) throws {
    guard let ends = try ends(of: pair) else { return }
    try removePairs(of: pair.link, ends)
  }

  /// Removes the rows of a join table that reference all of the given rows.
  private mutating func removePairs(of link: DatabaseNames.Link, _ ends: [End]) throws {
    var conditions: [String] = []
    var values: [DatabaseValue] = []
    for end in ends {
      conditions += end.key.columns.map { "j.\($0.quotedSQL) = ?" }
      values += try rows.values(end.key.targetColumns, of: end.row, at: end.number)
    }
    let condition = conditions.joined(separator: " AND ")
    let arguments = StatementArguments(values)
    let (source, number) = table(link.attribute.namespace)
    let equal = zip(link.key.targetColumns, link.key.columns).map {
      "s.\($0.quotedSQL) = j.\($1.quotedSQL)"
    }
    let touched = try Int64.fetchAll(
      db,
      sql: """
        SELECT s.\(number) FROM \(link.table.quotedSQL) AS j JOIN \(source) AS s
        ON \(equal.joined(separator: " AND ")) WHERE \(condition)
        """, arguments: arguments)
    sources[link.attribute.id, default: []].formUnion(touched)
    try db.execute(
      sql: "DELETE FROM \(link.table.quotedSQL) AS j WHERE \(condition)", arguments: arguments)
  }
}
