import Triples

extension EntityQuery {
  // MARK: Filters, which add up

  /// Adds a condition, built by the closure.
  public func filter(_ make: (Shape<E, E>) -> Condition<E>) -> EntityQuery<E> {
    filter(make(Shape()))
  }

  /// Adds the condition that a boolean field is true: `filter { $0.active }`.
  ///
  /// The overload for conditions takes precedence, so that the compiler's errors about the closure
  /// mention conditions.
  @_disfavoredOverload
  public func filter(_ make: (Shape<E, E>) -> Term<E, Bool>) -> EntityQuery<E> {
    filter(make(Shape()).isTrue)
  }

  /// Adds a condition.
  public func filter(_ condition: Condition<E>) -> EntityQuery<E> {
    planned { $0.filter(condition.node) }
  }

  /// Adds the condition that a field is true.
  public func filter(_ flag: KeyPath<E.Fields, Field<Bool>>) -> EntityQuery<E> {
    planned { $0.filter(.compare(Self.path(flag), .equal, .bool(true))) }
  }

  /// Adds a condition as text: `filter("salary > \(minimum)")`.
  ///
  /// Interpolated values are bound and never parsed as text.
  /// - Throws: `syntax` with the position of the first error, `unknownField` for a name that the
  ///   entity's `Fields` do not declare, `notALink` for a path through a field.
  public func filter(_ text: PredicateText) throws(QueryError) -> EntityQuery<E> {
    try filter(checking: ConditionNode(text))
  }

  /// Adds a condition entered by a user.
  /// - Throws: The errors that `filter(_:)` throws for a condition as text.
  public func filter(parsing text: String) throws(QueryError) -> EntityQuery<E> {
    try filter(checking: ConditionNode(parsing: text))
  }

  private func filter(checking node: ConditionNode) throws(QueryError) -> EntityQuery<E> {
    try DeclaredNames(of: E.self).check(QueryPlan(plan.namespace, condition: node))
    return filter(Condition(node))
  }

  // MARK: Order, whose keys are appended

  /// Adds a sort key after the existing ones.
  public func order<V>(
    by field: KeyPath<E.Fields, Field<V>>, _ direction: OrderKey.Direction = .ascending
  ) -> EntityQuery<E> {
    planned { $0.order(Self.path(field), direction) }
  }

  /// Adds sort keys by name. A name may be a path through links, such as `country.name`.
  public func order(
    _ names: String..., direction: OrderKey.Direction = .ascending
  ) -> EntityQuery<E> {
    planned { plan in
      names.reduce(plan) { $0.order(AttributePath($1), direction) }
    }
  }

  // MARK: The window (the last call takes effect)

  /// Sets the maximum number of entities; nil removes the limit.
  ///
  /// If the limit is below 1, the error is thrown when the query runs. So this method does not need
  /// `try`.
  public func limit(_ count: Int?) -> EntityQuery<E> { planned { $0.limit(count) } }

  /// Skips entities; nil skips none. If the number is negative, the error is thrown when the query
  /// runs.
  public func offset(_ count: Int?) -> EntityQuery<E> { planned { $0.offset(count) } }

  /// Selects the first entities of the answer, or the first ones after `cursor`.
  public func page(first: Int, after cursor: Cursor? = nil) -> EntityQuery<E> {
    planned { $0.page(first: first, after: cursor) }
  }

  /// Selects the last entities of the answer, or the last ones before `cursor`.
  public func page(last: Int, before cursor: Cursor? = nil) -> EntityQuery<E> {
    planned { $0.page(last: last, before: cursor) }
  }

  // MARK: Included links and fields

  /// Includes the entities of a link, selected by the query that `nested` builds.
  public func with<T, Failure: Error>(
    _ link: KeyPath<E.Fields, LinkField<T>>,
    _ nested: (EntityQuery<T>) throws(Failure) -> EntityQuery<T>
  ) throws(Failure) -> EntityQuery<E> {
    let label = E.fields[keyPath: link].name
    let inner = try nested(EntityQuery<T>(unchecked: QueryPlan(label)))
    return planned { $0.with(label) { _ in inner.plan } }
  }

  /// Includes the entities of a link.
  public func with<T>(_ link: KeyPath<E.Fields, LinkField<T>>) -> EntityQuery<E> {
    with(link) { $0 }
  }

  /// Includes the entities of the link with this name, selected by the query that `nested` builds.
  public func with<Failure: Error>(
    _ label: String,
    _ nested: (EntityQuery<AnyEntity>) throws(Failure) -> EntityQuery<AnyEntity>
  ) throws(Failure) -> EntityQuery<E> {
    let inner = try nested(EntityQuery<AnyEntity>(unchecked: QueryPlan(label)))
    return planned { $0.with(label) { _ in inner.plan } }
  }

  /// Includes the entities of the link with this name.
  public func with(_ label: String) -> EntityQuery<E> { planned { $0.with(label) } }

  /// Returns a query that selects only the named attributes and the id.
  public func select(_ name: String, _ others: String...) -> EntityQuery<E> {
    planned { $0.fields([name] + others) }
  }

  /// Returns the query without the given parts.
  public func removing(_ parts: QueryPart...) -> EntityQuery<E> {
    parts.reduce(self) { query, part in query.removing(part) }
  }

  private func removing(_ part: QueryPart) -> EntityQuery<E> {
    switch part {
    case .filter: planned { $0.removing(.filter) }
    case .order: planned { $0.removing(.order) }
    case .window: planned { $0.removing(.page) }
    case .select: planned { $0.removing(.fields) }
    case .related: planned { $0.removing(.relations) }
    case .store: changed { $0.store = nil }
    }
  }

  static func path<V>(_ field: KeyPath<E.Fields, Field<V>>) -> AttributePath {
    AttributePath(E.fields[keyPath: field].name)
  }
}

/// A part of a query that can be removed.
public enum QueryPart: CaseIterable, Hashable, Sendable {
  /// The condition or the sort keys.
  case filter, order
  /// The limit, the offset and the cursors.
  case window
  /// The selection of fields.
  case select
  /// The included links.
  case related
  /// The store set with `in`.
  case store
}
