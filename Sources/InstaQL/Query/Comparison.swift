/// A comparison of an entity's value with a given value.
public enum Comparison: String, CaseIterable, Hashable, Sendable {
  /// Compares with the operator that the case is named after. `like` and `ilike` match a pattern
  /// with `%` and `_`; `matches` matches a regular expression.
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, like, ilike, matches

  /// The key in an InstaQL operator object, such as `$gt`. Nil for `equal`, which has no key.
  ///
  /// Servers do not support the key of `matches`.
  public var wireSpelling: String? {
    switch self {
    case .equal: nil
    case .notEqual: "$ne"
    case .less: "$lt"
    case .lessOrEqual: "$lte"
    case .greater: "$gt"
    case .greaterOrEqual: "$gte"
    case .like: "$like"
    case .ilike: "$ilike"
    case .matches: "x-matches"
    }
  }

  /// Creates the comparison with this InstaQL key, including the old `$not`.
  public init?(wireSpelling: some StringProtocol) {
    if wireSpelling == "$not" {
      self = .notEqual
      return
    }
    guard
      let found = Self.allCases.first(where: { $0.wireSpelling.map { $0 == wireSpelling } == true })
    else { return nil }
    self = found
  }

  /// The operator in query text, such as `>=`.
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
    case .matches: "matches"
    }
  }

  /// Whether the operator is `<`, `<=`, `>` or `>=`.
  public var isOrdering: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    case .equal, .notEqual, .like, .ilike, .matches: false
    }
  }

  /// Returns whether the comparison is true for two numbers. It is false for patterns.
  func holds(_ left: Int, _ right: Int) -> Bool {
    switch self {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .like, .ilike, .matches: false
    }
  }

  /// Whether the operator matches a text with a pattern: with wildcards, or as a regular
  /// expression.
  public var isPattern: Bool { hasWildcards || self == .matches }

  /// Whether the operator's pattern has the wildcards `%` and `_`.
  var hasWildcards: Bool { self == .like || self == .ilike }
}
