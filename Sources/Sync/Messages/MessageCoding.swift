import Triples

/// Converts messages from and to JSON.
///
/// A text contains one message, or an array of several. Numbers keep their notation, such as `1.0`.
/// Unknown members and messages are ignored.
package enum MessageCoding {
  /// Returns the options for parsing a client's text. Integers beyond 64 bits become doubles, as in
  /// JavaScript.
  static func options(bytes: Int) -> JSONOptions {
    JSONOptions(
      largeIntegers: .doubles, maximumDepth: JSONOptions.maxMessageDepth, maximumBytes: bytes)
  }

  /// The options for parsing a server's text. They allow deeper nesting than a stored value can
  /// have, since answers put values into lists.
  ///
  /// If the parser rejected an answer, the client would disconnect, reconnect and receive the same
  /// answer again.
  static let answerOptions = JSONOptions(
    largeIntegers: .doubles, maximumDepth: 512, maximumBytes: maxAnswerBytes)

  /// The maximum size of a text that a client accepts from a server, in bytes.
  package static let maxAnswerBytes = 256 << 20
}

/// The reason why a server's text cannot be parsed.
package struct MessageFault: Error, Hashable, Sendable, CustomStringConvertible {
  package let reason: String

  package init(reason: String) {
    self.reason = reason
  }

  package var description: String { "The server's message cannot be read: \(reason)." }
}

extension JSONObject {
  /// Returns the text of a member; nil if it is missing or not a text.
  func text(_ key: String) -> String? { self[key]?.textValue }
}

extension Value {
  /// The value as an integer, even if it is written as a double; nil for other values.
  var wholeNumber: Int? {
    switch self {
    case .integer(let number): Int(number)
    case .double(let number): Int(exactly: number)
    case .null, .bool, .text, .array, .object: nil
    }
  }

  /// The value as a non-negative integer that a double represents exactly; nil for other values.
  var count: Int? { wholeNumber.flatMap { (0...1 << 53).contains($0) ? $0 : nil } }
}
