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
      let arrays = types.enumerated().map { "$\($0 + 1)::\($1)[]" }
      return "(SELECT * FROM unnest(\(arrays.joined(separator: ", "))))"
    }
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
