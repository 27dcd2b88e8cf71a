public import Triples

/// A condition on an entity, built in `filter { … }` from fields and operators.
///
/// Combine conditions with `&&`, `||` and `!`. A comparison with a missing value is false, except
/// `!=`. A comparison of a linked entity's field is true if at least one linked entity matches.
public struct Condition<Root: QueryEntity>: Sendable, Hashable {
  /// The condition as an untyped tree. Query text and JSON are parsed to the same form.
  public let node: ConditionNode

  /// Wraps an existing condition; its names are not checked.
  public init(_ node: ConditionNode) { self.node = node }

  init<V>(_ term: Term<Root, V>, _ comparison: Comparison, _ value: Value) {
    node = .compare(term.path, comparison, value)
  }

  /// Creates the condition that the field equals the value. If the value is null, the field must be
  /// missing.
  ///
  /// - Parameter isEqual: False creates the opposite condition.
  init<V>(_ term: Term<Root, V>, isEqual: Bool, _ value: Value) {
    node =
      value == .null
      ? .isNull(term.path, isEqual) : .compare(term.path, isEqual ? .equal : .notEqual, value)
  }

  init<V>(_ term: Term<Root, V>, _ comparison: Comparison, _ other: Term<Root, V>) {
    node = .compareFields(term.path, comparison, other.path)
  }
}

/// Returns the condition that both conditions are true.
///
/// If both conditions follow the same link, different linked entities may satisfy them. To require
/// the same entity, use `exists`.
public func && <R>(a: Condition<R>, b: Condition<R>) -> Condition<R> {
  Condition(a.node.and(b.node))
}

/// Returns the condition that at least one of two conditions is true.
public func || <R>(a: Condition<R>, b: Condition<R>) -> Condition<R> {
  Condition(a.node.or(b.node))
}

/// Returns the opposite of `condition`. It is true exactly where `condition` is false, also for
/// missing values.
public prefix func ! <R>(condition: Condition<R>) -> Condition<R> {
  Condition(.not(condition.node))
}

// MARK: Boolean fields as conditions

extension Term where V == Bool {
  /// The condition that the field is true.
  var isTrue: Condition<Root> { Condition(self, .equal, .bool(true)) }
}

/// Returns the condition that the boolean field `a` and the condition `b` are true.
public func && <R>(a: Term<R, Bool>, b: Condition<R>) -> Condition<R> { a.isTrue && b }
/// Returns the condition that the condition `a` and the boolean field `b` are true.
public func && <R>(a: Condition<R>, b: Term<R, Bool>) -> Condition<R> { a && b.isTrue }
/// Returns the condition that both boolean fields are true.
public func && <R>(a: Term<R, Bool>, b: Term<R, Bool>) -> Condition<R> { a.isTrue && b.isTrue }
/// Returns the condition that the boolean field `a` or the condition `b` is true.
public func || <R>(a: Term<R, Bool>, b: Condition<R>) -> Condition<R> { a.isTrue || b }
/// Returns the condition that the condition `a` or the boolean field `b` is true.
public func || <R>(a: Condition<R>, b: Term<R, Bool>) -> Condition<R> { a || b.isTrue }
/// Returns the condition that at least one of two boolean fields is true.
public func || <R>(a: Term<R, Bool>, b: Term<R, Bool>) -> Condition<R> { a.isTrue || b.isTrue }

/// Returns the condition that a boolean field is false or missing.
public prefix func ! <R>(field: Term<R, Bool>) -> Condition<R> { !field.isTrue }

// MARK: Linked entities

/// Returns the condition that at least one linked entity satisfies the condition that `make`
/// builds.
///
/// A single entity must satisfy all parts of the built condition.
public func exists<R, T>(
  _ link: Shape<R, T>, _ make: (Shape<T, T>) -> Condition<T>
) -> Condition<R> {
  quantified(.some, link, make)
}

/// Returns the condition that no linked entity satisfies the condition that `make` builds. It is
/// true if there are no linked entities.
public func none<R, T>(
  _ link: Shape<R, T>, _ make: (Shape<T, T>) -> Condition<T>
) -> Condition<R> {
  quantified(.none, link, make)
}

/// Returns the condition that all linked entities satisfy the condition that `make` builds. It is
/// true if there are no linked entities.
public func every<R, T>(
  _ link: Shape<R, T>, _ make: (Shape<T, T>) -> Condition<T>
) -> Condition<R> {
  quantified(.every, link, make)
}

/// Returns the condition that a boolean field is true for at least one linked entity.
@_disfavoredOverload
public func exists<R, T>(
  _ link: Shape<R, T>, _ make: (Shape<T, T>) -> Term<T, Bool>
) -> Condition<R> {
  exists(link) { make($0).isTrue }
}

/// Returns the condition that a boolean field is true for no linked entity. It is also true if
/// there are no linked entities.
@_disfavoredOverload
public func none<R, T>(
  _ link: Shape<R, T>, _ make: (Shape<T, T>) -> Term<T, Bool>
) -> Condition<R> {
  none(link) { make($0).isTrue }
}

/// Returns the condition that a boolean field is true for all linked entities. It is also true if
/// there are no linked entities.
@_disfavoredOverload
public func every<R, T>(
  _ link: Shape<R, T>, _ make: (Shape<T, T>) -> Term<T, Bool>
) -> Condition<R> {
  every(link) { make($0).isTrue }
}

/// Returns the condition that `link` has at least one linked entity.
public func exists<R, T>(_ link: Shape<R, T>) -> Condition<R> {
  Condition(.isNull(AttributePath(link.labels), false))
}

/// Returns the condition that `link` has no linked entity.
public func none<R, T>(_ link: Shape<R, T>) -> Condition<R> {
  Condition(.isNull(AttributePath(link.labels), true))
}

/// Returns the condition that at least one linked entity satisfies the condition that `make`
/// builds.
///
/// The link is given by name; no Swift type needs to declare it.
public func exists<R>(
  _ link: Term<R, Value>, _ make: (Shape<AnyEntity, AnyEntity>) -> Condition<AnyEntity>
) -> Condition<R> {
  quantified(.some, Shape<R, AnyEntity>(labels: link.path.labels), make)
}

/// Returns the condition that no linked entity satisfies the condition that `make` builds.
///
/// The link is given by name; no Swift type needs to declare it.
public func none<R>(
  _ link: Term<R, Value>, _ make: (Shape<AnyEntity, AnyEntity>) -> Condition<AnyEntity>
) -> Condition<R> {
  quantified(.none, Shape<R, AnyEntity>(labels: link.path.labels), make)
}

/// Returns the condition that all linked entities satisfy the condition that `make` builds.
///
/// The link is given by name; no Swift type needs to declare it.
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
