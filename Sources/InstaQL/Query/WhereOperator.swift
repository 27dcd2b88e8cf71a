public import Triples

/// Every operator that a person can choose for a filter.
///
/// The parser, the composer and the help read these cases; what they build is a `ConditionNode`.
public enum WhereOperator: String, CaseIterable, Hashable, Sendable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  case like, ilike, contains, begins, ends
  case isIn, notIn, between, isNull, isNotNull

  /// What stands after the operator.
  public enum Operand: Hashable, Sendable { case none, value, text, list, pair }

  /// What is typed, in words and signs.
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
    case .isIn: "in"
    case .notIn: "not in"
    case .between: "between"
    case .isNull: "is null"
    case .isNotNull: "is not null"
    }
  }

  public var operand: Operand {
    switch self {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: .value
    case .like, .ilike, .contains, .begins, .ends: .text
    case .isIn, .notIn: .list
    case .between: .pair
    case .isNull, .isNotNull: .none
    }
  }

  /// One line for the help and the menu.
  public var help: String {
    switch self {
    case .equal: "the same value; text and number are never the same"
    case .notEqual: "another value, or none at all"
    case .less: "comes before"
    case .lessOrEqual: "comes before or is the same"
    case .greater: "comes after"
    case .greaterOrEqual: "comes after or is the same"
    case .like: "text of this shape: % is any run, _ one character"
    case .ilike: "text of this shape, capitals or not"
    case .contains: "text with this somewhere in it"
    case .begins: "text that begins so"
    case .ends: "text that ends so"
    case .isIn: "one of these values"
    case .notIn: "none of these values"
    case .between: "from the first to the second, both included"
    case .isNull: "nothing is there: null or missing"
    case .isNotNull: "something is there"
    }
  }

  /// The comparison that this operator is, for those that are just one.
  public var comparison: Comparison? { Comparison(rawValue: rawValue) }

  /// The condition that `path` stands in this relation to `values`.
  ///
  /// `nil` when the number or the kind of values is not what `operand` says.
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
    case .contains: .compare(path, .like, .text("%" + literal + "%"))
    case .begins: .compare(path, .like, .text(literal + "%"))
    case .ends: .compare(path, .like, .text("%" + literal))
    default: .compare(path, .like, .text(text))
    }
  }

  /// `text` as a pattern that only `text` itself has the shape of.
  public static func escapingWildcards(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if scalar == "%" || scalar == "_" || scalar == "\\" { escaped.unicodeScalars.append("\\") }
      escaped.unicodeScalars.append(scalar)
    }
    return escaped
  }
}
