public import Triples

/// What must hold of an entity, made with `filter { … }` out of fields and operators.
///
/// Conditions of one and the same entity are joined by `&&`, `||` and `!`. A comparison with something
/// missing is false, except `!=`; over links it asks whether some linked entity fits.
public struct Condition<Root: QueryEntity>: Sendable, Hashable {
  /// The same as queries made of text and JSON have it.
  public let node: ConditionNode

  /// A condition from elsewhere; its names are not checked.
  public init(_ node: ConditionNode) { self.node = node }

  init<V>(_ term: Term<Root, V>, _ comparison: Comparison, _ value: Value) {
    node = .compare(term.path, comparison, value)
  }

  /// A value taken from a variable may be null, which in a query is a question of its own.
  init<V>(_ term: Term<Root, V>, isEqual: Bool, _ value: Value) {
    node =
      value == .null
      ? .isNull(term.path, isEqual) : .compare(term.path, isEqual ? .equal : .notEqual, value)
  }

  init<V>(_ term: Term<Root, V>, _ comparison: Comparison, _ other: Term<Root, V>) {
    node = .compareFields(term.path, comparison, other.path)
  }
}

/// Both hold; over links, not necessarily of the same linked entity: that is `exists`.
public func && <R>(a: Condition<R>, b: Condition<R>) -> Condition<R> {
  Condition(a.node.and(b.node))
}

/// At least one of the two holds.
public func || <R>(a: Condition<R>, b: Condition<R>) -> Condition<R> {
  Condition(a.node.or(b.node))
}

/// Holds exactly where `condition` does not, missing values included.
public prefix func ! <R>(condition: Condition<R>) -> Condition<R> {
  Condition(.not(condition.node))
}

// MARK: Boolean fields as conditions

extension Term where V == Bool {
  fileprivate var isTrue: Condition<Root> { Condition(self, .equal, .bool(true)) }
}

public func && <R>(a: Term<R, Bool>, b: Condition<R>) -> Condition<R> { a.isTrue && b }
public func && <R>(a: Condition<R>, b: Term<R, Bool>) -> Condition<R> { a && b.isTrue }
public func && <R>(a: Term<R, Bool>, b: Term<R, Bool>) -> Condition<R> { a.isTrue && b.isTrue }
public func || <R>(a: Term<R, Bool>, b: Condition<R>) -> Condition<R> { a.isTrue || b }
public func || <R>(a: Condition<R>, b: Term<R, Bool>) -> Condition<R> { a || b.isTrue }
public func || <R>(a: Term<R, Bool>, b: Term<R, Bool>) -> Condition<R> { a.isTrue || b.isTrue }

/// Holds where the field is false or missing.
public prefix func ! <R>(field: Term<R, Bool>) -> Condition<R> { !field.isTrue }

// MARK: Linked entities

/// At least one entity at `link` is as `make` says: one and the same in all its parts.
public func exists<R, T>(
  _ link: Shape<R, T>, _ make: (Shape<T, T>) -> Condition<T>
) -> Condition<R> {
  quantified(.some, link, make)
}

/// Not a single entity at `link` is so; holds when there are none.
public func none<R, T>(
  _ link: Shape<R, T>, _ make: (Shape<T, T>) -> Condition<T>
) -> Condition<R> {
  quantified(.none, link, make)
}

/// Each entity at `link` is so; holds when there are none.
public func every<R, T>(
  _ link: Shape<R, T>, _ make: (Shape<T, T>) -> Condition<T>
) -> Condition<R> {
  quantified(.every, link, make)
}

/// There is an entity at `link`.
public func exists<R, T>(_ link: Shape<R, T>) -> Condition<R> {
  Condition(.isNull(AttributePath(link.labels), false))
}

/// There is no entity at `link`.
public func none<R, T>(_ link: Shape<R, T>) -> Condition<R> {
  Condition(.isNull(AttributePath(link.labels), true))
}

/// The same for links that only the store knows as such.
public func exists<R>(
  _ link: Term<R, Value>, _ make: (Shape<AnyEntity, AnyEntity>) -> Condition<AnyEntity>
) -> Condition<R> {
  quantified(.some, Shape<R, AnyEntity>(labels: link.path.labels), make)
}

public func none<R>(
  _ link: Term<R, Value>, _ make: (Shape<AnyEntity, AnyEntity>) -> Condition<AnyEntity>
) -> Condition<R> {
  quantified(.none, Shape<R, AnyEntity>(labels: link.path.labels), make)
}

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
