import Triples

/// The test in a condition, without the path to the tested values: `> 100` in `population > 100`.
enum ValueQuestion {
  /// At least one value satisfies this predicate.
  case positive(ValuePredicate)
  /// At least one value differs from this one, or there is no value.
  case notEqual(Value)
  case isNull
  case idPrefix(String)
  /// At least one value passes the test by the rules of InstantDB's client.
  case reference(ReferenceTest.Question)
  case never

  /// Whether an entity passes the test if a link on the path has no target.
  var holdsForMissing: Bool {
    switch self {
    case .notEqual, .isNull: true
    case .positive, .idPrefix, .reference, .never: false
    }
  }

  /// Creates the test for a comparison with `value`. If `value` is null, nothing is less or greater
  /// than it, or matches it as a pattern.
  init(_ comparison: Comparison, _ value: Value) {
    switch comparison {
    case .equal: self = .positive(.equal(value))
    case .notEqual: self = .notEqual(value)
    case .greater: self = value == .null ? .never : .positive(.greater(than: value))
    case .greaterOrEqual:
      self = value == .null ? .never : .positive(.greater(than: value, orEqual: true))
    case .less: self = value == .null ? .never : .positive(.less(than: value))
    case .lessOrEqual:
      self = value == .null ? .never : .positive(.less(than: value, orEqual: true))
    case .like, .ilike:
      guard case .text(let pattern) = value else {
        self = .never
        return
      }
      self = .positive(.like(LikePattern(pattern, ignoringCase: comparison == .ilike)))
    case .matches:
      guard case .text(let pattern) = value, let expression = try? RegularExpression(pattern) else {
        self = .never
        return
      }
      self = .positive(.matches(expression))
    }
  }

  /// Creates the test for an entity's id by the rules of InstantDB's client. The id is always a
  /// text.
  init(_ question: ReferenceTest.Question) {
    switch question {
    case .compare(let comparison, let value): self.init(comparison, value)
    case .isIn(let values): self = .positive(.oneOf(values))
    }
  }
}
