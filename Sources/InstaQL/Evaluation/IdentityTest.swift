import Triples

extension ValuePredicate {
  /// Returns whether the text of an id satisfies the predicate. Ids are compared by UTF-16 code
  /// units.
  func matches(text: String) -> Bool {
    switch self {
    case .equal(let value): value == .text(text)
    case .oneOf(let values): values.contains(.text(text))
    case .notEqual(let value): value != .text(text)
    case .like(let pattern): pattern.matches(text)
    case .matches(let pattern): pattern.matches(text)
    case .null: false
    case .notNull, .stored: true
    case .range(let lower, let upper):
      Self.holds(lower, isLower: true, text) && Self.holds(upper, isLower: false, text)
    }
  }

  private static func holds(_ bound: Bound?, isLower: Bool, _ text: String) -> Bool {
    guard let bound else { return true }
    guard case .text(let limit) = bound.value else { return false }
    if text == limit { return bound.isInclusive }
    let isBelow = text.utf16.lexicographicallyPrecedes(limit.utf16)
    return isLower ? !isBelow : isBelow
  }
}
