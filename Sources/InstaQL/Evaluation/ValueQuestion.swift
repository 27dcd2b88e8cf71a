import Triples

/// The test that a condition applies to the values at the end of its path.
enum ValueQuestion {
  /// Any value satisfies this predicate.
  case positive(ValuePredicate)
  /// Any value differs from this one, or there is no value.
  case notEqual(Value)
  case isNull
  case idPrefix(String)
  /// Any value satisfies the test by the rules of the reference client.
  case reference(ReferenceTest.Question)
  case never

  /// Whether the test also holds if a link on the path is missing.
  var holdsForMissing: Bool {
    switch self {
    case .notEqual, .isNull: true
    case .positive, .idPrefix, .reference, .never: false
    }
  }

  /// Creates the test that compares values with `value`. Null has no order and matches no pattern.
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

  /// Creates the test of an id, which is a text, by the rules of the reference client.
  init(_ question: ReferenceTest.Question) {
    switch question {
    case .compare(let comparison, let value): self.init(comparison, value)
    case .isIn(let values): self = .positive(.oneOf(values))
    }
  }
}
