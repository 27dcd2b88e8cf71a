import Triples

/// A condition on the rows of a summary, with resolved columns.
indirect enum SummaryCondition: Sendable {
  case test(column: Int, CellTest)
  case isNull(column: Int)
  case not(SummaryCondition)
  case all([SummaryCondition])
  case any([SummaryCondition])

  func holds(_ row: [Value]) -> Bool {
    switch self {
    case .test(let column, let test): row[column] != .null && test.matches(row[column])
    case .isNull(let column): row[column] == .null
    case .not(let inner): !inner.holds(row)
    case .all(let parts): parts.allSatisfy { $0.holds(row) }
    case .any(let parts): parts.contains { $0.holds(row) }
    }
  }
}

extension SummaryCondition {
  /// - Throws: `invalid` for an unknown column, and for conditions that rows without an entity do
  ///   not have.
  init(
    _ node: ConditionNode, of summary: PreparedSummary, at path: String, depth: Int = 0
  ) throws(QueryError) {
    guard depth < FormulaBuilder.maxDepth else { throw FormulaBuilder.tooDeep }
    func inner(_ node: ConditionNode) throws(QueryError) -> SummaryCondition {
      try SummaryCondition(node, of: summary, at: path, depth: depth + 1)
    }
    switch node {
    case .compare(let column, let comparison, let value):
      let column = try summary.column(column, at: path)
      self = try Self.comparison(column, comparison, value, of: summary, at: path)
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
    case .compareFields, .idStartsWith, .quantified, .linkCount:
      throw .invalid(path: path, reason: "groups are filtered by comparing a column with a value")
    }
  }

  private static func comparison(
    _ column: Int, _ comparison: Comparison, _ value: Value, of summary: PreparedSummary,
    at path: String
  ) throws(QueryError) -> SummaryCondition {
    func test(_ predicate: ValuePredicate) -> SummaryCondition {
      .test(column: column, CellTest(predicate, isDate: summary.isDate(column)))
    }
    switch FormulaBuilder.Question(comparison, value) {
    case .positive(.equal(.null)):
      throw .invalid(path: path, reason: "Null is not a value to compare with; ask for $isNull")
    case .positive(let predicate): return test(predicate)
    case .notEqual(.null): return .all([])
    case .notEqual(let value): return .not(test(.equal(value)))
    case .isNull: return .isNull(column: column)
    case .idPrefix, .reference, .never: return .any([])
    }
  }
}

extension PreparedSummary {
  fileprivate func column(
    _ path: AttributePath, at place: String
  ) throws(QueryError) -> Int {
    if let column = columns.firstIndex(of: path.dotted) { return column }
    let hint = NearestName.hint(path.dotted, among: columns).map { ". \($0)" } ?? ""
    throw .invalid(
      path: place,
      reason: "groups are filtered by their columns: \(columns.joined(separator: ", "))\(hint)")
  }

  /// Whether a column contains dates.
  fileprivate func isDate(_ column: Int) -> Bool {
    if column < groups.count { return groups[column].source.attribute?.checkedType == .date }
    let measure = measures[column - groups.count]
    return (measure.function == .min || measure.function == .max)
      && measure.source?.attribute?.checkedType == .date
  }
}
