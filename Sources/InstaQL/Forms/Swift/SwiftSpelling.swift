extension QueryDocument {
  /// The query as Swift code, with one method call per line.
  ///
  /// Conditions are written as query text. If the page of the query has a cursor, the query is
  /// written as JSON.
  public var swiftSpelling: String {
    let isFluent = plans.allSatisfy(\.isFluent) && ruleParams == nil
    guard isFluent, let first = plans.first else {
      return "try QueryDocument(json: \(SwiftSpelling.literal(canonicalJSON)))"
    }
    if plans.count == 1 { return SwiftSpelling.expression(first) }
    let list = plans.map { "  " + SwiftSpelling.expression($0, indent: "  ") + "," }
    return "QueryDocument([\n" + list.joined(separator: "\n") + "\n])"
  }
}

extension QueryPlan {
  /// Whether the plan can be written as method calls. A plan with cursors cannot.
  fileprivate var isFluent: Bool {
    page.after == nil && page.before == nil && relations.allSatisfy(\.plan.isFluent)
  }

  fileprivate var hasCondition: Bool {
    condition != nil || having != nil || relations.contains { $0.plan.hasCondition }
  }
}

enum SwiftSpelling {
  static func expression(_ plan: QueryPlan, indent: String = "") -> String {
    let start = (plan.hasCondition ? "try " : "") + "QueryPlan(\(literal(plan.namespace)))"
    return ([start] + calls(plan, indent: indent + "  ")).joined(separator: "\n" + indent + "  ")
  }

  private static func calls(_ plan: QueryPlan, indent: String) -> [String] {
    var calls: [String] = []
    if let condition = plan.condition { calls.append(".filter(\(literal(condition.text)))") }
    if !plan.groups.isEmpty {
      calls.append(".group(by: \(plan.groups.map { literal($0.dotted) }.joined(separator: ", ")))")
    }
    if !plan.aggregates.isEmpty {
      calls.append(".aggregate(\(plan.aggregates.map(spelled).joined(separator: ", ")))")
    }
    if let having = plan.having {
      calls.append(".having(try ConditionNode(parsing: \(literal(having.text))))")
    }
    if plan.isDistinct { calls.append(".distinct()") }
    for key in plan.order {
      let direction = key.direction == .descending ? ", .descending" : ""
      calls.append(".order(\(literal(key.path.dotted))\(direction))")
    }
    if let first = plan.page.first { calls.append(".page(first: \(first))") }
    if let last = plan.page.last { calls.append(".page(last: \(last))") }
    if let limit = plan.page.limit { calls.append(".limit(\(limit))") }
    if let offset = plan.page.offset { calls.append(".offset(\(offset))") }
    if let fields = plan.fields {
      calls.append(".fields([\(fields.map(literal).joined(separator: ", "))])")
    }
    if plan.isCount { calls.append(".count()") }
    for relation in plan.relations { calls.append(call(relation, indent: indent)) }
    return calls
  }

  private static func spelled(_ aggregate: Aggregation) -> String {
    var parts = [".\(aggregate.function)"]
    if let path = aggregate.path { parts.append(literal(path.dotted)) }
    if !aggregate.hasPlainName { parts.append("name: " + literal(aggregate.name)) }
    return "Aggregation(\(parts.joined(separator: ", ")))"
  }

  private static func call(_ relation: QueryPlan.Relation, indent: String) -> String {
    let start = ".with(\(literal(relation.label)))"
    guard !relation.plan.isPlain else { return start }
    let lines = calls(relation.plan, indent: indent + "  ")
    let mark = relation.plan.hasCondition ? "try " : ""
    if lines.count == 1 { return start + " { \(mark)$0\(lines[0]) }" }
    let separator = "\n" + indent + "  "
    return start + " {" + separator + "\(mark)$0" + lines.map { separator + "  " + $0 }.joined()
      + "\n" + indent + "}"
  }

  /// Returns a string literal with `text` as its value. It is a raw literal if that avoids escapes.
  static func literal(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0 == "\"" || $0 == "\\" || $0.value < 0x20 })
    else {
      return "\"\(text)\""
    }
    if text.unicodeScalars.contains(where: { $0.value < 0x20 }) { return text.debugDescription }
    var marks = "#"
    while text.contains("\"" + marks) || text.contains("\\" + marks) { marks += "#" }
    return "\(marks)\"\(text)\"\(marks)"
  }
}
