/// Reads JSON text into values.
///
///     let value = try JSONReader.value(of: #"{"a": [1, 2.0]}"#)
public enum JSONReader {
  /// - Throws: `JSONError` with byte, line and column of the first thing that is wrong.
  /// - Complexity: O(bytes), and no recursion but in the making of the value, which is bounded.
  public static func value(
    of bytes: [UInt8], options: JSONOptions = JSONOptions()
  ) throws(JSONError) -> Value {
    try withRoot(of: bytes, options: options) { node throws(JSONError) in node.value }
  }

  public static func value(
    of text: String, options: JSONOptions = JSONOptions()
  ) throws(JSONError) -> Value {
    try value(of: Array(text.utf8), options: options)
  }

  /// Lends the tape of a whole text: for those who take from it what they need.
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

  /// The same where nothing but the text can be wrong.
  package static func withRoot<Result>(
    of bytes: [UInt8], options: JSONOptions = JSONOptions(),
    _ body: (JSONNode) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    try withRoot(of: bytes, options: options, failure: { $0 }, body)
  }
}
