/// Converts keys to file names and back.
///
/// Lowercase letters, digits, `-` and `_` are kept; every other byte becomes `%` and two
/// hexadecimal digits. A key therefore cannot lead out of the folder, name a hidden file, create a
/// subfolder, or collide with another key on a case-insensitive file system. If the name would be
/// too long, it is `~` and a hash of the key instead. The key itself is then stored in a separate
/// file.
package enum FileName {
  static let maxBytes = 200

  package static func name(of key: String) -> String {
    var name = ""
    for byte in key.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        name.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        name += "%" + hex(UInt64(byte), digits: 2)
      }
    }
    // A single `%` stands for the empty key. No other key gets this name.
    if name.isEmpty { return "%" }
    return name.utf8.count <= maxBytes ? name : "~" + hash(of: key)
  }

  /// Returns the key from which ``name(of:)`` made this name; nil for a hash and for other names.
  static func key(of name: String) -> String? {
    if name == "%" { return "" }
    var bytes: [UInt8] = []
    var rest = name.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let digits = String(rest.prefix(2)),
        let value = UInt8(digits, radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard let key = String(validating: bytes, as: UTF8.self) else { return nil }
    return self.name(of: key) == name ? key : nil
  }

  /// Returns a hash: two 64-bit FNV-1a values with different offsets. A collision is detected by
  /// the file that contains the full key.
  private static func hash(of key: String) -> String {
    var first: UInt64 = 0xCBF2_9CE4_8422_2325
    var second: UInt64 = 0x8422_2325_CBF2_9CE4
    for byte in key.utf8 {
      first = (first ^ UInt64(byte)) &* 0x100_0000_01B3
      second = (second ^ UInt64(byte ^ 0xA5)) &* 0x100_0000_01B3
    }
    return hex(first, digits: 16) + hex(second, digits: 16)
  }

  private static func hex(_ value: UInt64, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
