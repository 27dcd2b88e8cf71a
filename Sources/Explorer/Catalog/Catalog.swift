import InstaQL
import Synchronization
import Triples

/// What panes need from the current snapshot: namespaces, columns and labels.
struct Catalog: Sendable, Equatable {
  private let contents: Contents
  /// The entity count of each namespace of a remote store, loaded by side queries.
  var counts: [String: Int] = [:]
  /// The links to several entities whose targets are all in the answer, for each of its entities.
  var wholeLinks: Set<Link> = []
  /// The links of a remote store's rows, loaded by side queries.
  var loadedLinks: [LinkedRows: LoadedLinks] = [:]
  /// Whether the query loaded all links, so that a link without loaded targets really has none.
  var knowsLinks = false

  /// - Parameters:
  ///   - linked: A snapshot with the links of the answer's rows, if `snapshot` lacks them.
  ///   - isLimited: Whether `linked` may lack some targets of a link.
  init(
    snapshot: StoreSnapshot, counts: [String: Int] = [:], linked: StoreSnapshot? = nil,
    isLimited: Bool = true
  ) {
    (contents, self.counts) = (Contents(snapshot), counts)
    loadedLinks[.answer] = linked.map {
      LoadedLinks(entities: [], links: nil, snapshot: $0, isLimited: isLimited)
    }
  }

  var snapshot: StoreSnapshot { _read { yield contents.snapshot } }
  var store: TripleStore { _read { yield contents.snapshot.store } }
  var schema: Schema { _read { yield contents.snapshot.store.schema } }
  /// Whether the snapshot contains only what a store answered to queries.
  var isServed: Bool { contents.isServed }
  /// The snapshot with the links of the answer's rows; nil if no side query loaded them.
  var linked: StoreSnapshot? { loadedLinks[.answer]?.snapshot }

  /// Returns the number of entities in a namespace. Nil if a remote store did not report it, or
  /// while only the first rows of the store are loaded.
  func count(of namespace: String) -> Int? {
    if snapshot.freshness == .loading { return nil }
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
      snapshot: StoreSnapshot(store, served: snapshot.served), counts: counts)
    (catalog.wholeLinks, catalog.loadedLinks) = (wholeLinks, loadedLinks)
    catalog.knowsLinks = knowsLinks
    return catalog
  }

  /// Returns the fields of a namespace: its attributes, then its links.
  func lines(of namespace: String) -> [ColumnSource] {
    contents.lines.value(of: namespace) {
      schema.attributes(of: namespace).map { .attribute($0) }
        + schema.links(of: namespace).map { .link($0) }
    }
  }

  /// Returns whether the rows of a namespace have links.
  func hasLinks(in namespace: String) -> Bool { !recordFields(of: namespace).links.isEmpty }

  /// Returns the fields of a namespace's records.
  func recordFields(of namespace: String) -> RecordFields {
    contents.recordFields.value(of: namespace) { RecordFields(of: namespace, in: self) }
  }

  /// The number of fields of the namespace with the most fields.
  var maxFieldCount: Int {
    contents.maxFieldCount.withLock { known in
      if let known { return known }
      var counts: [String: Int] = [:]
      for attribute in schema.attributes {
        counts[attribute.namespace, default: 0] += 1
        if let reverse = attribute.reverse { counts[reverse.namespace, default: 0] += 1 }
      }
      let most = counts.values.max() ?? 0
      known = most
      return most
    }
  }

  /// Returns the link that an attribute's name suggests; nil if there is none.
  func inferredLink(of attribute: Attribute) -> InferredLink? {
    contents.inferredLinks.value(of: attribute.id) { InferredLink(of: attribute, in: schema) }
  }

  /// Returns the query for the targets of the link that an attribute's name suggests. Nil if it
  /// suggests none, or if the entity's value has no suitable type.
  func inferredTargets(of entity: EntityHandle, at attribute: Attribute) -> QueryPlan? {
    guard let link = inferredLink(of: attribute), let value = store.value(entity, attribute.id)
    else { return nil }
    return link.plan(for: value)
  }

  /// Returns the existing values of a field, to offer them while the user types.
  func seenValues(of field: QueryCompletion.Field) -> SeenValues {
    contents.values.value(of: field.namespace + "." + field.path.dotted) {
      SeenValues(of: field, in: store)
    }
  }

  /// Returns the keys of the JSON objects at a path, to offer them while the user types.
  func seenKeys(of field: QueryCompletion.Field) -> SeenKeys {
    contents.keys.value(of: field.namespace + "." + field.path.dotted) {
      SeenKeys(of: field, in: store)
    }
  }
}

