import Triples

/// Parses clauses of groups and aggregates.
extension TextParser {
  mutating func groups() throws(QueryError) -> [AttributePath] {
    if token.word == "by", try isFollowedByGroup() { try advance() }
    var paths: [AttributePath] = []
    repeat { paths.append(try group()) } while try skip(.comma)
    return paths
  }

  /// Returns whether `by` is the keyword rather than a field with this name.
  private func isFollowedByGroup() throws(QueryError) -> Bool {
    let next = try peek()
    guard next.kind == .end, let schema, let namespace else { return next.name != nil }
    return schema.attribute(namespace, "by") == nil
  }

  /// Parses the key of a group: `country.name`, `year(founded) as founded_year`.
  private mutating func group() throws(QueryError) -> AttributePath {
    let operand = try operand()
    guard let name = try givenName(), name != operand.path.dotted else { return operand.path }
    return AttributePath(column: name, computing: operand.value)
  }

  mutating func aggregates() throws(QueryError) -> [Aggregation] {
    var aggregates: [Aggregation] = []
    repeat { aggregates.append(try aggregate()) } while try skip(.comma)
    return aggregates
  }

  private mutating func aggregate() throws(QueryError) -> Aggregation {
    let plain = try unnamedAggregate()
    guard try skip(word: "as") else { return plain }
    return Aggregation(plain.function, plain.path, name: try columnName())
  }

  /// Parses `sum(population)`, `sum population`, `count(*)`, `count`.
  private mutating func unnamedAggregate() throws(QueryError) -> Aggregation {
    guard let word = token.word, var function = Self.function(word) else {
      let known = Aggregation.Function.allCases.filter { $0 != .countDistinct }.map(\.rawValue)
      throw fault(
        known.dropLast().joined(separator: ", ") + " or " + (known.last ?? ""),
        hint: token.word.flatMap { Words.hint($0, among: known) })
    }
    meanings[token.start] = .function
    try advance()
    let isInParentheses = try skip(.open)
    let next = try peek()
    if function == .count, token.word == "distinct", next.name != nil,
      isInParentheses || !isClause(next)
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

  /// Returns whether a path, rather than a clause, follows `count` without parentheses.
  private func isPath(_ token: Token) -> Bool {
    token.name != nil && token.word != "as" && !isClause(token)
  }

  private func isClause(_ token: Token) -> Bool { token.word.map(Words.clauses.contains) ?? false }

  /// Returns the aggregate function of a word or its synonym.
  static func function(_ word: String) -> Aggregation.Function? {
    Aggregation.Function(rawValue: word)
      ?? Words.synonyms[word].flatMap(Aggregation.Function.init(rawValue:))
  }

  /// Parses the path that an aggregate reads. Rejects values that are not numbers for functions
  /// that add them up.
  private mutating func measured(
    _ function: Aggregation.Function
  ) throws(QueryError) -> AttributePath {
    let start = token
    let operand = try operand()
    let (path, kind) = (operand.path, operand.kind)
    guard [.sum, .average, .median].contains(function), let kind, kind != .number else {
      return path
    }
    throw fault(
      at: start, "a numeric field",
      hint: kind == .link && isLink(path) ? linkHint(path) : "'\(path)' holds \(kind.plural).")
  }

  mutating func columnName() throws(QueryError) -> String {
    let token = try name("a name")
    meanings[token.start] = .name
    return token.name ?? ""
  }

  // MARK: Columns

  /// Parses a condition on the columns of the groups.
  mutating func having(_ plan: inout QueryPlan) throws(QueryError) {
    if schema != nil {
      guard !plan.groups.isEmpty || !plan.aggregates.isEmpty else {
        throw fault(
          "groups before 'having'", hint: "Write: group by FIELD having count > 1, or use filter.")
      }
      columns = columns(of: plan)
    }
    summarized = plan
    plan = plan.having(try predicate())
    (columns, summarized) = (nil, nil)
    endedWithCondition = true
  }

  /// Returns the columns of the plan's groups and their types.
  private func columns(of plan: QueryPlan) -> [(name: String, kind: ValueKind?)] {
    plan.groups.map { ($0.dotted, kind(of: $0)) }
      + plan.columns.map { column in
        switch column.function {
        case .count, .countDistinct, .sum, .average, .median: (column.name, .number)
        case .min, .max: (column.name, column.path.flatMap(kind(of:)))
        }
      }
  }

  /// Returns the type of the values at a path; nil for links, which are compared as ids.
  private func kind(of path: AttributePath) -> ValueKind? {
    if path.expression != nil { return nil }
    guard let schema, var place = namespace else { return nil }
    for label in path.links { place = schema.link(place, label)?.target ?? place }
    guard let attribute = schema.attribute(place, path.label), attribute.valueType == .blob else {
      return nil
    }
    return attribute.checkedType.map(ValueKind.init)
  }

  /// Parses a function that names a column, such as `sum(population)`. Returns nil when no function
  /// begins here.
  mutating func aggregate(in plan: QueryPlan?) throws(QueryError) -> AttributePath? {
    guard let plan, plan.isSummary, let word = token.word, Self.function(word) != nil,
      try peek().isSign(.open)
    else { return nil }
    let start = token
    let outer = columns
    columns = nil
    let wanted = try unnamedAggregate()
    columns = outer
    let column = plan.columns.first {
      $0.function == wanted.function && $0.path == wanted.path
    }
    guard let column else {
      throw fault(
        at: start, "a column of the groups", hint: "Add it before: aggregate \(wanted.text).")
    }
    return AttributePath([column.name])
  }
}

extension QueryPlan {
  /// The aggregates for each group; groups without aggregates are counted.
  var columns: [Aggregation] {
    aggregates.isEmpty && !groups.isEmpty ? [Aggregation(.count)] : aggregates
  }
}
