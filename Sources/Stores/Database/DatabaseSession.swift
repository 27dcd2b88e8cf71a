import GRDB
import InstaQL
import Triples

/// A connection within a read transaction, so that all statements see the same commit.
protocol DatabaseSession {
  associatedtype Rows: DatabaseRows

  /// Executes a statement.
  ///
  /// - Parameter isRepeated: Whether the same text will be executed again with other values.
  /// - Throws: `QueryError.notInSQL` if the statement exceeds the limits of the database, and
  ///   errors of the database.
  func rows(of statement: SQLStatement, isRepeated: Bool) throws -> Rows

  /// Returns the query planner's estimate of how many rows a count reads; nil without an estimate.
  func estimatedInput(of count: SQLStatement) throws -> Int?

  /// Returns the query plan of a statement, as the database prints it.
  func plan(of statement: SQLStatement) throws -> [String]

  /// Returns whether an error is an integer overflow of a sum.
  static func isOverflow(_ error: any Error) -> Bool

  /// Reads all rows of a statement, without a limit. Rows of earlier results must not be read after
  /// this call.
  func allRows(of text: String) throws -> Rows

  /// Runs statements, so that the transaction can continue if one of them fails.
  func attempt(_ statements: () throws -> Void) throws
}

extension DatabaseSession {
  func allRows(of text: String) throws -> Rows { try rows(of: SQLStatement(text: text)) }

  func attempt(_ statements: () throws -> Void) throws { try statements() }

  func rows(of statement: SQLStatement) throws -> Rows {
    try rows(of: statement, isRepeated: false)
  }
}

/// The rows of a result, read one at a time; columns are counted from 0.
protocol DatabaseRows {
  /// Advances to the next row; returns false at the end.
  func step() throws -> Bool
  /// Discards the remaining rows.
  func reset()

  func isNull(_ column: Int32) -> Bool
  /// Returns the texts of the given column and all later columns. A nil text stands for NULL.
  func texts(from column: Int32) -> [String?]
  func integer(_ column: Int32) -> Int64
  func double(_ column: Int32) -> Double
  func text(_ column: Int32) -> String
  /// Returns the value of a column.
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
