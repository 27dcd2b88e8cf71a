/// What is wrong with a JSON text, and where.
public struct JSONError: Error, Hashable, Sendable {
  public enum Problem: Hashable, Sendable {
    /// Something else stands there, named as a person would name it.
    case expected(String, found: String)
    /// The text ends where more was expected.
    case ends(expected: String)
    /// A byte below 32 inside a text; it has to be written as an escape.
    case controlByte(UInt8)
    case unknownEscape(String)
    /// Half of a pair of `\u` escapes.
    case loneSurrogate
    case invalidUTF8
    /// An integer that does not fit 64 bits, as it was written.
    case integerTooLarge(String)
    /// A number beyond the greatest double.
    case numberTooLarge
    case numberTooLong(limit: Int)
    case duplicateKey(String)
    case tooDeep(limit: Int)
    case tooLarge(limit: Int)
  }

  public let problem: Problem
  /// In bytes from the beginning.
  public let offset: Int
  /// Counted from 1.
  public let line: Int
  /// In Unicode scalars, counted from 1.
  public let column: Int

  public init(_ problem: Problem, offset: Int, line: Int, column: Int) {
    self.problem = problem
    self.offset = offset
    self.line = line
    self.column = column
  }

  /// Finds line and column by reading from the beginning.
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

  /// The same error in a text of which the one that was read is a part.
  package func moved(bytes: Int, lines: Int) -> JSONError {
    JSONError(problem, offset: offset + bytes, line: line + lines, column: column)
  }
}

extension JSONError: CustomStringConvertible {
  /// One sentence without the place.
  public var reason: String {
    switch problem {
    case .expected(let expected, let found): "expected \(expected), found \(found)"
    case .ends(let expected): "expected \(expected), but the text ends"
    case .controlByte(let byte):
      "a control byte (\(byte)) stands unescaped in a text; write it as an escape such as \\n"
    case .unknownEscape(let text): "unknown escape \(text)"
    case .loneSurrogate: "half of a surrogate pair stands alone"
    case .invalidUTF8: "the bytes are not UTF-8"
    case .integerTooLarge(let text):
      "the integer \(text) does not fit 64 bits; write it with a decimal point or as a text"
    case .numberTooLarge: "the number is too large for a double"
    case .numberTooLong(let limit): "a number of more than \(limit) characters"
    case .duplicateKey(let key): "the key \"\(key)\" stands twice in one object"
    case .tooDeep(let limit): "nested deeper than \(limit) levels"
    case .tooLarge(let limit): "larger than \(limit) bytes"
    }
  }

  public var description: String { "line \(line), column \(column): \(reason)" }
}
