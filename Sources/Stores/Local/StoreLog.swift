import GRDB
import LiveQueries
import Triples

/// The transactions that led to the present, the newest some thousands of them: what other processes
/// follow, what the cache is brought up to date with, and who changed what when.
enum StoreLog {
  /// A transaction with more changes is not kept: who follows reads the whole store again.
  static let mostChanges = 50_000
  /// Older transactions than so many are forgotten, and older ones than fill so many bytes.
  static let mostTransactions = 10_000
  static let mostBytes = 32 << 20

  /// One line of the log.
  struct Entry {
    var record: ChangeRecord
    var author: String
    var mutation: MutationID?
  }

  static func append(_ entry: Entry, _ db: Database) throws {
    let statement = try db.cachedStatement(sql: "INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)")
    let isKept = entry.record.changes.count <= mostChanges
    let changes = isKept ? entry.record.changesJSON : []
    let attributes = entry.record.attributesJSON
    var checksum = Checksum()
    checksum.mix(integer: Int64(entry.record.transactionID))
    checksum.mix(integer: entry.record.time)
    checksum.mix(text: entry.author)
    if let mutation = entry.mutation {
      checksum.mix(text: mutation.text)
    } else {
      checksum.mixNull()
    }
    checksum.mix(blob: attributes)
    if isKept { checksum.mix(blob: changes) } else { checksum.mixNull() }
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
      statement.bind(7, Int64(bitPattern: checksum.value))
    }
    if entry.record.transactionID % 256 == 0 || changes.count > 1 << 20 {
      try forgetOld(db)
    }
  }

  /// The columns of a row, in the order of its checksum.
  static let columns = "transaction_id, time, author, mutation, attributes, changes"

  /// Whether a change of this name was made.
  static func contains(_ mutation: MutationID, _ db: Database) throws -> Bool {
    let statement = try db.cachedStatement(sql: "SELECT 1 FROM log WHERE mutation = ?")
    defer { statement.reset() }
    statement.bind(1, mutation.text)
    return try statement.step()
  }

  /// The transactions after one, without a gap; nil when the log does not know them all, or they cannot
  /// be read: what they led to stands in the triples, whatever is wrong with the log.
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

  /// Whether a row of ``columns`` matches its checksum, which follows them.
  private static func isSound(_ row: Statement) -> Bool {
    Int64(bitPattern: Checksum.of(row, columns: 6)) == row.integer(6)
  }

  /// How many rows of the log are damaged.
  static func damagedRows(_ db: Database) throws -> Int {
    guard try StoreTables.hasChecksums(db) else { return 0 }
    let statement = try db.makeStatement(sql: "SELECT \(columns), checksum FROM log")
    var count = 0
    while try statement.step() {
      if !isSound(statement) { count += 1 }
    }
    return count
  }

  private static func forgetOld(_ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: "SELECT transaction_id, length(changes) FROM log ORDER BY transaction_id DESC")
    var (count, size) = (0, 0)
    var oldest: Int64?
    while try statement.step() {
      count += 1
      size += Int(statement.integer(1))
      if count > mostTransactions || size > mostBytes, count > 1 {
        oldest = statement.integer(0)
        statement.reset()
        break
      }
    }
    if let oldest { try db.execute(sql: "DELETE FROM log WHERE transaction_id <= \(oldest)") }
  }
}
