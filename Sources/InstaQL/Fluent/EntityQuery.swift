public import DataSources
public import Triples

/// A store that answers queries: it returns snapshots of the needed data and reports changes.
///
/// It receives the query as a `QueryDocument`. A custom data source only needs to declare
/// conformance: `extension MySource: QueryStore {}`.
public protocol QueryStore: GetDataSource<StoreSnapshot>, WatchDataSource<StoreSnapshot> {}

/// A query for entities of one Swift type. It is a value: every method returns a changed copy.
///
/// It runs when `all`, `first`, `count` or similar methods are called, or when the first element of
/// a sequence is requested. The store can be set at any point of the chain of calls. If it is set
/// several times, the last one is used.
///
/// ```swift
/// let base = EntityQuery<Employee>.from()
/// let rich = base.filter { $0.salary > 80_000 && $0.name.like("S%") }
/// for employee in try await rich.order(by: \.startDate).limit(20).all(in: store) {
///   print(employee)
/// }
/// ```
///
/// Filters and sort keys accumulate; everything else replaces earlier settings. Queries are equal
/// if they have the same plan, even if their stores differ.
public struct EntityQuery<E: QueryEntity>: Sendable {
  /// The plan of the query. It contains neither Swift types nor the store.
  public internal(set) var plan: QueryPlan
  /// The store to use, unless another is passed when the query runs.
  var store: (any QueryStore)?

  init(unchecked plan: QueryPlan, store: (any QueryStore)? = nil) {
    self.plan = plan
    self.store = store
  }

  /// Returns a query for all entities of the type.
  public static func from(_ entity: E.Type = E.self) -> EntityQuery<E> {
    EntityQuery(unchecked: QueryPlan(E.namespace))
  }

  /// Returns the query with a store. A later call replaces the store.
  public func `in`(_ store: any QueryStore) -> EntityQuery<E> { changed { $0.store = store } }

  /// The plan as a document, the form of a query that stores accept.
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
  /// Returns a query for all entities of the namespace with this name.
  public static func from(_ namespace: String) -> EntityQuery<AnyEntity> {
    EntityQuery(unchecked: QueryPlan(namespace))
  }

  /// Creates a query of untyped entities from a plan.
  public init(_ plan: QueryPlan) { self.init(unchecked: plan) }
}

extension EntityQuery: Hashable, KeyQuery {
  public static func == (a: EntityQuery<E>, b: EntityQuery<E>) -> Bool { a.plan == b.plan }

  public func hash(into hasher: inout Hasher) { hasher.combine(plan) }

  /// The canonical JSON of the query. Equal queries have equal keys.
  public var key: String { document.key }
}

extension QueryStore {
  /// Returns a query that uses this store.
  public func from<E>(_ entity: E.Type) -> EntityQuery<E> { EntityQuery<E>.from().in(self) }

  /// Returns a query of this store for the namespace with this name.
  public func from(_ namespace: String) -> EntityQuery<AnyEntity> {
    EntityQuery<AnyEntity>.from(namespace).in(self)
  }
}
