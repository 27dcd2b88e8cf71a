import Triples

extension TextParser {
  /// Parses a complete text with one or more queries.
  mutating func document() throws(QueryError) -> QueryDocument {
    do throws(QueryError) {
      return try queries()
    } catch {
      throw naming(error)
    }
  }

  private mutating func queries() throws(QueryError) -> QueryDocument {
    isWithinQuery = true
    var document = QueryDocument()
    repeat {
      if token.kind == .end, !document.plans.isEmpty || document.ruleParams != nil {
        endedWithSemicolon = true
        break
      }
      if token.name == "$$ruleParams" {
        document.ruleParams = try ruleParams()
      } else {
        let start = token
        let plan = try query()
        guard document.plan(of: plan.namespace) == nil else {
          throw fault(
            at: start, "another namespace",
            hint: "'\(plan.namespace)' is queried twice. Combine both queries into one.")
        }
        document.set(plan)
      }
    } while try skip(.semicolon)
    guard token.kind == .end else { throw unfinished }
    return document
  }

  private mutating func ruleParams() throws(QueryError) -> JSONObject {
    try advance()
    guard try skip(word: "json") else { throw fault("'json' and an object in quotes") }
    let start = token
    guard case .object(let object) = try jsonLiteral() else {
      throw fault(at: start, "an object as JSON in quotes")
    }
    return object
  }

  private var unfinished: QueryError {
    fault(
      endedWithCondition ? afterCondition : .clause("a clause, ';' or the end of the query"),
      hint: clauseHint)
  }

  /// A hint for a token that begins no clause.
  private var clauseHint: String? {
    if lastClause == "count", token.isSign(.open) { return "Write the clause: aggregate count(…)." }
    if lastClause == "distinct", let name = token.name, let namespace,
      schema?.attribute(namespace, name) != nil
    {
      return "Write the fields as a clause: distinct fields \(Words.written(name))."
    }
    if let hint = hintOnMissingClause { return hint }
    let known = Words.clauses + (endedWithBareField ? Words.comparisons : [])
    return token.word.flatMap { Words.hint($0, among: known) }
  }

  private mutating func query() throws(QueryError) -> QueryPlan {
    let start = try name(.namespace)
    let name = start.name ?? ""
    meanings[start.start] = .namespace
    namespace = schema == nil ? name : schema?.namespace(queriedAs: name)
    if let schema, namespace == nil {
      throw fault(
        at: start, .namespace,
        hint: givesHints
          ? hintOnSQL(start, schema) ?? NearestName.suggestion(namespace: name, in: schema) : nil)
    }
    var plan = QueryPlan(name)
    (openNames, namedColumns) = ([], [])
    while try clause(&plan) {}
    try checkOpenNames(of: plan)
    return plan
  }

  /// Parses a clause into `plan`. Returns false when no clause begins here.
  private mutating func clause(_ plan: inout QueryPlan) throws(QueryError) -> Bool {
    guard let word = token.word, Words.clauses.contains(word) else { return false }
    meanings[token.start] = .keyword
    try checkIsNew(word, in: plan)
    endedWithCondition = false
    endedWithBareField = false
    lastClause = word
    if word == "search" {
      guard case .text = try peek().kind else {
        try advance()
        throw fault(.value("a string in quotes"))
      }
      // Further conditions may follow the search, so a whole predicate is parsed.
      plan = plan.filter(try predicate())
      endedWithCondition = true
      return true
    }
    try advance()
    switch word {
    case "filter", "where":
      plan = plan.filter(try filter())
      endedWithCondition = true
    case "having": try having(&plan)
    case "order": try order(&plan)
    case "limit": plan = plan.limit(try count(from: 1))
    case "offset": plan = plan.offset(try count(from: 0))
    case "first": setWindow(&plan, first: try count(from: 1), last: nil)
    case "last": setWindow(&plan, first: nil, last: try count(from: 1))
    case "after": (plan.page.after, plan.page.afterInclusive) = try cursor()
    case "before": (plan.page.before, plan.page.beforeInclusive) = try cursor()
    case "fields":
      try fields(&plan)
      namedColumns += plan.computed
    case "with": try relations(&plan)
    case "group":
      plan.groups += try groups()
      namedColumns += plan.groups
    case "aggregate": plan.aggregates += try aggregates()
    case "distinct": plan.isDistinct = true
    default: plan.isCount = true
    }
    return true
  }

  /// Throws a syntax error if the plan already has this clause, unless the clause may be repeated.
  private func checkIsNew(_ word: String, in plan: QueryPlan) throws(QueryError) {
    let page = plan.page
    let earlier: String?
    switch word {
    case "limit", "first", "last":
      let windows = [("limit", page.limit), ("first", page.first), ("last", page.last)]
      earlier = windows.first { $0.1 != nil }?.0
    case "offset": earlier = page.offset == nil ? nil : word
    case "after": earlier = page.after == nil ? nil : word
    case "before": earlier = page.before == nil ? nil : word
    case "fields": earlier = plan.fields == nil ? nil : word
    case "count": earlier = plan.isCount ? word : nil
    case "distinct": earlier = plan.isDistinct ? word : nil
    default: earlier = nil
    }
    guard let earlier else { return }
    let what =
      earlier == word
      ? "'\(word)' is given twice" : "'\(word)' cannot be combined with '\(earlier)'"
    throw fault("another clause", hint: what + ". Keep one of them.")
  }

