import GRDB
import InstaQL
import Triples

/// A connection while a reading puts its questions to it, all as of one commit.
protocol DatabaseSession {
  associatedtype Rows: DatabaseRows

  /// Carries a statement out.
  ///
  /// - Parameter isRepeated: Whether the same text comes again with other values.
  /// - Throws: `QueryError.notInSQL` when it is more than the database takes in one statement; what the
  ///   database throws.
  func rows(of statement: SQLStatement, isRepeated: Bool) throws -> Rows

  /// How many rows the database expects a count to count; nil where it does not say.
  func estimatedInput(of count: SQLStatement) throws -> Int?

  /// How the database answers a statement, in its words.
  func plan(of statement: SQLStatement) throws -> [String]

  /// Whether an error says that a sum is greater than any integer.
  static func isOverflow(_ error: any Error) -> Bool

  /// All rows of a statement, however many; the one before is not read on.
  func allRows(of text: String) throws -> Rows
}

extension DatabaseSession {
  func allRows(of text: String) throws -> Rows { try rows(of: SQLStatement(text: text)) }

  func rows(of statement: SQLStatement) throws -> Rows {
    try rows(of: statement, isRepeated: false)
  }
}

/// The rows of a statement, one after the other; columns are counted from 0.
protocol DatabaseRows {
  /// The next row; false at the end.
  func step() throws -> Bool
  /// Gives up the rows that were not read.
  func reset()

  func isNull(_ column: Int32) -> Bool
  /// The texts of this column and all after it; nil is NULL.
  func texts(from column: Int32) -> [String?]
  func integer(_ column: Int32) -> Int64
  func double(_ column: Int32) -> Double
  func text(_ column: Int32) -> String
  /// What stands in a column, as a reader of cells takes it.
  func value(_ column: Int32, _ cell: CellReader) -> Value
}

extension Database: DatabaseSession {
  func rows(of statement: SQLStatement, isRepeated: Bool) throws -> Statement {
    guard isRepeated else { return try self.statement(statement.text, statement.values) }
    let prepared = try cachedStatement(sql: statement.text)
    try prepared.setArguments(StatementArguments(statement.values.map(\.databaseValue)))
    return prepared
  }
}

extension Database {
  func estimatedInput(of count: SQLStatement) throws -> Int? { nil }

  func plan(of statement: SQLStatement) throws -> [String] {
    let rows = try self.statement("EXPLAIN QUERY PLAN " + statement.text, statement.values)
    var lines: [String] = []
    while try rows.step() { lines.append(rows.text(3)) }
    return lines
  }

  static func isOverflow(_ error: any Error) -> Bool {
    (error as? DatabaseError)?.message == "integer overflow"
  }
}

extension Statement: DatabaseRows {
  func texts(from column: Int32) -> [String?] {
    (column..<Int32(columnCount)).map { isNull($0) ? nil : text($0) }
  }

  func value(_ column: Int32, _ cell: CellReader) -> Value { cell.value(self, column) }
}
