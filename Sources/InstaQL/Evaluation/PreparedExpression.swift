import Triples

/// A value expression whose names are resolved to attributes and links.
indirect enum PreparedExpression: Sendable {
  case constant(Value)
  /// The value of an attribute at the end of single-valued links. If `json` is not empty, only the
  /// part of the value at that path.
  case value([Link], Attribute, json: [String])
  /// The value in a summary row, in the column with this index.
  case column(Int)
  /// An aggregate of the linked entities' values. A nil attribute counts the entities.
  case aggregate(Aggregation.Function, [Link], Attribute?)
  case negated(PreparedExpression)
  case arithmetic(PreparedExpression, ValueExpression.Arithmetic, PreparedExpression)
  case call(ValueFunction, [PreparedExpression])

  /// The entity or summary row from which an expression reads its values.
  enum Source {
    case entity(EntityHandle, TripleStore)
    case row([Value])
  }

  /// Returns the value of the expression for an entity; null if the value is missing.
  func value(of entity: EntityHandle, in store: TripleStore) -> Value {
    value(of: .entity(entity, store))
  }

  func value(of source: Source) -> Value {
    switch self {
    case .constant(let value): return value
    case .value(let links, let attribute, let json):
      guard case .entity(var entity, let store) = source else { return .null }
      for link in links {
        guard let target = store.targets(entity, link).first else { return .null }
        entity = target
      }
      let value = store.value(entity, attribute.id) ?? .null
      return json.isEmpty ? value : value.part(at: json)
    case .column(let place):
      guard case .row(let row) = source else { return .null }
      return row[place]
    case .aggregate(let function, let links, let attribute):
      guard case .entity(let entity, let store) = source else { return .null }
      return Self.aggregate(function, links, attribute, of: entity, in: store)
    case .negated(let inner):
      return Self.compute(.integer(0), .minus, inner.number(of: source))
    case .arithmetic(let left, let operation, let right):
      return Self.compute(left.number(of: source), operation, right.number(of: source))
    case .call(.coalesce, let arguments):
      for argument in arguments {
        let value = argument.value(of: source)
        if value != .null { return value }
      }
      return .null
    case .call(let function, let arguments):
      return function.value(
        of: arguments.map {
          function.takesNumber ? $0.number(of: source) : $0.value(of: source)
        })
    }
  }

  /// Returns the value as an operand of a calculation.
  private func number(of source: Source) -> Value {
    let value = value(of: source)
    if case .text = value { return value.counted(as: type) }
    return value
  }

  private static func aggregate(
    _ function: Aggregation.Function, _ links: [Link], _ attribute: Attribute?,
    of entity: EntityHandle, in store: TripleStore
  ) -> Value {
    guard let attribute else { return .integer(Int64(store.countOfLinked(entity, along: links))) }
    var total = Accumulator()
    for end in store.linked(entity, along: links) {
      guard let value = store.value(end, attribute.id), value != .null else { continue }
      total.add(value, function, attribute.checkedType)
    }
    return total.result(function)
  }

  // MARK: Numbers

  /// Returns the result of an operation on two values.
  ///
  /// The result is an integer if the operands are integers and it is exact; otherwise a double. It
  /// is null if an operand is not a number, for a division by zero, and beyond the range of
  /// doubles.
  private static func compute(
    _ left: Value, _ operation: ValueExpression.Arithmetic, _ right: Value
  ) -> Value {
    if case .integer(let a) = left, case .integer(let b) = right,
      let exact = compute(a, operation, b)
    {
      return exact
    }
    guard let a = left.double, let b = right.double else { return .null }
    let result: Double
    switch operation {
    case .plus: result = a + b
    case .minus: result = a - b
    case .times: result = a * b
    case .divided: result = a / b
    case .remainder: result = b == 0 ? .nan : a.truncatingRemainder(dividingBy: b)
    }
    return result.isFinite ? .double(result) : .null
  }

  /// Returns the result of an operation on integers; nil if no integer represents it exactly.
  private static func compute(
    _ a: Int64, _ operation: ValueExpression.Arithmetic, _ b: Int64
  ) -> Value? {
    switch operation {
    case .plus: return exact(a.addingReportingOverflow(b))
    case .minus: return exact(a.subtractingReportingOverflow(b))
    case .times: return exact(a.multipliedReportingOverflow(by: b))
    case .divided:
      guard b != 0 else { return .null }
      let (quotient, rest) = b == -1 ? (0, 1) : a.quotientAndRemainder(dividingBy: b)
      return rest == 0
        ? .integer(quotient) : b == -1 ? exact(Int64(0).subtractingReportingOverflow(a)) : nil
    case .remainder:
      guard b != 0 else { return .null }
      return .integer(b == -1 ? 0 : a % b)
    }
  }

  private static func exact(_ result: (partialValue: Int64, overflow: Bool)) -> Value? {
    result.overflow ? nil : .integer(result.partialValue)
  }
}

