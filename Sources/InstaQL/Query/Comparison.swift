/// How a value is compared with what an entity holds.
public enum Comparison: String, CaseIterable, Hashable, Sendable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, like, ilike

  /// The key of an InstaQL operator object; `equal` needs none and has none.
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

  /// The comparison with this InstaQL key, the old `$not` included.
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

  /// What is written in the text form.
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

  /// Whether it asks which of two values comes first.
  public var isOrdering: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    case .equal, .notEqual, .like, .ilike: false
    }
  }

  /// Whether it compares with a pattern, in which `%` is any run and `_` one character.
  public var isPattern: Bool { self == .like || self == .ilike }
}
