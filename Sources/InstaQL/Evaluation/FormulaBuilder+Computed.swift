import Triples

/// Conditions on computed values and on values within JSON.
extension FormulaBuilder {
  /// Returns the path if it continues into an attribute's JSON, as `meta.size` does; otherwise nil.
  func jsonPath(_ path: AttributePath, in namespace: String) -> JSONPath? {
    guard path.expression == nil, let json = schema.jsonPath(path.labels, from: namespace),
      !json.labels.isEmpty, json.attribute.checkedType == nil, !json.attribute.isIdentity
    else { return nil }
    return json
  }

  /// Returns the formula for a test of a value within JSON. The links before the JSON may be
  /// many-valued.
  mutating func follow(
    _ json: JSONPath, of path: AttributePath, in namespace: String, asking question: ValueQuestion
  ) throws(QueryError) -> Formula {
    let value = PreparedExpression.value([], json.attribute, json: json.labels)
    var formula = try formula(value, question, of: path)
    if !json.links.isEmpty {
      formula = .conjunction([formula, .stored(json.attribute, .stored)])
      if question.holdsForMissing {
        formula = .disjunction([
          formula, missing(.stored(json.attribute, .stored), of: json.attribute.namespace),
        ])
      }
    }
    return through(json.links, formula, from: namespace, holdsForMissing: question.holdsForMissing)
  }

  mutating func computed(
    _ path: AttributePath, in namespace: String, asking question: ValueQuestion
  ) throws(QueryError) -> Formula {
    guard let value = try prepared(path, in: namespace) else { return .never }
    return present(try formula(value, question, of: path), in: namespace)
  }

  private func formula(
    _ value: PreparedExpression, _ question: ValueQuestion, of path: AttributePath
  ) throws(QueryError) -> Formula {
    if case .positive(.equal(.null)) = question {
      throw .invalid(
        path: path.dotted,
        reason: "a value cannot be compared with null; use $isNull, or 'is null' in query text")
    }
    return ComputedTest(value, question, text: path.written).map(Formula.computed) ?? .never
  }

  mutating func computed(
    _ left: AttributePath, _ relation: FieldComparison.Relation, _ right: AttributePath,
    in namespace: String
  ) throws(QueryError) -> Formula {
    guard let first = try prepared(left, in: namespace),
      let second = try prepared(right, in: namespace)
    else { return .never }
    let text = "\(left.written) \(relation) \(right.written)"
    return present(
      .computed(ComputedTest(value: first, test: .compared(relation, second), text: text)),
      in: namespace)
  }

  /// Resolves the value at a plain or computed path. If a name is unknown, sets `hasUnknownName`
  /// and returns nil.
  private mutating func prepared(
    _ path: AttributePath, in namespace: String
  ) throws(QueryError) -> PreparedExpression? {
    var resolver = ExpressionResolver(schema: schema)
    let value = try resolver.resolve(path.expression ?? .path(path), in: namespace)
    guard resolver.hasUnknownName else { return value }
    hasUnknownName = true
    return nil
  }
}
