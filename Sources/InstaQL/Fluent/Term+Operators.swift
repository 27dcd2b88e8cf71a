import Triples

// The operators are functions on concrete generic types. With overloads on protocols or `Any`, the
// compiler would need seconds for each condition.

// MARK: Equality

/// Returns the condition that the field has this value.
public func == <R, V>(field: Term<R, V>, value: V) -> Condition<R> {
  Condition(field, isEqual: true, value.queryValue)
}

/// Returns the condition that the field has another value or is missing.
public func != <R, V>(field: Term<R, V>, value: V) -> Condition<R> {
  Condition(field, isEqual: false, value.queryValue)
}

/// Returns the condition that the field has this value.
public func == <R, V>(value: V, field: Term<R, V>) -> Condition<R> { field == value }
/// Returns the condition that the field has another value or is missing.
public func != <R, V>(value: V, field: Term<R, V>) -> Condition<R> { field != value }

/// Returns the condition that the field is missing or null.
///
/// For a field of type `Value`, the compiler prefers the `==` that takes a value. Its `nil` has the
/// same meaning.
@_disfavoredOverload
public func == <R, V>(field: Term<R, V>, nothing: MissingValue) -> Condition<R> {
  Condition(.isNull(field.path, true))
}

/// Returns the condition that the field has a value.
@_disfavoredOverload
public func != <R, V>(field: Term<R, V>, nothing: MissingValue) -> Condition<R> {
  Condition(.isNull(field.path, false))
}

// MARK: Order

/// Returns the condition that the field is less than a value; false for a missing field.
public func < <R, V: OrderedFieldValue>(field: Term<R, V>, value: V) -> Condition<R> {
  Condition(field, .less, value.queryValue)
}

/// Returns the condition that the field is at most a value; false for a missing field.
public func <= <R, V: OrderedFieldValue>(field: Term<R, V>, value: V) -> Condition<R> {
  Condition(field, .lessOrEqual, value.queryValue)
}

/// Returns the condition that the field is greater than a value; false for a missing field.
public func > <R, V: OrderedFieldValue>(field: Term<R, V>, value: V) -> Condition<R> {
  Condition(field, .greater, value.queryValue)
}

/// Returns the condition that the field is at least a value; false for a missing field.
public func >= <R, V: OrderedFieldValue>(field: Term<R, V>, value: V) -> Condition<R> {
  Condition(field, .greaterOrEqual, value.queryValue)
}

/// Returns the condition that the field is greater than a value; false for a missing field.
public func < <R, V: OrderedFieldValue>(value: V, field: Term<R, V>) -> Condition<R> {
  field > value
}

/// Returns the condition that the field is at least a value; false for a missing field.
public func <= <R, V: OrderedFieldValue>(value: V, field: Term<R, V>) -> Condition<R> {
  field >= value
}

/// Returns the condition that the field is less than a value; false for a missing field.
public func > <R, V: OrderedFieldValue>(value: V, field: Term<R, V>) -> Condition<R> {
  field < value
}

/// Returns the condition that the field is at most a value; false for a missing field.
public func >= <R, V: OrderedFieldValue>(value: V, field: Term<R, V>) -> Condition<R> {
  field <= value
}

// MARK: Comparing two fields of one entity, which has no InstaQL form and needs a local store

/// Returns the condition that both fields have the same value.
public func == <R, V>(a: Term<R, V>, b: Term<R, V>) -> Condition<R> { Condition(a, .equal, b) }
/// Returns the condition that no value is the same in both fields.
public func != <R, V>(a: Term<R, V>, b: Term<R, V>) -> Condition<R> { Condition(a, .notEqual, b) }

/// Returns the condition that the first field is less than the second.
public func < <R, V: OrderedFieldValue>(a: Term<R, V>, b: Term<R, V>) -> Condition<R> {
  Condition(a, .less, b)
}

/// Returns the condition that the first field is at most the second.
public func <= <R, V: OrderedFieldValue>(a: Term<R, V>, b: Term<R, V>) -> Condition<R> {
  Condition(a, .lessOrEqual, b)
}

/// Returns the condition that the first field is greater than the second.
public func > <R, V: OrderedFieldValue>(a: Term<R, V>, b: Term<R, V>) -> Condition<R> {
  Condition(a, .greater, b)
}

/// Returns the condition that the first field is at least the second.
public func >= <R, V: OrderedFieldValue>(a: Term<R, V>, b: Term<R, V>) -> Condition<R> {
  Condition(a, .greaterOrEqual, b)
}

// MARK: Lists and ranges

extension Term {
  /// Returns the condition that the field has one of these values; an empty list matches nothing.
  public func oneOf(_ values: some Sequence<V>) -> Condition<Root> {
    Condition(.isIn(path, values.map(\.queryValue)))
  }

  /// Returns the condition that the field is missing, or has a value that is not in the list.
  public func noneOf(_ values: some Sequence<V>) -> Condition<Root> {
    Condition(.not(.isIn(path, values.map(\.queryValue))))
  }
}

extension Term where V: OrderedFieldValue & Comparable {
  /// Returns the condition that the field's value is in the closed range.
  public func between(_ range: ClosedRange<V>) -> Condition<Root> {
    self >= range.lowerBound && self <= range.upperBound
  }

  /// Returns the condition that the field's value is in the half-open range.
  public func between(_ range: Range<V>) -> Condition<Root> {
    self >= range.lowerBound && self < range.upperBound
  }
}

// MARK: Texts

extension Term where V: TextFieldValue {
  /// Returns the condition that the text matches a pattern.
  ///
  /// In the pattern, `%` stands for any text and `_` for one character. A backslash escapes them.
  public func like(_ pattern: String) -> Condition<Root> {
    Condition(self, .like, .text(pattern))
  }

  /// Returns the condition that the text matches a pattern, ignoring case.
  public func ilike(_ pattern: String) -> Condition<Root> {
    Condition(self, .ilike, .text(pattern))
  }

  /// Returns the condition that the text has this prefix.
  public func hasPrefix(_ text: String) -> Condition<Root> { like(Self.literal(text) + "%") }

  /// Returns the condition that the text has this suffix.
  public func hasSuffix(_ text: String) -> Condition<Root> { like("%" + Self.literal(text)) }

  /// Returns the condition that the text contains this text.
  public func contains(_ text: String) -> Condition<Root> { like("%" + Self.literal(text) + "%") }

  private static func literal(_ text: String) -> String { WhereOperator.escapingWildcards(text) }
}

/// Returns the condition that a field's text matches a pattern; see `Term.like(_:)`.
public func like<R, V: TextFieldValue>(_ field: Term<R, V>, _ pattern: String) -> Condition<R> {
  field.like(pattern)
}

/// Returns the condition that a field's text matches a pattern, ignoring case; see
/// `Term.ilike(_:)`.
public func ilike<R, V: TextFieldValue>(_ field: Term<R, V>, _ pattern: String) -> Condition<R> {
  field.ilike(pattern)
}
