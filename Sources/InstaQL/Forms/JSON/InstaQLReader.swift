import Triples

/// Parses queries in InstaQL. It also parses the keys with the prefix `x-`, which only local stores
/// can answer.
struct InstaQLReader {
  let reading: InstaQLReading

  func document(_ query: Value) throws(QueryError) -> QueryDocument {
    guard case .object(let object) = query else {
      throw .invalid(path: "", reason: "A query must be an object whose keys are namespaces.")
    }
    var document = QueryDocument()
    for (key, form) in object.pairs {
      if key == "$$ruleParams" {
        if case .object(let parameters) = form {
          document.ruleParams = parameters
        } else if reading == .strict {
          throw .invalid(path: key, reason: "the value must be an object")
        }
      } else {
        document.set(try plan(key, form, at: key, isTop: true))
      }
    }
    return document
  }

  /// Parses the plan of one namespace or link.
  ///
  /// - Parameter path: The position of `form` in the query, for error messages.
  func plan(
    _ namespace: String, _ form: Value, at path: String, isTop: Bool
  ) throws(QueryError) -> QueryPlan {
    var plan = QueryPlan(namespace)
    guard case .object(let object) = form else {
      if reading.isLenient, form != .null { return plan }
      throw .invalid(path: path, reason: "the value must be an object, such as {}")
    }
    for (key, value) in object.pairs {
      if key == "$" {
        try readOptions(value, at: path + ".$", isTop: isTop, into: &plan)
      } else {
        plan.setRelation(key, try self.plan(key, value, at: path + "." + key, isTop: false))
      }
    }
    return plan
  }

  private func readOptions(
    _ options: Value, at path: String, isTop: Bool, into plan: inout QueryPlan
  ) throws(QueryError) {
    guard case .object(let object) = options else {
      throw .invalid(path: path, reason: "the value must be an object with options")
    }
    for (key, value) in object.pairs {
      try readOption(key, value, at: path + "." + key, isTop: isTop, into: &plan)
    }
    // Without a cursor, it does not matter whether the boundary is inclusive.
    if plan.page.after == nil { plan.page.afterInclusive = false }
    if plan.page.before == nil { plan.page.beforeInclusive = false }
    if reading.isLenient {
      resolveLimit(&plan.page)
    } else if let fault = plan.page.fault {
      throw .invalid(path: path + "." + fault.option, reason: fault.reason)
    }
  }

  private func readOption(
    _ key: String, _ value: Value, at path: String, isTop: Bool, into plan: inout QueryPlan
  ) throws(QueryError) {
    let isLocal = key.hasPrefix("x-")
    let option = isLocal ? String(key.dropFirst(2)) : key
    switch option {
    case "where" where !isLocal: plan.condition = try whereClause(value, at: path)
    case "order": plan.order = try order(value, isLocal: isLocal, at: path)
    case "limit" where !isLocal: plan.page.limit = try number(value, at: path)
    case "fields" where !isLocal: plan.fields = try fields(value, at: path)
    case "aggregate": plan.isCount = try isCount(value, at: path)
    case "distinct" where isLocal: plan.isDistinct = try flag(value, at: path)
    case "computed" where isLocal:
      for column in try computed(value, at: path) { plan.setComputed(column) }
    case "group" where isLocal: plan.groups = try paths(value, at: path)
    case "aggregates" where isLocal: plan.aggregates = try aggregates(value, at: path)
    case "having" where isLocal: plan.having = try whereClause(value, at: path)
    case "first", "last", "offset", "after", "before", "afterInclusive", "beforeInclusive":
      if !isTop, !isLocal, reading == .strict {
        throw .invalid(
          path: path, reason: "'\(option)' is allowed only at the top level of a query")
      }
      try readWindow(option, value, at: path, into: &plan.page)
    default: throw .invalid(path: path, reason: "'\(key)' is not an option" + Self.suggestion(key))
    }
  }

  private static func suggestion(_ key: String) -> String {
    NearestName.hint(key, among: QueryValidator.options).map { ". \($0)" } ?? ""
  }

  private func readWindow(
    _ option: String, _ value: Value, at path: String, into page: inout Page
  ) throws(QueryError) {
    switch option {
    case "first": page.first = try number(value, at: path)
    case "last": page.last = try number(value, at: path)
    case "offset": page.offset = try number(value, at: path)
    case "after": page.after = try cursor(value, at: path)
    case "before": page.before = try cursor(value, at: path)
    case "afterInclusive": page.afterInclusive = try flag(value, at: path)
    default: page.beforeInclusive = try flag(value, at: path)
    }
  }

  /// Keeps only one limit of a page: the first of `limit`, `first` and `last` that is neither
  /// missing nor 0.
  private func resolveLimit(_ page: inout Page) {
    if page.offset == 0 { page.offset = nil }
    if page.limit == 0 { page.limit = nil }
    if page.first == 0 || page.limit != nil { page.first = nil }
    if page.last == 0 || page.limit != nil || page.first != nil { page.last = nil }
  }
}
