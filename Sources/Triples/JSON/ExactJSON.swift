/// A JSON value that keeps all digits of its numbers, also those that a double would round.
package struct ExactJSON: Sendable {
  /// The value with rounded numbers.
  package let rounded: Value
  /// The value with a string of digits in place of each number that is rounded.
  private let exact: Value

  private init(rounded: Value, exact: Value) {
    (self.rounded, self.exact) = (rounded, exact)
  }

  /// Parses JSON text.
  package init(_ json: [UInt8]) throws(JSONError) {
    guard let quoted = JSONReader.quotingInexactNumbers(in: json) else {
      rounded = try JSONReader.value(of: json)
      exact = rounded
      return
    }
    rounded = try JSONReader.value(of: json, options: JSONOptions(largeIntegers: .doubles))
    exact = try JSONReader.value(of: quoted)
  }

  /// The elements if the value is an array; nil for any other value.
  package var elements: [ExactJSON]? {
    guard case .array(let values) = rounded, case .array(let others) = exact else { return nil }
    return zip(values, others).map { ExactJSON(rounded: $0, exact: $1) }
  }

  /// The members if the value is an object; nil for any other value.
  package var members: [(key: String, value: ExactJSON)]? {
    guard case .object(let values) = rounded, case .object(let others) = exact else { return nil }
    return zip(values.members, others.members).map {
      ($0.key, ExactJSON(rounded: $0.value, exact: $1.value))
    }
  }

  /// Returns the value for an attribute: with all digits if its column keeps them.
  ///
  /// - Throws: The error for an integer that is too large, if the column does not keep its digits.
  package func value(for attribute: Attribute?) throws(JSONError) -> Value {
    if rounded == exact { return rounded }
    switch attribute?.exactForm {
    case .number? where digits != nil: return exact
    case .json? where digits == nil: return .text(text)
    case .number?, .json?, nil: break
    }
    if let digits { return try JSONReader.value(of: digits) }
    for (_, member) in members ?? [] { _ = try member.value(for: nil) }
    for element in elements ?? [] { _ = try element.value(for: nil) }
    return rounded
  }

  /// The digits of a number that is rounded; nil for any other value.
  private var digits: String? {
    if case .text = rounded { return nil }
    return exact.textValue
  }

  /// The JSON text with all digits.
  private var text: String {
    if let digits { return digits }
    if let elements { return "[" + elements.map(\.text).joined(separator: ",") + "]" }
    guard let members else { return JSONWriter.text(rounded) }
    let texts = members.map { JSONWriter.text(.text($0.key)) + ":" + $0.value.text }
    return "{" + texts.joined(separator: ",") + "}"
  }
}