extension PreparedExpression {
  /// Calls `body` for each attribute that the expression reads, and passes the links that lead to
  /// the attribute.
  ///
  /// If the expression only counts the entities at the end of the links, the attribute is nil.
  func forEachSource(_ body: ([Link], Attribute?) -> Void) {
    switch self {
    case .constant, .column: break
    case .value(let links, let attribute, _): body(links, attribute)
    case .aggregate(_, let links, let attribute): body(links, attribute)
    case .negated(let inner): inner.forEachSource(body)
    case .arithmetic(let left, _, let right):
      left.forEachSource(body)
      right.forEachSource(body)
    case .call(_, let arguments): for argument in arguments { argument.forEachSource(body) }
    }
  }

  /// The type of the value, if it is known.
  var type: CheckedType? {
    switch self {
    case .constant(.text): return .string
    case .constant(.integer), .constant(.double): return .number
    case .constant(.bool): return .boolean
    case .constant, .column: return nil
    case .value(_, let attribute, let json): return json.isEmpty ? attribute.checkedType : nil
    case .aggregate(.min, _, let attribute), .aggregate(.max, _, let attribute):
      return attribute?.checkedType
    case .aggregate, .negated, .arithmetic: return .number
    case .call(.coalesce, let arguments):
      // A constant date has the type of the other values.
      let types = Set(arguments.filter { !$0.isDateLiteral }.map(\.type))
      return types.count == 1 ? types.first ?? nil : nil
    case .call(let function, _):
      switch function {
      case .lower, .upper, .trim, .concat: return .string
      case .length, .round, .floor, .ceil, .abs, .year, .month, .day, .weekday: return .number
      case .coalesce: return nil
      }
    }
  }
}

extension PreparedExpression {
  /// Whether the value is a constant date, such as `2026-10-01`.
  private var isDateLiteral: Bool {
    if case .constant(let value) = self { value.isDateLiteral } else { false }
  }
}

extension Value {
  /// Whether the value is a date as text, such as `2026-10-01`.
  var isDateLiteral: Bool {
    guard case .text(let text) = self, text.first?.isNumber == true else { return false }
    return DateLiteral(text) != nil
  }

  /// The number as a double; nil for other values.
  fileprivate var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .double(let number): number
    case .null, .bool, .text, .array, .object: nil
    }
  }

  /// Returns the part of a JSON value at a path, such as `tags.0`; null if there is no such part.
  ///
  /// A label is an object's key or a list's index. A negative index counts from the end of the
  /// list.
  func part(at labels: [String]) -> Value {
    var value = self
    for label in labels {
      switch value {
      case .object(let object): value = object[label] ?? .null
      case .array(let elements):
        guard AttributePath.isIndex(label), let index = Int(label) else { return .null }
        let place = index < 0 ? elements.count + index : index
        guard elements.indices.contains(place) else { return .null }
        value = elements[place]
      case .null, .bool, .integer, .double, .text: return .null
      }
    }
    return value
  }
}

extension ValueFunction {
  /// Whether the function calculates with its argument.
  fileprivate var takesNumber: Bool {
    switch self {
    case .round, .floor, .ceil, .abs: true
    case .lower, .upper, .trim, .length, .concat, .year, .month, .day, .weekday, .coalesce: false
    }
  }

