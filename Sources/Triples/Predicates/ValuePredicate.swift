/// A condition on a stored value. For a many-valued attribute, any value must satisfy it.
package enum ValuePredicate: Hashable, Sendable {
  /// Equal as JSON: `1` and `1.0` are equal, `1` and `"1"` are not, lists and objects never are.
  /// Checked dates are compared by instant. `.null` matches stored nulls. For a link, the text of
  /// an id.
  case equal(Value)
  /// Equal to one of them.
  case oneOf([Value])
  /// Any stored value, including null, differs from this one.
  case notEqual(Value)
  /// Between the bounds: dates by instant, texts by UTF-16 code units, numbers and booleans by
  /// value. Null never matches.
  case range(lower: Bound?, upper: Bound?)
  case like(LikePattern)
  /// The regular expression fits somewhere in the text.
  case matches(RegularExpression)
  /// A null is stored.
  case null
  /// A value other than null is stored.
  case notNull
  /// Anything is stored, null included.
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
