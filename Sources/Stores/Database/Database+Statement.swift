import GRDB
import InstaQL
import Triples

extension Database {
  /// A statement of ours with its values.
  ///
  /// - Throws: `QueryError.notInSQL` when it is more than SQLite takes in one statement.
  func statement(_ text: String, _ values: [Value]) throws -> Statement {
    do {
      let statement = try makeStatement(sql: text)
      try statement.setArguments(StatementArguments(values.map(\.databaseValue)))
      return statement
    } catch let error as DatabaseError where error.isAboutSize {
      throw QueryError.notInSQL(path: "", reason: error.message ?? "it is too long a question")
    }
  }
}

extension DatabaseError {
  /// Whether a statement was right, and only too large.
  ///
  /// - Source: the limits of SQLite, which each build may set otherwise, and the messages of its
  ///   parser.
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
  /// As SQLite takes it; a statement of ours has neither lists nor objects.
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
