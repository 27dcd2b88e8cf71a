public import Triples

/// A value computed from one entity: arithmetic, functions and aggregates of linked entities.
///
/// A missing value is null. An operation or function with a null argument gives null, except
/// `coalesce` and `concat`. A value of the wrong type, or a division by zero, also gives null.
public indirect enum ValueExpression: Hashable, Sendable {
  /// A plain path to a value: of the entity itself, at the end of single-valued links, or within
  /// JSON.
  case path(AttributePath)
  /// A value that is the same for every entity.
  case constant(Value)
  /// A number with the opposite sign.
  case negated(ValueExpression)
  /// An operation on two numbers: `population / area`.
  case arithmetic(ValueExpression, Arithmetic, ValueExpression)
  /// A function call with arguments, such as `lower(name)`.
  case call(ValueFunction, [ValueExpression])
  /// An aggregate of linked entities, or of their values: `sum(cities.population)`.
  ///
  /// In `having` and in the order of groups, it is an aggregate of the group's entities: `count()`
  /// has an empty path.
  case aggregate(Aggregation.Function, AttributePath)

  /// An operation on two numbers.
  public enum Arithmetic: String, CaseIterable, Hashable, Sendable {
    /// The sum. It is an integer if both numbers are integers and the sum fits in 64 bits.
    case plus = "+"
    /// The difference. It is an integer if both numbers are integers and the difference fits in 64
    /// bits.
    case minus = "-"
    /// The product. It is an integer if both numbers are integers and the product fits in 64 bits.
    case times = "*"
    /// The quotient. It is an integer if both numbers are integers and there is no remainder. It is
    /// null if the divisor is 0.
    case divided = "/"
    /// The remainder, with the sign of the dividend.
    case remainder = "%"

    /// Whether the operator has a higher precedence than plus and minus.
    var isProduct: Bool { self != .plus && self != .minus }
  }

  /// The maximum number of values, operations and functions in one expression.
  public static let maxParts = 200

  /// The direct operands of the operation or function.
  var operands: [ValueExpression] {
    switch self {
    case .path, .constant, .aggregate: []
    case .negated(let inner): [inner]
    case .arithmetic(let left, _, let right): [left, right]
    case .call(_, let arguments): arguments
    }
  }

  /// Returns the number of parts (values, operations and functions). If there are more than
  /// `limit`, counting stops at `limit` + 1.
  func partCount(upTo limit: Int = maxParts) -> Int {
    var waiting = [self]
    var count = 0
    while let next = waiting.popLast(), count <= limit {
      count += 1
      waiting += next.operands
    }
    return count
  }

  /// Calls `body` with each plain path in the expression. For a count of linked entities, it passes
  /// the path to their `id`, too.
  func forEachPath(_ body: (AttributePath) -> Void) {
    switch self {
    case .path(let path): body(path)
    case .constant: break
    case .aggregate(let function, let path):
      if isCountOfEntities { return }
      path.forEachPlain(body)
      if function == .count { body(AttributePath(path.labels + ["id"])) }
    case .negated, .arithmetic, .call: for operand in operands { operand.forEachPath(body) }
    }
  }

  /// Whether the expression is `count()`, the number of a group's entities.
  var isCountOfEntities: Bool { self == .aggregate(.count, "") }

  /// Returns the aggregates in the expression.
  var aggregates: [Aggregation] {
    if case .aggregate(let function, let path) = self {
      return [Aggregation(function, isCountOfEntities ? nil : path)]
    }
    return operands.flatMap(\.aggregates)
  }

  /// Returns the expression with `link` in front of each path.
  func prefixed(by link: AttributePath) -> ValueExpression {
    switch self {
    case .path(let path): .path(path.prefixed(by: link))
    case .constant: self
    case .negated(let inner): .negated(inner.prefixed(by: link))
    case .arithmetic(let left, let operation, let right):
      .arithmetic(left.prefixed(by: link), operation, right.prefixed(by: link))
    case .call(let function, let arguments):
      .call(function, arguments.map { $0.prefixed(by: link) })
    case .aggregate(let function, let path): .aggregate(function, path.prefixed(by: link))
    }
  }
}

/// A function in an expression, such as `lower` in `lower(name)`.
public enum ValueFunction: String, CaseIterable, Hashable, Sendable {
  /// The text in lower case.
  case lower
  /// The text in upper case.
  case upper
  /// The text without spaces at its ends.
  case trim
  /// The number of characters of a text, or of elements of a list.
  case length
  /// The values joined into one text.
  case concat
  /// The number rounded to as many decimal places as the second argument says; without it, to an
  /// integer.
  case round
  /// The greatest whole number that does not exceed the argument.
  case floor
  /// The least whole number that is not less than the argument.
  case ceil
  /// The absolute value of the number.
  case abs
  /// The year of a date, in UTC.
  case year
  /// The month of a date, from 1 to 12, in UTC.
  case month
  /// The day of the month of a date, from 1 to 31, in UTC.
  case day
  /// The day of the week of a date, from 1 (Monday) to 7, in UTC.
  case weekday
  /// The first argument that is not null.
  case coalesce

  /// The minimum and maximum number of arguments.
  public var arity: ClosedRange<Int> {
    switch self {
    case .lower, .upper, .trim, .length, .floor, .ceil, .abs, .year, .month, .day, .weekday: 1...1
    case .round: 1...2
    case .concat, .coalesce: 1...ValueExpression.maxParts
    }
  }

  /// A one-line description for help and completion.
  public var help: String {
    switch self {
    case .lower: "the string in lower case"
    case .upper: "the string in upper case"
    case .trim: "the string without spaces at its ends"
    case .length: "the number of characters in a string, or of elements in a list"
    case .concat: "the values joined into one string"
    case .round: "rounded to a whole number, or to the given decimals"
    case .floor: "rounded down to a whole number"
    case .ceil: "rounded up to a whole number"
    case .abs: "the absolute value"
    case .year: "the year of a date"
    case .month: "the month of a date, 1 to 12"
    case .day: "the day of the month of a date, 1 to 31"
    case .weekday: "the day of the week of a date, 1 (Monday) to 7"
    case .coalesce: "the first value that is not missing"
    }
  }
}
