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
}

extension DatabaseSession {
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

extension Statement: DatabaseRows {
  func value(_ column: Int32, _ cell: CellReader) -> Value { cell.value(self, column) }
}
