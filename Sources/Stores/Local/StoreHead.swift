import GRDB
import Triples

/// Reads and writes the head of a store file.
extension StoreTables {
  struct Head: Equatable {
    var transactionID = 0
    /// The number of triples and the sum of their checksums.
    var triples = RowSum()
    /// The sum of the checksums of all attribute rows; `documentSum` is the sum for all document
    /// rows.
    var attributeSum: UInt64 = 0
    var documentSum: UInt64 = 0
    /// The latest time of a triple, in milliseconds since 1970.
    var lastTime: Int64 = 0
    /// The layout of the schema as JSON; see `Schema.layout`.
    var layout: [UInt8] = Array("{}".utf8)
    /// Whether the file has checksums.
    var hasChecksums = true

    var layoutValue: Value {
      get throws {
        do {
          return try JSONReader.value(of: layout)
        } catch {
          throw damage("the saved order of the attributes is invalid: \(error)")
        }
      }
    }

    fileprivate var checksum: UInt64 {
      var checksum = Checksum()
      for number in [Int64(transactionID), Int64(triples.count), lastTime] {
        checksum.mix(integer: number)
      }
      for sum in [triples.sum, attributeSum, documentSum] { checksum.mix(sum) }
      checksum.mix(blob: layout)
      return checksum.value
    }
  }

  static func head(_ db: Database) throws -> Head {
    guard try hasChecksums(db) else { return try headWithoutChecksums(db) }
    let statement = try db.cachedStatement(
      sql: """
        SELECT transaction_id, triples, triple_sum, attribute_sum, document_sum, last_time, layout,
          checksum FROM head
        """)
    defer { statement.reset() }
    guard try statement.step() else { throw damage("its header is missing") }
    let head = Head(
      transactionID: try number(statement, 0),
      triples: RowSum(count: try number(statement, 1), sum: sum(statement, 2)),
      attributeSum: sum(statement, 3), documentSum: sum(statement, 4),
      lastTime: try time(statement, 5), layout: statement.bytes(6))
    guard head.checksum == sum(statement, 7) else {
      throw damage("the header does not match its checksum")
    }
    return head
  }

  private static func headWithoutChecksums(_ db: Database) throws -> Head {
    let statement = try db.cachedStatement(
      sql: "SELECT transaction_id, triples, layout FROM head")
    defer { statement.reset() }
    guard try statement.step() else { throw damage("its header is missing") }
    return Head(
      transactionID: try number(statement, 0),
      triples: RowSum(count: try number(statement, 1)), layout: statement.bytes(2),
      hasChecksums: false)
  }

  private static func number(_ row: Statement, _ column: Int32) throws -> Int {
    let number = row.integer(column)
    guard (0...maxNumber).contains(number) else {
      throw damage("the header contains the invalid number \(number)")
    }
    return Int(number)
  }

  private static func time(_ row: Statement, _ column: Int32) throws -> Int64 {
    let time = row.integer(column)
    guard (-maxNumber...maxNumber).contains(time) else {
      throw damage("the header contains the invalid time \(time)")
    }
    return time
  }

  private static func sum(_ row: Statement, _ column: Int32) -> UInt64 {
    UInt64(bitPattern: row.integer(column))
  }

  static func transactionID(_ db: Database) throws -> Int { try head(db).transactionID }

  /// Writes the head of a file with checksums.
  static func write(_ head: Head, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        UPDATE head SET transaction_id = ?, triples = ?, triple_sum = ?, attribute_sum = ?,
          document_sum = ?, last_time = ?, layout = ?, checksum = ?
        """)
    try statement.run { statement in
      statement.bind(1, Int64(head.transactionID))
      statement.bind(2, Int64(head.triples.count))
      statement.bind(3, Int64(bitPattern: head.triples.sum))
      statement.bind(4, Int64(bitPattern: head.attributeSum))
      statement.bind(5, Int64(bitPattern: head.documentSum))
      statement.bind(6, head.lastTime)
      statement.bind(7, blob: head.layout)
      statement.bind(8, Int64(bitPattern: head.checksum))
    }
  }
}
