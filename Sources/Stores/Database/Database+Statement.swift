import GRDB
import InstaQL
import Triples

extension Database {
  /// Prepares a statement and binds its values.
  ///
  /// - Throws: `QueryError.notInSQL` if the statement exceeds SQLite's limits.
  func statement(_ text: String, _ values: [Value]) throws -> Statement {
    do {
      let statement = try makeStatement(sql: text)
      try statement.setArguments(StatementArguments(values.map(\.databaseValue)))
      return statement
    } catch let error as DatabaseError where error.isAboutSize {
      throw QueryError.notInSQL(path: "", reason: error.message ?? "the statement is too long")
    }
  }
}

extension DatabaseError {
  /// Whether the error says that a valid statement exceeds a limit of SQLite.
  ///
  /// - Source: the limits of SQLite, which each build may set, and the messages of its parser.
  fileprivate var isAboutSize: Bool {
    if resultCode == .SQLITE_TOOBIG { return true }
    let words = [
      "parser stack overflow", "Expression tree is too large", "too many ",
      "variable number must be between", "tables in a join",
    ]
    return resultCode == .SQLITE_ERROR && words.contains { message?.contains($0) == true }
  }
}

extension Value {
  /// The value as SQLite stores it; a statement never binds lists or objects.
  var databaseValue: DatabaseValue {
    switch self {
    case .null, .array, .object: .null
    case .bool(let flag): flag.databaseValue
    case .integer(let number): number.databaseValue
    case .double(let number): number.databaseValue
    case .text(let text): text.databaseValue
    }
  }
}
