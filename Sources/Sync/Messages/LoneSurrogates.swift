/// Replaces lone surrogates in JSON. These are escapes that stand for only half of a surrogate
/// pair.
///
/// JavaScript writes a lone surrogate when it cuts a text in the middle of an emoji, and it can
/// read it again. A Swift string cannot contain a lone surrogate.
package enum LoneSurrogates {
  /// Returns the JSON with replacement characters instead of lone surrogates.
  ///
  /// - Complexity: O(bytes).
  package static func replaced(in json: some Sequence<UInt8>) -> [UInt8] {
    var bytes = Array(json)
    var place = 0
    while place < bytes.count {
      guard bytes[place] == UInt8(ascii: "\\") else {
        place += 1
        continue
      }
      guard let unit = unit(at: place, in: bytes) else {
        place += 2
        continue
      }
      switch unit {
      case 0xD800..<0xDC00 where isLow(at: place + 6, in: bytes): place += 12
      case 0xD800..<0xE000:
        bytes.replaceSubrange(place + 2..<place + 6, with: Array("FFFD".utf8))
        place += 6
      default: place += 6
      }
    }
    return bytes
  }

  private static func isLow(at place: Int, in bytes: [UInt8]) -> Bool {
    unit(at: place, in: bytes).map { (0xDC00..<0xE000).contains($0) } ?? false
  }

  /// Returns the UTF-16 code unit of the escape at this place, such as `\u00e9`. Nil if there is no
  /// escape.
  private static func unit(at place: Int, in bytes: [UInt8]) -> UInt16? {
    guard place + 6 <= bytes.count, bytes[place] == UInt8(ascii: "\\"),
      bytes[place + 1] == UInt8(ascii: "u")
    else { return nil }
    return UInt16(String(decoding: bytes[place + 2..<place + 6], as: UTF8.self), radix: 16)
  }
}
