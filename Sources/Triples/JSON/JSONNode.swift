/// A value on the tape of a ``JSONParser``, valid until the parser continues.
///
///     word    63..60  59..0
///     null    kind    -
///     bool    kind    0 or 1
///     small   kind    an integer of 60 bits
///     large   kind    -                              next word: the integer
///     double  kind    -                              next word: its bits
///     text    kind    escaped flag, length           next word: where it starts
///     array   kind    the tape index after the end   next word: number of items
///     object  kind    the tape index after the end   next word: members, each a key and a value
package struct JSONNode {
  package enum Kind: UInt64 {
    case null, bool, small, large, double, text, array, object
  }

  let words: UnsafePointer<UInt64>
  let source: UnsafePointer<UInt8>
  let index: Int

  static let escapedFlag: UInt64 = 1 << 59
  static let payloadMask: UInt64 = (1 << 60) - 1

  @inline(__always)
  static func word(_ kind: Kind, _ payload: UInt64 = 0) -> UInt64 { kind.rawValue << 60 | payload }

  @inline(__always)
  private var word: UInt64 { words[index] }

  @inline(__always)
  package var kind: Kind { Kind(rawValue: word >> 60)! }

  /// The tape index of the node that follows this node and its content.
  @inline(__always)
  private var end: Int {
    switch kind {
    case .null, .bool, .small: index + 1
    case .large, .double, .text: index + 2
    case .array, .object: Int(word & Self.payloadMask)
    }
  }

  /// The node that follows this node and its content.
  @inline(__always)
  package var next: JSONNode { JSONNode(words: words, source: source, index: end) }

  @inline(__always)
  package var boolean: Bool { word & 1 != 0 }

  /// The integer of a `small` or `large` node.
  @inline(__always)
  package var integer: Int64 {
    kind == .small ? Int64(bitPattern: word << 4) >> 4 : Int64(bitPattern: words[index + 1])
  }

  @inline(__always)
  package var double: Double { Double(bitPattern: words[index + 1]) }

  /// The number of items of an array or members of an object.
  @inline(__always)
  package var count: Int { Int(truncatingIfNeeded: words[index + 1]) }

  /// The first item of an array, or the first key of an object. If the array or object is empty,
  /// the node that follows it.
  @inline(__always)
  package var first: JSONNode { JSONNode(words: words, source: source, index: index + 2) }

  /// Whether the string contains escapes, so that its raw bytes differ from its content.
  @inline(__always)
  package var isEscaped: Bool { word & Self.escapedFlag != 0 }

  /// The raw bytes between the quotes.
  @inline(__always)
  package var rawText: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: source + Int(truncatingIfNeeded: words[index + 1]),
      count: Int(truncatingIfNeeded: word & (Self.escapedFlag - 1)))
  }

  package var text: String {
    if !isEscaped { return String(decoding: rawText, as: UTF8.self) }
    var bytes: [UInt8] = []
    JSONEscapes.decode(rawText, into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns whether the node is a string with exactly this content.
  package func isText(_ other: StaticString) -> Bool {
    guard kind == .text else { return false }
    if isEscaped { return text == other.description }
    let bytes = rawText
    guard bytes.count == other.utf8CodeUnitCount else { return false }
    for place in 0..<bytes.count where bytes[place] != other.utf8Start[place] { return false }
    return true
  }

  /// The byte offset of a string node's content in the source.
  package var textOffset: Int { Int(truncatingIfNeeded: words[index + 1]) }

  /// Returns the value of a key in an object; nil if there is none. If the key occurs several
  /// times, the last value is used.
  package func member(_ key: StaticString) -> JSONNode? {
    guard kind == .object else { return nil }
    var found: JSONNode?
    var node = first
    for _ in 0..<count {
      let value = node.next
      if node.isText(key) { found = value }
      node = value.next
    }
    return found
  }

  /// The node as a value.
  /// - Complexity: O(size). The nesting depth is limited by the parser's options.
  package var value: Value {
    switch kind {
    case .null: return .null
    case .bool: return .bool(boolean)
    case .small, .large: return .integer(integer)
    case .double: return .double(double)
    case .text: return .text(text)
    case .array:
      var items: [Value] = []
      items.reserveCapacity(count)
      var node = first
      for _ in 0..<count {
        items.append(node.value)
        node = node.next
      }
      return .array(items)
    case .object:
      var members: [JSONObject.Member] = []
      members.reserveCapacity(count)
      var node = first
      for _ in 0..<count {
        let value = node.next
        members.append(JSONObject.Member(key: node.text, value: value.value))
        node = value.next
      }
      return .object(JSONObject(members))
    }
  }
}
