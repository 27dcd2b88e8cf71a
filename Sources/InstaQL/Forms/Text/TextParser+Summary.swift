import Triples

/// Parses the clauses `group`, `aggregate` and `having`.
extension TextParser {
  mutating func groups() throws(QueryError) -> [AttributePath] {
    if token.word == "by", try isFollowedByGroup() { try advance() }
    var paths: [AttributePath] = []
    repeat { paths.append(try group()) } while try skip(.comma)
    return paths
  }

  /// Returns whether `by` belongs to the keywords `group by`, rather than being the name of a
  /// field.
  private func isFollowedByGroup() throws(QueryError) -> Bool {
    let next = try peek()
    if next.isSign(.open) { return true }
    guard next.kind == .end, let schema, let namespace else { return next.name != nil }
    return schema.attribute(namespace, "by") == nil
  }

  /// Parses an expression to group by: `country.name`, `year(founded) as founded_year`.
  private mutating func group() throws(QueryError) -> AttributePath {
    let operand = try operand()
    guard let name = try givenName(), name != operand.path.dotted else {
      if operand.isPath {
        endedWithPath = endedWithExpression && operand.manyLink == nil
        endedWithExpression = false
      }
      return operand.path
    }
    return AttributePath(column: name, computing: operand.value)
  }

  mutating func aggregates() throws(QueryError) -> [Aggregation] {
    var aggregates: [Aggregation] = []
    repeat { aggregates.append(try aggregate()) } while try skip(.comma)
    return aggregates
  }

  private mutating func aggregate() throws(QueryError) -> Aggregation {
    let plain = try unnamedAggregate()
    return try givenName().map { Aggregation(plain.function, plain.path, name: $0) } ?? plain
  }

  /// Parses an aggregate without its name: `sum(population)`, `sum population`, `count(*)` or
  /// `count`.
  private mutating func unnamedAggregate() throws(QueryError) -> Aggregation {
    guard let word = token.word, var function = Self.function(word) else {
      let known = Aggregation.Function.allCases.filter { $0 != .countDistinct }.map(\.rawValue)
      throw fault(
        .words(known, areQuoted: false),
        hint: token.word.flatMap { Words.hint($0, among: known) })
    }
    meanings[token.start] = .function
    try advance()
    let isInParentheses = try skip(.open)
    mayBeDistinct = function == .count && isInParentheses && token.kind == .end
    let next = try peek()
    if function == .count, token.word == "distinct",
      isInParentheses ? next.name != nil || next.kind == .end : next.name != nil && !isClause(next)
    {
      meanings[token.start] = .keyword
      try advance()
      function = .countDistinct
    }
    var path: AttributePath?
    if function != .count {
      path = try measured(function)
    } else if try isInParentheses ? !skip(.star) && !token.isSign(.close) : isPath(token) {
      path = try measured(function)
    }
    if isInParentheses { try expect(.close) }
    return Aggregation(function, path)
  }

  /// Returns whether `count` without parentheses is followed by a path, rather than by a clause.
  private func isPath(_ token: Token) -> Bool {
    token.name != nil && token.word != "as" && !isClause(token)
  }

  private func isClause(_ token: Token) -> Bool { token.word.map(Words.clauses.contains) ?? false }

  /// Returns the aggregate function with this name or synonym, such as `avg`.
  static func function(_ word: String) -> Aggregation.Function? {
    Aggregation.Function(rawValue: word)
      ?? Words.synonyms[word].flatMap(Aggregation.Function.init(rawValue:))
  }

  /// Parses the path of an aggregate. Throws a syntax error if the function needs numbers, but the
  /// path's values are not numbers.
  private mutating func measured(
    _ function: Aggregation.Function
  ) throws(QueryError) -> AttributePath {
    let start = token
    fittingKinds = Self.needsNumbers(function) ? [.number] : []
    let operand = try operand()
    fittingKinds = []
    let (path, kind) = (operand.path, operand.kind)
    guard Self.needsNumbers(function), let kind, kind != .number else { return path }
    throw fault(
      at: start, "a numeric field",
      hint: kind == .link && isLink(path) ? linkHint(path) : "'\(path)' contains \(kind.plural).")
  }

