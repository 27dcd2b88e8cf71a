public import Triples

/// A condition on an entity, built in `filter { … }` from fields and operators.
///
/// Conditions on the same entity are combined by `&&`, `||` and `!`. A comparison with a missing
/// value is false, except `!=`; over links it requires some linked entity to match.
public struct Condition<Root: QueryEntity>: Sendable, Hashable {
  /// The same condition as in queries from text and JSON.
  public let node: ConditionNode

  /// Wraps an existing condition; its names are not checked.
  public init(_ node: ConditionNode) { self.node = node }

  init<V>(_ term: Term<Root, V>, _ comparison: Comparison, _ value: Value) {
    node = .compare(term.path, comparison, value)
  }

  /// Creates a test for equality with a value, or for null if the value is null.
  init<V>(_ term: Term<Root, V>, isEqual: Bool, _ value: Value) {
    node =
      value == .null
      ? .isNull(term.path, isEqual) : .compare(term.path, isEqual ? .equal : .notEqual, value)
  }

  init<V>(_ term: Term<Root, V>, _ comparison: Comparison, _ other: Term<Root, V>) {
    node = .compareFields(term.path, comparison, other.path)
  }
}

/// Returns a condition that requires both conditions. Over links, different linked entities may
/// satisfy them; use `exists` to require the same entity.
public func && <R>(a: Condition<R>, b: Condition<R>) -> Condition<R> {
  Condition(a.node.and(b.node))
}

/// Returns a condition that requires at least one of two conditions.
public func || <R>(a: Condition<R>, b: Condition<R>) -> Condition<R> {
  Condition(a.node.or(b.node))
}

/// Returns the exact opposite of `condition`, including missing values.
public prefix func ! <R>(condition: Condition<R>) -> Condition<R> {
  Condition(.not(condition.node))
}

// MARK: Boolean fields as conditions

extension Term where V == Bool {
  /// The condition that the field is true.
  var isTrue: Condition<Root> { Condition(self, .equal, .bool(true)) }
}

/// Returns a condition that requires a true boolean field and a condition.
public func && <R>(a: Term<R, Bool>, b: Condition<R>) -> Condition<R> { a.isTrue && b }
/// Returns a condition that requires a condition and a true boolean field.
public func && <R>(a: Condition<R>, b: Term<R, Bool>) -> Condition<R> { a && b.isTrue }
/// Returns a condition that requires two true boolean fields.
public func && <R>(a: Term<R, Bool>, b: Term<R, Bool>) -> Condition<R> { a.isTrue && b.isTrue }
/// Returns a condition that requires a true boolean field or a condition.
public func || <R>(a: Term<R, Bool>, b: Condition<R>) -> Condition<R> { a.isTrue || b }
/// Returns a condition that requires a condition or a true boolean field.
public func || <R>(a: Condition<R>, b: Term<R, Bool>) -> Condition<R> { a || b.isTrue }
/// Returns a condition that requires at least one of two boolean fields to be true.
public func || <R>(a: Term<R, Bool>, b: Term<R, Bool>) -> Condition<R> { a.isTrue || b.isTrue }

/// Returns a condition that is true where the field is false or missing.
public prefix func ! <R>(field: Term<R, Bool>) -> Condition<R> { !field.isTrue }

// MARK: Linked entities

/// Returns the condition that at least one entity at `link` satisfies all parts of the condition
/// from `make`.
public func exists<R, T>(
  _ link: Shape<R, T>, _ make: (Shape<T, T>) -> Condition<T>
) -> Condition<R> {
  quantified(.some, link, make)
}

/// Returns the condition that no entity at `link` satisfies the condition from `make`. It is true
/// without linked entities.
public func none<R, T>(
  _ link: Shape<R, T>, _ make: (Shape<T, T>) -> Condition<T>
) -> Condition<R> {
  quantified(.none, link, make)
}

/// Returns the condition that all entities at `link` satisfy the condition from `make`. It is true
/// without linked entities.
public func every<R, T>(
  _ link: Shape<R, T>, _ make: (Shape<T, T>) -> Condition<T>
) -> Condition<R> {
  quantified(.every, link, make)
}

/// Returns the condition that a boolean field of at least one entity at `link` is true.
@_disfavoredOverload
public func exists<R, T>(
  _ link: Shape<R, T>, _ make: (Shape<T, T>) -> Term<T, Bool>
) -> Condition<R> {
  exists(link) { make($0).isTrue }
}

/// Returns the condition that a boolean field of no entity at `link` is true; true without linked
/// entities.
@_disfavoredOverload
public func none<R, T>(
  _ link: Shape<R, T>, _ make: (Shape<T, T>) -> Term<T, Bool>
) -> Condition<R> {
  none(link) { make($0).isTrue }
}

/// Returns the condition that a boolean field of all entities at `link` is true; true without
/// linked entities.
@_disfavoredOverload
public func every<R, T>(
  _ link: Shape<R, T>, _ make: (Shape<T, T>) -> Term<T, Bool>
) -> Condition<R> {
  every(link) { make($0).isTrue }
}

/// Returns the condition that there is an entity at `link`.
public func exists<R, T>(_ link: Shape<R, T>) -> Condition<R> {
  Condition(.isNull(AttributePath(link.labels), false))
}

/// Returns the condition that there is no entity at `link`.
public func none<R, T>(_ link: Shape<R, T>) -> Condition<R> {
  Condition(.isNull(AttributePath(link.labels), true))
}

/// Returns the condition that an entity at a link satisfies the condition from `make`. The Swift
/// types need not declare the link.
public func exists<R>(
  _ link: Term<R, Value>, _ make: (Shape<AnyEntity, AnyEntity>) -> Condition<AnyEntity>
) -> Condition<R> {
  quantified(.some, Shape<R, AnyEntity>(labels: link.path.labels), make)
}

/// Returns the condition that no entity at a link satisfies the condition from `make`. The Swift
/// types need not declare the link.
public func none<R>(
  _ link: Term<R, Value>, _ make: (Shape<AnyEntity, AnyEntity>) -> Condition<AnyEntity>
) -> Condition<R> {
  quantified(.none, Shape<R, AnyEntity>(labels: link.path.labels), make)
}

/// Returns the condition that all entities at a link satisfy the condition from `make`. The Swift
/// types need not declare the link.
public func every<R>(
  _ link: Term<R, Value>, _ make: (Shape<AnyEntity, AnyEntity>) -> Condition<AnyEntity>
) -> Condition<R> {
  quantified(.every, Shape<R, AnyEntity>(labels: link.path.labels), make)
}

private func quantified<R, T>(
  _ quantifier: Quantifier, _ link: Shape<R, T>, _ make: (Shape<T, T>) -> Condition<T>
) -> Condition<R> {
  Condition(.quantified(quantifier, AttributePath(link.labels), make(Shape()).node))
}
