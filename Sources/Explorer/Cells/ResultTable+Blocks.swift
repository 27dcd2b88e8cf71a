import InstaQL
import TerminalUI
import Triples

/// Names a line of a table by entities: the row, what stands beneath it, what beneath that, and so on.
typealias EntityTrail = [EntityID]

extension ResultTable {
  /// A relation that is open beneath an entity: a table of its own, with what the query asks of it.
  struct Block: Sendable {
    /// The entities that lead to it; the last one is that which it lies beneath.
    let trail: EntityTrail
    /// The row of the answer that it lies beneath, be it under other blocks.
    let row: Int
    /// The place within the block about it; nil right beneath a row.
    let place: Int?
    let parent: EntityHandle
    /// The links from the row to here; as many as it lies deep.
    let links: [Link]
    /// What the query asks of the entities; all of them where it does not follow the link.
    let plan: QueryPlan
    let entities: [EntityHandle]
    /// Linked entities in all; more than `entities` when they are too many to show.
    let total: Int
    let columns: [TableColumn]
    fileprivate let cells = ShownCells()
    /// The first line of the block, counted in lines of the table.
    fileprivate(set) var firstLine = 0
    /// Lines of the blocks that are open within it.
    fileprivate(set) var linesWithin = 0

    var link: Link { links[links.count - 1] }

    /// One right beneath a row.
    var depth: Int { links.count }

    /// What stands above the first column: the relation and how many entities it leads to.
    var head: String { Self.head(link, total) }

    static func head(_ link: Link, _ total: Int) -> String {
      "╰ \(link.label) \(NumberText.grouped(total))"
    }

    var lines: Range<Int> { firstLine..<firstLine + lineCount }

    var lineCount: Int { 1 + entities.count + (total > entities.count ? 1 : 0) + linesWithin }
  }

  /// What stands in a column of an open relation.
  func cell(_ column: Int, ofChild index: Int, in block: Block) -> CellText {
    let entity = block.entities[index]
    if let cell = block.cells.cell(of: entity, column: column) { return cell }
    let cell = block.columns[column].cell(of: entity, in: catalog)
    block.cells.keep(cell, of: entity, column: column, of: block.columns.count)
    return cell
  }

  /// A line of a block that stands for no entity.
  enum BlockEdge: Sendable {
    /// The titles of its columns.
    case titles
    /// How many entities are not shown.
    case more
  }

  /// Which of these a line is; nil for that of an entity, and where there is no line.
  func edge(onLine line: Int) -> BlockEdge? {
    guard line < lineCount else { return nil }
    return switch self.line(line) {
    case .row, .child: nil
    case .childTitles: .titles
    case .more: .more
    }
  }

  /// Where such a line of the block beneath an entity stands; nil where nothing is open there.
  func line(of edge: BlockEdge, beneath trail: EntityTrail) -> Int? {
    guard let block = blocks.first(where: { $0.trail == trail }) else { return nil }
    switch edge {
    case .titles: return block.firstLine
    case .more: return block.total > block.entities.count ? block.lines.upperBound - 1 : nil
    }
  }

  /// The innermost block that a line belongs to.
  func block(ofLine line: Int) -> Int? {
    blocks.lastIndex { $0.lines.contains(line) }
  }

  /// The line of an entity of a block.
  func line(ofChild index: Int, in block: Int) -> Int {
    let before = blocksWithin(block).filter { $0.place.map { $0 < index } ?? false }
    return blocks[block].firstLine + 1 + index + before.reduce(0) { $0 + $1.lineCount }
  }

  /// What stands on a line of a block, where none within it has the line.
  func line(_ line: Int, of block: Int) -> Line {
    let before = blocksWithin(block).prefix { $0.firstLine <= line }
    let offset = line - blocks[block].firstLine - before.reduce(0) { $0 + $1.lineCount }
    if offset == 0 { return .childTitles(block: block) }
    return offset <= blocks[block].entities.count
      ? .child(block: block, index: offset - 1) : .more(block: block)
  }

  /// Those right within a block, from above.
  private func blocksWithin(_ block: Int) -> some Sequence<Block> {
    let outer = blocks[block]
    return blocks[(block + 1)...].prefix { $0.depth > outer.depth }
      .filter { $0.depth == outer.depth + 1 }
  }

