/// The comparison of an entity's value with a given value.
public enum Comparison: String, CaseIterable, Hashable, Sendable {
  /// As their names say; `like` and `ilike` match a pattern with `%` and `_`.
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, like, ilike

  /// The key in an InstaQL operator object; nil for `equal`, which has none.
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
    }
  }

  /// The comparison with this InstaQL key, including the old `$not`.
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

  /// The operator in the text form.
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
    }
  }

  /// Whether it compares the order of two values.
  public var isOrdering: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    case .equal, .notEqual, .like, .ilike: false
    }
  }

  /// Whether it is true for two numbers; patterns never are.
  func holds(_ left: Int, _ right: Int) -> Bool {
    switch self {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .like, .ilike: false
    }
  }

  /// Whether it matches a pattern, in which `%` is any text and `_` one character.
  public var isPattern: Bool { self == .like || self == .ilike }
}
