/// Decodes escapes in JSON strings.
enum JSONEscapes {
  /// Returns the byte that an escape character stands for; 0 when it is invalid. The escape `u` is
  /// handled separately.
  @inline(__always)
  static func simple(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: 0
    }
  }

  /// Returns the UTF-16 code unit of four hex digits; nil when they are invalid.
  static func codeUnit(_ digits: UnsafePointer<UInt8>) -> UInt16? {
    var unit: UInt16 = 0
    for place in 0..<4 {
      let byte = digits[place]
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return nil
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  /// Decodes the escapes of a string that the parser has validated.
  static func decode(_ raw: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) {
    guard let base = raw.baseAddress else { return }
    bytes.reserveCapacity(bytes.count + raw.count)
    var place = 0
    while place < raw.count {
      let byte = raw[place]
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        place += 1
        continue
      }
      let kind = raw[place + 1]
      guard kind == UInt8(ascii: "u") else {
        bytes.append(simple(kind))
        place += 2
        continue
      }
      var scalar = UInt32(codeUnit(base + place + 2) ?? 0)
      place += 6
      if scalar & 0xFC00 == 0xD800, place + 6 <= raw.count {
        let low = UInt32(codeUnit(base + place + 2) ?? 0)
        scalar = 0x10000 + (scalar & 0x3FF) << 10 + (low & 0x3FF)
        place += 6
      }
      bytes.append(contentsOf: String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8)
    }
  }
}
