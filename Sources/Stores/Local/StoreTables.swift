import GRDB
import Triples

/// The tables of a `.sonde` file, format 2.
///
///     head        one row: last transaction, sums of the tables, schema layout, cache head
///     attributes  number · hidden · json                    in the order of the store's columns
///     triples     entity · attribute · place · value · time  the data, one row per triple
///     log         transaction · time · author · mutation · attributes · changes
///     documents   name · data                                named data that is no triple
///     segments    id · bytes                                 the cache: see `StoreCache`
///
/// An entity is the 16 bytes of its UUID, or a text. `attribute` is a `number` in the table
/// `attributes`. `place` orders the values of a list and is 0 for single values. A value is stored
/// as null, integer, real or text. A link is stored like an entity. A boolean is one byte, 0 or 1.
/// Other JSON, and text with a NUL, is stored as the bytes of its JSON. Under an `id` attribute,
/// the value is null.
///
/// Every row has a `checksum` of its other columns (see ``RowChecksum``); the checksum of a triple
/// is cut to 32 bits. For each table, the head contains the sum of the complete checksums. The sums
/// detect missing rows. Format 1 has neither checksums nor documents.
enum StoreTables {
  /// The `PRAGMA application_id`: "Sond".
  static let applicationID: Int64 = 0x536F_6E64
  /// The `PRAGMA user_version`. Files with a greater number are rejected.
  static let format: Int64 = 2
  /// The format without checksums.
  static let formatWithoutChecksums: Int64 = 1
  /// The maximum of transaction numbers, counts and times. A double represents all smaller integers
  /// exactly.
  static let maxNumber: Int64 = 1 << 53

  static func create(_ db: Database) throws {
    try db.execute(sql: "PRAGMA application_id = \(applicationID)")
    try createTables(db)
    try write(Head(), db)
  }

  /// Creates the tables with an empty head.
  static func createTables(_ db: Database) throws {
    try db.execute(
      sql: """
        PRAGMA user_version = \(format);
        CREATE TABLE head (
          one INTEGER PRIMARY KEY CHECK (one = 1),
          transaction_id INTEGER NOT NULL, triples INTEGER NOT NULL, triple_sum INTEGER NOT NULL,
          attribute_sum INTEGER NOT NULL, document_sum INTEGER NOT NULL, last_time INTEGER NOT NULL,
          layout BLOB NOT NULL, checksum INTEGER NOT NULL,
          cache BLOB, cache_token INTEGER NOT NULL, cache_checksum INTEGER NOT NULL);
        INSERT INTO head VALUES (1, 0, 0, 0, 0, 0, 0, x'', 0, NULL, 0, 0);
        CREATE TABLE attributes (
          number INTEGER PRIMARY KEY, hidden INTEGER NOT NULL, json BLOB NOT NULL,
          checksum INTEGER NOT NULL);
        CREATE TABLE triples (
          entity NOT NULL, attribute INTEGER NOT NULL, place INTEGER NOT NULL, value,
          time INTEGER NOT NULL, checksum INTEGER NOT NULL,
          PRIMARY KEY (entity, attribute, place)) WITHOUT ROWID;
        CREATE TABLE log (
          transaction_id INTEGER PRIMARY KEY, time INTEGER NOT NULL, author TEXT NOT NULL,
          mutation TEXT UNIQUE, attributes BLOB NOT NULL, changes BLOB, checksum INTEGER NOT NULL);
        CREATE TABLE documents (
          name TEXT PRIMARY KEY, data BLOB NOT NULL, checksum INTEGER NOT NULL);
        CREATE TABLE segments (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
        """)
  }

  /// Returns whether the rows have checksums.
  static func hasChecksums(_ db: Database) throws -> Bool {
    let statement = try db.cachedStatement(sql: "PRAGMA user_version")
    defer { statement.reset() }
    return try statement.step() && statement.integer(0) != formatWithoutChecksums
  }

  // MARK: Attributes

  static func attributes(_ db: Database) throws -> [ChangeRecord.AttributeState] {
    let (states, damage) = try readAttributes(db)
    if let summary = damage.summary { throw self.damage(summary) }
    return states
  }

  /// Returns the attributes before the first damaged attribute, because the numbers of later
  /// attributes are unknown.
  static func readAttributes(
    _ db: Database
  ) throws -> (states: [ChangeRecord.AttributeState], damage: DamageList) {
    let hasChecksums = try hasChecksums(db)
    let statement = try db.cachedStatement(
      sql: "SELECT number, hidden, json, \(hasChecksums ? "checksum" : "NULL") FROM attributes "
        + "ORDER BY number")
    defer { statement.reset() }
    var states: [ChangeRecord.AttributeState] = []
    var damage = DamageList()
    var sum: UInt64 = 0
    while try statement.step() {
      let checksum = Checksum.of(statement, columns: 3)
      sum &+= checksum
      do {
        let attribute = try Attribute(json: JSONReader.value(of: statement.bytes(2)))
        guard !hasChecksums || Int64(bitPattern: checksum) == statement.integer(3) else {
          damage.add(.init(fault: "Attribute \(states.count) does not match its checksum"))
          return (states, damage)
        }
        states.append(.init(attribute: attribute, isHidden: statement.integer(1) != 0))
      } catch {
        damage.add(.init(fault: "Attribute \(states.count): \(error)"))
        return (states, damage)
      }
    }
    if hasChecksums, try sum != head(db).attributeSum {
      damage.add(.init(fault: "Some attributes are missing or damaged"))
    }
    return (states, damage)
  }

  /// Rewrites all attributes of a store.
  ///
  /// - Returns: The sum of the rows' checksums, for the head.
  static func writeAttributes(of store: TripleStore, _ db: Database) throws -> UInt64 {
    try db.execute(sql: "DELETE FROM attributes")
    let statement = try db.cachedStatement(sql: "INSERT INTO attributes VALUES (?, ?, ?, ?)")
    var sum: UInt64 = 0
    for (number, state) in store.attributeStates.enumerated() {
      let json = JSONWriter.bytes(state.attribute.json)
      let isHidden: Int64 = state.isHidden ? 1 : 0
      var checksum = Checksum()
      checksum.mix(integer: Int64(number))
      checksum.mix(integer: isHidden)
      checksum.mix(blob: json)
      sum &+= checksum.value
      try statement.run { statement in
        statement.bind(1, Int64(number))
        statement.bind(2, isHidden)
        statement.bind(3, blob: json)
        statement.bind(4, Int64(bitPattern: checksum.value))
      }
    }
    return sum
  }

  /// Returns the error for invalid data; `place` says where, such as the table and row.
  static func damage(_ place: String) -> Damage { Damage(place: place) }

  struct Damage: Error, CustomStringConvertible {
    let place: String

    var description: String { place }
  }
}