// Which columns contain UUIDs.
extension Catalog {
  /// Returns whether the texts in an attribute are UUIDs, by the first known rows.
  ///
  /// Once rows are known, the answer never changes, so that live rows do not move columns.
  func hasUUIDs(_ attribute: Attribute) -> Bool {
    guard (attribute.checkedType ?? .string) == .string else { return false }
    if let known = contents.haveUUIDs.withLock({ $0[attribute.id] }) { return known }
    let texts = texts(of: attribute)
    guard !texts.isEmpty else { return false }
    let areUUIDs = texts.allSatisfy { EntityID($0).isUUID }
    contents.haveUUIDs.withLock { $0[attribute.id] = areUUIDs }
    return areUUIDs
  }

  /// Adopts what `hasUUIDs` returned for an earlier snapshot.
  func adoptUUIDs(of earlier: Catalog) {
    let known = earlier.contents.haveUUIDs.withLock { $0 }
    contents.haveUUIDs.withLock { $0.merge(known) { $1 } }
  }

  /// Returns the texts that the first known rows have in an attribute.
  func texts(of attribute: Attribute) -> [String] {
    store.rows(of: attribute.namespace).handles.prefix(Self.maxInspected)
      .compactMap { store.value($0, attribute.id)?.textValue }
  }

  private static let maxInspected = 50
}

/// The rows on the screen whose links a side query loads.
enum LinkedRows: Hashable, Sendable {
  /// The rows of the answer.
  case answer
  /// The rows of a namespace in expanded relations.
  case nested(String)
}

/// A snapshot with the links of certain entities of a remote store, loaded by a side query.
struct LoadedLinks: Sendable, Equatable {
  let entities: Set<EntityID>
  /// The links in the snapshot; nil for all links.
  let links: [Link]?
  let snapshot: StoreSnapshot
  /// Whether the query limits the targets of each link, as the screen does.
  var isLimited = true

  func includes(_ link: Link) -> Bool { links?.contains(link) ?? true }

  func targets(of id: EntityID, _ link: Link) -> LinkTargets? {
    guard let entity = snapshot.store.handle(of: id) else { return nil }
    return LinkTargets(
      snapshot.store.targets(entity, link), in: Catalog(snapshot: snapshot),
      isLimited: isLimited)
  }
}

/// The targets of an entity's link.
struct LinkTargets {
  let entities: [EntityHandle]
  /// The catalog that contains the entities.
  let catalog: Catalog
  /// Whether the link has more targets than `entities`, by an unknown number.
  let isCut: Bool

  /// The maximum number of targets of a link that the screen of a remote store shows.
  static let maxCount = 20

  /// - Parameter isLimited: Whether the query loads one target more than `maxCount` if there are
  ///   more.
  init(_ targets: [EntityHandle], in catalog: Catalog, isLimited: Bool = false) {
    isCut = isLimited && targets.count > Self.maxCount
    entities = isCut ? Array(targets.prefix(Self.maxCount)) : targets
    self.catalog = catalog
  }

  /// Creates the targets of a link that the query includes, of which a database may have read only
  /// the first ones.
  init(_ targets: [EntityHandle], in catalog: Catalog, of link: Link) {
    (entities, self.catalog) = (targets, catalog)
    isCut = catalog.isCut(link, after: targets.count)
  }

  /// The number of targets, such as `20+` if there are more.
  var countText: String { NumberText.grouped(entities.count) + (isCut ? "+" : "") }
}

extension Catalog {
  /// Returns whether a database read only this number of targets of a link for each entity.
  func isCut(_ link: Link, after count: Int) -> Bool {
    snapshot.served?.cutLinks["\(link.reversed.target).\(link.label)"] == count
  }

  /// Returns a query that also loads the targets of links, with the fields for their labels.
  ///
  /// - Parameter isLimited: Whether it loads only as many targets as the screen shows, and one more.
  func nesting(_ plan: QueryPlan, along links: [Link], isLimited: Bool = true) -> QueryPlan {
    links.reduce(plan) { plan, link in
      plan.with(link.label) {
        let nested = addingLabelFields(to: $0, in: link.target)
        return isLimited ? nested.limit(LinkTargets.maxCount + 1) : nested
      }
    }
  }

