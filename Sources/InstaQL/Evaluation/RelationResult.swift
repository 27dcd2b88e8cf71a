import Triples

/// The linked entities of many parents: an ordered list for each parent.
///
/// All targets are filtered and sorted once, and then distributed to the lists. So the cost depends
/// on the number of links, not on the number of parents.
struct RelationResult {
  /// The entities of all lists, one list after the other.
  private(set) var children: [EntityHandle]
  /// For each list, the index of its first entity in `children`. The end of the last list follows.
  private(set) var offsets: [Int]
  /// Whether it is certain that no entity is in two lists.
  private(set) var isDisjoint = false

  /// Returns the range in `children` that is the list of the parent with this index.
  func list(_ parent: Int) -> Range<Int> { offsets[parent]..<offsets[parent + 1] }

  /// Evaluates a relation for some parents.
  ///
  /// - Parameter parents: Distinct entities.
  init(
    _ relation: PreparedRelation, of parents: [EntityHandle], in store: TripleStore
  ) throws(QueryError) {
    children = []
    offsets = [Int](repeating: 0, count: parents.count + 1)
    guard let link = relation.link, !parents.isEmpty else { return }
    try QueryEngine.checkWanted()
    let reached = store.reached(along: link, from: RowSet(parents))
    let matches = try QueryEngine.matches(relation.plan, among: reached, in: store)
    if matches.isEmpty { return }
    let sorter = RowSorter(relation.plan, in: store)
    switch link.direction {
    case .forward: deal(link, to: parents, matches, sorter, store)
    case .reverse:
      isDisjoint = link.attribute.cardinality == .one
      collect(link, to: parents, sorter.sorted(matches), store)
    }
    try cut(relation.plan, sorter)
  }

  /// Fills the lists for a forward link: collects the targets of each parent, and sorts them.
  private mutating func deal(
    _ link: Link, to parents: [EntityHandle], _ matches: RowSet, _ sorter: RowSorter,
    _ store: TripleStore
  ) {
    if link.attribute.cardinality == .one, let column = store.column(of: link.attribute.id) {
      for (place, parent) in parents.enumerated() {
        if case .target(let row) = store.cell(parent, column: column) {
          let child = EntityHandle(row: row)
          if matches.contains(child) { children.append(child) }
        }
        offsets[place + 1] = children.count
      }
      return
    }
    let ranks = Places(of: sorter.sorted(matches))
    for (place, parent) in parents.enumerated() {
      let list = store.targets(parent, link).compactMap { child in
        ranks[child].map { (rank: $0, child: child) }
      }
      for entry in list.sorted(by: { $0.rank < $1.rank }) { children.append(entry.child) }
      offsets[place + 1] = children.count
    }
  }

  /// Fills the lists for a reverse link: appends each sorted child to the lists of its parents.
  private mutating func collect(
    _ link: Link, to parents: [EntityHandle], _ sorted: [EntityHandle], _ store: TripleStore
  ) {
    guard let column = store.column(of: link.attribute.id) else { return }
    let places = Places(of: parents)
    let isOne = link.attribute.cardinality == .one
    let forward = link.reversed
    var pairs: [(parent: Int, child: EntityHandle)] = []
    pairs.reserveCapacity(sorted.count)
    if isOne {
      for (child, row) in zip(sorted, store.ends(of: sorted, column: column)) {
        if let place = places[EntityHandle(row: row)] { pairs.append((place, child)) }
      }
    } else {
      for child in sorted {
        for parent in store.targets(child, forward) {
          if let place = places[parent] { pairs.append((place, child)) }
        }
      }
    }
    for pair in pairs { offsets[pair.parent + 1] += 1 }
    for place in parents.indices { offsets[place + 1] += offsets[place] }
    var next = offsets
    guard let any = pairs.first else { return }
    children = [EntityHandle](repeating: any.child, count: pairs.count)
    for pair in pairs {
      children[next[pair.parent]] = pair.child
      next[pair.parent] += 1
    }
  }

  /// Limits each list to the plan's page.
  private mutating func cut(_ plan: PreparedPlan, _ sorter: RowSorter) throws(QueryError) {
    let page = plan.plan.page
    // A count includes all matches regardless of the page, as at the top level.
    if page.isWhole || plan.plan.isCount { return }
    var kept: [EntityHandle] = []
    var start = 0
    let isPlain = page == Page(limit: page.limit)
    for place in 0..<(offsets.count - 1) {
      let list = children[start..<offsets[place + 1]]
      start = offsets[place + 1]
      if isPlain {
        kept += list.prefix(page.limit ?? Int.max)
      } else if case .served = plan.paging {
        kept += PageCut(served: nil, RowSet(list), page, sorter).rows
      } else {
        kept += try PageCut(RowSet(list), page, sorter, of: plan).rows
      }
      offsets[place + 1] = kept.count
    }
    children = kept
  }
}

/// Looks up the index of an entity in a list without duplicates.
struct Places {
  private var dense: [Int32] = []
  private var sparse: [EntityHandle: Int32] = [:]
  private var first: UInt32 = 0

  init(of entities: [EntityHandle]) {
    guard let low = entities.map(\.row).min(), let high = entities.map(\.row).max() else { return }
    first = low
    let span = Int(high - low) + 1
    if span <= 64 * entities.count + 1024 {
      dense = [Int32](repeating: -1, count: span)
      for (place, entity) in entities.enumerated() {
        dense[Int(entity.row - low)] = Int32(place)
      }
    } else {
      sparse.reserveCapacity(entities.count)
      for (place, entity) in entities.enumerated() { sparse[entity] = Int32(place) }
    }
  }

  subscript(entity: EntityHandle) -> Int? {
    if dense.isEmpty { return sparse[entity].map(Int.init) }
    guard entity.row >= first else { return nil }
    let slot = Int(entity.row - first)
    guard slot < dense.count, dense[slot] >= 0 else { return nil }
    return Int(dense[slot])
  }
}
