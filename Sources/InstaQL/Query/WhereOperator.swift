public import Triples

/// The operators that compare a field with values in filters.
///
/// The text parser, the filter form and the help use these cases. `condition(_:_:)` converts an
/// operator with its operands to a condition.
public enum WhereOperator: String, CaseIterable, Hashable, Sendable {
  /// Comparisons with a value.
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  /// Tests of a text.
  case like, ilike, contains, begins, ends, matches
  /// Tests with lists and ranges, and tests for missing values.
  case isIn, notIn, between, isNull, isNotNull

  /// The kind of operand that an operator requires.
  public enum Operand: Hashable, Sendable {
    /// The operand: none, one value, a text, a list in parentheses, or two values.
    case none, value, text, list, pair
  }

  /// The operator in query text.
  public var spelling: String {
    switch self {
    case .equal: "="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .like: "like"
    case .ilike: "ilike"
    case .contains: "contains"
    case .begins: "begins"
    case .ends: "ends"
    case .matches: "matches"
    case .isIn: "in"
    case .notIn: "not in"
    case .between: "between"
    case .isNull: "is null"
    case .isNotNull: "is not null"
    }
  }

  /// The kind of operand that follows the operator.
  public var operand: Operand {
    switch self {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: .value
    case .like, .ilike, .contains, .begins, .ends, .matches: .text
    case .isIn, .notIn: .list
    case .between: .pair
    case .isNull, .isNotNull: .none
    }
  }

  /// A one-line description for help and menus.
  public var help: String {
    switch self {
    case .equal: "equal (a number never equals a string)"
    case .notEqual: "not equal, or missing"
    case .less: "less than, or before"
    case .lessOrEqual: "less than or equal"
    case .greater: "greater than, or after"
    case .greaterOrEqual: "greater than or equal"
    case .like: "pattern: % any text, _ one character"
    case .ilike: "pattern, ignoring case"
    case .contains: "text contains this"
    case .begins: "text begins with this"
    case .ends: "text ends with this"
    case .matches: "text matches this regular expression"
    case .isIn: "one of these values"
    case .notIn: "none of these values"
    case .between: "between two values, inclusive"
    case .isNull: "null or missing"
    case .isNotNull: "neither null nor missing"
    }
  }

  /// The equivalent comparison; nil for operators that have none, such as `contains` and `in`.
  public var comparison: Comparison? { Comparison(rawValue: rawValue) }

  /// Returns the condition that compares the value at `path` with `values`.
  ///
  /// Nil when the number of values, or their type, does not match `operand`.
  public func condition(_ path: AttributePath, _ values: [Value] = []) -> ConditionNode? {
    switch (operand, values.count) {
    case (.list, _):
      let among = ConditionNode.isIn(path, values)
      return self == .notIn ? .not(among) : among
    case (.none, 0): return .isNull(path, self == .isNull)
    case (.pair, 2):
      return .all([
        .compare(path, .greaterOrEqual, values[0]), .compare(path, .lessOrEqual, values[1]),
      ])
    case (.value, 1) where values[0] == .null && !(comparison?.isOrdering ?? true):
      return .isNull(path, self == .equal)
    case (.value, 1): return comparison.map { .compare(path, $0, values[0]) }
    case (.text, 1):
      guard case .text(let text) = values[0] else { return nil }
      return textCondition(path, text)
    case (.none, _), (.pair, _), (.value, _), (.text, _): return nil
    }
  }

  private func textCondition(_ path: AttributePath, _ text: String) -> ConditionNode {
    let literal = Self.escapingWildcards(text)
    return switch self {
    case .ilike: .compare(path, .ilike, .text(text))
    case .matches: .compare(path, .matches, .text(text))
    case .contains: .compare(path, .like, .text("%" + literal + "%"))
    case .begins: .compare(path, .like, .text(literal + "%"))
    case .ends: .compare(path, .like, .text("%" + literal))
    default: .compare(path, .like, .text(text))
    }
  }

  /// Returns a `like` pattern that matches only `text` itself.
  public static func escapingWildcards(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if scalar == "%" || scalar == "_" || scalar == "\\" { escaped.unicodeScalars.append("\\") }
      escaped.unicodeScalars.append(scalar)
    }
    return escaped
  }
}
