/// An error in a JSON text and its position.
public struct JSONError: Error, Hashable, Sendable {
  /// The kind of an error in a JSON text.
  public enum Problem: Hashable, Sendable {
    /// The parser found another token than expected. Both are described for users.
    case expected(String, found: String)
    /// The text ends before the expected token.
    case ends(expected: String)
    /// A byte below 32 in a string, which must be escaped.
    case controlByte(UInt8)
    /// A string contains an unknown escape.
    case unknownEscape(String)
    /// A `\u` escape is one half of a surrogate pair, and the other half is missing.
    case loneSurrogate
    /// The bytes are not UTF-8.
    case invalidUTF8
    /// An integer, as written, does not fit into 64 bits.
    case integerTooLarge(String)
    /// A number greater than the largest double.
    case numberTooLarge
    /// A number has more than `limit` characters.
    case numberTooLong(limit: Int)
    /// An object has a key twice.
    case duplicateKey(String)
    /// Lists and objects are nested deeper than `limit`.
    case tooDeep(limit: Int)
    /// The text is longer than `limit` bytes.
    case tooLarge(limit: Int)
  }

  /// The kind of the error.
  public let problem: Problem
  /// The offset in bytes.
  public let offset: Int
  /// The line, from 1.
  public let line: Int
  /// The column in Unicode scalars, from 1.
  public let column: Int

  /// Creates an error at a position in the text.
  public init(_ problem: Problem, offset: Int, line: Int, column: Int) {
    self.problem = problem
    self.offset = offset
    self.line = line
    self.column = column
  }

  /// Finds the line and column by counting from the beginning.
  init(_ problem: Problem, at offset: Int, in source: UnsafeBufferPointer<UInt8>) {
    var line = 1
    var column = 1
    for byte in source.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.init(problem, offset: offset, line: line, column: column)
  }

  /// Returns the error with its position in a larger text. In the larger text, the parsed part
  /// starts after `bytes` bytes and `lines` lines.
  package func moved(bytes: Int, lines: Int) -> JSONError {
    JSONError(problem, offset: offset + bytes, line: line + lines, column: column)
  }
}

extension JSONError: CustomStringConvertible {
  /// The message without the position.
  public var reason: String {
    switch problem {
    case .expected(let expected, let found): "expected \(expected), found \(found)"
    case .ends(let expected): "expected \(expected), but reached the end of the text"
    case .controlByte(let byte):
      "a string contains the control byte \(byte). Write it as an escape such as \\n"
    case .unknownEscape(let text): "unknown escape \(text)"
    case .loneSurrogate: "the escape is one half of a surrogate pair, but the other half is missing"
    case .invalidUTF8: "invalid UTF-8"
    case .integerTooLarge(let text):
      "the integer \(text) does not fit into 64 bits. Write it with a decimal point or as a string"
    case .numberTooLarge: "the number is too large. The maximum is about 1.8e308"
    case .numberTooLong(let limit): "the number is longer than \(limit) characters"
    case .duplicateKey(let key): "the key \"\(key)\" occurs twice in one object"
    case .tooDeep(let limit): "lists and objects are nested more than \(limit) levels deep"
    case .tooLarge(let limit): "the text is larger than \(limit) bytes"
    }
  }

  public var description: String { "line \(line), column \(column): \(reason)" }
}
