import InstaQL
import Synchronization
import Triples

/// What panes need from the current snapshot: namespaces, columns and labels.
struct Catalog: Sendable, Equatable {
  let snapshot: StoreSnapshot
  /// The entity count of each namespace of a remote store, loaded by side queries.
  var counts: [String: Int] = [:]
  /// The links of the visible rows of a remote store, loaded by a side query.
  var linked: StoreSnapshot?
  /// The links of nested rows of a remote store, loaded by side queries, by the namespace of these
  /// rows.
  var nestedLinks: [String: NestedLinks] = [:]
  /// Whether the query loaded all links, so that a link without loaded targets really has none.
  var knowsLinks = false
  private let lookups = Lookups()

  var store: TripleStore { snapshot.store }
  var schema: Schema { snapshot.store.schema }

  /// Returns the number of entities in a namespace; nil if a remote store did not report it.
  func count(of namespace: String) -> Int? {
    guard let served = snapshot.served else { return store.count(of: namespace) }
    return served.counts[namespace] ?? counts[namespace]
  }

  /// Returns whether the entity count of a namespace is only an estimate by the database.
  func isEstimated(_ namespace: String) -> Bool {
    snapshot.served?.estimated.contains(namespace) == true
  }

  /// Returns a copy of the catalog that reads from `store`. This store contains more data about the
  /// same entities, such as their BLOBs.
  func resolvingBlobs(in store: TripleStore) -> Catalog {
    var catalog = Catalog(
      snapshot: StoreSnapshot(store, served: snapshot.served), counts: counts, linked: linked)
    (catalog.nestedLinks, catalog.knowsLinks) = (nestedLinks, knowsLinks)
    return catalog
  }

  /// Returns the fields of a namespace: its attributes, then its links.
  func lines(of namespace: String) -> [ColumnSource] {
    lookups.lines(namespace) {
      schema.attributes(of: namespace).map { .attribute($0) }
        + schema.links(of: namespace).map { .link($0) }
    }
  }

  /// Returns the link that an attribute's name suggests; nil if there is none.
  func inferredLink(of attribute: Attribute) -> InferredLink? {
    lookups.inferredLinks(attribute.id) { InferredLink(of: attribute, in: schema) }
  }

  /// Returns the existing values of a field, to offer them while the user types.
  func seenValues(of field: QueryCompletion.Field) -> SeenValues {
    lookups.values(field.namespace + "." + field.path.dotted) {
      SeenValues(of: field, in: store)
    }
  }
}

/// A snapshot with the links of certain entities of a remote store, loaded by a side query.
struct NestedLinks: Sendable, Equatable {
  let entities: Set<EntityID>
  let snapshot: StoreSnapshot
}

extension Catalog {
  /// Returns the targets of a row's link, and the catalog that contains them.
  ///
  /// For a remote store, both come from a side query; nil until that query is answered.
  func linkedEntities(
    of entity: EntityHandle, _ link: Link
  ) -> (entities: [EntityHandle], catalog: Catalog)? {
    let id = store.id(of: entity)
    let near = nestedLinks[link.reversed.target]
    let source = near?.entities.contains(id) == true ? near?.snapshot : linked
    guard let source, let there = source.store.handle(of: id) else { return nil }
    return (source.store.targets(there, link), Catalog(snapshot: source))
  }

  /// Returns the targets of an entity's link, from the query itself or else from a side query. Nil
  /// while the side query is unanswered.
  func targets(
    of entity: EntityHandle, _ link: Link
  ) -> (entities: [EntityHandle], catalog: Catalog)? {
    let own = store.targets(entity, link)
    if snapshot.served == nil || knowsLinks || !own.isEmpty { return (own, self) }
    return linkedEntities(of: entity, link)
  }
}

/// A cache of values looked up in a snapshot, so that key presses do not repeat the lookups.
private final class Lookups: Sendable, Equatable {
  let lines = Memo<String, [ColumnSource]>()
  let inferredLinks = Memo<AttributeID, InferredLink?>()
  let values = Memo<String, SeenValues>()

  /// Always returns true, since caches do not affect equality.
  static func == (a: Lookups, b: Lookups) -> Bool { true }
}

/// A cache of values that never change. Each value is computed on first use.
private struct Memo<Key: Hashable & Sendable, Answer: Sendable>: ~Copyable {
  private let known = Mutex<[Key: Answer]>([:])

  /// Returns the cached value, or computes it. Concurrent callers may each compute it, and never
  /// wait for each other.
  func callAsFunction(_ key: Key, _ work: () -> Answer) -> Answer {
    if let answer = known.withLock({ $0[key] }) { return answer }
    let answer = work()
    known.withLock { $0[key] = answer }
    return answer
  }
}
