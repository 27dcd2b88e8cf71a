/// A number as it is written in decimal, for comparing two texts of numbers exactly: `1e21` and
/// `1000000000000000000000` are the same.
struct DecimalText: Equatable {
  private var isNegative = false
  /// The digits without zeros at both ends; empty for zero.
  private var digits: [UInt8] = []
  /// The power of ten by which the last digit counts.
  private var exponent = 0

  /// Reads a number such as `-12.50` or `1e+21`; nil for any other text.
  init?(_ text: String) {
    let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
    guard let mantissa = parts.first, parts.count <= 2 else { return nil }
    if parts.count == 2 {
      guard let power = Int(parts[1]) else { return nil }
      exponent = power
    }
    var isFraction = false
    for (place, byte) in mantissa.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "-") where place == 0: isNegative = true
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits.append(byte)
        if isFraction { exponent -= 1 }
      default: return nil
      }
    }
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
    if digits.isEmpty { (isNegative, exponent) = (false, 0) }
  }
}
