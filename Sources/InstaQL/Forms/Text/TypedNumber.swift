package import Triples

/// A number in a notation of the query language, such as `1_000`, `50,000,000`, `1.5k` or
/// `50 million`.
package struct TypedNumber: Hashable, Sendable {
  /// The number as an integer or a double; nil if it is too large for both.
  package let value: Value?
  /// The number with all its digits; a text if neither an integer nor a double has them.
  package let exact: Value?

  /// Parses a number; nil if the text is anything else.
  ///
  /// Blanks around the number and a plus sign have no effect, nor has a dot at the end, after which
  /// a fraction can still be typed.
  package init?(_ text: String) {
    var rest = text.drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    if rest.first == "+" { rest.removeFirst() }
    if rest.last == ".", rest.dropLast().last?.isNumber == true { rest.removeLast() }
    guard var lexer = try? Lexer(PredicateText(typed: String(rest))), lexer.isAtNumber else {
      return nil
    }
    let parts = lexer.numberParts()
    guard lexer.position == lexer.bytes.count else { return nil }
    let digits = parts.digits
    if let factor = parts.factor {
      value = Lexer.product(of: digits, and: factor)
      // The factor only moves the decimal point.
      let moved = Value(exactNumber: "\(digits)e\(String(factor).count - 1)")
      if case .integer? = value { exact = value } else { exact = moved ?? value }
    } else {
      // A nil literal would be the value null.
      let double = Double(digits).flatMap { $0.isFinite ? $0 : nil }
      value = Int64(digits).map(Value.integer) ?? double.map(Value.double)
      exact = Value(exactNumber: digits)
    }
  }
}
