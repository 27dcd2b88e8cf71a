public import Triples

/// A condition on an entity, built in `filter { … }` from fields and operators.
///
/// Conditions on the same entity are combined by `&&`, `
/// ` and `!`. A comparison with a missing value is false, except `!=`; over links it requires
/// some linked entity to match.
public struct Condition<Root: QueryEntity>: Sendable, Hashable {
  /// The same condition as in queries from text and JSON.
  public let node: ConditionNode

  /// Wraps an existing condition; its names are not checked.
  public init(_ node: ConditionNode) { self.node = node }

  init<V>(_ term: Term<Root, V>, _ comparison: Comparison, _ value: Value) {
    node = .compare(term.path, comparison, value)
  }

  /// Compares a term with a value, or tests it for null if the value is null.
  init<V>(_ term: Term<Root, V>, isEqual: Bool, _ value: Value) {
    node =
      value == .null
      ? .isNull(term.path, isEqual) : .compare(term.path, isEqual ? .equal : .notEqual, value)
  }

  init<V>(_ term: Term<Root, V>, _ comparison: Comparison, _ other: Term<Root, V>) {
    node = .compareFields(term.path, comparison, other.path)
  }
}

/// Both conditions; over links, possibly for different linked entities. Use `exists` for the same
/// one.
public func && <R>(a: Condition<R>, b: Condition<R>) -> Condition<R> {
  Condition(a.node.and(b.node))
}

/// At least one of the two conditions.
public func || <R>(a: Condition<R>, b: Condition<R>) -> Condition<R> {
  Condition(a.node.or(b.node))
}

/// The exact opposite of `condition`, including missing values.
public prefix func ! <R>(condition: Condition<R>) -> Condition<R> {
  Condition(.not(condition.node))
}

// MARK: Boolean fields as conditions

extension Term where V == Bool {
  fileprivate var isTrue: Condition<Root> { Condition(self, .equal, .bool(true)) }
}

/// Both conditions, of which the first is a boolean field.
public func && <R>(a: Term<R, Bool>, b: Condition<R>) -> Condition<R> { a.isTrue && b }
/// Both conditions, of which the second is a boolean field.
public func && <R>(a: Condition<R>, b: Term<R, Bool>) -> Condition<R> { a && b.isTrue }
/// Both boolean fields are true.
public func && <R>(a: Term<R, Bool>, b: Term<R, Bool>) -> Condition<R> { a.isTrue && b.isTrue }
/// At least one of a boolean field and a condition.
public func || <R>(a: Term<R, Bool>, b: Condition<R>) -> Condition<R> { a.isTrue || b }
/// At least one of a condition and a boolean field.
public func || <R>(a: Condition<R>, b: Term<R, Bool>) -> Condition<R> { a || b.isTrue }
/// At least one of two boolean fields is true.
public func || <R>(a: Term<R, Bool>, b: Term<R, Bool>) -> Condition<R> { a.isTrue || b.isTrue }

/// True where the field is false or missing.
public prefix func ! <R>(field: Term<R, Bool>) -> Condition<R> { !field.isTrue }

// MARK: Linked entities

/// At least one entity at `link` satisfies all parts of the condition.
public func exists<R, T>(
  _ link: Shape<R, T>, _ make: (Shape<T, T>) -> Condition<T>
) -> Condition<R> {
  quantified(.some, link, make)
}

/// No entity at `link` satisfies the condition; true without linked entities.
public func none<R, T>(
  _ link: Shape<R, T>, _ make: (Shape<T, T>) -> Condition<T>
) -> Condition<R> {
  quantified(.none, link, make)
}

/// All entities at `link` satisfy the condition; true without linked entities.
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

/// At least one entity at a link that only the store knows satisfies the condition.
public func exists<R>(
  _ link: Term<R, Value>, _ make: (Shape<AnyEntity, AnyEntity>) -> Condition<AnyEntity>
) -> Condition<R> {
  quantified(.some, Shape<R, AnyEntity>(labels: link.path.labels), make)
}

/// No entity at a link that only the store knows satisfies the condition.
public func none<R>(
  _ link: Term<R, Value>, _ make: (Shape<AnyEntity, AnyEntity>) -> Condition<AnyEntity>
) -> Condition<R> {
  quantified(.none, Shape<R, AnyEntity>(labels: link.path.labels), make)
}

/// Every entity at a link that only the store knows satisfies the condition.
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
