import GRDB
import LiveQueries
import Triples

/// Upgrades a file without checksums to the current format.
enum StoreUpgrade {
  /// Copies all rows to new tables with checksums, and drops the cache.
  ///
  /// It must run within a transaction.
  static func run(_ db: Database) throws {
    // Unreadable data must not get valid checksums.
    _ = try StoreTables.load(db, progress: .unread)
    for table in ["head", "attributes", "triples", "log"] {
      try db.execute(sql: "ALTER TABLE \(table) RENAME TO old_\(table)")
    }
    try db.execute(sql: "DROP TABLE segments")
    try StoreTables.createTables(db)
    let triples = try copyTriples(db)
    let attributeSum = try copyAttributes(db)
    try copyLog(db)
    let old = try db.makeStatement(sql: "SELECT transaction_id, layout FROM old_head")
    guard try old.step() else { throw StoreTables.damage("its header is missing") }
    let head = StoreTables.Head(
      transactionID: Int(old.integer(0)), triples: triples.sum, attributeSum: attributeSum,
      lastTime: triples.lastTime, layout: old.bytes(1))
    old.reset()
    try StoreTables.write(head, db)
    for table in ["head", "attributes", "triples", "log"] {
      try db.execute(sql: "DROP TABLE old_\(table)")
    }
  }

  private static func copyTriples(_ db: Database) throws -> (sum: RowSum, lastTime: Int64) {
    let (select, insert) = try statements("triples", TripleRow.columns, 5, db)
    var sum = RowSum()
    var lastTime: Int64 = 0
    while try select.step() {
      let checksum = TripleRow.checksum(of: select)
      sum.add(checksum)
      lastTime = max(lastTime, min(select.integer(4), StoreTables.maxNumber))
      try copy(select, 5, checksum: TripleRow.stored(checksum), insert)
    }
    return (sum, lastTime)
  }

  private static func copyAttributes(_ db: Database) throws -> UInt64 {
    let (select, insert) = try statements("attributes", "number, hidden, json", 3, db)
    var sum: UInt64 = 0
    while try select.step() {
      let checksum = Checksum.of(select, columns: 3)
      sum &+= checksum
      try copy(select, 3, checksum: Int64(bitPattern: checksum), insert)
    }
    return sum
  }

  private static func copyLog(_ db: Database) throws {
    let (select, insert) = try statements("log", StoreLog.columns, 6, db)
    while try select.step() {
      let checksum = Checksum.of(select, columns: 6)
      try copy(select, 6, checksum: Int64(bitPattern: checksum), insert)
    }
  }

  private static func statements(
    _ table: String, _ columns: String, _ count: Int, _ db: Database
  ) throws -> (select: Statement, insert: Statement) {
    let places = Array(repeating: "?", count: count + 1).joined(separator: ", ")
    return (
      try db.makeStatement(sql: "SELECT \(columns) FROM old_\(table)"),
      try db.makeStatement(sql: "INSERT INTO \(table) VALUES (\(places))")
    )
  }

  private static func copy(
    _ row: Statement, _ count: Int32, checksum: Int64, _ insert: Statement
  ) throws {
    try insert.run { statement in
      for column in 0..<count { statement.bind(column + 1, row, column) }
      statement.bind(count + 1, checksum)
    }
  }
}
