import Triples

extension InstaQLReader {
  func whereClause(_ value: Value, at path: String) throws(QueryError) -> ConditionNode? {
    if value == .null { return nil }
    return try condition(value, at: path)
  }

  /// Parses a `where` object. If several of its keys follow the same link, they refer to the same
  /// linked entity.
  private func condition(_ value: Value, at path: String) throws(QueryError) -> ConditionNode {
    guard case .object(let object) = value else {
      if reading.isLenient { return .any([]) }
      throw .invalid(
        path: path,
        reason: "the value must be an object with conditions, such as {\"name\": \"Fig\"}")
    }
    var parts: [ConditionNode] = []
    for (key, operand) in object.pairs {
      if let part = try part(key, operand, at: path + "." + key) { parts.append(part) }
    }
    return .sharing(parts)
  }

  /// Returns the condition for one key of a `where` object. Nil for a key that InstantDB's client
  /// ignores.
  private func part(
    _ key: String, _ operand: Value, at path: String
  ) throws(QueryError) -> ConditionNode? {
    switch (key, operand) {
    case ("and", .array(let elements)): return .all(try conditions(elements, at: path))
    case ("or", .array(let elements)): return .any(try conditions(elements, at: path))
    case ("x-together", .array(let elements)): return .sharing(try conditions(elements, at: path))
    case ("x-not", .object): return .not(try condition(operand, at: path))
    case ("x-any", .object(let object)): return try quantified(.some, object, at: path)
    case ("x-none", .object(let object)): return try quantified(.none, object, at: path)
    case ("x-every", .object(let object)): return try quantified(.every, object, at: path)
    case ("x-count", .object(let object)): return try linkCount(object, at: path)
    default: break
    }
    let field = try self.path(key, at: path)
    guard field.label == ConditionNode.idStartsWithKey else {
      return try comparison(field, operand, at: path)
    }
    if reading == .reference { return nil }
    guard case .text(let prefix) = operand else {
      throw .invalid(path: path, reason: "the value must be a string with the beginning of an id")
    }
    return .idStartsWith(Array(field.links), prefix)
  }

  /// Returns the path that a key denotes. A strict reader also parses a computed value
  /// (`=population / area`).
  func path(_ key: String, at path: String) throws(QueryError) -> AttributePath {
    guard reading == .strict else { return AttributePath(key) }
    do throws(QueryError) {
      return try AttributePath(key: key)
    } catch {
      throw .invalid(path: path, reason: error.message)
    }
  }

  private func conditions(
    _ elements: [Value], at path: String
  ) throws(QueryError) -> [ConditionNode] {
    var conditions: [ConditionNode] = []
    for (place, element) in elements.enumerated() {
      conditions.append(try condition(element, at: path + "[\(place)]"))
    }
    return conditions
  }

  private func quantified(
    _ quantifier: Quantifier, _ object: JSONObject, at path: String
  ) throws(QueryError) -> ConditionNode {
    guard case .text(let link)? = object["path"], let inner = object["where"] else {
      throw .invalid(path: path, reason: "the value must have the keys \"path\" and \"where\"")
    }
    return .quantified(quantifier, AttributePath(link), try condition(inner, at: path + ".where"))
  }

  private func linkCount(
    _ object: JSONObject, at path: String
  ) throws(QueryError) -> ConditionNode {
    guard case .text(let link)? = object["path"], let operand = object["is"],
      case .compare(_, let comparison, .integer(let number)) = try comparison(
        AttributePath(link), operand, at: path + ".is"),
      !comparison.isPattern, let count = Int(exactly: number)
    else {
      throw .invalid(
        path: path,
        reason:
          "the value must have the keys \"path\" and \"is\", and \"is\" must contain a whole number"
      )
    }
    return .linkCount(AttributePath(link), comparison, count)
  }

  private func comparison(
    _ field: AttributePath, _ operand: Value, at path: String
  ) throws(QueryError) -> ConditionNode {
    switch operand {
    case .text, .integer, .double, .bool: return .compare(field, .equal, operand)
    case .null, .array:
      if reading.isLenient { return .compare(field, .equal, operand) }
      throw .invalid(
        path: path,
        reason: operand == .null
          ? "the value cannot be null; write {\"$isNull\": true}"
          : "the value cannot be a list; write {\"$in\": […]}")
    case .object(let object):
      if let local = try localOperand(object, at: path) {
        return local.condition(field, .equal)
      }
      let operators = object.pairs
      if reading.isLenient { return try referenceOperators(field, object, at: path) }
      guard operators.count == 1 else {
        throw .invalid(
          path: path,
          reason: operators.isEmpty
            ? "the condition has no operator, such as $gt"
            : "the condition has several operators; write one condition for each, and join them with 'and'"
        )
      }
      return try condition(field, operators[0].0, operators[0].1, at: path)
    }
  }

  /// Returns the condition for an operator such as `$gt` and its operand.
  func condition(
    _ field: AttributePath, _ name: String, _ operand: Value, at path: String
  ) throws(QueryError) -> ConditionNode {
    let path = path + "." + name
    var local: LocalOperand?
    if case .object(let object) = operand { local = try localOperand(object, at: path) }
    switch name {
    case "$in", "in":
      if case .value(.array(let values))? = local { return .isIn(field, values) }
      guard case .array(let values) = operand else {
        throw .invalid(path: path, reason: "the value must be a list of values")
      }
      guard reading.isLenient || values.allSatisfy({ $0.isScalar || $0 == .null }) else {
        throw .invalid(
          path: path, reason: "the list contains a list or an object, which cannot be compared")
      }
      return .isIn(field, values)
    case "$isNull":
      guard case .bool(let isNull) = operand else {
        throw .invalid(path: path, reason: "the value must be true or false")
      }
      return .isNull(field, isNull)
    default:
      guard let comparison = Comparison(wireSpelling: name),
        comparison != .matches || reading == .strict
      else {
        let known = WhereOperator.wireSpellings
        throw .invalid(
          path: path,
          reason: "'\(name)' is not an operator; use " + known.joined(separator: ", "))
      }
      if let local { return local.condition(field, comparison) }
      guard reading.isLenient || operand.fits(comparison) else {
        throw .invalid(
          path: path,
          reason: comparison.isPattern
            ? "the value must be a string" : "the value must be a string, a number or a boolean")
      }
      if comparison == .matches, case .text(let pattern) = operand {
        do throws(PatternError) { _ = try RegularExpression(pattern) } catch {
          throw .invalid(path: path, reason: error.message)
        }
      }
      return .compare(field, comparison, operand)
    }
  }
}

extension WhereOperator {
  package static let wireSpellings = [
    "$in", "$ne", "$gt", "$gte", "$lt", "$lte", "$like", "$ilike", "$isNull",
  ]
}

extension Value {
  /// Whether the value is a string, number or boolean. InstaQL can compare only with such values.
  var isScalar: Bool {
    switch self {
    case .text, .integer, .double, .bool: true
    case .null, .array, .object: false
    }
  }

  func fits(_ comparison: Comparison) -> Bool {
    if comparison.isPattern, case .text = self { return true }
    return !comparison.isPattern && isScalar
  }
}
