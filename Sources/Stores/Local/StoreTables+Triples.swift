import GRDB
import GRDBSQLite
import LiveQueries
import Triples

/// Triples as rows.
extension StoreTables {
  /// Writes what a transaction changed.
  ///
  /// - Parameter store: The store after it.
  /// - Returns: How many triples there are more.
  static func apply(
    _ record: ChangeRecord, to store: TripleStore, _ db: Database
  ) throws -> Int {
    let rows = try TripleRows(db)
    var difference = 0
    for change in record.changes {
      guard let attribute = store.attributeOrHidden(change.attribute),
        let number = store.column(of: change.attribute)
      else { continue }
      let isList = attribute.cardinality == .many && !attribute.isIdentity
      if isList, let old = change.old { try rows.remove(change.entity, number, old, attribute) }
      if let new = change.new {
        let time = change.newTime ?? record.time
        if isList {
          try rows.append(change.entity, number, new, attribute, time)
        } else {
          try rows.set(change.entity, number, new, attribute, time)
        }
      } else if !isList {
        try rows.remove(change.entity, number)
      }
      difference += (change.new == nil ? 0 : 1) - (change.old == nil ? 0 : 1)
    }
    return difference
  }

  /// Writes the triples of some attributes anew, for those whose values another kind of attribute
  /// took over or dropped.
  static func rewrite(_ attributes: [Attribute], of store: TripleStore, _ db: Database) throws {
    let rows = try TripleRows(db)
    for attribute in attributes {
      guard let number = store.column(of: attribute.id) else { continue }
      try db.execute(sql: "DELETE FROM triples WHERE attribute = \(number)")
      for entity in store.rows(attribute.id, .stored).handles {
        try rows.insert(attribute, number, of: entity, in: store)
      }
    }
  }

  /// Writes all triples of a store into the empty table, in the order of the table.
  static func fill(
    with store: TripleStore, _ db: Database, progress: ProgressReport
  ) throws -> Int {
    let rows = try TripleRows(db)
    let attributes = store.attributeStates.map(\.attribute)
    let entities = store.allEntities.map { (id: store.id(of: $0), handle: $0) }
      .sorted { $0.id.sqliteOrder($1.id) }
    var count = 0
    for (place, entity) in entities.enumerated() {
      for (number, attribute) in attributes.enumerated() {
        count += try rows.insert(attribute, number, of: entity.handle, in: store)
      }
      if place & 0x3FF == 0 {
        // The database is only stopped by a call that finds it at work on a statement.
        try Task.checkCancellation()
        progress(LoadingProgress(done: place, of: entities.count, .rows))
      }
    }
    return count
  }

  /// Reads the whole store from its triples.
  static func load(_ db: Database, progress: ProgressReport) throws -> TripleStore {
    let head = try head(db)
    var store = TripleStore()
    for state in try attributes(db) { store.set(state) }
    let attributes = store.attributeStates.map(\.attribute)
    let statement = try db.makeStatement(
      sql: "SELECT entity, attribute, value, time FROM triples ORDER BY entity, attribute, place")
    var count = 0
    while try statement.step() {
      let number = Int(statement.integer(1))
      guard let id = EntityID(statement, 0), attributes.indices.contains(number) else {
        throw damage("triple \(count)")
      }
      let entity = store.makeEntity(id, in: attributes[number].namespace)
      guard load(statement, of: entity, attributes[number], number, into: &store) else {
        throw damage("the value of triple \(count)")
      }
      count += 1
      if count & 0xFFFF == 0 {
        try Task.checkCancellation()
        progress(LoadingProgress(done: count, of: head.tripleCount, .rows))
      }
    }
    store.arrangeSchema(as: try head.layoutValue)
    store.transactionID = head.transactionID
    return store
  }

  private static func load(
    _ row: Statement, of entity: EntityHandle, _ attribute: Attribute, _ column: Int,
    into store: inout TripleStore
  ) -> Bool {
    let time = row.integer(3)
    if attribute.isIdentity {
      store.load(member: entity, column: column, at: time)
      return true
    }
    if attribute.valueType == .ref {
      guard let id = EntityID(row, 2) else { return false }
      let target = store.makeEntity(id, in: attribute.reverse?.namespace ?? "")
      _ = store.insert(target: target, of: entity, attribute.id, at: time)
      return true
    }
    guard attribute.cardinality == .one else {
      guard let value = Value(row, 2) else { return false }
      _ = store.insert(value, of: entity, attribute.id, at: time)
      return true
    }
    switch row.type(2) {
    case SQLITE_NULL: store.load(null: entity, column: column, at: time)
    case SQLITE_INTEGER: store.load(row.integer(2), of: entity, column: column, at: time)
    case SQLITE_FLOAT: store.load(row.double(2), of: entity, column: column, at: time)
    case SQLITE_TEXT:
      let isText = row.withBytes(2) { bytes in
        guard UTF8Check.isValid(bytes) else { return false }
        store.load(bytes, of: entity, column: column, at: time)
        return true
      }
      return isText
    default:
      guard let value = Value(row, 2) else { return false }
      _ = store.insert(value, of: entity, attribute.id, at: time)
    }
    return true
  }
}

