package import Triples

/// The rules of InstantDB's server for the form of a query. A client without a schema ignores some
/// violations.
package enum FormRules {
  /// A place in a query.
  fileprivate enum Place {
    /// The query itself, the form of a namespace or relation, or the options of one.
    case query(Value)
    case form(Value)
    case options(JSONObject, isNested: Bool)
    /// A whole condition, and a value or operator within one.
    case condition(Value)
    case value(Value)
    case comparison(String, Value)
  }

  package struct Rule: Sendable {
    package let reason: String
    fileprivate let isBroken: @Sendable (Place) -> Bool
  }

  /// The rules that a query breaks.
  package static func broken(by query: Value) -> [Rule] {
    let places = places(of: query)
    return all.filter { rule in places.contains(where: rule.isBroken) }
  }

  package static let all = [
    Rule(reason: "a query, and each form in it, is an object") {
      switch $0 {
      case .query(let value), .form(let value): value.object == nil
      default: false
      }
    },
    Rule(reason: "options have the names of options") {
      guard case .options(let options, _) = $0 else { return false }
      return options.members.contains { !optionNames.contains($0.key) }
    },
    Rule(reason: "a condition is an object") {
      guard case .condition(let value) = $0 else { return false }
      return value.object == nil
    },
    Rule(reason: "a condition's value is no null and no list") {
      guard case .value(let value) = $0 else { return false }
      return value == .null || value.list != nil
    },
    Rule(reason: "an object as a condition's value has operators") {
      guard case .value(let value) = $0, let object = value.object else { return false }
      return object.isEmpty || object.members.contains { !operators.contains($0.key) }
    },
    Rule(reason: "an operator compares with no list and no object") {
      guard case .comparison(let name, let operand) = $0, !["in", "$in", "$isNull"].contains(name)
      else { return false }
      return !operand.isScalar
    },
    Rule(reason: "$in has a list of such") {
      guard case .comparison(let name, let operand) = $0, name == "in" || name == "$in" else {
        return false
      }
      return operand.list?.allSatisfy(\.isScalar) != true
    },
    Rule(reason: "$isNull is true or false") {
      guard case .comparison("$isNull", let operand) = $0 else { return false }
      return operand != true && operand != false
    },
    Rule(reason: "there is one limit, of at least 1") {
      guard case .options(let options, _) = $0 else { return false }
      let limits = ["limit", "first", "last"].compactMap { options[$0] }.filter { $0 != .null }
      return limits.count > 1
        || limits.contains { if case .integer(1...) = $0 { false } else { true } }
    },
    Rule(reason: "fields are a list of names") {
      guard case .options(let options, _) = $0, let fields = options["fields"] else { return false }
      return fields.list?.allSatisfy { $0.text != nil } != true
    },
    Rule(reason: "only what stands at the top has pages") {
      guard case .options(let options, isNested: true) = $0 else { return false }
      return ["offset", "before", "after"].contains { options[$0] != nil }
    },
  ]

  private static let optionNames: Set = [
    "where", "order", "limit", "first", "last", "offset", "before", "after", "beforeInclusive",
    "afterInclusive", "fields", "aggregate",
  ]
  private static let operators: Set = [
    "in", "$in", "$not", "$ne", "$isNull", "$gt", "$gte", "$lt", "$lte", "$like", "$ilike",
    "$entityIdStartsWith",
  ]

  // MARK: The places of a query

  private static func places(of query: Value) -> [Place] {
    let forms = (query.object?.members ?? []).filter { $0.key != "$$ruleParams" }
    return [.query(query)] + forms.flatMap { places(of: $0.value, isNested: false) }
  }

  private static func places(of form: Value, isNested: Bool) -> [Place] {
    [.form(form)]
      + (form.object?.members ?? []).flatMap { member -> [Place] in
        if member.key != "$" { return places(of: member.value, isNested: true) }
        guard let options = member.value.object else { return [.form(member.value)] }
        return [.options(options, isNested: isNested)]
          + (options["where"].map(conditionPlaces) ?? [])
      }
  }

  private static func conditionPlaces(of condition: Value) -> [Place] {
    [.condition(condition)]
      + (condition.object?.members ?? []).flatMap { member -> [Place] in
        if let parts = member.value.list, member.key == "and" || member.key == "or" {
          return parts.flatMap { conditionPlaces(of: $0) }
        }
        return [.value(member.value)]
          + (member.value.object?.members ?? []).map { .comparison($0.key, $0.value) }
      }
  }
}

extension Value {
  fileprivate var isScalar: Bool {
    switch self {
    case .null, .text, .integer, .double, .bool: true
    case .array, .object: false
    }
  }
}