  /// Returns the result of the function; null if an argument has the wrong type. A null argument
  /// gives null, except for `concat` and `coalesce`.
  func value(of arguments: [Value]) -> Value {
    switch self {
    case .lower: return arguments[0].mapText { $0.lowercased() }
    case .upper: return arguments[0].mapText { $0.uppercased() }
    case .trim: return arguments[0].mapText(Self.trimmed)
    case .length:
      switch arguments[0] {
      case .text(let text): return .integer(Int64(text.count))
      case .array(let elements): return .integer(Int64(elements.count))
      case .null, .bool, .integer, .double, .object: return .null
      }
    case .concat: return .text(arguments.map(\.plainText).joined())
    case .round: return Self.rounded(arguments[0], arguments.count > 1 ? arguments[1] : .integer(0))
    case .floor: return arguments[0].mapNumber { $0.rounded(.down) }
    case .ceil: return arguments[0].mapNumber { $0.rounded(.up) }
    case .abs:
      if case .integer(let number) = arguments[0], number != .min {
        return .integer(Swift.abs(number))
      }
      return arguments[0].double.map { .double(Swift.abs($0)) } ?? .null
    case .year, .month, .day, .weekday: return datePart(of: arguments[0])
    case .coalesce: return arguments.first { $0 != .null } ?? .null
    }
  }

  private static func trimmed(_ text: String) -> String {
    var rest = text[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }

  /// Returns the number rounded to `decimals` decimal places, with halves away from zero. A
  /// negative number of places rounds to tens, hundreds and so on.
  private static func rounded(_ value: Value, _ decimals: Value) -> Value {
    guard case .integer(let places) = decimals, (-15...15).contains(places) else { return .null }
    if case .integer = value, places >= 0 { return value }
    guard let number = value.double else { return .null }
    var factor = 1.0
    for _ in 0..<places.magnitude { factor *= 10 }
    let scaled = places < 0 ? number / factor : number * factor
    guard scaled.isFinite else { return value }
    let whole = scaled.rounded(.toNearestOrAwayFromZero)
    return Value(whole: places < 0 ? whole * factor : whole / factor)
  }

  /// Returns the year, month, day or weekday of a date in UTC, depending on this function.
  private func datePart(of value: Value) -> Value {
    guard let instant = Instant(queryValue: value) else { return .null }
    let milliseconds = instant.milliseconds
    let days = (milliseconds - ((milliseconds % 86_400_000) + 86_400_000) % 86_400_000) / 86_400_000
    let day = CalendarDay(sinceEpoch: Int(days))
    switch self {
    case .year: return .integer(Int64(day.year))
    case .month: return .integer(Int64(day.month))
    case .day: return .integer(Int64(day.day))
    // January 1, 1970 was a Thursday.
    default: return .integer((days % 7 + 10) % 7 + 1)
    }
  }
}

extension Value {
  fileprivate init(whole number: Double) {
    if let integer = Int64(exactly: number) {
      self = .integer(integer)
    } else {
      self = .double(number)
    }
  }

  fileprivate func mapText(_ change: (String) -> String) -> Value {
    guard case .text(let text) = self else { return .null }
    return .text(change(text))
  }

  fileprivate func mapNumber(_ change: (Double) -> Double) -> Value {
    if case .integer = self { return self }
    guard let double else { return .null }
    return Value(whole: change(double))
  }

  /// The text that `concat` uses for the value; empty for null.
  fileprivate var plainText: String {
    switch self {
    case .null: ""
    case .text(let text): text
    case .bool, .integer, .double, .array, .object: JSONWriter.text(self)
    }
  }
}

extension TripleStore {
  /// Returns the distinct entities at the end of a path of links from `entity`.
  func linked(_ entity: EntityHandle, along links: [Link]) -> [EntityHandle] {
    var ends = [entity]
    for link in links {
      ends =
        ends.count == 1
        ? targets(ends[0], link) : RowSet(ends.flatMap { targets($0, link) }).handles
    }
    return ends
  }
}
