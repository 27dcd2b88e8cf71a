import InstaQL
import Synchronization
import Triples

/// What the panes ask of the present snapshot: namespaces, columns, and the label of an entity.
struct Catalog: Sendable, Equatable {
  let snapshot: StoreSnapshot
  /// Of a store elsewhere: how many there are, where that was asked beside the query.
  var counts: [String: Int] = [:]
  /// Of a store elsewhere: what its rows are linked with, where that was asked beside the query.
  var linked: StoreSnapshot?
  /// The same of the rows beneath other rows, by their namespace.
  var beneath: [String: LinkedBeneath] = [:]
  /// Whether what an entity is linked with was asked for along with it.
  var knowsLinks = false
  private let lookups = Lookups()

  var store: TripleStore { snapshot.store }
  var schema: Schema { snapshot.store.schema }

  /// How many entities there are; nil when the store is elsewhere and did not say.
  func count(of namespace: String) -> Int? {
    guard let served = snapshot.served else { return store.count(of: namespace) }
    return served.counts[namespace] ?? counts[namespace]
  }

  /// Whether that number is the estimate of a database.
  func isEstimated(_ namespace: String) -> Bool {
    snapshot.served?.estimated.contains(namespace) == true
  }

  /// The same of a store that knows more of the same entities.
  func spelling(in store: TripleStore) -> Catalog {
    var catalog = Catalog(
      snapshot: StoreSnapshot(store, served: snapshot.served), counts: counts, linked: linked)
    (catalog.beneath, catalog.knowsLinks) = (beneath, knowsLinks)
    return catalog
  }

  /// What a namespace has: its attributes, then its links.
  func lines(of namespace: String) -> [TableColumn.Source] {
    lookups.lines(namespace) {
      schema.attributes(of: namespace).map { .attribute($0) }
        + schema.links(of: namespace).map { .link($0) }
    }
  }

  /// What an attribute seems to lead to by its name alone.
  func supposedLink(of attribute: Attribute) -> SupposedLink? {
    lookups.supposedLinks(attribute.id) { SupposedLink(of: attribute, in: schema) }
  }

  /// The values that are offered where one types them.
  func seenValues(of field: QueryCompletion.Field) -> SeenValues {
    lookups.values(field.namespace + "." + field.path.dotted) {
      SeenValues(of: field, in: self)
    }
  }
}

/// What some entities of a store elsewhere are linked with, as it was told for them.
struct LinkedBeneath: Sendable, Equatable {
  let entities: Set<EntityID>
  let snapshot: StoreSnapshot
}

extension Catalog {
  /// What a link of a row leads to, and who knows that: of a store elsewhere what was asked beside the
  /// query; nil while it was not told.
  func linkedEntities(
    of entity: EntityHandle, _ link: Link
  ) -> (entities: [EntityHandle], catalog: Catalog)? {
    let id = store.id(of: entity)
    let near = beneath[link.reversed.target]
    let told = near?.entities.contains(id) == true ? near?.snapshot : linked
    guard let told, let there = told.store.handle(of: id) else { return nil }
    return (told.store.targets(there, link), Catalog(snapshot: told))
  }

  /// What a link of an entity leads to, be it known from the query itself or from beside it; nil while
  /// it was not told.
  func targets(
    of entity: EntityHandle, _ link: Link
  ) -> (entities: [EntityHandle], catalog: Catalog)? {
    let own = store.targets(entity, link)
    if snapshot.served == nil || knowsLinks || !own.isEmpty { return (own, self) }
    return linkedEntities(of: entity, link)
  }
}

/// What was looked up in a snapshot, so that a key does not look it up again.
private final class Lookups: Sendable, Equatable {
  let lines = Memo<String, [TableColumn.Source]>()
  let supposedLinks = Memo<AttributeID, SupposedLink?>()
  let values = Memo<String, SeenValues>()

  /// What was looked up makes no catalog another one.
  static func == (a: Lookups, b: Lookups) -> Bool { true }
}

/// Answers that stay true; each is worked out when it is first asked for.
private struct Memo<Key: Hashable & Sendable, Answer: Sendable>: ~Copyable {
  private let known = Mutex<[Key: Answer]>([:])

  /// Two that ask at once may both work it out; nobody waits.
  func callAsFunction(_ key: Key, _ work: () -> Answer) -> Answer {
    if let answer = known.withLock({ $0[key] }) { return answer }
    let answer = work()
    known.withLock { $0[key] = answer }
    return answer
  }
}
