import GRDB
import LiveQueries
import Triples

/// The limits of a store file's log.
package struct LogLimits: Sendable {
  /// The maximum number of transactions whose changes are kept; `maxBytes` is the maximum size of
  /// these changes.
  package var maxTransactions = 10_000
  package var maxBytes = 32 << 20
  package var recognition = RecognitionLimits()
  /// The number of transactions after which old changes are removed; `idsInterval` is the same for
  /// old ids.
  package var changesInterval = 256
  package var idsInterval = 4_096

  package init() {}
}

/// The log of transactions: to follow other processes, update the cache and recognize repetitions.
///
/// The log contains the changes of the newest transactions, within ``LogLimits``. Of older
/// transactions, it contains only the ids, within ``RecognitionLimits``.
enum StoreLog {
  /// The maximum number of changes in a row of the log. A larger transaction is logged by its id
  /// only, and other processes then reload the store.
  static let maxChanges = 50_000

  /// A row of the log.
  struct Entry {
    var record: ChangeRecord
    var author: String
    var mutation: MutationID?
  }

  static func append(_ entry: Entry, _ limits: LogLimits, _ db: Database) throws {
    let statement = try db.cachedStatement(sql: "INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)")
    let isKept = entry.record.changes.count <= maxChanges
    let changes = isKept ? entry.record.changesJSON : []
    let attributes = entry.record.attributesJSON
    let checksum = checksum(
      Int64(entry.record.transactionID), entry.record.time, entry.author, entry.mutation?.text,
      attributes, isKept ? changes : nil)
    try statement.run { statement in
      statement.bind(1, Int64(entry.record.transactionID))
      statement.bind(2, entry.record.time)
      statement.bind(3, entry.author)
      if let mutation = entry.mutation {
        statement.bind(4, mutation.text)
      } else {
        statement.bindNull(4)
      }
      statement.bind(5, blob: attributes)
      if isKept { statement.bind(6, blob: changes) } else { statement.bindNull(6) }
      statement.bind(7, Int64(bitPattern: checksum))
    }
    let number = entry.record.transactionID
    let isTimeForIDs = number % limits.idsInterval == 0
    if isTimeForIDs || number % limits.changesInterval == 0 || changes.count > 1 << 20 {
      try forgetChanges(limits, db)
    }
    if isTimeForIDs { try forgetIDs(limits.recognition, at: entry.record.time, db) }
  }

  private static func checksum(
    _ transactionID: Int64, _ time: Int64, _ author: String, _ mutation: String?,
    _ attributes: [UInt8], _ changes: [UInt8]?
  ) -> UInt64 {
    var checksum = Checksum()
    checksum.mix(integer: transactionID)
    checksum.mix(integer: time)
    checksum.mix(text: author)
    if let mutation { checksum.mix(text: mutation) } else { checksum.mixNull() }
    checksum.mix(blob: attributes)
    if let changes { checksum.mix(blob: changes) } else { checksum.mixNull() }
    return checksum.value
  }

  /// The columns of a row, in the order of its checksum.
  static let columns = "transaction_id, time, author, mutation, attributes, changes"

  /// Returns whether the log contains a change with this id.
  static func contains(_ mutation: MutationID, _ db: Database) throws -> Bool {
    let statement = try db.cachedStatement(sql: "SELECT 1 FROM log WHERE mutation = ?")
    defer { statement.reset() }
    statement.bind(1, mutation.text)
    return try statement.step()
  }

  /// Reads the transactions after a number; nil if the log lacks some of them or is damaged.
  ///
  /// The caller can then reload the triples, which contain the results of all transactions.
  static func records(
    after transactionID: Int, upTo last: Int, _ db: Database
  ) throws -> [ChangeRecord]? {
    let hasChecksums = try StoreTables.hasChecksums(db)
    let statement = try db.cachedStatement(
      sql: "SELECT \(columns), \(hasChecksums ? "checksum" : "NULL") FROM log "
        + "WHERE transaction_id > ? ORDER BY transaction_id")
    defer { statement.reset() }
    statement.bind(1, Int64(transactionID))
    var records: [ChangeRecord] = []
    while try statement.step() {
      let number = Int(statement.integer(0))
      guard number == transactionID + records.count + 1, !statement.isNull(5),
        !hasChecksums || isSound(statement),
        let record = try? ChangeRecord(
          transactionID: number, time: statement.integer(1), attributes: statement.bytes(4),
          changes: statement.bytes(5))
      else { return nil }
      records.append(record)
    }
    return transactionID + records.count == last ? records : nil
  }