  static func needsNumbers(_ function: Aggregation.Function) -> Bool {
    [.sum, .average, .median].contains(function)
  }

  mutating func columnName() throws(QueryError) -> String {
    let token = try name("a name")
    meanings[token.start] = .name
    return token.name ?? ""
  }

  // MARK: Columns

  /// Parses the `having` clause, a condition on the columns of the groups.
  mutating func having(_ plan: inout QueryPlan) throws(QueryError) {
    if schema != nil {
      guard !plan.groups.isEmpty || !plan.aggregates.isEmpty else {
        throw fault(
          .earlier("groups before 'having'"),
          hint: "Write: group by FIELD having count > 1, or use filter.")
      }
      columns = columns(of: plan)
    }
    summarized = plan
    plan = plan.having(try predicate())
    (columns, summarized) = (nil, nil)
    endedWithCondition = true
  }

  /// Returns the names and types of the columns that `having` may use: the groups and the
  /// aggregates.
  private func columns(of plan: QueryPlan) -> [(name: String, kind: ValueKind?)] {
    plan.groups.map { ($0.dotted, kind(of: $0)) }
      + plan.columns.map { ($0.name, kind(of: $0)) }
  }

  /// Returns the type of an aggregate's value; nil for links and unknown types.
  private func kind(of aggregation: Aggregation) -> ValueKind? {
    switch aggregation.function {
    case .count, .countDistinct, .sum, .average, .median: .number
    case .min, .max: aggregation.path.flatMap(kind(of:))
    }
  }

  /// Returns the type of the values at a path; nil for links and unknown types.
  private func kind(of path: AttributePath) -> ValueKind? {
    if path.expression != nil { return nil }
    guard let schema, let namespace,
      let owner = schema.namespace(from: namespace, along: path.links),
      let attribute = schema.attribute(owner, path.label), attribute.valueType == .blob
    else { return nil }
    return attribute.checkedType.map(ValueKind.init)
  }

  /// Parses an aggregate such as `sum(population)` in `having` or `order`. Returns nil if no
  /// aggregate begins here.
  ///
  /// If the query has this aggregate, the value is its column. Otherwise the aggregate is computed
  /// without being shown.
  mutating func aggregate(in plan: QueryPlan) throws(QueryError) -> Operand? {
    guard !plan.columns.isEmpty, let word = token.word, Self.function(word) != nil,
      try peek().isSign(.open)
    else { return nil }
    let start = token
    let outer = columns
    columns = nil
    let wanted = try unnamedAggregate()
    columns = outer
    let column = plan.columns.first { $0.function == wanted.function && $0.path == wanted.path }
    return Operand(
      value: column.map { .path(AttributePath([$0.name])) }
        ?? .aggregate(wanted.function, wanted.path ?? ""),
      kind: kind(of: wanted), start: start)
  }

  /// Parses an aggregate in `order`, and returns its path. Returns nil if no aggregate begins here.
  ///
  /// Without groups there is only one row, so an aggregate that is not shown would have no effect.
  mutating func orderedAggregate(of plan: QueryPlan) throws(QueryError) -> AttributePath? {
    guard let found = try aggregate(in: plan) else { return nil }
    guard !plan.groups.isEmpty || found.isPath else {
      throw fault(
        at: found.start, "an aggregate of the query",
        hint: "Add this clause before: aggregate \(found.value.text).")
    }
    return found.path
  }
}

extension QueryPlan {
  /// The aggregates in the answer's table: those of the plan, or a count if the plan only has
  /// groups.
  var columns: [Aggregation] {
    aggregates.isEmpty && !groups.isEmpty ? [Aggregation(.count)] : aggregates
  }
}

extension Aggregation.Function {
  /// Other names by which users may know the function, such as `avg`; sorted.
  package var synonyms: [String] {
    Words.synonyms.filter { $0.value == rawValue }.map(\.key).sorted()
  }
}