  /// Opens each relation that `opened` names beneath its entity, where that is shown.
  mutating func open(_ opened: [EntityTrail: Link]) {
    blocks = []
    var wanted: [EntityHandle: (trail: EntityTrail, link: Link)] = [:]
    for (trail, link) in opened where trail.count == 1 {
      if let entity = catalog.store.handle(of: trail[0]) { wanted[entity] = (trail, link) }
    }
    let rows = answer.rows.places(of: Set(wanted.keys)).compactMap { row in
      wanted[answer.rows[row]].map { (row: row, trail: $0.trail, link: $0.link) }
    }
    var before = 0
    for (row, trail, link) in rows {
      let block = Block(
        of: link, beneath: answer.rows[row], trail, row: row, asked: answer.plan, catalog)
      before += add(block, on: row + 1 + before, opened)
    }
  }

  /// - Returns: How many lines it takes.
  private mutating func add(
    _ block: Block, on line: Int, _ opened: [EntityTrail: Link]
  ) -> Int {
    let index = blocks.count
    blocks.append(block)
    blocks[index].firstLine = line
    guard opened.keys.contains(where: { $0.count > block.depth && $0.starts(with: block.trail) })
    else { return blocks[index].lineCount }
    for (place, entity) in block.entities.enumerated() {
      let trail = block.trail + [catalog.store.id(of: entity)]
      guard let link = opened[trail] else { continue }
      let inner = Block(of: link, beneath: entity, trail, place: place, in: block, catalog)
      let first = line + 2 + place + blocks[index].linesWithin
      let added = add(inner, on: first, opened)
      blocks[index].linesWithin += added
    }
    return blocks[index].lineCount
  }
}

extension ResultTable.Block {
  /// Beneath a row of the answer.
  fileprivate init(
    of link: Link, beneath row: EntityHandle, _ trail: EntityTrail, row number: Int,
    asked plan: QueryPlan, _ catalog: Catalog
  ) {
    self.init(
      of: [link], beneath: row, trail, row: number, place: nil, asked: plan, catalog)
  }

  /// Beneath an entity of another block.
  fileprivate init(
    of link: Link, beneath entity: EntityHandle, _ trail: EntityTrail, place: Int,
    in outer: ResultTable.Block, _ catalog: Catalog
  ) {
    self.init(
      of: outer.links + [link], beneath: entity, trail, row: outer.row, place: place,
      asked: outer.plan, catalog)
  }

  private init(
    of links: [Link], beneath parent: EntityHandle, _ trail: EntityTrail, row: Int, place: Int?,
    asked outer: QueryPlan, _ catalog: Catalog
  ) {
    let link = links[links.count - 1]
    var plan = outer.relation(link.label) ?? QueryPlan(link.target)
    plan.namespace = link.target
    let linked = Relations.entities(of: link, from: parent, asked: plan, in: catalog)
    let shown = Array(linked.prefix(Self.mostShown))
    var columns = TableColumn.all(of: plan, in: catalog)
    columns.removeAll { $0.source.leadsOnly(backAlong: link) && plan.relation($0.label) == nil }
    for index in columns.indices { columns[index].fit(shown, in: catalog) }
    if !columns.isEmpty {
      columns[0].widen(to: TextWidth.columns(of: Self.head(link, linked.count)))
    }
    self.init(
      trail: trail, row: row, place: place, parent: parent, links: links, plan: plan,
      entities: shown, total: linked.count, columns: columns)
  }

  private init(
    trail: EntityTrail, row: Int, place: Int?, parent: EntityHandle, links: [Link],
    plan: QueryPlan, entities: [EntityHandle], total: Int, columns: [TableColumn]
  ) {
    (self.trail, self.row, self.place, self.parent) = (trail, row, place, parent)
    (self.links, self.plan) = (links, plan)
    (self.entities, self.total, self.columns) = (entities, total, columns)
  }

  private static let mostShown = 100
}

extension TableColumn.Source {
  /// Whether this is the other end of `link` and leads to one entity: it would show the one that the
  /// relation lies beneath once more.
  fileprivate func leadsOnly(backAlong link: Link) -> Bool {
    guard case .link(let mine) = self, mine.cardinality == .one else { return false }
    return mine.attribute.id == link.attribute.id && mine.direction != link.direction
  }
}

extension [EntityHandle] {
  /// Where these stand, in order; those that are not here nowhere.
  ///
  /// - Complexity: O(count), in one pass for all of them; most rows are passed over by their numbers.
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
