import Triples

/// Parses functions such as `lower(name)`, and aggregates such as `sum(cities.population)`.
extension TextParser {
  func unknownFunction() -> QueryError {
    let known = ValueFunction.allCases.map(\.rawValue) + Words.functionHelp.keys.sorted()
    return fault(
      "a function",
      hint: token.word.flatMap { Words.hint($0, among: known) }
        ?? "Available: \(ValueFunction.allCases.map(\.rawValue).joined(separator: ", ")).")
  }

  /// Parses a function with its arguments. Returns nil if the current word is not a function.
  mutating func call() throws(QueryError) -> Operand? {
    let start = token
    guard let word = token.word else { return nil }
    if word == "field" {
      try advance()
      try expect(.open)
      isOnlyPathExpected = true
      let inner = try pathOperand(try pathNames())
      isOnlyPathExpected = false
      try expect(.close)
      return inner
    }
    if let plan = summarized {
      if let aggregate = try aggregate(in: plan) { return aggregate }
      if let column = try groupColumn(of: plan) { return column }
    }
    if let function = Self.function(word) { return try linkedAggregate(function) }
    guard let function = ValueFunction(rawValue: Words.synonyms[word] ?? word) else { return nil }
    meanings[token.start] = .function
    try advance()
    let arguments = try nested { parser throws(QueryError) in try parser.arguments(of: function) }
    return Operand(
      value: .call(function, arguments.map(\.value)), kind: kind(function, arguments), start: start)
  }

  /// Parses a function by which the plan groups, such as `year(founded)`, and returns the group's
  /// column. Returns nil for any other function.
  private mutating func groupColumn(of plan: QueryPlan) throws(QueryError) -> Operand? {
    guard plan.groups.contains(where: { $0.expression != nil }) else { return nil }
    var ahead = self
    (ahead.columns, ahead.summarized) = (nil, nil)
    guard let found = try? ahead.call(),
      let group = plan.groups.first(where: { $0.expression == found.value })
    else { return nil }
    let start = token
    (ahead.columns, ahead.summarized) = (columns, summarized)
    self = ahead
    return Operand(value: .path(AttributePath(group.dotted)), kind: found.kind, start: start)
  }

  private mutating func arguments(of function: ValueFunction) throws(QueryError) -> [Operand] {
    let hadCommas = lexer.hasCommasInNumbers
    lexer.hasCommasInNumbers = false
    defer { lexer.hasCommasInNumbers = hadCommas }
    try expect(.open)
    var arguments: [Operand] = []
    repeat {
      let limit = function.arity.upperBound
      guard arguments.count < limit else {
        let noun = limit == 1 ? "argument" : "arguments"
        throw fault(
          .words([")"]), hint: "'\(function.rawValue)' can have at most \(limit) \(noun).")
      }
      fittingKinds = function.argumentKinds
      let time = function.takesDates ? try timeArgument() : nil
      let argument = if let time { time } else { try sum() }
      fittingKinds = []
      if !function.takesDates || !argument.isDateLiteral {
        try check(argument, isOneOf: function.argumentKinds)
      }
      arguments.append(argument)
    } while try skip(.comma)
    lexer.hasCommasInNumbers = hadCommas
    guard try skip(.close) else {
      throw fault(.words(arguments.count < function.arity.upperBound ? [",", ")"] : [")"]))
    }
    return arguments
  }

  /// Returns the type of a function's result; nil if it is unknown.
  private func kind(_ function: ValueFunction, _ arguments: [Operand]) -> ValueKind? {
    switch function {
    case .lower, .upper, .trim, .concat: return .text
    case .length, .round, .floor, .ceil, .abs, .year, .month, .day, .weekday: return .number
    case .coalesce:
      let known = arguments.filter { $0.value != .constant(.null) && !$0.isDateLiteral }
      let kinds = Set(known.map(\.kind))
      return kinds.count == 1 ? kinds.first ?? nil : nil
    }
  }

  /// Parses `sum(cities.population)`, `count(cities)`, `count(distinct cities.timezone)`.
  private mutating func linkedAggregate(
    _ word: Aggregation.Function
  ) throws(QueryError) -> Operand {
    let start = token
    var function = word
    meanings[token.start] = .function
    try advance()
    try expect(.open)
    mayBeDistinct = function == .count && token.kind == .end
    if function == .count, token.word == "distinct", case let next = try peek(),
      next.name != nil || next.kind == .end
    {
      meanings[token.start] = .keyword
      try advance()
      function = .countDistinct
    }
    if let aggregate = try aggregateOfGroup(function, start) { return aggregate }
    isOnlyPathExpected = true
    fittingKinds = Self.needsNumbers(function) ? [.number] : []
    let names = try pathNames()
    let inner = try fieldPath(of: names)
    fittingKinds = []
    isOnlyPathExpected = false
    guard inner.0.expression == nil else {
      throw fault(at: names[0], "a field of linked entities")
    }
    try check(function, names, inner.1)
    try expect(.close)
    let isNumber = function != .min && function != .max
    return Operand(
      value: .aggregate(function, inner.0), kind: isNumber ? .number : inner.1, start: start)
  }

  /// Parses `)` after `count(`, or an expression after a function such as `sum(`, in a condition on
  /// groups without a schema. Returns nil if a path follows, as in any other condition.
  private mutating func aggregateOfGroup(
    _ function: Aggregation.Function, _ start: Token
  ) throws(QueryError) -> Operand? {
    guard schema == nil else { return nil }
    if function == .count, try skip(.close) {
      return Operand(value: .aggregate(.count, ""), kind: .number, start: start)
    }
    guard token.name == nil || (try? isAtExpression()) == true else { return nil }
    let before = self
    let inner = try nested { parser throws(QueryError) in try parser.sum() }
    if inner.isPath {
      self = before
      return nil
    }
    try expect(.close)
    return Operand(value: .aggregate(function, inner.path), start: start)
  }

  private func check(
    _ function: Aggregation.Function, _ names: [Token], _ kind: ValueKind?
  ) throws(QueryError) {
    let path = path(of: names)
    guard schema != nil, namespace != nil else { return }
    if function == .count, kind == .link, isLink(path) { return }
    let written = path.written
    if names.count < 2 {
      let isLink = kind == .link && isLink(path)
      throw fault(
        at: names[0], "a field of linked entities",
        hint: isLink
          ? linkHint(path)
          : "To aggregate all rows, write the clause: aggregate \(function.rawValue)(\(written))."
      )
    }
    guard [.sum, .average, .median].contains(function), let kind, kind != .number else { return }
    throw fault(
      at: names[0], "a numeric field",
      hint: kind == .link && isLink(path) ? linkHint(path) : "'\(path)' contains \(kind.plural).")
  }
}

extension TextParser.Operand {
  /// Whether the value is a constant date, such as `2026-10-01`.
  fileprivate var isDateLiteral: Bool {
    if case .constant(let value) = value { value.isDateLiteral } else { false }
  }
}

extension ValueFunction {
  /// Whether an argument may be a date.
  fileprivate var takesDates: Bool { self == .coalesce || argumentKinds == [.date] }

  /// The types allowed for an argument; an empty list allows any type.
  fileprivate var argumentKinds: [ValueKind] {
    switch self {
    case .lower, .upper, .trim, .length: [.text]
    case .round, .floor, .ceil, .abs: [.number]
    case .year, .month, .day, .weekday: [.date]
    case .concat, .coalesce: []
    }
  }
}
