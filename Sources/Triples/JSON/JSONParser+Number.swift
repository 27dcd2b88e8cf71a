extension JSONParser {
  /// The maximum length of a number in bytes. A double never needs more than 768 digits.
  static let maximumNumberLength = 1_024

  /// The powers of ten that doubles represent exactly.
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  @inline(__always)
  mutating func parseNumber() throws(JSONError) {
    let start = position
    var place = start
    let isNegative = source[place] == UInt8(ascii: "-")
    if isNegative { place += 1 }
    var mantissa: UInt64 = 0
    let whole = place
    place = skipDigits(place, into: &mantissa)
    guard place > whole else { throw noDigit(place) }
    if source[whole] == UInt8(ascii: "0") && place > whole + 1 {
      throw fault(.expected("a number without leading zeros", found: "'0'"), at: whole)
    }
    if place == length || !Self.isNumberByte(source[place]) {
      let digits = place - whole
      guard digits <= 18 else { return try appendLongInteger(from: start, to: place) }
      let value = Int64(bitPattern: mantissa)
      appendInteger(isNegative ? -value : value)
      position = place
      return
    }
    try parseDouble(start, whole, place, mantissa, isNegative)
  }

  private mutating func parseDouble(
    _ start: Int, _ whole: Int, _ afterWhole: Int, _ wholeMantissa: UInt64, _ isNegative: Bool
  ) throws(JSONError) {
    var (place, mantissa, exponent) = (afterWhole, wholeMantissa, 0)
    var digits = place - whole
    if place < length, source[place] == UInt8(ascii: ".") {
      let fraction = place + 1
      place = skipDigits(fraction, into: &mantissa)
      guard place > fraction else { throw noDigit(place) }
      digits += place - fraction
      exponent = fraction - place
    }
    if place < length, source[place] | 0x20 == UInt8(ascii: "e") {
      exponent += try parseExponent(&place)
    }
    if place < length, Self.isNumberByte(source[place]) {
      position = place
      throw unexpected("the end of the number")
    }
    guard place - start <= Self.maximumNumberLength else {
      throw fault(.numberTooLong(limit: Self.maximumNumberLength), at: start)
    }
    var value: Double
    if digits <= 19, mantissa <= 1 << 53, abs(exponent) <= 22 {
      // Both operands are exact, so a single rounding gives the correct result.
      let power = Self.powersOfTen[abs(exponent)]
      value = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
      if isNegative { value = -value }
    } else {
      try appendSlowDouble(from: start, to: place)
      position = place
      return
    }
    append(JSONNode.word(.double))
    append(value.bitPattern)
    position = place
  }

  /// Parses the exponent. It is limited to the range that affects the result.
  private func parseExponent(_ place: inout Int) throws(JSONError) -> Int {
    place += 1
    var isNegative = false
    if place < length, source[place] == UInt8(ascii: "-") || source[place] == UInt8(ascii: "+") {
      isNegative = source[place] == UInt8(ascii: "-")
      place += 1
    }
    let start = place
    var value = 0
    while place < length, source[place] &- UInt8(ascii: "0") < 10 {
      value = min(value * 10 + Int(source[place] - UInt8(ascii: "0")), 1_000_000)
      place += 1
    }
    guard place > start else { throw noDigit(place) }
    return isNegative ? -value : value
  }

  /// Skips digits and adds them to the mantissa. The mantissa is correct for up to 19 digits.
  @inline(__always)
  private func skipDigits(_ start: Int, into mantissa: inout UInt64) -> Int {
    var place = start
    while place < length {
      let digit = source[place] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      mantissa = mantissa &* 10 &+ UInt64(digit)
      place += 1
    }
    return place
  }

  @inline(__always)
  private mutating func appendInteger(_ value: Int64) {
    if (value << 4) >> 4 == value {
      append(JSONNode.word(.small, UInt64(bitPattern: value) & JSONNode.payloadMask))
    } else {
      append(JSONNode.word(.large))
      append(UInt64(bitPattern: value))
    }
  }

  private mutating func appendLongInteger(from start: Int, to end: Int) throws(JSONError) {
    guard end - start <= Self.maximumNumberLength else {
      throw fault(.numberTooLong(limit: Self.maximumNumberLength), at: start)
    }
    let text = spelling(from: start, to: end)
    if let value = Int64(text) {
      appendInteger(value)
    } else if options.largeIntegers == .doubles {
      try appendSlowDouble(from: start, to: end)
      inexact.record(start, text)
    } else {
      throw fault(.integerTooLarge(text.count > 40 ? text.prefix(37) + "..." : text), at: start)
    }
    position = end
  }

  private mutating func appendSlowDouble(from start: Int, to end: Int) throws(JSONError) {
    let text = spelling(from: start, to: end)
    if let value = Double(text), value.isFinite {
      append(JSONNode.word(.double))
      append(value.bitPattern)
    } else if options.hugeNumbers == .null {
      append(JSONNode.word(.null))
      inexact.record(start, text)
    } else {
      throw fault(.numberTooLarge, at: start)
    }
  }

  private func spelling(from start: Int, to end: Int) -> String {
    String(decoding: UnsafeBufferPointer(start: source + start, count: end - start), as: UTF8.self)
  }

  private func noDigit(_ place: Int) -> JSONError {
    if place >= length { return fault(.ends(expected: "a digit"), at: length) }
    let byte = source[place]
    let found = byte > 0x20 && byte < 0x7F ? "'\(Character(Unicode.Scalar(byte)))'" : "byte \(byte)"
    return fault(.expected("a digit", found: found), at: place)
  }

  /// Returns whether a byte after digits belongs to the number or makes it malformed.
  @inline(__always)
  private static func isNumberByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