  /// Returns whether a row of ``columns`` matches the checksum in the next column.
  private static func isSound(_ row: Statement) -> Bool {
    Int64(bitPattern: Checksum.of(row, columns: 6)) == row.integer(6)
  }

  /// Counts the rows that do not match their checksums.
  static func damagedRows(_ db: Database) throws -> Int {
    guard try StoreTables.hasChecksums(db) else { return 0 }
    let statement = try db.makeStatement(sql: "SELECT \(columns), checksum FROM log")
    var count = 0
    while try statement.step() {
      if !isSound(statement) { count += 1 }
    }
    return count
  }

  // MARK: Removing old entries

  /// Removes the changes of old transactions; their ids stay.
  private static func forgetChanges(_ limits: LogLimits, _ db: Database) throws {
    guard let newest = try newestToForget(limits, db) else { return }
    // The loop ends at rows whose changes and attributes were removed earlier.
    let old = try db.cachedStatement(
      sql: "SELECT transaction_id, time, author, mutation, length(attributes) = 0 FROM log "
        + "WHERE transaction_id <= ? ORDER BY transaction_id DESC")
    var rows: [(id: Int64, checksum: UInt64?)] = []
    defer { old.reset() }
    old.bind(1, newest)
    while try old.step(), old.integer(4) == 0 {
      let id = old.integer(0)
      let checksum =
        old.isNull(3)
        ? nil
        : checksum(id, old.integer(1), old.text(2), old.text(3), [], nil)
      rows.append((id, checksum))
    }
    old.reset()
    let emptying = try db.cachedStatement(
      sql: "UPDATE log SET attributes = x'', changes = NULL, checksum = ? WHERE transaction_id = ?")
    for row in rows {
      guard let checksum = row.checksum else {
        try db.execute(sql: "DELETE FROM log WHERE transaction_id = \(row.id)")
        continue
      }
      try emptying.run { statement in
        statement.bind(1, Int64(bitPattern: checksum))
        statement.bind(2, row.id)
      }
    }
  }

  /// Returns the newest transaction whose changes must be removed; nil if all are within the
  /// limits.
  private static func newestToForget(_ limits: LogLimits, _ db: Database) throws -> Int64? {
    let statement = try db.cachedStatement(
      sql: "SELECT transaction_id, length(changes) FROM log ORDER BY transaction_id DESC")
    defer { statement.reset() }
    var (count, size) = (0, 0)
    while try statement.step() {
      count += 1
      size += Int(statement.integer(1))
      if count > limits.maxTransactions || size > limits.maxBytes, count > 1 {
        return statement.integer(0)
      }
    }
    return nil
  }

  /// Removes the log entries beyond the limits that contain only the id of a change.
  ///
  /// If such a change is sent again, it is no longer recognized as a duplicate. Entries that also
  /// contain changes remain.
  private static func forgetIDs(
    _ limits: RecognitionLimits, at now: Int64, _ db: Database
  ) throws {
    try db.execute(
      sql: "DELETE FROM log WHERE length(attributes) = 0 AND time < \(now - limits.maxAge)")
    let counting = try db.cachedStatement(sql: "SELECT count(*) FROM log GROUP BY author")
    defer { counting.reset() }
    var counts: [Int] = []
    while try counting.step() { counts.append(Int(counting.integer(0))) }
    let share = limits.share(of: counts)
    guard counts.contains(where: { $0 > share }) else { return }
    try db.execute(
      sql: """
        DELETE FROM log WHERE length(attributes) = 0 AND transaction_id IN (
          SELECT transaction_id FROM (
            SELECT transaction_id,
              row_number() OVER (PARTITION BY author ORDER BY transaction_id DESC) AS place
            FROM log)
          WHERE place > \(share))
        """)
  }
}
