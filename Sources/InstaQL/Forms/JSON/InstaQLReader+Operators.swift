import Triples

/// The operand of a comparison that InstaQL cannot express: null, a list or an object (`x-value`),
/// or another field (`x-field`).
enum LocalOperand {
  case value(Value)
  case field(AttributePath)

  func condition(_ field: AttributePath, _ comparison: Comparison) -> ConditionNode {
    switch self {
    case .value(let value): .compare(field, comparison, value)
    case .field(let other): .compareFields(field, comparison, other)
    }
  }
}

extension InstaQLReader {
  func localOperand(_ object: JSONObject, at path: String) throws(QueryError) -> LocalOperand? {
    let pairs = object.pairs
    guard pairs.count == 1 else { return nil }
    switch (pairs[0].0, pairs[0].1) {
    case ("x-value", let value): return .value(value)
    case ("x-field", .text(let name)): return .field(try self.path(name, at: path))
    default: return nil
    }
  }

  /// Parses an operator object such as `{"$gt": 5}` by the rules of InstantDB's client.
  ///
  /// - `$ne` takes precedence over `$not`. If an object has either of them and another comparison,
  ///   the value must be missing or satisfy the other comparison.
  /// - `$isNull` takes precedence over comparisons. If there are several comparisons, only the
  ///   first one in a fixed order counts.
  /// - An object without operators is compared as a value, and matches no entity.
  func referenceOperators(
    _ field: AttributePath, _ object: JSONObject, at path: String
  ) throws(QueryError) -> ConditionNode {
    let others = ["$in", "in", "$gt", "$gte", "$lt", "$lte", "$like", "$ilike"]
    let chosen = others.first { object[$0] != nil }
    if let negated = object["$ne"] ?? object["$not"] {
      if case .bool(let isNull)? = object["$isNull"] {
        return isNull ? .isNull(field, true) : .any([.isNull(field, true), .isNull(field, false)])
      }
      guard let chosen, let operand = object[chosen] else {
        return .compare(field, .notEqual, negated)
      }
      return .any([.isNull(field, true), try condition(field, chosen, operand, at: path)])
    }
    if case .bool(let isNull)? = object["$isNull"] { return .isNull(field, isNull) }
    guard let chosen, let operand = object[chosen] else {
      return .compare(field, .equal, .object(object))
    }
    return try condition(field, chosen, operand, at: path)
  }
}
