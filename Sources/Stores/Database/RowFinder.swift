import GRDB
import Triples

/// Finds rows of a SQLite database by entity id and reads their values.
struct RowFinder: RowFinding {
  let db: Database
  let shape: SchemaMapping

  private func namespace(_ name: String) throws -> DatabaseNames.Namespace {
    guard let namespace = shape.names.namespace(name) else {
      throw DatabaseWriteError.noTable(name)
    }
    if let reason = namespace.table.readOnlyReason {
      throw DatabaseWriteError.readOnly(namespace: name, reason: reason)
    }
    guard namespace.ids.number != nil else { throw DatabaseWriteError.noNumbers(namespace: name) }
    return namespace
  }

  /// Returns the rowid of a row; nil if it does not exist.
  ///
  /// - Complexity: O(log rows) if the id is derived from the rowid or is the key; otherwise
  ///   O(rows).
  func number(of name: RowReference) throws -> Int64? {
    let namespace = try namespace(name.namespace)
    let table = namespace.table.name.quotedSQL
    guard let key = namespace.ids.sqlKey else { return nil }
    if let high = key.high, let number = name.entity.number(in: high) {
      return try Int64.fetchOne(
        db, sql: "SELECT \(key.number) FROM \(table) WHERE \(key.number) = ?", arguments: [number])
    }
    let texts = key.columns.map { "CAST(\($0.quotedSQL) AS TEXT)" }
    let id = "\(RowIDs.function.name)(?1, \(([key.number] + texts).joined(separator: ", ")))"
    if key.columns.count == 1 {
      let quick = try Int64.fetchOne(
        db,
        sql:
          "SELECT \(key.number) FROM \(table) WHERE \(key.columns[0].quotedSQL) = ?2 AND \(id) = ?2",
        arguments: [name.namespace, name.entity.text])
      if let quick { return quick }
    }
    return try Int64.fetchOne(
      db, sql: "SELECT \(key.number) FROM \(table) WHERE \(id) = ?2 LIMIT 1",
      arguments: [name.namespace, name.entity.text])
  }

  /// Returns the row that a reference identifies in a namespace; nil if a lookup finds no row.
  func name(of reference: EntityReference, in namespace: String) throws -> RowReference? {
    switch reference {
    case .id(let id): return RowReference(entity: id, namespace: namespace)
    case .lookup(let id, let value):
      let home = try self.namespace(namespace)
      guard let attribute = shape.schema.attribute(id), attribute.namespace == namespace,
        let (column, _) = column(of: attribute)
      else { throw DatabaseWriteError.noColumn }
      let statement = try db.makeStatement(
        sql: """
          SELECT \(home.ids.columns.joined(separator: ", ")) FROM \(home.table.name.quotedSQL)
          WHERE \(column.name.quotedSQL) = ? LIMIT 1
          """)
      try statement.setArguments([try databaseValue(value, of: attribute)])
      guard try statement.step() else { return nil }
      defer { statement.reset() }
      return RowReference(entity: home.ids.id(statement, 0), namespace: namespace)
    }
  }

  /// Returns the value of a row; a BLOB is represented by its size.
  func value(of attribute: Attribute, at number: Int64) throws -> Value {
    guard let (column, namespace) = column(of: attribute), let name = namespace.ids.number else {
      return .null
    }
    let statement = try db.makeStatement(
      sql: """
        SELECT \(column.name.quotedSQL) FROM \(namespace.table.name.quotedSQL) WHERE \(name) = ?
        """)
    try statement.setArguments([number])
    guard try statement.step() else {
      throw DatabaseWriteError.rowIsGone(namespace: attribute.namespace)
    }
    defer { statement.reset() }
    return CellReader(attribute.checkedType, maxBytes: nil, isJSON: column.isJSON)
      .value(statement, 0)
  }

  /// Returns whether the value is a text in invalid UTF-8, which can be shown only in part.
  func isOtherText(_ attribute: Attribute, at number: Int64) throws -> Bool {
    guard let (column, namespace) = column(of: attribute), let name = namespace.ids.number else {
      return false
    }
    let statement = try db.makeStatement(
      sql: """
        SELECT \(column.name.quotedSQL) FROM \(namespace.table.name.quotedSQL) WHERE \(name) = ?
        """)
    try statement.setArguments([number])
    guard try statement.step() else { return false }
    defer { statement.reset() }
    if case .text? = ColumnValue(unrepresentable: statement, 0, of: nil) { return true }
    return false
  }

