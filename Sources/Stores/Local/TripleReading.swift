import GRDB
import GRDBSQLite
import LiveQueries
import Triples

/// Reads triples from rows, and records damaged rows.
struct TripleReading {
  private(set) var store = TripleStore()
  /// The number of undamaged rows, and the sum of their checksums.
  private(set) var sum = RowSum()
  private(set) var damage = DamageList()

  private let attributes: [Attribute]
  private let hasChecksums: Bool

  init(_ states: [ChangeRecord.AttributeState], hasChecksums: Bool) {
    for state in states { store.set(state) }
    attributes = store.attributeStates.map(\.attribute)
    self.hasChecksums = hasChecksums
  }

  /// Returns the statement that reads the rows of triples.
  static func select(hasChecksums: Bool) -> String {
    "SELECT \(TripleRow.columns), \(hasChecksums ? "checksum" : "NULL") FROM triples"
  }

  mutating func read(_ row: Statement) {
    let number = Int(row.integer(1))
    let attribute = attributes.indices.contains(number) ? attributes[number] : nil
    let checksum = hasChecksums ? TripleRow.checksum(of: row) : 0
    if hasChecksums, TripleRow.stored(checksum) != row.integer(5) {
      return recordDamage("does not match its checksum", row, attribute)
    }
    guard let attribute else { return recordDamage("has an unknown attribute", row, nil) }
    guard let id = EntityID(row, 0) else {
      return recordDamage("has no valid entity id", row, attribute)
    }
    let entity = store.makeEntity(id, in: attribute.namespace)
    guard load(row, of: entity, attribute, number) else {
      return recordDamage("has an invalid value of \(attribute.label)", row, attribute)
    }
    sum.add(checksum)
  }

  private mutating func recordDamage(_ fault: String, _ row: Statement, _ attribute: Attribute?) {
    damage.add(
      DamageList.Finding(
        entity: EntityID(row, 0)?.text,
        attribute: attribute.map { "\($0.namespace).\($0.label)" }, fault: "The triple " + fault))
  }

  /// Finishes reading: sorts the attributes as the head lists them, and records missing triples.
  mutating func finish(_ head: StoreTables.Head) throws {
    store.arrangeSchema(as: try head.layoutValue)
    store.transactionID = head.transactionID
    let missing = head.triples.count - sum.count - damage.count
    if missing > 0 {
      damage.add(
        DamageList.Finding(
          fault: "\(missing) of \(head.triples.count) triples are missing"), count: missing)
    } else if hasChecksums, damage.count == 0, sum != head.triples {
      damage.add(
        DamageList.Finding(
          fault: "The checksum of all triples together is wrong"))
    }
  }

  private mutating func load(
    _ row: Statement, of entity: EntityHandle, _ attribute: Attribute, _ column: Int
  ) -> Bool {
    let time = row.integer(4)
    if attribute.isIdentity {
      store.load(member: entity, column: column, at: time)
      return true
    }
    if attribute.valueType == .ref {
      guard let id = EntityID(row, 3) else { return false }
      let target = store.makeEntity(id, in: attribute.reverse?.namespace ?? "")
      _ = store.insert(target: target, of: entity, attribute.id, at: time)
      return true
    }
    guard attribute.cardinality == .one else {
      guard let value = Value(row, 3) else { return false }
      _ = store.insert(value, of: entity, attribute.id, at: time)
      return true
    }
    switch row.type(3) {
    case SQLITE_NULL: store.load(null: entity, column: column, at: time)
    case SQLITE_INTEGER: store.load(row.integer(3), of: entity, column: column, at: time)
    case SQLITE_FLOAT: store.load(row.double(3), of: entity, column: column, at: time)
    case SQLITE_TEXT:
      return row.withBytes(3) { bytes in
        guard UTF8Check.isValid(bytes) else { return false }
        store.load(bytes, of: entity, column: column, at: time)
        return true
      }
    default:
      guard let value = Value(row, 3) else { return false }
      _ = store.insert(value, of: entity, attribute.id, at: time)
    }
    return true
  }
}

extension StoreTables {
  /// Reads the whole store from its triples.
  ///
  /// - Throws: ``Damage`` if any triple cannot be read.
  static func load(_ db: Database, progress: ProgressReport) throws -> TripleStore {
    let head = try head(db)
    var reading = TripleReading(try attributes(db), hasChecksums: head.hasChecksums)
    let statement = try db.makeStatement(
      sql: TripleReading.select(hasChecksums: head.hasChecksums)
        + " ORDER BY entity, attribute, place")
    var count = 0
    while try statement.step() {
      reading.read(statement)
      count += 1
      if count & 0xFFFF == 0 {
        try Task.checkCancellation()
        progress(LoadingProgress(done: count, of: head.triples.count, .rows))
      }
    }
    try reading.finish(head)
    if let summary = reading.damage.summary { throw damage(summary) }
    return reading.store
  }
}

extension Value {
  /// Reads the value in a statement's column; nil if it is invalid.
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
