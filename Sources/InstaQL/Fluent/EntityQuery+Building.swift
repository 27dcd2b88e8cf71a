import Triples

extension EntityQuery {
  // MARK: Filters, which add up

  /// Entities for which the condition holds too.
  ///
  /// The closure gives a condition; a field that is a boolean by itself is `filter(\.active)`.
  public func filter(_ make: (Shape<E, E>) -> Condition<E>) -> EntityQuery<E> {
    filter(make(Shape()))
  }

  /// Entities for which the condition holds too.
  public func filter(_ condition: Condition<E>) -> EntityQuery<E> {
    planned { $0.filter(condition.node) }
  }

  /// Entities for which the field is true.
  public func filter(_ flag: KeyPath<E.Fields, Field<Bool>>) -> EntityQuery<E> {
    planned { $0.filter(.compare(Self.path(flag), .equal, .bool(true))) }
  }

  /// Entities for which a condition written as text holds: `filter("salary > \(least)")`.
  ///
  /// What is interpolated is bound as a value and never read as text.
  /// - Throws: `syntax` with the place of the first mistake.
  public func filter(_ text: PredicateText) throws(QueryError) -> EntityQuery<E> {
    filter(Condition(try ConditionNode(text)))
  }

  /// Entities for which a condition holds that a person typed.
  /// - Throws: `syntax` with the place of the first mistake.
  public func filter(parsing text: String) throws(QueryError) -> EntityQuery<E> {
    filter(Condition(try ConditionNode(parsing: text)))
  }

  // MARK: Order, whose keys are appended

  /// Ordered by a field after all keys there are.
  public func order<V>(
    by field: KeyPath<E.Fields, Field<V>>, _ direction: OrderKey.Direction = .ascending
  ) -> EntityQuery<E> {
    planned { $0.order(Self.path(field), direction) }
  }

  /// Ordered by names, paths over links among them, after all keys there are.
  public func order(
    _ names: String..., direction: OrderKey.Direction = .ascending
  ) -> EntityQuery<E> {
    planned { plan in
      names.reduce(plan) { $0.order(AttributePath($1), direction) }
    }
  }

  // MARK: The window, of which the last call holds

  /// At most so many; nil takes the limit away.
  ///
  /// Less than 1 is an error when the query is run, so that a computed limit needs no `try` here.
  public func limit(_ count: Int?) -> EntityQuery<E> { planned { $0.limit(count) } }

  /// Without the first so many; nil leaves none out. Less than 0 is an error when the query is run.
  public func offset(_ count: Int?) -> EntityQuery<E> { planned { $0.offset(count) } }

  /// The first so many, those after `cursor` if one is given.
  public func page(first: Int, after cursor: Cursor? = nil) -> EntityQuery<E> {
    planned { $0.page(first: first, after: cursor) }
  }

  /// The last so many, those before `cursor` if one is given.
  public func page(last: Int, before cursor: Cursor? = nil) -> EntityQuery<E> {
    planned { $0.page(last: last, before: cursor) }
  }

  // MARK: What comes along

  /// With the entities that a link leads to, as `nested` makes of the plain query of them.
  public func with<T, Failure: Error>(
    _ link: KeyPath<E.Fields, LinkField<T>>,
    _ nested: (EntityQuery<T>) throws(Failure) -> EntityQuery<T>
  ) throws(Failure) -> EntityQuery<E> {
    let label = E.fields[keyPath: link].name
    let inner = try nested(EntityQuery<T>(unchecked: QueryPlan(label)))
    return planned { $0.with(label) { _ in inner.plan } }
  }

  /// With the entities that a link leads to.
  public func with<T>(_ link: KeyPath<E.Fields, LinkField<T>>) -> EntityQuery<E> {
    with(link) { $0 }
  }

  /// With the entities that the link of that name leads to, as `nested` makes of the plain query of them.
  public func with<Failure: Error>(
    _ label: String,
    _ nested: (EntityQuery<AnyEntity>) throws(Failure) -> EntityQuery<AnyEntity>
  ) throws(Failure) -> EntityQuery<E> {
    let inner = try nested(EntityQuery<AnyEntity>(unchecked: QueryPlan(label)))
    return planned { $0.with(label) { _ in inner.plan } }
  }

  /// With the entities that the link of that name leads to.
  public func with(_ label: String) -> EntityQuery<E> { planned { $0.with(label) } }

  /// With these attributes only, and the id: for rows, or for entities that do without the others.
  public func select(_ name: String, _ others: String...) -> EntityQuery<E> {
    planned { $0.fields([name] + others) }
  }

  /// Without the parts named.
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

/// A part of a query that can be taken away again.
public enum QueryPart: CaseIterable, Hashable, Sendable {
  case filter, order
  /// Limit, offset and cursors.
  case window
  case select
  /// The links that are followed.
  case related
  case store
}