  /// Returns the values of several attributes of one namespace.
  func values(
    of attributes: [Attribute], in name: String, at number: Int64
  ) throws -> [Value] {
    let namespace = try namespace(name)
    let columns = try attributes.map { attribute in
      guard let (column, _) = column(of: attribute) else {
        throw DatabaseWriteError.noColumn
      }
      return column
    }
    if columns.isEmpty { return [] }
    let selected = columns.map { RowReader.selection(of: $0, alias: "", isShown: true) }
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(selected.joined(separator: ", ")) FROM \(namespace.table.name.quotedSQL)
        WHERE \(namespace.ids.number ?? "rowid") = ?
        """)
    try statement.setArguments([number])
    guard try statement.step() else { throw DatabaseWriteError.rowIsGone(namespace: name) }
    defer { statement.reset() }
    return zip(Int32(0)..., zip(attributes, columns)).map { place, value in
      CellReader(value.0.checkedType, maxBytes: nil, isJSON: value.1.isJSON)
        .value(statement, place)
    }
  }

  /// Returns the target of a foreign key; nil for a broken reference.
  func target(of link: DatabaseNames.Link, at number: Int64) throws -> EntityID? {
    let (near, far) = (
      try namespace(link.attribute.namespace),
      try namespace(link.attribute.reverse?.namespace ?? "")
    )
    let equal = zip(link.key.targetColumns, link.key.columns).map {
      "t.\($0.quotedSQL) = s.\($1.quotedSQL)"
    }
    let statement = try db.makeStatement(
      sql: """
        SELECT \(far.ids.columns(of: "t").joined(separator: ", "))
        FROM \(near.table.name.quotedSQL) AS s JOIN \(far.table.name.quotedSQL) AS t
        ON \(equal.joined(separator: " AND ")) WHERE s.\(near.ids.number ?? "rowid") = ?
        """)
    try statement.setArguments([number])
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return far.ids.id(statement, 0)
  }

  /// Returns the values of some columns of a row.
  func values(_ columns: [String], of name: RowReference, at number: Int64) throws
    -> [DatabaseValue]
  {
    let namespace = try namespace(name.namespace)
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT \(columns.map(\.quotedSQL).joined(separator: ", "))
        FROM \(namespace.table.name.quotedSQL) WHERE \(namespace.ids.number ?? "rowid") = ?
        """, arguments: [number])
    guard let row else { throw DatabaseWriteError.rowIsGone(namespace: name.namespace) }
    return Array(row.databaseValues)
  }

  static var null: DatabaseValue { .null }

  func holdsBytes(_ attribute: Attribute, at number: Int64) throws -> Bool {
    guard case .blob(let data)? = try cell(of: attribute, at: number)?.storage else { return false }
    return JSONCell.value(ofBlob: [UInt8](data)) == nil
  }

  /// Returns the content of a cell; nil if the row does not exist.
  private func cell(of attribute: Attribute, at number: Int64) throws -> DatabaseValue? {
    guard let (column, namespace) = column(of: attribute), let name = namespace.ids.number else {
      return nil
    }
    return try DatabaseValue.fetchOne(
      db,
      sql: """
        SELECT \(column.name.quotedSQL) FROM \(namespace.table.name.quotedSQL) WHERE \(name) = ?
        """, arguments: [number])
  }

  func earlierValue(
    _ value: Value, of attribute: Attribute, from cell: ColumnValue?
  ) -> DatabaseValue {
    guard column(of: attribute)?.column.isJSON == true else { return value.databaseValue }
    return cell?.databaseValue ?? JSONCell.cell(of: value, replacing: nil)
  }

  func databaseValue(
    _ value: Value, of attribute: Attribute, at number: Int64
  ) throws -> DatabaseValue {
    guard column(of: attribute)?.column.isJSON == true else {
      return try databaseValue(value, of: attribute)
    }
    return JSONCell.cell(of: value, replacing: try cell(of: attribute, at: number))
  }

  /// Converts a value for the column of an attribute.
  func databaseValue(_ value: Value, of attribute: Attribute) throws -> DatabaseValue {
    let type = attribute.checkedType
    if column(of: attribute)?.column.isJSON == true {
      return JSONCell.cell(of: value, replacing: nil)
    }
    switch value {
    case .array, .object: throw DatabaseWriteError.wrongType(attribute, expected: type)
    case .null, .bool, .integer, .double, .text: break
    }
    if let type, !type.accepts(value) {
      throw DatabaseWriteError.wrongType(attribute, expected: type)
    }
    if type == .date, case .text(let text) = value, Instant(text) == nil {
      throw DatabaseWriteError.wrongType(attribute, expected: .date)
    }
    // The column would silently round the number.
    if case .double(let number) = value, number < -0x1p63 || number >= 0x1p63,
      column(of: attribute)?.column.type.contains("INT") == true
    {
      throw DatabaseWriteError.tooLarge(attribute, number)
    }
    // JSON has no infinity, so it was read as the greatest finite number and is now converted back.
    if case .double(let number) = value, abs(number) == .greatestFiniteMagnitude {
      return (number < 0 ? -Double.infinity : .infinity).databaseValue
    }
    return value.databaseValue
  }
}
