package import Triples

/// The differences between the SQL dialects of SQLite and PostgreSQL.
public struct SQLDialect: Hashable, Sendable {
  /// The character in front of the number of a bound value, such as `?` in `?1`.
  let placeholder: String
  /// Whether NULL comes first in ascending order even without `NULLS FIRST`.
  let sortsNullsFirst: Bool
  /// The `LIMIT` clause that must precede an `OFFSET`; empty if `OFFSET` needs none.
  let limitBeforeOffset: String
  /// Whether `LIKE` is case-sensitive, and `ILIKE` ignores case.
  let hasCaseSensitiveLike: Bool

  /// The maximum number of rows that a statement returns if it has no limit of its own; nil for no
  /// limit.
  package let maxRows: Int?
  /// How the list of an `IN` condition is bound: as one JSON array in SQLite, as one array per
  /// column in PostgreSQL.
  private let lists: Lists

  private enum Lists { case json, arrays }

  /// The dialect of SQLite.
  public static let sqlite = SQLDialect(
    placeholder: "?", sortsNullsFirst: true, limitBeforeOffset: " LIMIT -1",
    hasCaseSensitiveLike: false, maxRows: nil, lists: .json)

  /// The dialect of PostgreSQL.
  public static let postgres = SQLDialect(
    placeholder: "$", sortsNullsFirst: false, limitBeforeOffset: "", hasCaseSensitiveLike: true,
    maxRows: 1_000_000, lists: .arrays)

  /// Returns a subquery whose rows are the items of a bound list.
  ///
  /// - Parameter types: The type to which each column is cast.
  func listedRows(_ types: [String]) -> String {
    switch lists {
    case .json where types.count == 1: return "(SELECT value FROM json_each(?1))"
    case .json:
      let columns = types.indices.map { "json_extract(value, '$[\($0)]')" }
      return "(SELECT \(columns.joined(separator: ", ")) FROM json_each(?1))"
    case .arrays:
      return Self.unnested(types.enumerated().map { ("$\($0 + 1)", $1) })
    }
  }

  /// Returns a PostgreSQL subquery whose rows are the items of bound arrays, one for each column.
  ///
  /// No type is an array of arrays, so the items of such a column are bound as texts.
  ///
  /// - Parameter columns: The parameter of each column, and the type to which it is cast.
  package static func unnested(_ columns: [(parameter: String, type: String)]) -> String {
    let arrays = columns.map { "\($0)::\(isArray($1) ? "text" : $1)[]" }
    let rows = "unnest(\(arrays.joined(separator: ", ")))"
    guard columns.contains(where: { isArray($0.type) }) else { return "(SELECT * FROM \(rows))" }
    let names = columns.indices.map { "item\($0 + 1)" }
    let items = zip(names, columns).map { isArray($1.type) ? "\($0)::\($1.type)" : $0 }
    return "(SELECT \(items.joined(separator: ", ")) FROM \(rows) "
      + "AS items(\(names.joined(separator: ", "))))"
  }

  /// Returns whether a type may be an array type. PostgreSQL puts `_` in front of their names.
  static func isArray(_ type: String) -> Bool {
    type.contains("._") || type.contains(".\"_")
  }

  /// Returns the values to bind for the subquery that `listedRows` returns.
  ///
  /// - Parameters:
  ///   - rows: The values of each row's columns, as texts.
  ///   - areNumbers: Whether the only column contains numbers.
  package func list(_ rows: [[String]], columns: Int, areNumbers: Bool) -> [Value] {
    switch lists {
    case .json where columns == 1 && areNumbers:
      return [.text("[" + rows.map { $0[0] }.joined(separator: ",") + "]")]
    case .json:
      let list = rows.map { row in
        columns == 1 ? Value.text(row[0]) : .array(row.map { .text($0) })
      }
      return [.text(JSONWriter.text(.array(list)))]
    case .arrays:
      return (0..<columns).map { column in
        .text(array(rows.map { $0[column] }))
      }
    }
  }

  /// Returns a PostgreSQL array literal with these texts.
  package func array(_ texts: [String]) -> String {
    "{" + texts.map(Self.element).joined(separator: ",") + "}"
  }

  /// Returns an element of an array literal, in double quotes. Quotes and backslashes within the
  /// element are escaped.
  ///
  /// - Source: PostgreSQL's manual, 8.15.6.
  private static func element(_ text: String) -> String {
    "\"" + text.escaping("\\", as: "\\\\").escaping("\"", as: "\\\"") + "\""
  }
}