  /// Returns the targets of a row's link in a remote store, from a side query. Nil until that query
  /// is answered.
  func linkedEntities(of entity: EntityHandle, _ link: Link) -> LinkTargets? {
    let id = store.id(of: entity)
    guard let loaded = loadedLinks(of: id, link), loaded.includes(link) else {
      return knownEmpty(entity, link)
    }
    return loaded.targets(of: id, link) ?? knownEmpty(entity, link)
  }

  /// Returns no targets if the link's foreign key is NULL; nil if the targets are unknown.
  private func knownEmpty(_ entity: EntityHandle, _ link: Link) -> LinkTargets? {
    hasNullKey(entity, link) ? LinkTargets([], in: self) : nil
  }

  /// Whether a side query has loaded the targets of an entity's link. The link may have none.
  func hasLoaded(_ link: Link, of entity: EntityHandle) -> Bool {
    let id = store.id(of: entity)
    guard let loaded = loadedLinks(of: id, link) else { return false }
    return loaded.entities.contains(id) && loaded.includes(link)
  }

  private func loadedLinks(of id: EntityID, _ link: Link) -> LoadedLinks? {
    let nested = loadedLinks[.nested(link.reversed.target)]
    let isNested = nested.map { $0.entities.contains(id) && $0.includes(link) } ?? false
    return isNested ? nested : loadedLinks[.answer]
  }

  /// Returns the targets of an entity's link, from the query itself or else from a side query. Nil
  /// while the side query is unanswered.
  func targets(of entity: EntityHandle, _ link: Link) -> LinkTargets? {
    let own = store.targets(entity, link)
    // Of several targets, the query may have read only some, as part of other relations.
    let isWhole = link.cardinality == .one ? !own.isEmpty : wholeLinks.contains(link)
    if !isServed || isWhole { return LinkTargets(own, in: self, of: link) }
    if knowsLinks { return LinkTargets(own, in: self, isLimited: true) }
    let id = store.id(of: entity)
    guard let loaded = loadedLinks(of: id, link),
      link.cardinality == .one || loaded.includes(link)
    else { return knownEmpty(entity, link) }
    return loaded.targets(of: id, link) ?? knownEmpty(entity, link)
  }
}

extension QueryPlan {
  /// Returns the links to several entities that the query includes without a filter and a limit,
  /// wherever it reads entities of their namespace.
  func wholeLinks(in schema: Schema) -> Set<Link> {
    var (whole, others): (Set<Link>, Set<Link>) = ([], [])
    collectLinks(of: namespace, in: schema, &whole, &others)
    return whole.subtracting(others)
  }

  private func collectLinks(
    of namespace: String, in schema: Schema, _ whole: inout Set<Link>, _ others: inout Set<Link>
  ) {
    for link in schema.links(of: namespace) {
      let nested = relation(link.label)
      if let nested, nested.condition == nil, nested.page.isWhole, !nested.isSummary {
        whole.insert(link)
      } else {
        others.insert(link)
      }
      nested?.collectLinks(of: link.target, in: schema, &whole, &others)
    }
  }
}

/// A snapshot with a cache of values looked up in it, so that key presses do not repeat the lookups.
///
/// It is on the heap, since a snapshot is slow to copy.
private final class Contents: Sendable, Equatable {
  let snapshot: StoreSnapshot
  /// Whether the snapshot has `served`, which is large and would be copied to find out.
  let isServed: Bool
  let lines = Mutex(Recent<String, [ColumnSource]>(limit: .max))
  let recordFields = Mutex(Recent<String, RecordFields>(limit: .max))
  let maxFieldCount = Mutex<Int?>(nil)
  let haveUUIDs = Mutex<[AttributeID: Bool]>([:])
  let inferredLinks = Mutex(Recent<AttributeID, InferredLink?>(limit: .max))
  let values = Mutex(Recent<String, SeenValues>(limit: .max))
  let keys = Mutex(Recent<String, SeenKeys>(limit: .max))

  init(_ snapshot: StoreSnapshot) {
    self.snapshot = snapshot
    isServed = snapshot.served != nil
  }

  /// Compares only the snapshots, since caches do not affect equality.
  static func == (a: Contents, b: Contents) -> Bool { a === b || a.snapshot == b.snapshot }
}
