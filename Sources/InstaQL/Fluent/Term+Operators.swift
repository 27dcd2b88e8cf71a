import Triples

// The operators are functions on concrete generic types: overloads on protocols or on `Any` would take
// the compiler seconds for each condition.

// MARK: Equality

public func == <R, V>(field: Term<R, V>, value: V) -> Condition<R> {
  Condition(field, isEqual: true, value.queryValue)
}

/// Also holds where the field is missing.
public func != <R, V>(field: Term<R, V>, value: V) -> Condition<R> {
  Condition(field, isEqual: false, value.queryValue)
}

public func == <R, V>(value: V, field: Term<R, V>) -> Condition<R> { field == value }
public func != <R, V>(value: V, field: Term<R, V>) -> Condition<R> { field != value }

/// The field is missing or null.
///
/// Disfavoured because a field of any value takes `nil` for a value, which comes to the same.
@_disfavoredOverload
public func == <R, V>(field: Term<R, V>, nothing: MissingValue) -> Condition<R> {
  Condition(.isNull(field.path, true))
}

/// Something is there.
@_disfavoredOverload
public func != <R, V>(field: Term<R, V>, nothing: MissingValue) -> Condition<R> {
  Condition(.isNull(field.path, false))
}

// MARK: Order

public func < <R, V: OrderedFieldValue>(field: Term<R, V>, value: V) -> Condition<R> {
  Condition(field, .less, value.queryValue)
}

public func <= <R, V: OrderedFieldValue>(field: Term<R, V>, value: V) -> Condition<R> {
  Condition(field, .lessOrEqual, value.queryValue)
}

public func > <R, V: OrderedFieldValue>(field: Term<R, V>, value: V) -> Condition<R> {
  Condition(field, .greater, value.queryValue)
}

public func >= <R, V: OrderedFieldValue>(field: Term<R, V>, value: V) -> Condition<R> {
  Condition(field, .greaterOrEqual, value.queryValue)
}

public func < <R, V: OrderedFieldValue>(value: V, field: Term<R, V>) -> Condition<R> {
  field > value
}

public func <= <R, V: OrderedFieldValue>(value: V, field: Term<R, V>) -> Condition<R> {
  field >= value
}

public func > <R, V: OrderedFieldValue>(value: V, field: Term<R, V>) -> Condition<R> {
  field < value
}

public func >= <R, V: OrderedFieldValue>(value: V, field: Term<R, V>) -> Condition<R> {
  field <= value
}

// MARK: Two fields of one entity; no InstaQL form, so only a store on this machine answers it

public func == <R, V>(a: Term<R, V>, b: Term<R, V>) -> Condition<R> { Condition(a, .equal, b) }
public func != <R, V>(a: Term<R, V>, b: Term<R, V>) -> Condition<R> { Condition(a, .notEqual, b) }

public func < <R, V: OrderedFieldValue>(a: Term<R, V>, b: Term<R, V>) -> Condition<R> {
  Condition(a, .less, b)
}

public func <= <R, V: OrderedFieldValue>(a: Term<R, V>, b: Term<R, V>) -> Condition<R> {
  Condition(a, .lessOrEqual, b)
}

public func > <R, V: OrderedFieldValue>(a: Term<R, V>, b: Term<R, V>) -> Condition<R> {
  Condition(a, .greater, b)
}

public func >= <R, V: OrderedFieldValue>(a: Term<R, V>, b: Term<R, V>) -> Condition<R> {
  Condition(a, .greaterOrEqual, b)
}

// MARK: Lists and ranges

extension Term {
  /// One of these values; none of them match nothing.
  public func oneOf(_ values: some Sequence<V>) -> Condition<Root> {
    Condition(.isIn(path, values.map(\.queryValue)))
  }

  /// None of these values, or no value at all.
  public func noneOf(_ values: some Sequence<V>) -> Condition<Root> {
    Condition(.not(.isIn(path, values.map(\.queryValue))))
  }
}

extension Term where V: OrderedFieldValue & Comparable {
  /// From the first to the last, both included.
  public func between(_ range: ClosedRange<V>) -> Condition<Root> {
    self >= range.lowerBound && self <= range.upperBound
  }

  /// From the first up to the last, which is left out.
  public func between(_ range: Range<V>) -> Condition<Root> {
    self >= range.lowerBound && self < range.upperBound
  }
}

// MARK: Texts

extension Term where V: TextFieldValue {
  /// A text of this shape: `%` is any run, `_` one character, a backslash takes their meaning away.
  public func like(_ pattern: String) -> Condition<Root> {
    Condition(self, .like, .text(pattern))
  }

  /// The same whether letters are capital or not.
  public func ilike(_ pattern: String) -> Condition<Root> {
    Condition(self, .ilike, .text(pattern))
  }

  /// A text that begins with exactly this.
  public func hasPrefix(_ text: String) -> Condition<Root> { like(Self.literal(text) + "%") }

  /// A text that ends with exactly this.
  public func hasSuffix(_ text: String) -> Condition<Root> { like("%" + Self.literal(text)) }

  /// A text with exactly this somewhere in it.
  public func contains(_ text: String) -> Condition<Root> { like("%" + Self.literal(text) + "%") }

  private static func literal(_ text: String) -> String { WhereOperator.escapingWildcards(text) }
}

/// A text of this shape; see `Term.like(_:)`.
public func like<R, V: TextFieldValue>(_ field: Term<R, V>, _ pattern: String) -> Condition<R> {
  field.like(pattern)
}

/// A text of this shape, capitals or not; see `Term.ilike(_:)`.
public func ilike<R, V: TextFieldValue>(_ field: Term<R, V>, _ pattern: String) -> Condition<R> {
  field.ilike(pattern)
}
