/// A decimal number with all its digits, which a double may not have.
///
/// Numbers are equal if their values are: `1.50` and `15e-1`.
package struct ExactNumber: Hashable, Sendable {
  private let isNegative: Bool
  /// The digits without leading and trailing zeros; empty for zero.
  private let digits: [UInt8]
  /// The power of ten by which the digits are multiplied.
  private let exponent: Int

  /// Parses a number such as `-1.5` or `3e8`; nil for any other text.
  package init?(_ text: some StringProtocol) {
    var rest = Array(text.utf8)[...]
    func sign() -> Bool {
      guard let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
      else { return false }
      rest.removeFirst()
      return first == UInt8(ascii: "-")
    }
    func leadingDigits() -> ArraySlice<UInt8> {
      let found = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest.dropFirst(found.count)
      return found
    }
    let isNegative = sign()
    var digits = leadingDigits()
    var exponent = 0
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      let fraction = leadingDigits()
      exponent = -fraction.count
      digits += fraction
    }
    guard !digits.isEmpty else { return nil }
    if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      let isSmall = sign()
      guard let power = Int(String(decoding: leadingDigits(), as: UTF8.self)), power < 1 << 32
      else { return nil }
      exponent += isSmall ? -power : power
    }
    guard rest.isEmpty else { return nil }
    digits = digits.drop { $0 == UInt8(ascii: "0") }
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    self.digits = Array(digits)
    self.isNegative = isNegative && !digits.isEmpty
    self.exponent = digits.isEmpty ? 0 : exponent
  }
}

extension Value {
  /// Parses a number without losing digits; nil if the text is not a number. A number that neither
  /// an integer nor a double represents exactly is a text.
  package init?(exactNumber text: String) {
    if let whole = Int64(text) {
      self = .integer(whole)
      return
    }
    guard let number = ExactNumber(text) else { return nil }
    if let double = Double(text), double.isFinite, ExactNumber(double.description) == number {
      self = .double(double)
    } else {
      self = .text(text)
    }
  }
}
