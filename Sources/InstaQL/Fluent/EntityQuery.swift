public import DataSources
public import Triples

/// What a query is run on: a source of snapshots that says when there is a new one.
///
/// It is asked with the `QueryDocument` of the query. A source of one's own has only to say that it is
/// one: `extension MySource: QueryStore {}`.
public protocol QueryStore: GetDataSource<StoreSnapshot>, WatchDataSource<StoreSnapshot> {}

/// A question about entities of one Swift type: a value that every call gives a changed copy of.
///
/// Nothing is asked before `all`, `first`, `count` or their like are called, or the first element of a
/// sequence is taken. The store may be named first, on the way, or last; the one mentioned last is asked.
///
/// ```swift
/// let base = EntityQuery<Employee>.from()
/// let rich = base.filter { $0.salary > 80_000 && $0.name.like("S%") }
/// for employee in try await rich.order(by: \.startDate).limit(20).all(in: store) { print(employee) }
/// ```
///
/// Filters add up, order keys are appended, everything else replaces what was said before. Two queries
/// are equal when they ask the same, whichever their stores.
public struct EntityQuery<E: QueryEntity>: Sendable {
  /// What is asked, with neither types nor a store.
  public internal(set) var plan: QueryPlan
  /// Who is asked, unless somebody else is named when it is run.
  var store: (any QueryStore)?

  init(unchecked plan: QueryPlan, store: (any QueryStore)? = nil) {
    self.plan = plan
    self.store = store
  }

  /// All entities of the type.
  public static func from(_ entity: E.Type = E.self) -> EntityQuery<E> {
    EntityQuery(unchecked: QueryPlan(E.namespace))
  }

  /// The query to be asked of `store`; a store named later is asked instead.
  public func `in`(_ store: any QueryStore) -> EntityQuery<E> { changed { $0.store = store } }

  /// The plan as the document that a store is asked.
  public var document: QueryDocument { QueryDocument(plan) }

  func changed(_ change: (inout EntityQuery<E>) -> Void) -> EntityQuery<E> {
    var copy = self
    change(&copy)
    return copy
  }

  func planned(_ change: (QueryPlan) -> QueryPlan) -> EntityQuery<E> {
    EntityQuery(unchecked: change(plan), store: store)
  }
}

extension EntityQuery where E == AnyEntity {
  /// All entities of the namespace of that name.
  public static func from(_ namespace: String) -> EntityQuery<AnyEntity> {
    EntityQuery(unchecked: QueryPlan(namespace))
  }

  /// A query of any plan there is.
  public init(_ plan: QueryPlan) { self.init(unchecked: plan) }
}

extension EntityQuery: Hashable, KeyQuery {
  public static func == (a: EntityQuery<E>, b: EntityQuery<E>) -> Bool { a.plan == b.plan }

  public func hash(into hasher: inout Hasher) { hasher.combine(plan) }

  /// The canonical JSON of the question: equal queries have equal keys.
  public var key: String { document.key }
}

extension QueryStore {
  /// A query to be asked of this store.
  public func from<E>(_ entity: E.Type) -> EntityQuery<E> { EntityQuery<E>.from().in(self) }

  /// A query to be asked of this store, about the namespace of that name.
  public func from(_ namespace: String) -> EntityQuery<AnyEntity> {
    EntityQuery<AnyEntity>.from(namespace).in(self)
  }
}
