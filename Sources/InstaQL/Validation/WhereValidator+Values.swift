import Triples

/// The values that a condition may compare an attribute with.
struct Expectation {
  /// The accepted type; nil accepts any value and any operator.
  var type: CheckedType?
  var isIndexed: Bool
  /// Whether a database contains the values, so that a number may be NaN or infinite.
  var isColumn = false

  init(_ attribute: Attribute) {
    type = attribute.checkedType
    // An attribute with an inferred type counts as indexed, because no schema could declare an
    // index for it.
    isIndexed = attribute.isIndexed || attribute.inferredTypes != nil
    isColumn = attribute.isColumn
  }

  private init(type: CheckedType?, isIndexed: Bool) {
    self.type = type
    self.isIndexed = isIndexed
  }

  /// What an id may be compared with: strings.
  static let identity = Expectation(type: .string, isIndexed: false)
}

extension WhereValidator {
  func validateValue(
    _ value: Value, _ expected: Expectation, _ place: Place
  ) throws(QueryError) {
    guard let type = expected.type else { return }
    if expected.isColumn, type == .number, value.isNonFiniteNumber { return }
    guard case .object(let operators) = value else {
      guard !fits(value, type) else { return }
      throw place.refusal(
        "Invalid value for attribute '\(place.field)' in entity '\(place.namespace)'. "
          + "Expected \(type.rawValue), but received: \(description(of: value, type))")
    }
    for (name, operand) in operators.pairs {
      if expected.isColumn, type == .number, Self.isNonFinite(name, operand) { continue }
      try validateOperator(name, operand, type, expected.isIndexed, place)
    }
  }

  /// Returns whether an operator tests equality with NaN or an infinite number.
  private static func isNonFinite(_ name: String, _ operand: Value) -> Bool {
    switch (name, operand) {
    case ("$not", _), ("$ne", _): operand.isNonFiniteNumber
    case ("in", .array(let elements)), ("$in", .array(let elements)):
      elements.allSatisfy(\.isNonFiniteNumber)
    default: false
    }
  }

  private func validateOperator(
    _ name: String, _ operand: Value, _ type: CheckedType, _ isIndexed: Bool, _ place: Place
  ) throws(QueryError) {
    switch name {
    case "in", "$in":
      guard case .array(let elements) = operand else {
        throw place.refusal(
          "Operator '\(name)' for attribute '\(place.field)' in entity '\(place.namespace)' "
            + "must be an array, but received: \(operand.typeName)", at: name)
      }
      for element in elements { try checkOperand(name, element, type, place) }
    case "$not", "$ne", "$gt", "$lt", "$gte", "$lte": try checkOperand(name, operand, type, place)
    case "$like": try checkOperand(name, operand, .string, place)
    case "$ilike":
      try checkOperand(name, operand, .string, place)
      guard isIndexed else {
        throw place.refusal(
          "Operator '$ilike' can only be used with indexed attributes, but '\(place.field)' "
            + "in entity '\(place.namespace)' is not indexed", at: name)
      }
    case "$isNull": try checkOperand(name, operand, .boolean, place)
    default:
      throw place.refusal(
        "Unknown operator '\(name)' for attribute '\(place.field)' in entity '\(place.namespace)'",
        hint: NearestName.hint(name, among: WhereOperator.wireSpellings), at: name)
    }
  }

  private func checkOperand(
    _ name: String, _ operand: Value, _ type: CheckedType, _ place: Place
  ) throws(QueryError) {
    guard !fits(operand, type) else { return }
    throw place.refusal(
      "Invalid value for operator '\(name)' on attribute '\(place.field)' in entity "
        + "'\(place.namespace)'. Expected \(type.rawValue), but received: "
        + description(of: operand, type),
      at: name)
  }

  /// Returns a description of an invalid value: its type, or the text of an invalid date.
  private func description(of value: Value, _ type: CheckedType) -> String {
    if type == .date, case .text(let text) = value { return text }
    return value.typeName
  }

  private func fits(_ value: Value, _ type: CheckedType) -> Bool {
    switch (type, value) {
    case (_, .null), (.string, .text), (.number, .integer), (.number, .double), (.boolean, .bool),
      (.date, .integer), (.date, .double):
      true
    case (.date, .text(let text)):
      !refusesMisreadDates || DateLiteral(text)?.text == text
    // The conformance tests write a JavaScript date object in this way.
    case (.date, .object(let object)): object.pairs.count == 1 && object["$date"] != nil
    case (.string, _), (.number, _), (.boolean, _), (.date, _): false
    }
  }
}

extension Value {
  /// Whether the value is NaN or an infinite number of a database, which JSON has only as texts.
  var isNonFiniteNumber: Bool {
    ["NaN", "Infinity", "-Infinity"].contains { self == .text($0) }
  }
}
