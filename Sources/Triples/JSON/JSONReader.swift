/// Parses JSON text to values.
///
///     let value = try JSONReader.value(of: #"{"a": [1, 2.0]}"#)
public enum JSONReader {
  /// Parses a complete text.
  /// - Throws: `JSONError` with byte offset, line and column of the first error.
  /// - Complexity: O(bytes). Only the creation of the value is recursive, up to the maximum
  ///   depth.
  public static func value(
    of bytes: [UInt8], options: JSONOptions = JSONOptions()
  ) throws(JSONError) -> Value {
    try withRoot(of: bytes, options: options) { node throws(JSONError) in node.value }
  }

  /// Parses a JSON text.
  /// - Throws: The first error with its line and column.
  /// - Complexity: O(length of the text).
  public static func value(
    of text: String, options: JSONOptions = JSONOptions()
  ) throws(JSONError) -> Value {
    try value(of: Array(text.utf8), options: options)
  }

  /// Parses a complete text and calls `body` with its root, so that only parts of it are converted
  /// to values.
  package static func withRoot<Result, Failure: Error>(
    of bytes: [UInt8], options: JSONOptions = JSONOptions(),
    failure: (JSONError) -> Failure, _ body: (JSONNode) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try bytes.withUnsafeBufferPointer { buffer throws(Failure) in
      var parser = JSONParser(buffer, options: options)
      do throws(JSONError) { try parser.parseDocument() } catch { throw failure(error) }
      return try body(parser.root)
    }
  }

  /// Parses a complete text and calls `body` with its root, for a `body` that throws only JSON
  /// errors.
  package static func withRoot<Result>(
    of bytes: [UInt8], options: JSONOptions = JSONOptions(),
    _ body: (JSONNode) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    try withRoot(of: bytes, options: options, failure: { $0 }, body)
  }
}
