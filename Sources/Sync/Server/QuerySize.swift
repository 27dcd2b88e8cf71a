import Triples

/// The size of a query, as limits count it.
///
/// The size is that of the query's JSON, but at least a fixed number of bytes for each value: in
/// memory, many short values take much more than their text.
enum QuerySize {
  /// The minimum size in bytes of a value other than an object.
  ///
  /// A subscription takes about 150 bytes of memory for each value, and 8 for each byte of its text.
  static let minValueBytes = 20
  /// The minimum size in bytes of an object. It may be a condition, which takes more memory than a
  /// value.
  static let minObjectBytes = 80

  /// A sentence for error messages that says how the size of a query is counted.
  static let rule =
    "Each value counts as at least \(minValueBytes) bytes, and each object as \(minObjectBytes)."

  /// Returns the size of a query in bytes.
  static func bytes(of query: Value) -> Int {
    max(JSONWriter.bytes(query).count, minBytes(of: query))
  }

  /// Returns the minimum size of a value and all values in it. The depth of JSON that the parser
  /// accepts bounds the recursion.
  private static func minBytes(of value: Value) -> Int {
    switch value {
    case .array(let items): items.reduce(minValueBytes) { $0 + minBytes(of: $1) }
    case .object(let object):
      object.members.reduce(minObjectBytes) { $0 + minBytes(of: $1.value) }
    case .null, .bool, .integer, .double, .text: minValueBytes
    }
  }
}
