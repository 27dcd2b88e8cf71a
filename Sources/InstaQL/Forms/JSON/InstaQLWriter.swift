import Triples

/// Writes plans as InstaQL objects with sorted keys.
///
/// The wire form is for servers. If InstaQL cannot express a part of the query, writing it throws.
/// The local form is for saving, and uses keys with the prefix `x-` for such parts.
struct InstaQLWriter {
  enum Form: Hashable, Sendable { case wire, local }

  let form: Form

  func document(_ document: QueryDocument) throws(QueryError) -> Value {
    var pairs: [(String, Value)] = []
    if let ruleParams = document.ruleParams {
      pairs.append(("$$ruleParams", .object(ruleParams)))
    }
    for plan in document.plans {
      pairs.append((plan.namespace, try self.plan(plan, at: plan.namespace, isTop: true)))
    }
    return object(pairs)
  }

  func plan(_ plan: QueryPlan, at path: String, isTop: Bool) throws(QueryError) -> Value {
    var pairs: [(String, Value)] = []
    let options = try options(of: plan, at: path + ".$", isTop: isTop)
    if !options.isEmpty { pairs.append(("$", object(options))) }
    for relation in plan.relations {
      let form = try self.plan(relation.plan, at: path + "." + relation.label, isTop: false)
      pairs.append((relation.label, form))
    }
    return object(pairs)
  }

  func object(_ pairs: [(String, Value)]) -> Value {
    .object(
      JSONObject(
        unique: pairs.map { JSONObject.Member(key: $0.0, value: $0.1) }.sorted {
          $0.key.utf16.lexicographicallyPrecedes($1.key.utf16)
        }))
  }

  private func options(
    of plan: QueryPlan, at path: String, isTop: Bool
  ) throws(QueryError) -> [(String, Value)] {
    var pairs: [(String, Value)] = []
    if let condition = plan.condition {
      pairs.append(("where", try whereClause(condition, at: path + ".where")))
    }
    if let order = try order(plan.order, at: path + ".order") { pairs.append(order) }
    pairs += try window(plan.page, at: path, isTop: isTop)
    if let fields = plan.fields {
      // Servers know only attributes, and the place of a link's columns does not concern them.
      let names = form == .local ? fields : fields.filter { plan.relation($0) == nil }
      pairs.append(("fields", .array(names.map(Value.text))))
    }
    pairs += try computed(of: plan, at: path)
    if plan.isCount {
      if form == .wire, !isTop || !plan.relations.isEmpty {
        throw .notExpressible(
          path: path + ".aggregate",
          reason: "a count is supported only at the top level, and without linked rows")
      }
      pairs.append((isTop ? "aggregate" : "x-aggregate", .text("count")))
    }
    return pairs + (try summary(of: plan, at: path))
  }

  /// Returns an object that has the text of each computed column's expression under the column's
  /// name.
  private func computed(
    of plan: QueryPlan, at path: String
  ) throws(QueryError) -> [(String, Value)] {
    guard let first = plan.computed.first?.expression else { return [] }
    if form == .wire {
      throw .notExpressible(path: path + ".x-computed", reason: Self.refusal(of: first))
    }
    let columns = plan.computed.compactMap { column in
      column.expression.map { (column.label, Value.text($0.text)) }
    }
    return [("x-computed", object(columns))]
  }

  private func summary(
    of plan: QueryPlan, at path: String
  ) throws(QueryError) -> [(String, Value)] {
    guard plan.isSummary || plan.having != nil else { return [] }
    if form == .wire { throw Self.refusal(of: plan, at: path) }
    var pairs: [(String, Value)] = []
    if plan.isDistinct { pairs.append(("x-distinct", .bool(true))) }
    if !plan.groups.isEmpty {
      pairs.append(("x-group", .array(plan.groups.map { .text($0.key) })))
    }
    if !plan.aggregates.isEmpty {
      pairs.append(("x-aggregates", .array(plan.aggregates.map(written))))
    }
    if let having = plan.having {
      pairs.append(("x-having", try whereClause(having, at: path + ".x-having")))
    }
    return pairs
  }

  private static func refusal(of plan: QueryPlan, at path: String) -> QueryError {
    if plan.isDistinct {
      return .notExpressible(
        path: path + ".x-distinct", reason: "'distinct' is not supported")
    }
    if plan.groups.isEmpty {
      return .notExpressible(
        path: path + ".x-aggregates", reason: "aggregates other than 'count' are not supported")
    }
    return .notExpressible(path: path + ".x-group", reason: "groups are not supported")
  }

  private func written(_ aggregate: Aggregation) -> Value {
    var pairs = [("function", Value.text(aggregate.function.rawValue))]
    if let path = aggregate.path { pairs.append(("path", .text(path.key))) }
    if !aggregate.hasPlainName { pairs.append(("name", .text(aggregate.name))) }
    return object(pairs)
  }

  private func order(
    _ keys: [OrderKey], at path: String
  ) throws(QueryError) -> (String, Value)? {
    guard let first = keys.first else { return nil }
    let objects = keys.map { object([($0.path.key, Value.text($0.direction.rawValue))]) }
    let isComputed = first.path.expression != nil
    if keys.count == 1, first.path.isOwn, !isComputed { return ("order", objects[0]) }
    if form == .wire {
      if isComputed, let expression = first.path.expression {
        throw .notExpressible(path: path, reason: Self.refusal(of: expression))
      }
      throw .notExpressible(
        path: path,
        reason: keys.count > 1
          ? "sorting by several fields is not supported"
          : "sorting by the fields of linked rows is not supported")
    }
    return ("x-order", .array(objects))
  }

  private func window(
    _ page: Page, at path: String, isTop: Bool
  ) throws(QueryError) -> [(String, Value)] {
    if form == .wire, let fault = page.fault {
      throw .invalid(path: path + "." + fault.option, reason: fault.reason)
    }
    func number(_ count: Int?) -> Value? { count.map { .integer(Int64($0)) } }
    let topOnly: [(String, Value?)] = [
      ("offset", number(page.offset)), ("first", number(page.first)),
      ("last", number(page.last)), ("after", page.after?.json), ("before", page.before?.json),
      ("afterInclusive", page.after != nil && page.afterInclusive ? .bool(true) : nil),
      ("beforeInclusive", page.before != nil && page.beforeInclusive ? .bool(true) : nil),
    ]
    var pairs: [(String, Value)] = []
    if let limit = number(page.limit) { pairs.append(("limit", limit)) }
    for case (let option, let value?) in topOnly {
      if form == .wire, !isTop {
        throw .notExpressible(
          path: path + "." + option, reason: "linked rows can have only the option 'limit'")
      }
      pairs.append((isTop ? option : "x-" + option, value))
    }
    return pairs
  }
}
