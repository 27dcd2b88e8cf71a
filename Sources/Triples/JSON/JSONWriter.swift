/// Writes values as compact JSON text.
///
/// Integers are written as integers. Doubles are written as doubles, in the shortest form that is
/// read as the same number, so that `1` and `1.0` stay different. Values that JSON cannot
/// represent, such as infinities, are written as `null`, as in JavaScript.
public struct JSONWriter: Sendable {
  /// The order of an object's keys.
  public enum KeyOrder: Hashable, Sendable {
    /// Keeps the order of the object's members.
    case asWritten
    /// Sorts keys by UTF-16 code units at every level, so that equal objects have equal texts.
    case sorted
  }

  /// The bytes written so far, in UTF-8.
  public private(set) var bytes: [UInt8] = []
  private let keyOrder: KeyOrder

  /// Creates a writer without any output.
  public init(keyOrder: KeyOrder = .asWritten) {
    self.keyOrder = keyOrder
  }

  /// Returns a value as JSON text.
  public static func text(_ value: Value, keyOrder: KeyOrder = .asWritten) -> String {
    String(decoding: bytes(value, keyOrder: keyOrder), as: UTF8.self)
  }

  /// Returns a value as JSON text in UTF-8.
  public static func bytes(_ value: Value, keyOrder: KeyOrder = .asWritten) -> [UInt8] {
    var writer = JSONWriter(keyOrder: keyOrder)
    writer.write(value)
    return writer.bytes
  }

  /// Appends a value.
  public mutating func write(_ value: Value) {
    switch value {
    case .null: write(raw: "null")
    case .bool(let value): write(raw: value ? "true" : "false")
    case .integer(let value): write(value)
    case .double(let value): write(value)
    case .text(let text): write(text: text)
    case .array(let items): write(items)
    case .object(let object): write(object)
    }
  }

  private mutating func write(_ items: [Value]) {
    bytes.append(UInt8(ascii: "["))
    for (place, item) in items.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      write(item)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func write(_ object: JSONObject) {
    let members =
      switch keyOrder {
      case .asWritten: object.members
      case .sorted:
        object.members.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
      }
    bytes.append(UInt8(ascii: "{"))
    for (place, member) in members.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      write(text: member.key)
      bytes.append(UInt8(ascii: ":"))
      write(member.value)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Appends text that is JSON already: punctuation, or a value written by other code.
  public mutating func write(raw text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends an integer.
  public mutating func write(_ value: Int64) { bytes.append(contentsOf: String(value).utf8) }

  /// Appends a double; infinities and NaN become null.
  public mutating func write(_ value: Double) {
    guard value.isFinite else { return write(raw: "null") }
    write(raw: value.description)
  }

  /// Writes a string with quotes and escapes.
  public mutating func write(text: String) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { write(content: $0) }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func write(content: UnsafeBufferPointer<UInt8>) {
    var start = 0
    for place in 0..<content.count {
      let byte = content[place]
      guard byte < 0x20 || byte == 0x22 || byte == 0x5C else { continue }
      bytes.append(contentsOf: content[start..<place])
      writeEscape(byte)
      start = place + 1
    }
    bytes.append(contentsOf: content[start...])
  }

  private mutating func writeEscape(_ byte: UInt8) {
    switch byte {
    case 0x08: write(raw: "\\b")
    case 0x09: write(raw: "\\t")
    case 0x0A: write(raw: "\\n")
    case 0x0C: write(raw: "\\f")
    case 0x0D: write(raw: "\\r")
    case 0x22: write(raw: "\\\"")
    case 0x5C: write(raw: "\\\\")
    default: write(raw: "\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))")
    }
  }
}
