import GRDB
import Triples

/// The tables of a `.sonde` file, format 1.
///
///     head        the one row: last transaction, count of triples, layout of the schema, head of the cache
///     attributes  number · hidden · json                    in the order of the store's columns
///     triples     entity · attribute · place · value · time  the truth, one row a triple
///     log         transaction · time · author · mutation · attributes · changes
///     segments    id · bytes                                 the cache: see `StoreCache`
///
/// An entity is the 16 bytes of its UUID, or a text. `attribute` is a number of `attributes`. `place`
/// orders the values of a list and is 0 for single values. A value is stored as what it is: null,
/// integer, real, text; a link as 16 bytes or a text like an entity; a truth value as one byte 0 or 1;
/// any other JSON, and a text with a zero in it, as the bytes of its JSON. Under an `id` attribute the
/// value is null.
enum StoreTables {
  /// What stands in `PRAGMA application_id`: "Sond".
  static let applicationID: Int64 = 0x536F_6E64
  /// What stands in `PRAGMA user_version`. A file with a greater one is refused.
  static let format: Int64 = 1

  static func create(_ db: Database) throws {
    try db.execute(
      sql: """
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(format);
        CREATE TABLE head (
          one INTEGER PRIMARY KEY CHECK (one = 1),
          transaction_id INTEGER NOT NULL, triples INTEGER NOT NULL, layout BLOB NOT NULL,
          cache BLOB, cache_token INTEGER NOT NULL);
        INSERT INTO head VALUES (1, 0, 0, CAST('{}' AS BLOB), NULL, 0);
        CREATE TABLE attributes (
          number INTEGER PRIMARY KEY, hidden INTEGER NOT NULL, json BLOB NOT NULL);
        CREATE TABLE triples (
          entity NOT NULL, attribute INTEGER NOT NULL, place INTEGER NOT NULL, value,
          time INTEGER NOT NULL, PRIMARY KEY (entity, attribute, place)) WITHOUT ROWID;
        CREATE TABLE log (
          transaction_id INTEGER PRIMARY KEY, time INTEGER NOT NULL, author TEXT NOT NULL,
          mutation TEXT UNIQUE, attributes BLOB NOT NULL, changes BLOB);
        CREATE TABLE segments (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
        """)
  }

  // MARK: Head

  struct Head: Equatable {
    var transactionID: Int
    var tripleCount: Int
    /// JSON: see `Schema.layout`.
    var layout: [UInt8]

    var layoutValue: Value {
      get throws {
        do {
          return try JSONReader.value(of: layout)
        } catch {
          throw damage("the layout of the schema: \(error)")
        }
      }
    }
  }

  static func head(_ db: Database) throws -> Head {
    let statement = try db.cachedStatement(
      sql: "SELECT transaction_id, triples, layout FROM head")
    defer { statement.reset() }
    guard try statement.step() else { throw damage("the head is missing") }
    return Head(
      transactionID: Int(statement.integer(0)), tripleCount: Int(statement.integer(1)),
      layout: statement.bytes(2))
  }

  static func transactionID(_ db: Database) throws -> Int {
    let statement = try db.cachedStatement(sql: "SELECT transaction_id FROM head")
    defer { statement.reset() }
    guard try statement.step() else { throw damage("the head is missing") }
    return Int(statement.integer(0))
  }

  static func write(_ head: Head, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: "UPDATE head SET transaction_id = ?, triples = ?, layout = ?")
    try statement.run { statement in
      statement.bind(1, Int64(head.transactionID))
      statement.bind(2, Int64(head.tripleCount))
      statement.bind(3, blob: head.layout)
    }
  }

  // MARK: Attributes

  static func attributes(_ db: Database) throws -> [ChangeRecord.AttributeState] {
    let statement = try db.cachedStatement(
      sql: "SELECT hidden, json FROM attributes ORDER BY number")
    var states: [ChangeRecord.AttributeState] = []
    defer { statement.reset() }
    while try statement.step() {
      do {
        let attribute = try Attribute(json: JSONReader.value(of: statement.bytes(1)))
        states.append(.init(attribute: attribute, isHidden: statement.integer(0) != 0))
      } catch {
        throw damage("attribute \(states.count): \(error)")
      }
    }
    return states
  }

  /// Writes all attributes of a store anew.
  static func writeAttributes(of store: TripleStore, _ db: Database) throws {
    try db.execute(sql: "DELETE FROM attributes")
    let statement = try db.cachedStatement(sql: "INSERT INTO attributes VALUES (?, ?, ?)")
    for (number, state) in store.attributeStates.enumerated() {
      try statement.run { statement in
        statement.bind(1, Int64(number))
        statement.bind(2, Int64(state.isHidden ? 1 : 0))
        statement.bind(3, blob: JSONWriter.bytes(state.attribute.json))
      }
    }
  }

  /// What the file says cannot be: `place` names the table and row.
  static func damage(_ place: String) -> Damage { Damage(place: place) }

  struct Damage: Error {
    let place: String
  }
}
