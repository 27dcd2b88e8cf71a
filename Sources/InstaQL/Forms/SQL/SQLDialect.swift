package import Triples

/// The SQL of one kind of database, as far as statements differ.
public struct SQLDialect: Hashable, Sendable {
  /// The character before the number of a bound value.
  let placeholder: String
  /// Whether NULL sorts before every value in an ascending order without `NULLS FIRST`.
  let sortsNullsFirst: Bool
  /// The `LIMIT` that an `OFFSET` needs before it; empty where it can stand alone.
  let limitBeforeOffset: String
  /// Whether `LIKE` tells capitals from small letters, so that `ILIKE` exists for those who do not care.
  let hasCaseSensitiveLike: Bool

  /// The most rows that a statement gives when nothing else limits it; nil is no limit.
  package let maxRows: Int?
  /// The rows that the first bound values list, as the right side of `IN`: a JSON array in SQLite, an
  /// array for each column in PostgreSQL.
  private let lists: Lists

  private enum Lists { case json, arrays }

  /// SQLite: case-insensitive patterns (`ilike`) know the capitals of ASCII only.
  public static let sqlite = SQLDialect(
    placeholder: "?", sortsNullsFirst: true, limitBeforeOffset: " LIMIT -1",
    hasCaseSensitiveLike: false, maxRows: nil, lists: .json)

  /// PostgreSQL.
  public static let postgres = SQLDialect(
    placeholder: "$", sortsNullsFirst: false, limitBeforeOffset: "", hasCaseSensitiveLike: true,
    maxRows: 1_000_000, lists: .arrays)

  /// A subquery of rows that are bound as lists.
  ///
  /// - Parameter types: Of each column; what bound texts are cast to.
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

  /// The values that say such lists.
  ///
  /// - Parameters:
  ///   - rows: Each with the texts of its columns.
  ///   - areNumbers: Whether the only column holds numbers.
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

  /// Texts as one value that is cast to an array.
  package func array(_ texts: [String]) -> String {
    "{" + texts.map(Self.element).joined(separator: ",") + "}"
  }

  /// - Source: PostgreSQL's manual, 8.15.6: within double quotes only these two need a backslash.
  private static func element(_ text: String) -> String {
    "\"" + text.escaping("\\", as: "\\\\").escaping("\"", as: "\\\"") + "\""
  }
}
