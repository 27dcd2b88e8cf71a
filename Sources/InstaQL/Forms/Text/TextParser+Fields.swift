import Triples

/// Parses the `fields` clause.
extension TextParser {
  /// The maximum number of computed columns of one query.
  static let maxComputed = 100

  /// Parses the list of fields.
  ///
  /// A path such as `country.name` includes the linked entity with only that field. A path such as
  /// `cities.count` includes the number of linked entities. An expression, or a path with
  /// `as NAME`, is a computed column. The name of a link that the query includes is the place of
  /// its columns.
  mutating func fields(_ plan: inout QueryPlan) throws(QueryError) {
    if token.isSign(.open), try peek().isSign(.close) {
      try advance()
      try advance()
      plan.fields = []
      return
    }
    var names: [String] = []
    repeat {
      if try skip(.star) { names.append(QueryPlan.allFields) } else { try field(&plan, &names) }
    } while try skip(.comma)
    plan.fields = names == [QueryPlan.allFields] ? nil : names
  }

  private mutating func field(
    _ plan: inout QueryPlan, _ names: inout [String]
  ) throws(QueryError) {
    let start = token
    var path: [Token]?
    if try beginsPath() {
      let labels = try pathNames()
      path = labels
      if !isAtArithmetic, token.word != "as", !isJSON(labels) {
        let name = labels[0].name ?? ""
        endedWithPath =
          token.kind == .end && (isCount(labels) || isPathToField(labels))
        if labels.count > 1 {
          try linkedField(labels, &plan)
          if !names.contains(name) { names.append(name) }
        } else {
          try ownField(labels[0])
          names.append(name)
        }
        return
      }
    }
    let value = try operand(after: path)
    try checkColumn(value)
    let column = AttributePath(column: try givenName(), computing: value.value)
    try check(column, at: start, of: plan, names)
    plan.setComputed(column)
    names.append(column.label)
  }

  /// Checks a field without a path. A link is allowed if the query includes it, which is checked at
  /// the end of the query.
  private mutating func ownField(_ token: Token) throws(QueryError) {
    do throws(QueryError) {
      try checkField(token)
    } catch {
      let name = token.name ?? ""
      guard let schema, let namespace, schema.link(namespace, name) != nil else { throw error }
      openNames.append((name, error))
    }
  }

  private func beginsPath() throws(QueryError) -> Bool {
    if case .bound(.path) = token.kind { return true }
    guard case .name(let name, let isQuoted) = token.kind else { return false }
    if isQuoted { return true }
    if Words.neverNames.contains(name.lowercased()) { return false }
    let next = try peek()
    return !next.isSign(.open)
  }

  /// Returns whether a path leads to a single value, through links to single entities.
  private func isPathToField(_ names: [Token]) -> Bool {
    guard manyLink(in: names) == nil, let schema, let owner = owner(of: names) else {
      return false
    }
    return schema.attribute(owner, names.last?.name ?? "")?.valueType == .blob
  }

  /// Returns whether a path certainly continues into the JSON of an attribute. Without a schema,
  /// returns false.
  private func isJSON(_ names: [Token]) -> Bool {
    guard let schema, let namespace else { return false }
    return schema.leadsIntoJSON(names.compactMap(\.name), from: namespace)
  }

  /// Throws a syntax error if the column's name is already used, or if there are too many columns.
  private func check(
    _ column: AttributePath, at start: Token, of plan: QueryPlan, _ names: [String]
  ) throws(QueryError) {
    let name = column.label
    let quoted = Words.quoted(name)
    guard plan.computed.count < Self.maxComputed else {
      throw fault(at: start, "at most \(Self.maxComputed) computed columns")
    }
    var isField = name == QueryPlan.allFields
    if let schema, let namespace {
      isField =
        isField || schema.attribute(namespace, name) != nil || schema.link(namespace, name) != nil
    }
    guard isField || names.contains(name) else { return }
    throw fault(
      at: start, "a column with another name",
      hint: "\(quoted) is already \(isField ? "a field" : "a column"). Choose a name with 'as'.")
  }

  private mutating func linkedField(
    _ names: [Token], _ plan: inout QueryPlan
  ) throws(QueryError) {
    let links = names.dropLast().compactMap(\.name)
    for token in names.dropLast() { meanings[token.start] = .link }
    let isCount = isCount(names)
    if isCount {
      meanings[names[names.count - 1].start] = .function
    } else {
      let outer = namespace
      if let schema, let outer {
        var place = outer
        for token in names.dropLast() { place = try target(of: token, in: place, schema) }
        namespace = place
      }
      defer { namespace = outer }
      try checkField(names[names.count - 1])
    }
    for count in 1...links.count {
      let way = Array(links[..<count])
      let isCounted = isCount && count == links.count
      let included = plan[along: way]
      // The number would replace the linked entities.
      if let included, isCounted ? included.fields != nil : included.isCount {
        throw fault(
          at: names[0], "another column", hint: Self.hintOnIncludedCount(names[..<count]))
      }
      var inner = included ?? QueryPlan(links[count - 1], fields: isCounted ? nil : [])
      if count < links.count {
        if inner.fields?.contains(links[count]) == false { inner.fields?.append(links[count]) }
      } else if isCounted {
        inner.isCount = true
      } else {
        inner.fields?.append(path(of: names).label)
      }
      plan[along: way] = inner
    }
  }
}
