/// A condition on a stored value. If an attribute has several values, at least one must satisfy the
/// condition.
package enum ValuePredicate: Hashable, Sendable {
  /// The stored value is equal to this value as JSON.
  ///
  /// `1` and `1.0` are equal, `1` and `"1"` are not, and lists and objects never are. Dates of a
  /// checked type are compared by instant. `.null` matches stored nulls. The value of a link is the
  /// text of an id.
  case equal(Value)
  /// The stored value is equal to one of these values, in the sense of `equal`.
  case oneOf([Value])
  /// The stored value, which may be null, differs from this value.
  case notEqual(Value)
  /// The value has the type of the bounds and is between them. Dates are compared by instant, texts
  /// by UTF-16 code units, numbers and booleans by value.
  case range(lower: Bound?, upper: Bound?)
  case like(LikePattern)
  /// The regular expression matches a part of the text.
  case matches(RegularExpression)
  /// A null is stored.
  case null
  /// A value other than null is stored.
  case notNull
  /// A value is stored; it may be null.
  case stored

  package struct Bound: Hashable, Sendable {
    package var value: Value
    package var isInclusive: Bool

    package init(_ value: Value, isInclusive: Bool) {
      self.value = value
      self.isInclusive = isInclusive
    }
  }

  package static func greater(than value: Value, orEqual: Bool = false) -> Self {
    .range(lower: Bound(value, isInclusive: orEqual), upper: nil)
  }

  package static func less(than value: Value, orEqual: Bool = false) -> Self {
    .range(lower: nil, upper: Bound(value, isInclusive: orEqual))
  }
}
