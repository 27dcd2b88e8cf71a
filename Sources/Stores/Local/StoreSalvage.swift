import GRDB
import GRDBSQLite
package import LiveQueries
package import Triples

/// Recovers the readable data of a damaged store file.
package enum StoreSalvage {
  /// The readable data of a store file, and its damage.
  package struct Result: Sendable {
    package var store: TripleStore
    package var documents: [String: [UInt8]]
    package var damage: DamageList
  }

  /// Reads a file completely if it is undamaged; otherwise reads all data that is readable.
  ///
  /// - Throws: ``StoreError`` if the file is missing, not a store, or nothing is readable.
  @concurrent
  package static func read(
    file path: String, progress: ProgressReport = .unread
  ) async throws(StoreError) -> Result {
    let file = try StoreFile(path, access: .readOnly, ifMissing: .fail)
    defer { file.close() }
    do {
      var damage = DamageList()
      for warning in file.warnings { damage.add(.init(fault: warning)) }
      let (documents, lost) = try await file.database.writeWithoutTransaction { db in
        try Self.documents(db)
      }
      damage.add(lost)
      if let state = try? await StoreLoading.load(file, progress: progress) {
        // The cache may be complete although the triples are damaged.
        return Result(store: state.contents.store, documents: documents, damage: damage)
      }
      let (store, found) = try await file.database.writeWithoutTransaction { db in
        try Self.triples(db, progress: progress)
      }
      damage.add(found)
      return Result(store: store, documents: documents, damage: damage)
    } catch {
      throw StoreError(error, ofStore: path)
    }
  }

  private static func documents(
    _ db: Database
  ) throws -> (documents: [String: [UInt8]], damage: DamageList) {
    var documents: [String: [UInt8]] = [:]
    var damage = DamageList()
    do {
      for name in try StoreDocuments.names(db) {
        do {
          documents[name] = try StoreDocuments.bytes(of: name, db)
        } catch {
          damage.add(.init(fault: "The stored file \(name) cannot be read: \(reason(error))"))
        }
      }
    } catch {
      damage.add(.init(fault: "The stored files cannot be read: \(reason(error))"))
    }
    return (documents, damage)
  }

  /// Reads the readable triples, and lists the damage to the other triples.
  static func triples(
    _ db: Database, progress: ProgressReport
  ) throws -> (store: TripleStore, damage: DamageList) {
    var damage = DamageList()
    var head: StoreTables.Head?
    do {
      head = try StoreTables.head(db)
    } catch {
      damage.add(.init(fault: "The header of the store cannot be read: \(reason(error))"))
    }
    let (attributes, lost) = try attributes(db)
    damage.add(lost)
    let hasChecksums = try StoreTables.hasChecksums(db)
    var scan = TripleScan(
      reading: TripleReading(attributes, hasChecksums: hasChecksums), hasChecksums: hasChecksums,
      total: head?.triples.count ?? 0, progress: progress)
    try scan.run(db)
    var reading = scan.reading
    if let head {
      do {
        try reading.finish(head)
      } catch {
        damage.add(.init(fault: "The order of the attributes is lost: \(reason(error))"))
      }
    }
    for fault in scan.faults { damage.add(.init(fault: fault)) }
    damage.add(reading.damage)
    return (reading.store, damage)
  }

  /// Reads the attributes from the table, or from the cache if the cache contains more of them.
  private static func attributes(
    _ db: Database
  ) throws -> (states: [ChangeRecord.AttributeState], damage: DamageList) {
    var (states, damage): ([ChangeRecord.AttributeState], DamageList) = ([], DamageList())
    do {
      (states, damage) = try StoreTables.readAttributes(db)
    } catch {
      damage.add(.init(fault: "The attributes cannot be read: \(reason(error))"))
    }
    guard damage.count > 0, let manifest = try? StoreCache.manifest(db),
      let cached = try? SegmentedStore(head: manifest.head).attributeStates,
      cached.count > states.count
    else { return (states, damage) }
    return (cached, damage)
  }

  static func reason(_ error: any Error) -> String {
    switch error {
    case let damage as StoreTables.Damage: damage.place
    case let error as DatabaseError: error.message ?? "the reason is unknown"
    default: "\(error)"
    }
  }
}

/// Reads all triples that SQLite can reach, skipping unreadable pages.
private struct TripleScan {
  var reading: TripleReading
  let hasChecksums: Bool
  let total: Int
  let progress: ProgressReport
  /// SQLite's messages about unreadable pages.
  private(set) var faults: [String] = []
  private var count = 0

  init(
    reading: TripleReading, hasChecksums: Bool, total: Int, progress: ProgressReport
  ) {
    (self.reading, self.hasChecksums) = (reading, hasChecksums)
    (self.total, self.progress) = (total, progress)
  }

  /// A UUID as a number; the table is sorted by UUIDs.
  private typealias Key = UInt128

  /// The maximum depth of bisection: enough to reach a single page among a billion evenly spread
  /// ids.
  private static let maxDepth = 40
  private static let maxFaults = 5

  mutating func run(_ db: Database) throws {
    try read("typeof(entity) = 'text'", [], db)
    // If the first and last id are unreadable, the whole range of ids is searched.
    try read(
      from: (try? edge("min", db)) ?? 0, through: (try? edge("max", db)) ?? .max, depth: 0, db)
  }

  /// Returns the smallest or largest UUID in the table, as `function` (`min` or `max`) specifies.
  /// Nil if there is none.
  private func edge(_ function: String, _ db: Database) throws -> Key? {
    let digits = try String.fetchOne(
      db, sql: "SELECT hex(\(function)(entity)) FROM triples WHERE typeof(entity) = 'blob'")
    return digits.flatMap { $0.count == 32 ? Key($0, radix: 16) : nil }
  }

  /// Reads the entities with ids in a range.
  ///
  /// If a page is unreadable, the range is bisected to reach the rows after the page.
  private mutating func read(
    from low: Key, through high: Key, depth: Int, _ db: Database
  ) throws {
    let before = reading
    if try read("entity BETWEEN ? AND ?", [bytes(low), bytes(high)], db) { return }
    guard depth < Self.maxDepth, low < high else { return }
    reading = before
    let middle = low + (high - low) / 2
    try read(from: low, through: middle, depth: depth + 1, db)
    try read(from: middle + 1, through: high, depth: depth + 1, db)
  }

  private func bytes(_ key: Key) -> [UInt8] {
    withUnsafeBytes(of: key.bigEndian) { Array($0) }
  }

  /// Reads the rows that satisfy a condition.
  ///
  /// - Returns: Whether all rows were readable.
  @discardableResult
  private mutating func read(
    _ condition: String, _ bounds: [[UInt8]], _ db: Database
  ) throws -> Bool {
    do {
      let statement = try db.cachedStatement(
        sql: TripleReading.select(hasChecksums: hasChecksums)
          + " WHERE \(condition) ORDER BY entity, attribute, place")
      defer { statement.reset() }
      for (place, bound) in bounds.enumerated() { statement.bind(Int32(place + 1), blob: bound) }
      while try statement.step() {
        reading.read(statement)
        count += 1
        if count & 0xFFFF == 0 {
          try Task.checkCancellation()
          progress(LoadingProgress(done: min(count, total), of: total, .rows))
        }
      }
      return true
    } catch let error as DatabaseError where error.resultCode != .SQLITE_INTERRUPT {
      let fault = "The database is partly unreadable: \(StoreSalvage.reason(error))"
      if faults.count < Self.maxFaults, !faults.contains(fault) { faults.append(fault) }
      return false
    }
  }
}
