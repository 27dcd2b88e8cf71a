/// Converts UUIDs from and to canonical text: `8-4-4-4-12` hex digits.
package enum UUIDText {
  /// The length of the text in bytes.
  package static let length = 36

  /// Parses the two halves of a UUID, the most significant half first; nil when the text is not a
  /// UUID.
  package static func bits(of text: String) -> (high: UInt64, low: UInt64)? {
    guard text.utf8.count == length else { return nil }
    var text = text
    return text.withUTF8 { bits(of: UnsafeRawBufferPointer($0)) }
  }

  /// Parses the two halves of a UUID from 36 bytes; nil when they are not a UUID.
  package static func bits(of bytes: UnsafeRawBufferPointer) -> (high: UInt64, low: UInt64)? {
    guard bytes.count == length else { return nil }
    var halves: (high: UInt64, low: UInt64) = (0, 0)
    var digits = 0
    var faults: UInt8 = 0
    for (index, byte) in bytes.enumerated() {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        faults |= byte ^ UInt8(ascii: "-")
        continue
      }
      let digit = digitValues[Int(byte)]
      faults |= digit & 0xF0
      if digits < 16 {
        halves.high = halves.high << 4 | UInt64(digit & 0xF)
      } else {
        halves.low = halves.low << 4 | UInt64(digit & 0xF)
      }
      digits += 1
    }
    return faults == 0 ? halves : nil
  }

  /// Returns the text of a UUID in lower case.
  package static func text(high: UInt64, low: UInt64) -> String {
    String(unsafeUninitializedCapacity: length) { buffer in
      write(high: high, low: low, into: UnsafeMutableRawBufferPointer(buffer))
      return length
    }
  }

  /// Writes the text of a UUID as 36 bytes to the beginning of `bytes`, which must be large enough.
  package static func write(
    high: UInt64, low: UInt64, into bytes: UnsafeMutableRawBufferPointer
  ) {
    var place = 0
    for digit in 0..<32 {
      if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
        bytes[place] = UInt8(ascii: "-")
        place += 1
      }
      let half = digit < 16 ? high : low
      let value = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (digit & 15))) & 0xF
      bytes[place] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
      place += 1
    }
  }

  /// The value of each hex digit in upper or lower case; `0xF0` marks all other bytes.
  private static let digitValues: [UInt8] = (0...255).map { byte in
    switch UInt8(byte) {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(byte) - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt8(byte) - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt8(byte) - UInt8(ascii: "A") + 10
    default: 0xF0
    }
  }
}
