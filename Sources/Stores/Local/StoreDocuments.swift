import GRDB
import Triples

/// Named documents in a store file: bytes that are not triples, such as the rules of a backup.
enum StoreDocuments {
  /// Returns the sorted names of all documents; empty for a format without documents.
  static func names(_ db: Database) throws -> [String] {
    guard try StoreTables.hasChecksums(db) else { return [] }
    let statement = try db.cachedStatement(sql: "SELECT name FROM documents ORDER BY name")
    defer { statement.reset() }
    var names: [String] = []
    while try statement.step() { names.append(statement.text(0)) }
    return names
  }

  /// Reads the bytes of a document; nil if no document has this name.
  ///
  /// - Throws: ``StoreTables/Damage`` if the document is damaged.
  static func bytes(of name: String, _ db: Database) throws -> [UInt8]? {
    guard try StoreTables.hasChecksums(db) else { return nil }
    let statement = try db.cachedStatement(
      sql: "SELECT name, data, checksum FROM documents WHERE name = ?")
    defer { statement.reset() }
    statement.bind(1, name)
    guard try statement.step() else { return nil }
    guard Int64(bitPattern: Checksum.of(statement, columns: 2)) == statement.integer(2) else {
      throw StoreTables.damage("the stored file \(name) does not match its checksum")
    }
    return statement.bytes(1)
  }

  /// Writes documents; a nil value removes the document.
  static func write(_ documents: [String: [UInt8]?], _ db: Database) throws {
    if documents.isEmpty { return }
    var head = try StoreTables.head(db)
    for (name, bytes) in documents.sorted(by: { $0.key < $1.key }) {
      try remove(name, &head, db)
      guard let bytes else { continue }
      var checksum = Checksum()
      checksum.mix(text: name)
      checksum.mix(blob: bytes)
      let insert = try db.cachedStatement(sql: "INSERT INTO documents VALUES (?, ?, ?)")
      try insert.run { statement in
        statement.bind(1, name)
        statement.bind(2, blob: bytes)
        statement.bind(3, Int64(bitPattern: checksum.value))
      }
      head.documentSum &+= checksum.value
    }
    try StoreTables.write(head, db)
  }

  private static func remove(_ name: String, _ head: inout StoreTables.Head, _ db: Database) throws
  {
    let select = try db.cachedStatement(
      sql: "SELECT name, data, checksum FROM documents WHERE name = ?")
    select.bind(1, name)
    while try select.step() {
      let checksum = Checksum.of(select, columns: 2)
      head.documentSum &-= checksum
      // The document is damaged, so its checksum cannot be subtracted. The sum is computed again
      // from the other documents.
      if Int64(bitPattern: checksum) != select.integer(2) {
        head.documentSum = try sum(without: name, db)
      }
    }
    let delete = try db.cachedStatement(sql: "DELETE FROM documents WHERE name = ?")
    try delete.run { $0.bind(1, name) }
  }

  /// Returns the sum of the stored checksums of all documents except the named one.
  private static func sum(without name: String, _ db: Database) throws -> UInt64 {
    let select = try db.cachedStatement(sql: "SELECT checksum FROM documents WHERE name != ?")
    select.bind(1, name)
    var sum: UInt64 = 0
    while try select.step() { sum &+= UInt64(bitPattern: select.integer(0)) }
    return sum
  }

  /// Finds damaged and missing documents.
  static func damage(_ db: Database) throws -> DamageList {
    var damage = DamageList()
    let head = try StoreTables.head(db)
    guard head.hasChecksums else { return damage }
    let statement = try db.makeStatement(sql: "SELECT name, data, checksum FROM documents")
    var sum: UInt64 = 0
    while try statement.step() {
      let checksum = Checksum.of(statement, columns: 2)
      sum &+= checksum
      if Int64(bitPattern: checksum) != statement.integer(2) {
        damage.add(
          .init(fault: "The stored file \(statement.text(0)) does not match its checksum"))
      }
    }
    if damage.count == 0, sum != head.documentSum {
      damage.add(.init(fault: "Some stored files are missing or damaged"))
    }
    return damage
  }
}

extension LocalStore {
  /// Returns the sorted names of the documents.
  package func documents() async throws(StoreError) -> [String] {
    try await reading { try StoreDocuments.names($0) }
  }

  /// Reads the bytes of a document; nil if no document has this name.
  package func document(named name: String) async throws(StoreError) -> [UInt8]? {
    try await reading { try StoreDocuments.bytes(of: name, $0) }
  }

  /// Writes a document, or removes it if `bytes` is nil. The change is on disk when this returns.
  package func setDocument(_ bytes: [UInt8]?, named name: String) async throws(StoreError) {
    try await setDocuments([name: bytes])
  }

  /// Writes several documents atomically; a nil value removes the document.
  package func setDocuments(_ documents: [String: [UInt8]?]) async throws(StoreError) {
    guard access == .readWrite else {
      throw .unwritable(path: path, reason: "the store is open read-only")
    }
    try await reading { db in
      try db.inTransaction(.immediate) {
        try StoreDocuments.write(documents, db)
        return .commit
      }
    }
  }

  private func reading<Result: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws(StoreError) -> Result {
    do {
      return try await fileInPlace().database.writeWithoutTransaction(body)
    } catch {
      throw StoreError(error, ofStore: path)
    }
  }
}
