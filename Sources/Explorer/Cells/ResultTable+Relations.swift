import InstaQL
import TerminalUI
import Triples

/// The entity of a row, followed by the entities of the nested rows down to one line of the table.
typealias EntityPath = [EntityID]

extension ResultTable {
  /// A relation expanded below an entity: a nested table with its query.
  struct ExpandedRelation: Sendable {
    /// The path of entities to the relation. The last entity of the path owns the relation.
    let trail: EntityPath
    /// The row of the answer that contains the relation at any depth.
    let row: Int
    /// The index of the owner in the enclosing relation. Nil if the owner is a row of the answer.
    let place: Int?
    let parent: EntityHandle
    /// The links from the row to the relation, one per level.
    let links: [Link]
    /// The query of the relation. It includes all linked entities if the main query does not
    /// include the relation.
    let plan: QueryPlan
    let entities: [EntityHandle]
    /// The number of linked entities. `entities` may contain only a part of them.
    let total: Int
    let columns: [TableColumn]
    fileprivate let cells = CellTextCache()
    /// The line of the table at which the relation begins.
    fileprivate(set) var firstLine = 0
    /// The number of lines of the relations expanded within this relation.
    fileprivate(set) var linesWithin = 0

    var link: Link { links[links.count - 1] }

    /// The nesting level; 1 if the owner is a row of the answer.
    var depth: Int { links.count }

    /// The title above the first column: the relation and its number of entities.
    var head: String { Self.head(link, total) }

    static func head(_ link: Link, _ total: Int) -> String {
      "╰ \(link.label) \(NumberText.grouped(total))"
    }

    var lines: Range<Int> { firstLine..<firstLine + lineCount }

    var lineCount: Int { 1 + entities.count + (total > entities.count ? 1 : 0) + linesWithin }
  }

  /// Returns the cell of a nested row in a column.
  func cell(_ column: Int, ofChild index: Int, in block: ExpandedRelation) -> CellText {
    let entity = block.entities[index]
    if let cell = block.cells.cell(of: entity, column: column) { return cell }
    let cell = block.columns[column].cell(of: entity, in: catalog)
    block.cells.cache(cell, of: entity, column: column, of: block.columns.count)
    return cell
  }

  /// A line of an expanded relation without an entity.
  enum RelationEdge: Sendable {
    /// The column titles.
    case titles
    /// The number of entities that are not shown.
    case more
  }

  /// Returns the kind of a line without an entity; nil for lines with an entity and beyond the
  /// table.
  func edge(onLine line: Int) -> RelationEdge? {
    guard line < lineCount else { return nil }
    return switch self.line(line) {
    case .row, .child: nil
    case .childTitles: .titles
    case .more: .more
    }
  }

  /// Returns the line of an edge of the relation expanded at a path. Nil if no relation is expanded
  /// there.
  func line(of edge: RelationEdge, beneath trail: EntityPath) -> Int? {
    guard let block = blocks.first(where: { $0.trail == trail }) else { return nil }
    switch edge {
    case .titles: return block.firstLine
    case .more: return block.total > block.entities.count ? block.lines.upperBound - 1 : nil
    }
  }

  /// Returns the innermost relation that contains a line; nil for a row of the answer.
  func block(ofLine line: Int) -> Int? {
    blocks.lastIndex { $0.lines.contains(line) }
  }

  /// Returns the line of a nested row.
  func line(ofChild index: Int, in block: Int) -> Int {
    let before = blocksWithin(block).filter { $0.place.map { $0 < index } ?? false }
    return blocks[block].firstLine + 1 + index + before.reduce(0) { $0 + $1.lineCount }
  }

  /// Returns the content of a line of a relation. The line must not belong to a relation within it.
  func line(_ line: Int, of block: Int) -> Line {
    let before = blocksWithin(block).prefix { $0.firstLine <= line }
    let offset = line - blocks[block].firstLine - before.reduce(0) { $0 + $1.lineCount }
    if offset == 0 { return .childTitles(block: block) }
    return offset <= blocks[block].entities.count
      ? .child(block: block, index: offset - 1) : .more(block: block)
  }

  /// Returns the relations directly within a relation, from top to bottom.
  private func blocksWithin(_ block: Int) -> some Sequence<ExpandedRelation> {
    let outer = blocks[block]
    return blocks[(block + 1)...].prefix { $0.depth > outer.depth }
      .filter { $0.depth == outer.depth + 1 }
  }

