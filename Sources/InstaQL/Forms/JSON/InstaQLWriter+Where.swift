import Triples

extension InstaQLWriter {
  /// Returns a condition as a `where` object.
  ///
  /// - Throws: `notExpressible` for the wire form, if InstaQL cannot express the condition.
  func whereClause(_ condition: ConditionNode, at path: String) throws(QueryError) -> Value {
    let said = form == .wire ? try WireCondition(path: path).rewritten(condition) : condition
    return object(try pairs(said, at: path))
  }

  private func pairs(
    _ node: ConditionNode, at path: String
  ) throws(QueryError) -> [(String, Value)] {
    switch node {
    case .compare(let field, let comparison, let value):
      let key = try key(field, at: path)
      return [(key, try operand(comparison, value, at: path + "." + key))]
    case .isIn(let field, let values):
      let key = try key(field, at: path)
      return [(key, try list(values, at: path + "." + key))]
    case .isNull(let field, let isNull):
      return [(try key(field, at: path), object([("$isNull", .bool(isNull))]))]
    case .compareFields(let field, let comparison, let other):
      return [(field.key, local("x-field", .text(other.key), comparison))]
    case .idStartsWith(_, let prefix): return [(node.objectKey, .text(prefix))]
    case .all(let parts): return [("and", try objects(parts, at: path + ".and"))]
    case .any(let parts): return [("or", try objects(parts, at: path + ".or"))]
    case .together(let parts): return try together(parts, at: path)
    case .not(let inner): return [("x-not", object(try pairs(inner, at: path)))]
    case .quantified(_, let link, let inner):
      let said = object([
        ("path", .text(link.dotted)), ("where", object(try pairs(inner, at: path))),
      ])
      return [(node.objectKey, said)]
    case .linkCount(let links, let comparison, let count):
      let number = Value.integer(Int64(count))
      let compared = comparison.wireSpelling.map { object([($0, number)]) } ?? number
      return [(node.objectKey, object([("path", .text(links.dotted)), ("is", compared)]))]
    }
  }

  /// Returns a path as a key of a `where` object. In the wire form, a computed value throws
  /// `notExpressible`.
  private func key(_ field: AttributePath, at path: String) throws(QueryError) -> String {
    if form == .wire, let expression = field.expression {
      throw .notExpressible(path: path + "." + field.dotted, reason: Self.refusal(of: expression))
    }
    return field.key
  }

  /// Returns why servers do not support this kind of computed value, for an error message.
  static func refusal(of expression: ValueExpression) -> String {
    if case .path = expression { return "paths into JSON values are not supported" }
    return "computed values are not supported"
  }

  private func objects(_ parts: [ConditionNode], at path: String) throws(QueryError) -> Value {
    var objects: [Value] = []
    for part in parts { objects.append(object(try pairs(part, at: path))) }
    return .array(objects)
  }

  private func together(
    _ parts: [ConditionNode], at path: String
  ) throws(QueryError) -> [(String, Value)] {
    let isOneObject =
      Set(parts.map(\.objectKey)).count == parts.count
      && !parts.contains { if case .together = $0 { true } else { false } }
    if !isOneObject {
      if form == .wire {
        throw .notExpressible(
          path: path, reason: "two conditions on the same path cannot refer to the same linked row")
      }
      return [("x-together", try objects(parts, at: path))]
    }
    var merged: [(String, Value)] = []
    for part in parts { merged += try pairs(part, at: path) }
    return merged
  }

  private func operand(
    _ comparison: Comparison, _ value: Value, at path: String
  ) throws(QueryError) -> Value {
    if form == .wire, comparison == .matches {
      throw .notExpressible(path: path, reason: "regular expressions are not supported")
    }
    guard value.fits(comparison) else {
      if form == .wire {
        throw .notExpressible(
          path: path, reason: "comparisons with null, lists and objects are not supported")
      }
      return local("x-value", value, comparison)
    }
    guard let name = comparison.wireSpelling else { return value }
    return object([(name, value)])
  }

  private func list(_ values: [Value], at path: String) throws(QueryError) -> Value {
    if values.allSatisfy({ $0.isScalar || $0 == .null }) {
      return object([("$in", .array(values))])
    }
    if form == .wire {
      throw .notExpressible(
        path: path, reason: "comparisons with lists and objects are not supported")
    }
    return object([("$in", object([("x-value", .array(values))]))])
  }

  private func local(_ key: String, _ value: Value, _ comparison: Comparison) -> Value {
    let operand = object([(key, value)])
    return comparison.wireSpelling.map { object([($0, operand)]) } ?? operand
  }
}
