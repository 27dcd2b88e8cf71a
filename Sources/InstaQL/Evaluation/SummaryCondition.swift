import Triples

/// A `having` condition on the rows of a summary. Its column names are resolved to indexes.
indirect enum SummaryCondition: Sendable {
  case test(column: Int, CellTest)
  case isNull(column: Int)
  case computed(ComputedTest)
  case not(SummaryCondition)
  case all([SummaryCondition])
  case any([SummaryCondition])

  func holds(_ row: [Value]) -> Bool {
    switch self {
    case .test(let column, let test): row[column] != .null && test.matches(row[column])
    case .isNull(let column): row[column] == .null
    case .computed(let test): test.holds(for: .row(row))
    case .not(let inner): !inner.holds(row)
    case .all(let parts): parts.allSatisfy { $0.holds(row) }
    case .any(let parts): parts.contains { $0.holds(row) }
    }
  }
}

extension SummaryCondition {
  /// Resolves a `having` condition.
  ///
  /// - Throws: `invalid` for an unknown column, and for conditions on ids or links, because a row
  ///   of a summary is not an entity.
  init(
    _ node: ConditionNode, of summary: PreparedSummary, at path: String, depth: Int = 0
  ) throws(QueryError) {
    guard depth < FormulaBuilder.maxDepth else { throw FormulaBuilder.tooDeep }
    func inner(_ node: ConditionNode) throws(QueryError) -> SummaryCondition {
      try SummaryCondition(node, of: summary, at: path, depth: depth + 1)
    }
    switch node {
    case .compare(let path, let comparison, let value) where path.isCalculated:
      self = Self.computed(
        try summary.expression(path, at: path.dotted), ValueQuestion(comparison, value), path)
    case .isIn(let path, let values) where path.isCalculated:
      self = Self.computed(
        try summary.expression(path, at: path.dotted), .positive(.oneOf(values)), path)
    case .isNull(let path, let isNull) where path.isCalculated:
      self = Self.computed(
        try summary.expression(path, at: path.dotted), isNull ? .isNull : .positive(.notNull), path)
    case .compareFields(let left, let comparison, let right):
      guard let relation = FieldComparison.Relation(comparison) else {
        throw .invalid(
          path: path, reason: "two columns cannot be compared with '\(comparison.spelling)'")
      }
      self = .computed(
        ComputedTest(
          value: try summary.expression(left, at: path),
          test: .compared(relation, try summary.expression(right, at: path)), text: left.written))
    case .compare(let column, let comparison, let value):
      let column = try summary.column(column, at: path)
      self = try Self.comparison(column, comparison, value, of: summary, at: path)
    case .linkCount(let links, let comparison, let count):
      let column = try summary.column(
        AttributePath(computing: .aggregate(.count, links)), at: path)
      self = try Self.comparison(
        column, comparison, .integer(Int64(count)), of: summary, at: path)
    case .isIn(let column, let values):
      let column = try summary.column(column, at: path)
      let test = SummaryCondition.test(
        column: column, CellTest(.oneOf(values), isDate: summary.isDate(column)))
      self = values.contains(.null) ? .any([test, .isNull(column: column)]) : test
    case .isNull(let column, let isNull):
      let test = SummaryCondition.isNull(column: try summary.column(column, at: path))
      self = isNull ? test : .not(test)
    case .not(let part): self = .not(try inner(part))
    case .all(let parts), .together(let parts):
      self = .all(try parts.map { part throws(QueryError) in try inner(part) })
    case .any(let parts):
      self = .any(try parts.map { part throws(QueryError) in try inner(part) })
    case .idStartsWith, .quantified:
      throw .invalid(
        path: path, reason: "groups can be filtered only by comparing a column with a value")
    }
  }

  private static func computed(
    _ value: PreparedExpression, _ question: ValueQuestion, _ path: AttributePath
  ) -> SummaryCondition {
    ComputedTest(value, question, text: path.written).map(SummaryCondition.computed) ?? .any([])
  }

  private static func comparison(
    _ column: Int, _ comparison: Comparison, _ value: Value, of summary: PreparedSummary,
    at path: String
  ) throws(QueryError) -> SummaryCondition {
    func test(_ predicate: ValuePredicate) -> SummaryCondition {
      .test(column: column, CellTest(predicate, isDate: summary.isDate(column)))
    }
    switch ValueQuestion(comparison, value) {
    case .positive(.equal(.null)):
      throw .invalid(
        path: path,
        reason: "a value cannot be compared with null; use $isNull, or 'is null' in query text")
    case .positive(let predicate): return test(predicate)
    case .notEqual(.null): return .all([])
    case .notEqual(let value): return .not(test(.equal(value)))
    case .isNull: return .isNull(column: column)
    case .idPrefix, .reference, .never: return .any([])
    }
  }
}

extension PreparedSummary {
  /// Resolves a path or an expression. Its names must be columns of the summary.
  fileprivate func expression(
    _ path: AttributePath, at place: String
  ) throws(QueryError) -> PreparedExpression {
    guard path.isCalculated, let expression = path.expression else {
      return .column(try column(path, at: place))
    }
    guard expression.partCount() <= ValueExpression.maxParts else {
      throw .invalid(
        path: place,
        reason: "the expression has more than \(ValueExpression.maxParts) parts; shorten it")
    }
    return try self.expression(expression, at: place)
  }

  private func expression(
    _ expression: ValueExpression, at place: String
  ) throws(QueryError) -> PreparedExpression {
    switch expression {
    case .path(let path): return .column(try column(path, at: place))
    case .constant(let value): return .constant(value)
    case .negated(let inner): return .negated(try self.expression(inner, at: place))
    case .arithmetic(let left, let operation, let right):
      return .arithmetic(
        try self.expression(left, at: place), operation, try self.expression(right, at: place))
    case .call(let function, let arguments):
      guard function.arity.contains(arguments.count) else {
        throw .invalid(
          path: place,
          reason: "the function '\(function.rawValue)' cannot have \(arguments.count) arguments")
      }
      var parts: [PreparedExpression] = []
      for argument in arguments { parts.append(try self.expression(argument, at: place)) }
      return .call(function, parts)
    case .aggregate:
      return .column(try column(AttributePath(computing: expression), at: place))
    }
  }

  fileprivate func column(
    _ path: AttributePath, at place: String
  ) throws(QueryError) -> Int {
    if let column = column(path) { return column }
    let hint = NearestName.hint(path.dotted, among: columns).map { ". \($0)" } ?? ""
    throw .invalid(
      path: place,
      reason:
        "groups can be filtered only by their columns: \(columns.joined(separator: ", "))\(hint)")
  }

  /// Returns whether the values of a column are dates.
  fileprivate func isDate(_ column: Int) -> Bool {
    if column < groups.count { return groups[column].source.type == .date }
    let measure = measures[column - groups.count]
    return (measure.function == .min || measure.function == .max)
      && measure.source?.type == .date
  }
}

extension AttributePath {
  /// Whether the value is calculated from columns, rather than being a column or an aggregate.
  fileprivate var isCalculated: Bool {
    if case .aggregate? = expression { false } else { expression != nil }
  }
}
