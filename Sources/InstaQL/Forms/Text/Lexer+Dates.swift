// Dates without quotes: `2026-10-01`, `2026-10-01T08:30:00Z`.
extension Lexer {
  /// Parses a date without quotes as a text; nil if no date begins here.
  ///
  /// A subtraction that looks like a date needs spaces: `2026 - 10 - 1`.
  mutating func date() -> Token.Kind? {
    let shape = Array("0000-00-00".utf8)
    for (offset, expected) in shape.enumerated() {
      let isDigit = byte(offset).isDigit
      guard expected.isDigit ? isDigit : byte(offset) == expected else { return nil }
    }
    guard !byte(shape.count).isDigit else { return nil }
    var length = shape.count
    if byte(length) | 0x20 == UInt8(ascii: "t"), byte(length + 1).isDigit {
      length += 1
      while byte(length).isDigit || Self.signsInTimes.contains(byte(length)) { length += 1 }
    }
    let text = String(decoding: bytes[position..<position + length], as: UTF8.self)
    for _ in 0..<length { advance() }
    return .text(text, wildcard: nil)
  }

  /// The characters in a time that are not digits, as in `08:30:00Z`.
  private static let signsInTimes = Set(":.+-Zz".utf8)
}
