import DataSourcesTesting
import InstaQL
import Triples
import TestSupport

/// Generates random conditions and plans, including those without an InstaQL form unless
/// restricted to it.
struct RandomQueries {
  var random: SeededGenerator
  var isWireOnly = false

  init(seed: UInt64, isWireOnly: Bool = false) {
    random = SeededGenerator(seed: seed)
    self.isWireOnly = isWireOnly
  }

  private static let labels = [
    "name", "age", "done", "order", "and", "by", "first name", "日本", "a`b", "count", "true",
    "éclair",
    "date", "limit", "$users", "x", "not", "id", "start-date", "first", "any", "with", "नमस्ते",
  ]
  private static let texts = [
    "", "France", "it's", "say \"x\"", "both ' and \"", "back\\slash", "100\\%", "a_b%", "\n\t\r",
    "\u{1B}[31m", "日本 🇫🇷", "\u{202E}evil", "`", "or 1 = 1", "e\u{301}", "\u{0}", "👩‍👩‍👧",
  ]

  mutating func label() -> String { random.pick(Self.labels) }

  mutating func path() -> AttributePath {
    AttributePath((0..<Int.random(in: 1...3, using: &random)).map { _ in label() })
  }

  /// A path, or a computed value of a type that the parser does not know.
  mutating func operandPath() -> AttributePath {
    if isWireOnly || !random.oneIn(3) { return path() }
    return AttributePath(computing: .call(.coalesce, [.path(path()), computation()]))
  }

