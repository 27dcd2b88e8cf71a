import Triples

/// The size of a query, as limits count it.
///
/// The size is that of the query's JSON, but at least ``minValueBytes`` for each value: in memory, a
/// long list of short values takes much more than its text.
enum QuerySize {
  /// The minimum size of a value in bytes.
  ///
  /// A subscription takes about 150 bytes of memory for each value, and 8 for each byte of its text.
  static let minValueBytes = 20

  /// The rule by which values count, for error messages.
  static let rule = "Each value counts as at least \(minValueBytes) bytes."

  /// Returns the size of a query in bytes.
  static func bytes(of query: Value) -> Int {
    max(JSONWriter.bytes(query).count, minValueBytes * valueCount(in: query))
  }

  /// Returns the number of values in a value. The depth of JSON that the parser accepts bounds the
  /// recursion.
  private static func valueCount(in value: Value) -> Int {
    switch value {
    case .array(let items): items.reduce(1) { $0 + valueCount(in: $1) }
    case .object(let object): object.members.reduce(1) { $0 + valueCount(in: $1.value) }
    case .null, .bool, .integer, .double, .text: 1
    }
  }
}
