import Triples

// Parsing of numbers in common notations: `1_000`, `50,000,000`, `50 000 000`, `.5`, `1.5k`, `50M`,
// `50 million`.
extension Lexer {
  private static let factors: [UInt8: Int64] = [
    UInt8(ascii: "k"): 1_000, UInt8(ascii: "m"): 1_000_000, UInt8(ascii: "b"): 1_000_000_000,
  ]
  private static let factorWords: [String: Int64] = [
    "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000,
  ]

  /// Whether a number without an integer part begins here, such as `.5` or `-.5`.
  ///
  /// A dot directly after a name belongs to a path instead.
  var isAtFraction: Bool {
    let sign = byte(0) == UInt8(ascii: "-") ? 1 : 0
    guard byte(sign) == UInt8(ascii: "."), byte(sign + 1).isDigit else { return false }
    if sign > 0 || position == 0 { return true }
    let before = bytes[position - 1]
    return before < 0x80 && before != UInt8(ascii: "`") && before != UInt8(ascii: "]")
      && !Words.continues(Unicode.Scalar(before))
  }

  var isAtNumber: Bool {
    byte(byte(0) == UInt8(ascii: "-") ? 1 : 0).isDigit || isAtFraction
  }

  mutating func number() throws(QueryError) -> Token.Kind {
    let start = position
    let parts = numberParts()
    if let factor = parts.factor {
      switch Self.product(of: parts.digits, and: factor) {
      case .integer(let value)?: return .integer(value)
      case .double(let value)?: return .double(value)
      default: throw fault(at: start, expected: "a smaller number")
      }
    }
    if parts.isWhole {
      if let value = Int64(parts.digits) { return .integer(value) }
      throw fault(at: start, expected: "a whole number of at most 64 bits")
    }
    if let value = Double(parts.digits), value.isFinite { return .double(value) }
    throw fault(at: start, expected: "a smaller number")
  }

  struct NumberParts {
    /// The number without a factor and without separators of groups, such as `-0.5e3`.
    var digits = ""
    /// Whether the digits have neither a fraction nor an exponent.
    var isWhole = true
    /// The factor that the digits are multiplied by, such as 1,000 for `k`; nil if there is none.
    var factor: Int64?
  }

  /// Reads the number that begins here.
  mutating func numberParts() -> NumberParts {
    var parts = NumberParts()
    if bytes[position] == UInt8(ascii: "-") { consumeByte(into: &parts.digits) }
    if byte(0) == UInt8(ascii: ".") { parts.digits += "0" }
    consumeDigits(into: &parts.digits)
    consumeGroups(into: &parts.digits)
    if byte(0) == UInt8(ascii: "."), byte(1).isDigit {
      parts.isWhole = false
      consumeByte(into: &parts.digits)
      consumeDigits(into: &parts.digits)
    }
    if byte(0) | 0x20 == UInt8(ascii: "e") {
      let signed = byte(1) == UInt8(ascii: "+") || byte(1) == UInt8(ascii: "-")
      if byte(signed ? 2 : 1).isDigit {
        parts.isWhole = false
        consumeByte(into: &parts.digits)
        if signed { consumeByte(into: &parts.digits) }
        consumeDigits(into: &parts.digits)
      }
    }
    parts.factor = factor()
    return parts
  }

  private mutating func consumeDigits(into spelling: inout String) {
    while byte(0).isDigit || (byte(0) == UInt8(ascii: "_") && byte(1).isDigit) {
      if byte(0) == UInt8(ascii: "_") { advance() }
      consumeByte(into: &spelling)
    }
  }

  /// Appends the digits of thousands groups to `spelling`: `,000` in `1,000`.
  private mutating func consumeGroups(into spelling: inout String) {
    guard spelling.utf8.drop(while: { $0 == UInt8(ascii: "-") }).count <= 3 else { return }
    var separator: [UInt8]?
    while let length = groupSeparator(separator), isGroup(after: length) {
      separator = Array(bytes[position..<position + length])
      for _ in 0..<length { advance() }
      for _ in 0..<3 { consumeByte(into: &spelling) }
    }
  }

  /// Returns the length in bytes of the thousands separator that begins here; nil if there is none.
  ///
  /// - Parameter earlier: The previous separator in the number. All separators of a number must be
  ///   equal.
  private func groupSeparator(_ earlier: [UInt8]?) -> Int? {
    let separators: [[UInt8]] = [
      hasCommasInNumbers ? [UInt8(ascii: ",")] : [], [UInt8(ascii: " ")],
      Array("\u{A0}".utf8), Array("\u{202F}".utf8),
    ]
    let found = separators.first { !$0.isEmpty && bytes[position...].starts(with: $0) }
    guard let found, earlier == nil || earlier == found else { return nil }
    return found.count
  }

  private func isGroup(after length: Int) -> Bool {
    (0..<3).allSatisfy { byte(length + $0).isDigit } && !byte(length + 3).isDigit
  }

  /// Parses a suffix or a word that multiplies a number, such as `k` or `million`. Returns its
  /// factor, or nil if neither follows.
  private mutating func factor() -> Int64? {
    if let factor = factorWord() { return factor }
    guard let factor = Self.factors[byte(0) | 0x20] else { return nil }
    if position + 1 < bytes.count, Words.continues(scalar(at: position + 1).value) { return nil }
    advance()
    return factor
  }

  private mutating func factorWord() -> Int64? {
    let word = bytes[position...].drop { $0 == UInt8(ascii: " ") }
      .prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
    let name = String(decoding: word, as: UTF8.self).lowercased()
    guard let factor = Self.factorWords[name] else { return nil }
    if word.endIndex < bytes.count, Words.continues(scalar(at: word.endIndex).value) { return nil }
    while position < word.endIndex { advance() }
    return factor
  }

  /// Returns a number multiplied by the factor after it: `1.5k` is the integer 1500. If the
  /// result has a fraction, it is a double. Nil if it is too large.
  static func product(of digits: String, and factor: Int64) -> Value? {
    if let whole = Int64(digits) {
      let (product, isBeyond) = whole.multipliedReportingOverflow(by: factor)
      return isBeyond ? nil : .integer(product)
    }
    guard let value = Double(digits).map({ $0 * Double(factor) }), value.isFinite else {
      return nil
    }
    let rounded = value.rounded()
    // A difference this small is only a rounding error of the double, since the factor just moves
    // the decimal point.
    if abs(value - rounded) <= abs(value) * 0x1p-50, let whole = Int64(exactly: rounded) {
      return .integer(whole)
    }
    return .double(value)
  }

  private mutating func consumeByte(into spelling: inout String) {
    spelling.unicodeScalars.append(Unicode.Scalar(bytes[position]))
    advance()
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