/// The statements that change rows of `triples`.
private struct TripleRows {
  private let upsert: Statement
  private let add: Statement
  private let removeOne: Statement
  private let removeFromList: Statement

  init(_ db: Database) throws {
    upsert = try db.cachedStatement(
      sql: """
        INSERT INTO triples VALUES (?1, ?2, 0, ?3, ?4)
        ON CONFLICT DO UPDATE SET value = excluded.value
        """)
    add = try db.cachedStatement(
      sql: """
        INSERT INTO triples VALUES (?1, ?2,
          (SELECT coalesce(max(place), 0) + 1 FROM triples WHERE entity = ?1 AND attribute = ?2),
          ?3, ?4)
        """)
    removeOne = try db.cachedStatement(
      sql: "DELETE FROM triples WHERE entity = ? AND attribute = ?")
    removeFromList = try db.cachedStatement(
      sql: """
        DELETE FROM triples WHERE entity = ?1 AND attribute = ?2 AND value IS ?3
          AND typeof(value) = typeof(?3)
        """)
  }

  func set(
    _ entity: EntityID, _ number: Int, _ value: Value, _ attribute: Attribute, _ time: Int64
  ) throws {
    try upsert.run { bind($0, entity, number, value, attribute, time) }
  }

  func append(
    _ entity: EntityID, _ number: Int, _ value: Value, _ attribute: Attribute, _ time: Int64
  ) throws {
    try add.run { bind($0, entity, number, value, attribute, time) }
  }

  func remove(_ entity: EntityID, _ number: Int) throws {
    try removeOne.run {
      $0.bind(1, entity)
      $0.bind(2, Int64(number))
    }
  }

  func remove(_ entity: EntityID, _ number: Int, _ value: Value, _ attribute: Attribute) throws {
    try removeFromList.run {
      $0.bind(1, entity)
      $0.bind(2, Int64(number))
      bind($0, 3, value, attribute)
    }
  }

  /// All values of one attribute of an entity; none of them is there yet.
  @discardableResult
  func insert(
    _ attribute: Attribute, _ number: Int, of entity: EntityHandle, in store: TripleStore
  ) throws -> Int {
    guard let column = store.column(of: attribute.id), store.holds(entity, column: column) else {
      return 0
    }
    let values = store.values(entity, attribute.id)
    let times = store.createdTimes(entity, attribute.id)
    let id = store.id(of: entity)
    let isList = attribute.cardinality == .many && !attribute.isIdentity
    for (value, time) in zip(values, times) {
      if isList {
        try append(id, number, value, attribute, time)
      } else {
        try set(id, number, value, attribute, time)
      }
    }
    return values.count
  }

  private func bind(
    _ statement: Statement, _ entity: EntityID, _ number: Int, _ value: Value,
    _ attribute: Attribute, _ time: Int64
  ) {
    statement.bind(1, entity)
    statement.bind(2, Int64(number))
    bind(statement, 3, value, attribute)
    statement.bind(4, time)
  }

  private func bind(
    _ statement: Statement, _ place: Int32, _ value: Value, _ attribute: Attribute
  ) {
    if attribute.isIdentity { return statement.bindNull(place) }
    if attribute.valueType == .ref, case .text(let id) = value {
      return statement.bind(place, EntityID(id))
    }
    switch value {
    case .null: statement.bindNull(place)
    case .integer(let number): statement.bind(place, number)
    case .double(let number): statement.bind(place, number)
    case .bool(let flag): statement.bind(place, blob: [flag ? 1 : 0])
    case .text(let text) where !text.utf8.contains(0): statement.bind(place, text)
    case .text, .array, .object: statement.bind(place, blob: JSONWriter.bytes(value))
    }
  }
}

extension Value {
  /// The value that a statement's column holds; nil when it holds none of ours.
  init?(_ statement: Statement, _ column: Int32) {
    switch statement.type(column) {
    case SQLITE_NULL: self = .null
    case SQLITE_INTEGER: self = .integer(statement.integer(column))
    case SQLITE_FLOAT: self = .double(statement.double(column))
    case SQLITE_TEXT:
      guard let text = String(validating: statement.bytes(column), as: UTF8.self) else {
        return nil
      }
      self = .text(text)
    default:
      switch statement.bytes(column) {
      case [0]: self = .bool(false)
      case [1]: self = .bool(true)
      case let json:
        guard let value = try? JSONReader.value(of: json) else { return nil }
        self = value
      }
    }
  }
}

extension EntityID {
  /// SQLite's order of keys: texts before blobs, both by their bytes.
  fileprivate func sqliteOrder(_ other: EntityID) -> Bool {
    switch (uuidBits, other.uuidBits) {
    case (let a?, let b?): a.high != b.high ? a.high < b.high : a.low < b.low
    case (nil, _?): true
    case (_?, nil): false
    case (nil, nil): text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }
  }
}