  private mutating func order(_ plan: inout QueryPlan) throws(QueryError) {
    if token.word == "by", case let next = try peek(), next.name != nil || next.isSign(.open) {
      try advance()
    }
    repeat {
      let path: AttributePath
      if token.name == OrderKey.creation.label {
        path = OrderKey.creation
        try advance()
      } else if let aggregate = try orderedAggregate(of: plan) {
        path = aggregate
      } else if let column = plan.columns.first(where: { $0.name == token.name }),
        try !peek().isSign(.dot)
      {
        path = AttributePath(column.name)
        try advance()
      } else {
        path = try orderedPath(of: plan)
      }
      plan = plan.order(path, try direction())
    } while try skip(.comma)
  }

  /// Parses the path of a sort key. Groups may be sorted by a link; entities only by values.
  private mutating func orderedPath(
    of plan: QueryPlan
  ) throws(QueryError) -> AttributePath {
    let start = token
    let found: Operand
    do throws(QueryError) {
      found = try operand()
    } catch {
      // The name may belong to a column that a later clause computes.
      guard schema != nil, let name = start.name, lexer.bytes.count >= start.end,
        isSingleName(start), error.isUnknownName(at: start)
      else { throw error }
      openNames.append((name, error))
      return AttributePath([name])
    }
    if case .aggregate(.count, let links) = found.value, isLinkPath(links), !plan.isSummary {
      return OrderKey.count(of: links)
    }
    if found.kind == .link, isLink(found.path), !plan.isSummary {
      throw fault(at: start, "a field that is not a link", hint: linkHint(found.path))
    }
    return found.path
  }

  /// Returns whether the current token directly follows the name `start`. If so, the name is
  /// neither part of a path nor a function.
  private func isSingleName(_ start: Token) -> Bool {
    guard var ahead = try? Lexer(lexer.source) else { return false }
    ahead.rewind(to: start.end)
    return (try? ahead.next()).map { $0.start == token.start } ?? false
  }

  /// Throws the first error of `openNames`, unless its name is now a computed column, group,
  /// aggregate or included link.
  private func checkOpenNames(of plan: QueryPlan) throws(QueryError) {
    for open in openNames
    where plan.computed(open.name) == nil
      && !plan.groups.contains(where: { $0.dotted == open.name })
      && !plan.columns.contains(where: { $0.name == open.name })
      && plan.relation(open.name) == nil
    {
      throw unknown(open.name, open.fault, in: plan)
    }
  }

  /// Returns the error for an unknown name in `order`. Groups can be sorted only by their columns.
  private func unknown(_ name: String, _ error: QueryError, in plan: QueryPlan) -> QueryError {
    guard plan.isSummary, case .syntax(var fault) = error else { return error }
    fault.continuation = Self.columnOfGroups
    fault.hint = hintOnColumn(
      name, among: plan.groups.map(\.dotted) + plan.columns.map(\.name))
    return .syntax(fault)
  }

  private mutating func direction() throws(QueryError) -> OrderKey.Direction {
    switch token.word {
    case "desc", "descending":
      try advance()
      return .descending
    case "asc", "ascending":
      try advance()
      return .ascending
    default: return .ascending
    }
  }

  private mutating func count(from least: Int64) throws(QueryError) -> Int {
    guard case .integer(let number) = token.kind, number >= least, let count = Int(exactly: number)
    else { throw fault("a whole number of at least \(least)") }
    try advance()
    return count
  }

  private func setWindow(_ plan: inout QueryPlan, first: Int?, last: Int?) {
    plan.page.limit = nil
    plan.page.first = first
    plan.page.last = last
  }

  private mutating func cursor() throws(QueryError) -> (Cursor?, Bool) {
    let start = token
    let value = try jsonLiteral()
    guard let cursor = Cursor(json: value) else {
      throw fault(at: start, "a cursor: [entity id, attribute id, value, time] in quotes")
    }
    return (cursor, try skip(word: "inclusive"))
  }

  private mutating func relations(_ plan: inout QueryPlan) throws(QueryError) {
    repeat {
      let label = try name(.link)
      if let included = plan.relation(label.name ?? "") {
        throw fault(
          at: label, "another link",
          hint: included.isCount
            ? Self.hintOnIncludedCount([label])
            : "\(Words.quoted(label.name ?? "")) is included twice. Keep one of them.")
      }
      meanings[label.start] = .link
      var inner = QueryPlan(label.name ?? "")
      let outer = namespace
      let outerNames = openNames
      openNames = []
      if let schema, let outer { namespace = try target(of: label, in: outer, schema) }
      if try skip(.openBrace) {
        inner = try nested { parser throws(QueryError) in try parser.clausesInBraces(inner) }
      }
      try checkOpenNames(of: inner)
      openNames = outerNames
      namespace = outer
      plan.setRelation(inner.namespace, inner)
    } while try skip(.comma)
    endedWithCondition = false
  }

  private mutating func clausesInBraces(_ plain: QueryPlan) throws(QueryError) -> QueryPlan {
    var plan = plain
    endedWithCondition = false
    openBraces += 1
    while try clause(&plan) {}
    guard try skip(.closeBrace) else {
      throw fault(
        endedWithCondition
          ? .connective("'and', 'or', a clause or '}'") : .clause("a clause or '}'"),
        hint: clauseHint)
    }
    openBraces -= 1
    return plan
  }
}

extension QueryError {
  /// Returns whether the error is an unknown name at the position of this token.
  fileprivate func isUnknownName(at token: Token) -> Bool {
    guard case .syntax(let fault) = self, case .fieldOf = fault.continuation else { return false }
    return fault.offset == token.start
  }
}
