import Triples

/// The size of a query, as it is counted for limits.
///
/// The size is that of the query's JSON, but at least a fixed number of bytes for each value. This
/// is because many short values take much more memory than their text.
enum QuerySize {
  /// The minimum size in bytes of a value other than an object.
  ///
  /// A subscription takes about 150 bytes of memory for each value, and about 8 bytes for each byte
  /// of the query's text.
  static let minValueBytes = 20
  /// The minimum size in bytes of an object. An object may be a condition, which takes more memory
  /// than a value.
  static let minObjectBytes = 80

  /// A sentence for error messages that says how the size of a query is counted.
  static let rule =
    "Each value counts as at least \(minValueBytes) bytes, and each object as \(minObjectBytes)."

  /// Returns the size of a query in bytes.
  static func bytes(of query: Value) -> Int {
    max(JSONWriter.bytes(query).count, minBytes(of: query))
  }

  /// Returns the minimum size of a value, including all values in it. The parser limits the depth
  /// of JSON, and so the depth of the recursion.
  private static func minBytes(of value: Value) -> Int {
    switch value {
    case .array(let items): items.reduce(minValueBytes) { $0 + minBytes(of: $1) }
    case .object(let object):
      object.members.reduce(minObjectBytes) { $0 + minBytes(of: $1.value) }
    case .null, .bool, .integer, .double, .text: minValueBytes
    }
  }
}
