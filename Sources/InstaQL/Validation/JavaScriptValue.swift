import Triples

/// Converts values by JavaScript's rules, for checks and messages that equal those of InstantDB's
/// client.
extension Value {
  /// The type of the value as JavaScript's `typeof` names it.
  var typeName: String {
    switch self {
    case .null, .array, .object: "object"
    case .bool: "boolean"
    case .integer, .double: "number"
    case .text: "string"
    }
  }

  /// Whether the value has keys, as objects and lists do.
  var isObjectLike: Bool {
    switch self {
    case .array, .object: true
    case .null, .bool, .integer, .double, .text: false
    }
  }

  var isTruthy: Bool {
    switch self {
    case .null: false
    case .bool(let flag): flag
    case .integer(let number): number != 0
    case .double(let number): number != 0
    case .text(let text): !text.isEmpty
    case .array, .object: true
    }
  }

  /// The keys and values of the object or list. In a list, the keys are the indexes.
  var entries: [(String, Value)] {
    switch self {
    case .object(let object): object.pairs
    case .array(let elements): elements.enumerated().map { (String($0), $1) }
    case .null, .bool, .integer, .double, .text: []
    }
  }

  /// The value converted to a string, as in JavaScript.
  var javaScriptText: String {
    switch self {
    case .object: "[object Object]"
    case .array(let elements):
      elements.map { $0 == .null ? "" : $0.javaScriptText }.joined(separator: ",")
    case .null: "null"
    case .bool(let flag): String(flag)
    case .integer(let number): String(number)
    case .double(let number): number.description
    case .text(let text): text
    }
  }
}

enum Identifiers {
  /// Returns whether `text` is a UUID according to RFC 9562, with a known version and variant.
  static func isUUID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 36 else { return false }
    for (place, byte) in bytes.enumerated() {
      if [8, 13, 18, 23].contains(place) {
        guard byte == UInt8(ascii: "-") else { return false }
      } else if !Character(Unicode.Scalar(byte)).isHexDigit {
        return false
      }
    }
    if bytes.allSatisfy({ $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "-") }) { return true }
    if bytes.allSatisfy({ $0 | 0x20 == UInt8(ascii: "f") || $0 == UInt8(ascii: "-") }) {
      return true
    }
    let version = bytes[14]
    let variant = bytes[19] | 0x20
    return (UInt8(ascii: "1")...UInt8(ascii: "8")).contains(version)
      && (variant == UInt8(ascii: "8") || variant == UInt8(ascii: "9")
        || variant == UInt8(ascii: "a") || variant == UInt8(ascii: "b"))
  }
}
