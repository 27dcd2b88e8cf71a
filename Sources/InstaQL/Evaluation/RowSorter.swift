import Triples

/// Sorts entities by the keys of a plan.
///
/// Ties are sorted by entity id, in the direction of the last key. If the store cannot sort by one
/// of the keys, such as a value of linked entities, this type compares the values itself.
struct RowSorter {
  let store: TripleStore
  let namespace: String
  let keys: [PreparedOrder]

  init(_ plan: PreparedPlan, in store: TripleStore) {
    self.store = store
    namespace = plan.namespace
    keys =
      plan.order.isEmpty
      ? [PreparedOrder(source: .creation, isDescending: false)] : plan.order
  }

  /// Creates a sorter for a server's page. The page's cursor contains the attribute by which the
  /// server sorted.
  init(_ plan: PreparedPlan, orderOf cursor: Cursor, in store: TripleStore) {
    self.store = store
    namespace = plan.namespace
    let isDescending = plan.order.first?.isDescending ?? false
    var source = PreparedOrder.Source.creation
    if let attribute = store.schema.attribute(cursor.attribute), !attribute.isIdentity {
      source = .value([], attribute)
    }
    keys = [PreparedOrder(source: source, isDescending: isDescending)]
  }

  /// The keys as sort orders of the store. Nil if the store cannot sort by one of the keys.
  private var storeOrder: [RowOrder]? {
    var order: [RowOrder] = []
    for key in keys {
      guard let known = key.rowOrder(in: namespace) else { return nil }
      order.append(known)
    }
    return order
  }

  /// Whether the store can sort by all keys.
  var isKnownToStore: Bool { storeOrder != nil }

  /// Returns the first `count` entities of a set, in order. If `count` is nil, returns all of them.
  func sorted(_ rows: RowSet, first count: Int? = nil) -> [EntityHandle] {
    if let order = storeOrder {
      return store.top(count ?? rows.count, of: rows, orderedBy: order)
    }
    let all = sorted(rows.handles)
    return count.map { Array(all.prefix($0)) } ?? all
  }

  /// Returns the last `count` entities of a set, in order.
  func sorted(_ rows: RowSet, last count: Int) -> [EntityHandle] {
    guard var order = storeOrder else { return Array(sorted(rows.handles).suffix(count)) }
    for place in order.indices { order[place].isDescending.toggle() }
    return store.top(count, of: rows, orderedBy: order).reversed()
  }

  func sorted(_ entities: [EntityHandle]) -> [EntityHandle] {
    if let order = storeOrder { return store.sorted(entities, by: order) }
    let keyed = entities.map { ($0, keys(of: $0)) }
    return keyed.sorted { precedes($0, $1) }.map(\.0)
  }

  /// Returns whether one entity comes before another.
  func precedes(_ a: EntityHandle, _ b: EntityHandle) -> Bool {
    guard let order = storeOrder else { return precedes((a, keys(of: a)), (b, keys(of: b))) }
    for key in order {
      let comparison = store.compare(a, b, by: key)
      if comparison != 0 { return comparison < 0 }
    }
    let isDescending = order.last?.isDescending ?? false
    return isDescending ? store.precedes(b, a) : store.precedes(a, b)
  }

  private func precedes(
    _ a: (EntityHandle, [SortValue]), _ b: (EntityHandle, [SortValue])
  ) -> Bool {
    let order = compare(a.1, b.1)
    if order != 0 { return order < 0 }
    if a.0 == b.0 { return false }
    return store.precedes(a.0, b.0) != (keys.last?.isDescending ?? false)
  }

  private func compare(_ a: [SortValue], _ b: [SortValue]) -> Int {
    for (place, key) in keys.enumerated() {
      let order = a[place].compare(b[place], collated: key.isCollated)
      if order != 0 { return key.isDescending ? -order : order }
    }
    return 0
  }

  // MARK: Places of cursors

  /// Compares an entity with a cursor. The result is negative if the entity is before the cursor,
  /// zero at the cursor, and positive after it.
  func compare(_ entity: EntityHandle, with cursor: Cursor) -> Int {
    let last = keys.last?.isDescending ?? false
    let order: Int
    if !cursorsContainSortValue, let other = store.handle(of: cursor.entity) {
      order = compare(keys(of: entity), keys(of: other))
    } else {
      let key = keys[0].key(cursor)
      let plain = keys(of: entity)[0].compare(key, collated: keys[0].isCollated)
      order = keys[0].isDescending ? -plain : plain
    }
    if order != 0 { return order }
    let id = store.id(of: entity)
    if id == cursor.entity { return 0 }
    return (id < cursor.entity) != last ? -1 : 1
  }

  /// Whether a cursor contains the sort value of its entity. If not, the entity's values must be read
  /// from the store.
  private var cursorsContainSortValue: Bool {
    guard keys.count == 1 else { return false }
    switch keys[0].source {
    case .creation: return true
    case .count, .computed: return false
    case .value(let links, _): return links.isEmpty
    }
  }

  private func keys(of entity: EntityHandle) -> [SortValue] {
    keys.map { $0.key(of: entity, namespace: namespace, in: store) }
  }

  /// Returns the cursor that marks an entity's position in this order.
  func cursor(of entity: EntityHandle) -> Cursor {
    let id = store.id(of: entity)
    let created = store.createdAt(entity, in: namespace)
    if case .value(let links, let attribute) = keys[0].source, links.isEmpty {
      return Cursor(
        entity: id, attribute: attribute.id, value: store.value(entity, attribute.id) ?? .null,
        createdAt: store.createdAt(entity, attribute.id) ?? created)
    }
    let membership = store.schema.identity(of: namespace)?.id ?? AttributeID("")
    return Cursor(
      entity: id, attribute: membership, value: .text(id.text), createdAt: created)
  }
}

extension PreparedOrder {
  /// Whether texts are sorted by the en-US collation, as for attributes with the checked type
  /// `string`. Otherwise texts are sorted by UTF-16 code units.
  var isCollated: Bool {
    type == .string
  }

  /// The type of the values, if it is known.
  private var type: CheckedType? {
    switch source {
    case .creation, .count: nil
    case .value(_, let attribute): attribute.checkedType
    case .computed(let expression): expression.type
    }
  }

  private var reading: SortValue.Reading {
    if type == .date { return .instants }
    return isCollated ? .collated : .codeUnits
  }

  func key(of entity: EntityHandle, namespace: String, in store: TripleStore) -> SortValue {
    switch source {
    case .creation: return .integer(store.createdAt(entity, in: namespace))
    case .count(let links): return .integer(Int64(store.countOfLinked(entity, along: links)))
    case .computed(let expression):
      return SortValue(expression.value(of: entity, in: store), reading)
    case .value(let links, let attribute):
      if links.isEmpty { return SortValue(store.value(entity, attribute.id), reading) }
      var ends = [entity]
      for link in links { ends = ends.flatMap { store.targets($0, link) } }
      // If the path ends at several values, the value that comes first in the key's direction is
      // used.
      let keys = ends.map { SortValue(store.value($0, attribute.id), reading) }
      let best = keys.min { a, b in
        let order = a.compare(b, collated: isCollated)
        return isDescending ? order > 0 : order < 0
      }
      return best ?? .nothing
    }
  }

  func key(_ cursor: Cursor) -> SortValue {
    switch source {
    case .creation: .integer(cursor.createdAt ?? 0)
    case .value, .count, .computed: SortValue(cursor.value, reading)
    }
  }
}
