import GRDB
import GRDBSQLite
import Triples

/// The content of the value column in a row of `triples`.
enum StoredValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
  case id(EntityID)

  init(_ value: Value, of attribute: Attribute) {
    if attribute.isIdentity {
      self = .null
    } else if attribute.valueType == .ref, case .text(let id) = value {
      self = .id(EntityID(id))
    } else {
      self.init(value)
    }
  }

  private init(_ value: Value) {
    self =
      switch value {
      case .null: .null
      case .integer(let number): .integer(number)
      case .double(let number): .real(number)
      case .bool(let flag): .blob([flag ? 1 : 0])
      case .text(let text) where !text.utf8.contains(0): .text(text)
      case .text, .array, .object: .blob(JSONWriter.bytes(value))
      }
  }

  func bind(to statement: Statement, at place: Int32) {
    switch self {
    case .null: statement.bindNull(place)
    case .integer(let number): statement.bind(place, number)
    case .real(let number): statement.bind(place, number)
    case .text(let text): statement.bind(place, text)
    case .blob(let bytes): statement.bind(place, blob: bytes)
    case .id(let id): statement.bind(place, id)
    }
  }

  func mix(into checksum: inout Checksum) {
    switch self {
    case .null: checksum.mixNull()
    case .integer(let number): checksum.mix(integer: number)
    case .real(let number): checksum.mix(real: number)
    case .text(let text): checksum.mix(text: text)
    case .blob(let bytes): checksum.mix(blob: bytes)
    case .id(let id): checksum.mix(id)
    }
  }
}

/// A row of the table `triples`.
struct TripleRow {
  var entity: EntityID
  /// The number of the attribute in the table `attributes`.
  var attribute: Int
  var place: Int64
  var value: StoredValue
  var time: Int64

  var checksum: UInt64 {
    var checksum = Checksum()
    checksum.mix(entity)
    checksum.mix(integer: Int64(attribute))
    checksum.mix(integer: place)
    value.mix(into: &checksum)
    checksum.mix(integer: time)
    return checksum.value
  }

  /// The columns of a row in the order of its checksum.
  static let columns = "entity, attribute, place, value, time"

  /// Returns the checksum of a row that was selected with ``columns``.
  static func checksum(of row: Statement) -> UInt64 { Checksum.of(row, columns: 5) }

  /// Returns the lower 32 bits of a checksum, which the row stores. The sum over all rows uses all
  /// 64 bits.
  static func stored(_ checksum: UInt64) -> Int64 { Int64(Int32(truncatingIfNeeded: checksum)) }
}

/// Changes the rows of the table `triples`, and keeps the sum of their checksums.
struct TripleRows {
  private(set) var sum: RowSum
  /// The latest time of a triple, in milliseconds since 1970.
  private(set) var lastTime: Int64

  private let insert: Statement
  private let delete: Statement
  private let deleteInList: Statement
  private let find: Statement
  private let findInList: Statement
  private let lastPlace: Statement

  private static let inList =
    " WHERE entity = ?1 AND attribute = ?2 AND value IS ?3 AND typeof(value) = typeof(?3)"

  init(_ db: Database, sum: RowSum, lastTime: Int64) throws {
    (self.sum, self.lastTime) = (sum, lastTime)
    insert = try db.cachedStatement(sql: "INSERT INTO triples VALUES (?, ?, ?, ?, ?, ?)")
    delete = try db.cachedStatement(
      sql: "DELETE FROM triples WHERE entity = ? AND attribute = ?")
    deleteInList = try db.cachedStatement(sql: "DELETE FROM triples" + Self.inList)
    let select = "SELECT \(TripleRow.columns), checksum FROM triples"
    find = try db.cachedStatement(sql: select + " WHERE entity = ? AND attribute = ?")
    findInList = try db.cachedStatement(sql: select + Self.inList)
    lastPlace = try db.cachedStatement(
      sql: "SELECT max(place) FROM triples WHERE entity = ? AND attribute = ?")
  }

