import InstaQL
import Triples

/// Checks the form of a query without a schema.
///
/// InstantDB's client silently ignores some errors, so that a misspelled condition matches nothing.
/// If the server ignored these errors, too, users would not find their mistakes.
///
/// - Source: the checks of InstantDB's server that need no schema.
struct QueryForm {
  /// An error in one part of a query.
  struct Fault: Error, Equatable, CustomStringConvertible {
    /// The keys that lead to the invalid part, from the outside in.
    let path: [String]
    let sentence: String
    /// A suggestion for correcting the query, as a sentence.
    var hint: String?

    var description: String { sentence }
  }

  /// Checks a query.
  ///
  /// - Throws: The first error in the order of the query's keys.
  static func check(_ query: Value) throws(Fault) {
    guard case .object(let object) = query else { return }
    for member in object.members where member.key != "$$ruleParams" {
      try check(form: member.value, of: member.key, at: [member.key])
    }
  }

  /// Checks a part of a query. The JSON parser limits its depth, and so the depth of the recursion.
  private static func check(
    form: Value, of namespace: String, at path: [String]
  ) throws(Fault) {
    guard case .object(let object) = form else { return }
    for member in object.members {
      let path = path + [member.key]
      if member.key != "$" {
        try check(form: member.value, of: member.key, at: path)
      } else if case .object(let options) = member.value {
        try check(options: options, of: namespace, at: path)
        if path.count > 2 { try check(nested: options, at: path) }
      }
    }
  }

  // MARK: Options

  private static func check(
    options: JSONObject, of namespace: String, at path: [String]
  ) throws(Fault) {
    let windows = ["limit", "first", "last"].filter { (options[$0] ?? .null) != .null }
    if windows.count > 1 {
      throw Fault(
        path: path + [windows[1]],
        sentence: "Use either `\(windows[0])` or `\(windows[1])`, not both.")
    }
    for option in options.members where option.value != .null {
      let path = path + [option.key]
      switch option.key {
      case "where": try check(where: option.value, of: namespace, at: path)
      case "limit", "first", "last": try check(number: option, min: 1, "a positive", at: path)
      case "offset": try check(number: option, min: 0, "a non-negative", at: path)
      case "order": try check(order: option.value, at: path)
      case "aggregate" where option.value != .text("count"):
        throw Fault(
          path: path,
          sentence: "`aggregate` must be \"count\", not \(shown(option.value)).")
      case "fields":
        guard case .array(let names) = option.value, names.allSatisfy({ $0.textValue != nil })
        else {
          throw Fault(
            path: path, sentence: "`fields` must be an array of field names.")
        }
      default: continue
      }
    }
  }

  private static func check(nested options: JSONObject, at path: [String]) throws(Fault) {
    let topOnly = ["offset", "before", "after"]
    guard let option = topOnly.first(where: { (options[$0] ?? .null) != .null }) else { return }
    throw Fault(
      path: path + [option],
      sentence:
        "`offset`, `before` and `after` are supported only at the top level of a query.")
  }

  private static func check(
    number option: JSONObject.Member, min: Int, _ kind: String, at path: [String]
  ) throws(Fault) {
    if let number = option.value.wholeNumber, number >= min { return }
    throw Fault(
      path: path,
      sentence: "`\(option.key)` must be \(kind) integer, not \(shown(option.value)).")
  }

  private static func check(order: Value, at path: [String]) throws(Fault) {
    guard case .object(let keys) = order else {
      throw Fault(path: path, sentence: "`order` must be an object, not \(shown(order)).")
    }
    if keys.count > 1 {
      let names = keys.members.map(\.key).joined(separator: ", ")
      throw Fault(
        path: path,
        sentence: "`order` must have a single key, but has: \(names).")
    }
    for key in keys.members where key.value != .text("asc") && key.value != .text("desc") {
      throw Fault(
        path: path + [key.key],
        sentence:
          "The values in `order` must be \"asc\" or \"desc\", not \(shown(key.value)).")
    }
  }

  // MARK: Conditions

  private static func check(
    where condition: Value, of namespace: String, at path: [String]
  ) throws(Fault) {
    guard case .object(let object) = condition else {
      throw Fault(path: path, sentence: "`where` must be an object, not \(shown(condition)).")
    }
    for member in object.members {
      let path = path + [member.key]
      switch (member.key, member.value) {
      case ("and", .array(let parts)), ("or", .array(let parts)):
        for (place, part) in parts.enumerated() {
          try check(where: part, of: namespace, at: path + [String(place)])
        }
      case (_, .object(let operators)): try check(operators, of: namespace, at: path)
      case (_, .array), (_, .null):
        throw Fault(
          path: path,
          sentence: "The value of '\(member.key)' in namespace '\(namespace)' must be a string, a "
            + "number, a boolean or an object of operators, not \(shown(member.value)).",
          hint: member.value == .null
            ? "To match missing values, write {\"$isNull\": true}."
            : "To match one of several values, write {\"$in\": […]}.")
      case (_, .text), (_, .integer), (_, .double), (_, .bool): continue
      }
    }
  }

  private static func check(
    _ operators: JSONObject, of namespace: String, at path: [String]
  ) throws(Fault) {
    let field = path.last ?? ""
    if operators.isEmpty {
      throw Fault(
        path: path,
        sentence:
          "The condition on '\(field)' in namespace '\(namespace)' is an object without an operator.",
        hint: "Operators: \(known.joined(separator: ", ")).")
    }
    for member in operators.members {
      let path = path + [member.key]
      guard known.contains(member.key) else {
        throw Fault(
          path: path,
          sentence:
            "Unknown operator '\(member.key)' for attribute '\(field)' in namespace '\(namespace)'.",
          hint: NearestName.hint(member.key, among: known)
            ?? "Operators: \(known.joined(separator: ", ")).")
      }
      try check(operand: member, of: field, in: namespace, at: path)
    }
  }

  private static let known = WhereOperator.wireSpellings + ["$not", "in"]

  private static func check(
    operand member: JSONObject.Member, of field: String, in namespace: String, at path: [String]
  ) throws(Fault) {
    let isFit: Bool
    let wanted: String
    switch (member.key, member.value) {
    case ("in", .array(let items)), ("$in", .array(let items)):
      (isFit, wanted) = (items.allSatisfy(isScalar), "a list of strings, numbers and booleans")
    case ("in", _), ("$in", _): (isFit, wanted) = (false, "a list")
    case ("$isNull", .bool): (isFit, wanted) = (true, "")
    case ("$isNull", _): (isFit, wanted) = (false, "true or false")
    case (_, let operand): (isFit, wanted) = (isScalar(operand), "a string, a number or a boolean")
    }
    if isFit { return }
    throw Fault(
      path: path,
      sentence: "Operator '\(member.key)' for attribute '\(field)' in namespace '\(namespace)' "
        + "must have \(wanted) as its value, not \(shown(member.value)).")
  }

  private static func isScalar(_ value: Value) -> Bool {
    switch value {
    case .array, .object: false
    case .null, .bool, .integer, .double, .text: true
    }
  }

  /// Shortens a value for an error message.
  private static func shown(_ value: Value) -> String {
    let text = JSONWriter.text(value)
    return text.utf8.count <= 80 ? text : String(text.prefix(80)) + "…"
  }
}
