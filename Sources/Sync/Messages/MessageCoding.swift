import Triples

/// The JSON of messages, both ways and in one place.
///
/// A text holds one message, or an array of several. Numbers keep their spelling, keys that nobody
/// knows are passed over, and so are whole messages of unknown names.
package enum MessageCoding {
  /// What is read from a client: integers that only a double holds become one, as in JavaScript.
  static func options(bytes: Int) -> JSONOptions {
    JSONOptions(
      largeIntegers: .doubles, maximumDepth: JSONOptions.maxMessageDepth, maximumBytes: bytes)
  }

  /// What is read from a server: deeper than any value that can be stored, for answers have it within
  /// lists of their own, and one that cannot be read would end the connection each time it is asked.
  static let answerOptions = JSONOptions(
    largeIntegers: .doubles, maximumDepth: 512, maximumBytes: mostAnswerBytes)

  /// The greatest text that a client takes from a server.
  package static let mostAnswerBytes = 256 << 20
}

/// Why a text of a server's cannot be understood.
package struct MessageFault: Error, Hashable, Sendable, CustomStringConvertible {
  package let reason: String

  package init(reason: String) {
    self.reason = reason
  }

  package var description: String { "The server's message cannot be read: \(reason)." }
}

extension JSONObject {
  /// The text under a key; nil when there is none or another kind of value.
  func text(_ key: String) -> String? { self[key]?.textValue }
}

extension Value {
  /// The whole number that this is, however it is spelt.
  var wholeNumber: Int? {
    switch self {
    case .integer(let number): Int(number)
    case .double(let number): Int(exactly: number)
    case .null, .bool, .text, .array, .object: nil
    }
  }

  /// A whole number that can be counted on from: not below zero, and exact in every language.
  var count: Int? { wholeNumber.flatMap { (0...1 << 53).contains($0) ? $0 : nil } }
}