  /// Inserts a row.
  mutating func insert(_ row: TripleRow) throws {
    let checksum = row.checksum
    try insert.run { statement in
      statement.bind(1, row.entity)
      statement.bind(2, Int64(row.attribute))
      statement.bind(3, row.place)
      row.value.bind(to: statement, at: 4)
      statement.bind(5, row.time)
      statement.bind(6, TripleRow.stored(checksum))
    }
    sum.add(checksum)
    lastTime = max(lastTime, min(row.time, StoreTables.maxNumber))
  }

  /// Replaces the value of an attribute with cardinality one. A replaced value keeps its time.
  ///
  /// - Returns: Whether the attribute had a value.
  mutating func set(
    _ entity: EntityID, _ number: Int, _ value: StoredValue, _ time: Int64
  ) throws -> Bool {
    let old = try remove(entity, number)
    try insert(
      TripleRow(
        entity: entity, attribute: number, place: 0, value: value, time: old?.time ?? time))
    return old != nil
  }

  /// Appends a value to a list.
  mutating func append(
    _ entity: EntityID, _ number: Int, _ value: StoredValue, _ time: Int64
  ) throws {
    bind(lastPlace, entity, number)
    let last = try lastPlace.step() ? lastPlace.integer(0) : 0
    lastPlace.reset()
    try insert(
      TripleRow(entity: entity, attribute: number, place: last + 1, value: value, time: time))
  }

  /// Removes all values of an attribute of an entity.
  ///
  /// - Returns: The place and time of the last value; nil if there was no value.
  @discardableResult
  mutating func remove(
    _ entity: EntityID, _ number: Int
  ) throws -> (place: Int64, time: Int64)? {
    bind(find, entity, number)
    guard let last = try withdraw(find) else { return nil }
    try delete.run { bind($0, entity, number) }
    return last
  }

  /// Removes a value from a list.
  ///
  /// - Returns: The value's place and time; nil if the list did not contain the value.
  mutating func remove(
    _ entity: EntityID, _ number: Int, _ value: StoredValue
  ) throws -> (place: Int64, time: Int64)? {
    bind(findInList, entity, number)
    value.bind(to: findInList, at: 3)
    guard let last = try withdraw(findInList) else { return nil }
    try deleteInList.run { statement in
      bind(statement, entity, number)
      value.bind(to: statement, at: 3)
    }
    return last
  }

  /// Removes all triples of an attribute.
  mutating func removeAll(of number: Int, _ db: Database) throws {
    let select = try db.cachedStatement(
      sql: "SELECT \(TripleRow.columns), checksum FROM triples WHERE attribute = ?")
    select.bind(1, Int64(number))
    _ = try withdraw(select)
    try db.execute(sql: "DELETE FROM triples WHERE attribute = \(number)")
  }

  /// Subtracts the checksums of rows that are about to be deleted from ``sum``.
  ///
  /// - Returns: The place and time of the last row; nil if there is no row.
  /// - Throws: An error if a row does not match its checksum.
  private mutating func withdraw(
    _ select: Statement
  ) throws -> (place: Int64, time: Int64)? {
    defer { select.reset() }
    var last: (place: Int64, time: Int64)?
    while try select.step() {
      let checksum = TripleRow.checksum(of: select)
      guard TripleRow.stored(checksum) == select.integer(5) else {
        let entity = EntityID(select, 0)?.text ?? "an unknown entity"
        throw StoreTables.damage(
          "a stored triple of \(entity) does not match its checksum, so it cannot be changed")
      }
      sum.remove(checksum)
      last = (select.integer(2), select.integer(4))
    }
    return last
  }

  private func bind(_ statement: Statement, _ entity: EntityID, _ number: Int) {
    statement.bind(1, entity)
    statement.bind(2, Int64(number))
  }
}