  /// A comparison of a computed number.
  private mutating func numericCondition() -> ConditionNode {
    let path = AttributePath(
      computing: .arithmetic(
        .path(self.path()), random.pick(ValueExpression.Arithmetic.allCases),
        expression(depth: 2, .number)))
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return .isIn(path, (0..<random.pick([0, 1, 3])).map { _ in number() })
    case 1: return .isNull(path, .random(using: &random))
    default:
      let comparisons = Comparison.allCases.filter { !$0.isPattern }
      return .compare(path, random.pick(comparisons), number())
    }
  }

  private mutating func number() -> Value {
    random.oneIn(2)
      ? .integer(Int64.random(in: -9...999, using: &random))
      : .double(Double.random(in: -9...999, using: &random))
  }

  /// An expression that is not a constant.
  private mutating func computation(depth: Int = 2) -> ValueExpression {
    while true {
      let found = expression(depth: depth)
      if case .constant = found { continue }
      return found
    }
  }

  private mutating func jsonPath() -> AttributePath {
    AttributePath([label(), random.pick(["0", "-1", "size", "by", "007"]), label()])
  }

  /// The type that an operation or a function takes.
  enum Kind { case any, number, text, date }

  mutating func expression(depth: Int, _ kind: Kind = .any) -> ValueExpression {
    if depth == 0 || random.oneIn(4) { return part(kind) }
    switch (kind, Int.random(in: 0..<3, using: &random)) {
    case (.any, 0), (.number, 0): return .negated(expression(depth: depth - 1, .number))
    case (.any, 1), (.number, 1):
      return .arithmetic(
        expression(depth: depth - 1, .number),
        random.pick(ValueExpression.Arithmetic.allCases), expression(depth: depth - 1, .number))
    default: return call(depth: depth, kind)
    }
  }

  /// An expression without operands.
  private mutating func part(_ kind: Kind) -> ValueExpression {
    switch Int.random(in: 0..<5, using: &random) {
    case 0 where random.oneIn(4): return .constant(.null)
    case 0:
      switch kind {
      case .any: return .constant(scalar())
      case .number: return .constant(number())
      case .text: return .constant(.text(random.pick(Self.texts)))
      case .date:
        return random.oneIn(2) ? .path(path()) : .constant(.text("2026-02-28T08:30:00.000Z"))
      }
    case 1:
      return .aggregate(
        kind == .any || kind == .number
          ? random.pick(Aggregation.Function.allCases) : random.pick([.min, .max]), path())
    case 2: return .path(jsonPath())
    default: return .path(path())
    }
  }

  private mutating func call(depth: Int, _ kind: Kind) -> ValueExpression {
    let functions = ValueFunction.allCases.filter { function in
      switch function {
      case .coalesce: true
      case .lower, .upper, .trim, .concat: kind == .any || kind == .text
      case .length, .round, .floor, .ceil, .abs, .year, .month, .day, .weekday:
        kind == .any || kind == .number
      }
    }
    let function = random.pick(functions)
    let count = Int.random(
      in: function.arity.lowerBound...min(3, function.arity.upperBound), using: &random)
    let wanted: Kind =
      switch function {
      case .lower, .upper, .trim, .length: .text
      case .round, .floor, .ceil, .abs: .number
      case .year, .month, .day, .weekday: .date
      case .concat: .any
      case .coalesce: kind
      }
    return .call(function, (0..<count).map { _ in expression(depth: depth - 1, wanted) })
  }

  mutating func scalar() -> Value {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: .bool(.random(using: &random))
    case 1: .integer(random.pick([0, 1, -1, 1_000_000, .max, .min]))
    case 2: .double(random.pick([0.5, 1.0, -0.0, 1e21, 1e-7, -2.25, 12345.678]))
    default: .text(random.pick(Self.texts))
    }
  }

  mutating func value() -> Value {
    if isWireOnly || !random.oneIn(8) { return scalar() }
    return random.pick([
      .null, [], ["a", nil], ["k": 1], ["x-value": 2, "b": [true]], ["$gt": "'"],
    ])
  }

  mutating func leaf() -> ConditionNode {
    if !isWireOnly, random.oneIn(9) { return numericCondition() }
    switch Int.random(in: 0..<9, using: &random) {
    case 0:
      let values = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        random.oneIn(5) ? Value.null : value()
      }
      return .isIn(operandPath(), values)
    case 1: return .isNull(operandPath(), .random(using: &random))
    case 2 where !isWireOnly:
      let comparison = random.pick(Comparison.allCases)
      return .compareFields(
        operandPath(), comparison, comparison.isPattern ? path() : operandPath())
    case 4 where !isWireOnly && random.oneIn(3): return linkCount()
    case 3: return .idStartsWith(random.oneIn(2) ? [] : [label()], random.pick(["", "0a1b"]))
    default:
      let comparison = random.pick(Comparison.allCases)
      if comparison == .matches {
        return isWireOnly
          ? .isNull(path(), true)
          : .compare(
            operandPath(), .matches,
            .text(random.pick(["^A.*n$", "a\\d+\"", "it's [\\]x]{2,}", "", "日本|\\\\"])))
      }
      if comparison.isPattern, isWireOnly || !random.oneIn(6) {
        return .compare(operandPath(), comparison, .text(random.pick(Self.texts)))
      }
      return .compare(operandPath(), comparison, value())
    }
  }

  private mutating func linkCount() -> ConditionNode {
    .linkCount(
      path(), random.pick(Comparison.allCases.filter { !$0.isPattern }),
      random.pick([0, 1, 5, -1, .max]))
  }

  mutating func condition(depth: Int = 4) -> ConditionNode {
    if depth == 0 || random.oneIn(3) { return leaf() }
    let parts = (0..<random.pick([0, 1, 2, 2, 2, 3])).map { _ in condition(depth: depth - 1) }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return .all(parts)
    case 1: return .any(parts)
    case 2: return isWireOnly ? wireTogether() : .sharing(parts)
    case 3 where !isWireOnly: return .not(condition(depth: depth - 1))
    case 4 where !isWireOnly:
      return .quantified(random.pick(Quantifier.allCases), path(), condition(depth: depth - 1))
    default: return leaf()
    }
  }

  private mutating func wireTogether() -> ConditionNode {
    var seen: Set<String> = []
    var parts: [ConditionNode] = []
    for _ in 0..<3 {
      let part = leaf()
      var key = ""
      part.forEachPath { key = $0.dotted }
      if seen.insert(key).inserted, !seen.contains("id") { parts.append(part) }
    }
    if random.oneIn(2) { parts.append(.any([leaf()])) }
    if random.oneIn(2) { parts.append(.all([leaf(), leaf()])) }
    let keys: [String] = ["and", "or"]
    return seen.isDisjoint(with: keys) ? .sharing(parts) : leaf()
  }

  mutating func cursor() -> Cursor {
    Cursor(
      entity: EntityID("01020304-0506-4708-890a-0b0c0d0e0f10"), attribute: AttributeID(label()),
      value: random.pick([.null, .integer(4), .text("x'\"y")]),
      createdAt: random.oneIn(2) ? nil : 17)
  }

  mutating func page(isTop: Bool) -> Page {
    var page = Page()
    switch Int.random(in: 0..<6, using: &random) {
    case 0: page.limit = 20
    case 1 where isTop: page.first = 3
    case 2 where isTop: page.last = 4
    default: break
    }
    guard isTop else { return page }
    if random.oneIn(4) { page.offset = Int.random(in: 0...9, using: &random) }
    if random.oneIn(6) { page.after = cursor() }
    if random.oneIn(6) { page.before = cursor() }
    if page.after != nil, random.oneIn(2) { page.afterInclusive = true }
    if page.before != nil, random.oneIn(2) { page.beforeInclusive = true }
    return page
  }

  mutating func plan(depth: Int = 2, isTop: Bool = true) -> QueryPlan {
    var plan = QueryPlan(label())
    if random.oneIn(2) { plan.condition = condition(depth: 3) }
    let keys = isWireOnly ? random.pick([0, 1]) : random.pick([0, 0, 1, 2])
    for _ in 0..<keys {
      let path =
        isWireOnly
        ? AttributePath(label()) : random.oneIn(5) ? OrderKey.count(of: path()) : order()
      plan.order.append(OrderKey(path, random.pick(OrderKey.Direction.allCases)))
    }
    plan.page = page(isTop: isTop || (!isWireOnly && random.oneIn(3)))
    if random.oneIn(4) { plan.fields = random.pick([[], ["name"], ["order", "first name"]]) }
    if random.oneIn(4), !isWireOnly { compute(&plan) }
    if random.oneIn(8), !isWireOnly { plan.isCount = true }
    if random.oneIn(8), !isWireOnly { summarize(&plan) }
    guard depth > 0 else { return plan }
    for _ in 0..<random.pick([0, 0, 1, 2]) {
      let label = label()
      // Servers do not know the place of a link among the fields.
      if isWireOnly, plan.fields?.contains(label) == true { continue }
      plan.setRelation(label, self.plan(depth: depth - 1, isTop: false))
      guard !isWireOnly, let fields = plan.fields, !fields.contains(label), random.oneIn(2) else {
        continue
      }
      plan.fields?.insert(label, at: Int.random(in: 0...fields.count, using: &random))
    }
    return plan
  }

  /// An order; a number of links has a form of its own.
  private mutating func order() -> AttributePath {
    let path = operandPath()
    if case .aggregate(.count, let links)? = path.expression { return OrderKey.count(of: links) }
    return path
  }

  private mutating func compute(_ plan: inout QueryPlan) {
    var fields = plan.fields ?? (random.oneIn(2) ? [QueryPlan.allFields] : [])
    for place in 0..<Int.random(in: 1...3, using: &random) {
      let name = random.oneIn(2) ? "column \(place)" : nil
      let column = AttributePath(column: name, computing: computation())
      guard !fields.contains(column.label) else { continue }
      fields.append(column.label)
      plan.setComputed(column)
    }
    plan.fields = fields
    if plan.computed.isEmpty { plan.fields = nil }
  }

  private mutating func summarize(_ plan: inout QueryPlan) {
    plan.isDistinct = .random(using: &random)
    for place in 0..<random.pick([0, 1, 2]) {
      plan.groups.append(
        random.oneIn(4)
          ? AttributePath(column: "group \(place)", computing: computation()) : operandPath())
    }
    for _ in 0..<random.pick([0, 1, 2]) {
      let function = random.pick(Aggregation.Function.allCases)
      let path = function == .count && random.oneIn(2) ? nil : operandPath()
      plan.aggregates.append(
        Aggregation(function, path, name: random.oneIn(3) ? label() : nil))
    }
    if plan.isSummary { plan.order.removeAll { $0.countedLinks != nil } }
    if plan.isSummary, random.oneIn(2) {
      let comparison = random.pick([Comparison.equal, .notEqual, .less])
      plan.having =
        random.oneIn(2)
        ? .compare(path(), comparison, scalar())
        : .compare(hiddenAggregate(of: plan), comparison, number())
    }
  }

  /// An aggregate that the plan does not show.
  private mutating func hiddenAggregate(of plan: QueryPlan) -> AttributePath {
    while true {
      let function = random.pick(Aggregation.Function.allCases)
      let path = function == .count && random.oneIn(2) ? nil : operandPath()
      let isShown = (plan.aggregates + [Aggregation(.count)]).contains {
        $0.function == function && $0.path == path
      }
      if isShown { continue }
      return AttributePath(computing: .aggregate(function, path ?? ""))
    }
  }

  private var parameters: JSONObject { JSONObject([.init(key: "k", value: ["a", 1.5])]) }

  mutating func document() -> QueryDocument {
    let plans = (0..<random.pick([1, 1, 1, 2, 3])).map { _ in plan() }
    return QueryDocument(plans, ruleParams: random.oneIn(9) ? parameters : nil)
  }
}