  /// Expands each relation in `opened` whose owner is shown.
  mutating func open(_ opened: [EntityPath: Link]) {
    blocks = []
    var wanted: [EntityHandle: (trail: EntityPath, link: Link)] = [:]
    for (trail, link) in opened where trail.count == 1 {
      if let entity = catalog.store.handle(of: trail[0]) { wanted[entity] = (trail, link) }
    }
    let rows = answer.rows.places(of: Set(wanted.keys)).compactMap { row in
      wanted[answer.rows[row]].map { (row: row, trail: $0.trail, link: $0.link) }
    }
    var before = 0
    for (row, trail, link) in rows {
      let block = ExpandedRelation(
        of: link, beneath: answer.rows[row], trail, row: row, asked: answer.plan, catalog)
      before += add(block, on: row + 1 + before, opened)
    }
  }

  /// Adds a relation and the relations expanded within it.
  ///
  /// - Returns: The number of lines that were added.
  private mutating func add(
    _ block: ExpandedRelation, on line: Int, _ opened: [EntityPath: Link]
  ) -> Int {
    let index = blocks.count
    blocks.append(block)
    blocks[index].firstLine = line
    guard opened.keys.contains(where: { $0.count > block.depth && $0.starts(with: block.trail) })
    else { return blocks[index].lineCount }
    for (place, entity) in block.entities.enumerated() {
      let trail = block.trail + [catalog.store.id(of: entity)]
      guard let link = opened[trail] else { continue }
      let inner = ExpandedRelation(
        of: link, beneath: entity, trail, place: place, in: block, catalog)
      let first = line + 2 + place + blocks[index].linesWithin
      let added = add(inner, on: first, opened)
      blocks[index].linesWithin += added
    }
    return blocks[index].lineCount
  }
}

extension ResultTable.ExpandedRelation {
  /// Creates a relation directly below a row of the answer.
  fileprivate init(
    of link: Link, beneath row: EntityHandle, _ trail: EntityPath, row number: Int,
    asked plan: QueryPlan, _ catalog: Catalog
  ) {
    self.init(
      of: [link], beneath: row, trail, row: number, place: nil, asked: plan, catalog)
  }

  /// Creates a relation below an entity of another relation.
  fileprivate init(
    of link: Link, beneath entity: EntityHandle, _ trail: EntityPath, place: Int,
    in outer: ResultTable.ExpandedRelation, _ catalog: Catalog
  ) {
    self.init(
      of: outer.links + [link], beneath: entity, trail, row: outer.row, place: place,
      asked: outer.plan, catalog)
  }

  private init(
    of links: [Link], beneath parent: EntityHandle, _ trail: EntityPath, row: Int, place: Int?,
    asked outer: QueryPlan, _ catalog: Catalog
  ) {
    let link = links[links.count - 1]
    var plan = outer.relation(link.label) ?? QueryPlan(link.target)
    plan.namespace = link.target
    let linked = Relations.entities(of: link, from: parent, asked: plan, in: catalog)
    let shown = Array(linked.prefix(Self.maxShown))
    var columns = TableColumn.all(of: plan, in: catalog)
    columns.removeAll { $0.source.leadsOnly(backAlong: link) && plan.relation($0.label) == nil }
    for index in columns.indices {
      columns[index].begin(in: plan.order, sample: shown, catalog)
      for entity in shown { columns[index].grow(for: columns[index].cell(of: entity, in: catalog)) }
    }
    if !columns.isEmpty {
      columns[0].reserve(TextWidth.columns(of: Self.head(link, linked.count)))
    }
    (self.trail, self.row, self.place, self.parent) = (trail, row, place, parent)
    (self.links, self.plan) = (links, plan)
    (entities, total, self.columns) = (shown, linked.count, columns)
  }

  private static let maxShown = 100
}

extension ColumnSource {
  /// Returns whether the column is the to-one inverse of `link`. Such a column would show the owner
  /// of the relation in every row.
  fileprivate func leadsOnly(backAlong link: Link) -> Bool {
    guard case .link(let mine) = self, mine.cardinality == .one else { return false }
    return mine.attribute.id == link.attribute.id && mine.direction != link.direction
  }
}

extension [EntityHandle] {
  /// Returns the indexes in this list of the wanted entities, in ascending order. Entities that are
  /// not in the list are omitted.
  ///
  /// - Complexity: O(count), in a single pass for all entities.
  fileprivate func places(of wanted: Set<EntityHandle>) -> [Int] {
    guard let least = wanted.map(\.row).min(), let greatest = wanted.map(\.row).max() else {
      return []
    }
    var places: [Int] = []
    for (place, entity) in enumerated()
    where entity.row >= least && entity.row <= greatest && wanted.contains(entity) {
      places.append(place)
      if places.count == wanted.count { break }
    }
    return places
  }
}
