/// Ids that contain the number of a table's row, and have the same order as these numbers.
///
///     high    60 bits of the hash of the table's name, 4 of the version, which is 8
///     low     2 bits of the variant, which are 10, and 62 of the number
///
/// - Source: RFC 9562, section 5.8.
extension EntityID {
  /// Returns the upper half of all row ids of a table; `text` is the table's name.
  package static func high(of text: String) -> UInt64 { DerivedID(text).bits.high }

  /// Creates the id of a row number; nil if the number is less than -2^61, or 2^61 or more.
  package init?(number: Int64, in high: UInt64) {
    guard number >= -Self.half, number < Self.half else { return nil }
    self.init(high: high, low: 1 << 63 | UInt64(number + Self.half))
  }

  /// Returns the row number that the id contains; nil for an id that was not created this way.
  package func number(in high: UInt64) -> Int64? {
    guard let bits = uuidBits, bits.high == high, bits.low >> 62 == 0b10 else { return nil }
    return Int64(bits.low & (1 << 62 - 1)) - Self.half
  }

  private static let half: Int64 = 1 << 61
}
