import InstaQL
import TerminalUI
import Triples

extension ResultTable {
  /// A relation expanded below an entity: the linked entities as a nested table.
  struct ExpandedRelation: Sendable {
    /// The path to the entity below which the relation is expanded.
    let trail: EntityPath
    /// The index of the answer's row that contains the relation, directly or within other
    /// relations.
    let row: Int
    let parent: EntityHandle
    /// The links from the row to the relation, one for each nesting level.
    let links: [Link]
    /// The query of the relation: the nested query of the main query, or else a query for all
    /// linked entities.
    let plan: QueryPlan
    let entities: [EntityHandle]
    /// The number of linked entities, including those that `entities` omits.
    let total: Int
    /// Whether there are further linked entities that a database did not read.
    let isCut: Bool
    fileprivate(set) var columns: [TableColumn]
    fileprivate let cells = CellTextCache()
    /// The lines of the relation in the table, including those of relations expanded within it.
    fileprivate(set) var lines = 0..<0

    var link: Link { links[links.count - 1] }

    /// The nesting level; 1 if the relation is expanded directly below a row of the answer.
    var depth: Int { links.count }

    /// The title above the first column: the relation and its number of entities, with the arrow for
    /// the sort direction of the column.
    var head: String {
      let sign = columns.first?.sign(in: plan.order) ?? ""
      return "╰ \(sign)\(link.label) \(NumberText.grouped(total))" + (isCut ? "+" : "")
    }

    /// Returns the rows drawn in columns that fit in `width`.
    func drawnRows(in slots: [ColumnLayout.Slot], width: Int) -> DrawnRows {
      cells.drawnRows(RowLook(slots, of: columns, width: width))
    }

    func rowCells(in catalog: Catalog) -> RowCells {
      RowCells(cache: cells, columns: columns, catalog: catalog)
    }
  }

  func cell(_ column: Int, ofChild index: Int, in block: ExpandedRelation) -> CellText {
    block.cells.cell(column, of: block.columns, block.entities[index], in: catalog)
  }

  /// A line of an expanded relation that shows no entity: the titles, or the number of entities that
  /// are not shown.
  struct RelationEdge: Sendable, Equatable {
    let link: Link
    let isMore: Bool
  }

  /// Returns whether a line shows column titles or a count; nil for a line with an entity.
  func edge(onLine line: Int) -> RelationEdge? {
    guard line < lineCount else { return nil }
    return switch self.line(line) {
    case .row, .child: nil
    case .childTitles(let block): RelationEdge(link: blocks[block].link, isMore: false)
    case .more(let block): RelationEdge(link: blocks[block].link, isMore: true)
    }
  }

  /// Returns the line with the titles or the count of a relation. Nil if that line does not exist.
  func line(of edge: RelationEdge, beneath trail: EntityPath) -> Int? {
    guard let block = blocks.first(where: { $0.trail == trail && $0.link == edge.link }) else {
      return nil
    }
    if !edge.isMore { return block.lines.lowerBound }
    return block.total > block.entities.count ? block.lines.upperBound - 1 : nil
  }

  /// Returns the index of the innermost expanded relation that contains a line. Nil if the line is
  /// a row of the answer.
  func block(ofLine line: Int) -> Int? { blocks.lastIndex { $0.lines.contains(line) } }

  /// Expands the relations in `opened` below each entity that is in the table.
  mutating func open(_ opened: ExpandedLinks) {
    (blocks, expandedRows) = ([], [])
    var wanted: [EntityHandle: (trail: EntityPath, links: [Link])] = [:]
    for (trail, links) in opened where trail.count == 1 {
      if let entity = catalog.store.handle(of: trail[0]) { wanted[entity] = (trail, links) }
    }
    let rows = answer.rows.places(of: Set(wanted.keys)).compactMap { row in
      wanted[answer.rows[row]].map { (row: row, trail: $0.trail, links: $0.links) }
    }
    for (row, trail, links) in rows {
      var expanded = ExpandedRow(row: row, firstLine: line(ofRow: row) + 1)
      for link in links {
        let block = ExpandedRelation(
          of: [link], beneath: answer.rows[row], trail, row: row, plan: answer.plan, catalog)
        add(block, to: &expanded, opened)
      }
      expandedRows.append(expanded)
    }
    fitBlocks()
  }

  /// Fits the columns of the expanded relations. All those along the same links have the same
  /// widths, and their numbers the same format.
  private mutating func fitBlocks() {
    let groups = Dictionary(grouping: blocks.indices) { blocks[$0].links }
    for places in groups.values {
      let first = blocks[places[0]]
      let entities = places.flatMap { blocks[$0].entities }
      let sample =
        catalog.store.rows(of: first.link.target).prefix(Self.firstMeasured)
        + entities.prefix(Self.maxSampled)
      var columns = first.columns
      for index in columns.indices {
        columns[index].begin(
          in: first.plan.order, sample: columns[index].numbers(of: sample, catalog))
        for entity in entities {
          columns[index].grow(for: columns[index].cell(of: entity, in: catalog))
        }
      }
      if !columns.isEmpty {
        columns[0].reserve(places.map { TextWidth.columns(of: blocks[$0].head) }.max() ?? 0)
      }
      for place in places { blocks[place].columns = columns }
    }
  }

  private static let maxSampled = 1_000

  /// Adds a relation and the relations expanded within it below a row of the answer.
  private mutating func add(
    _ block: ExpandedRelation, to row: inout ExpandedRow, _ opened: ExpandedLinks
  ) {
    let (index, start) = (blocks.count, row.lines.count)
    blocks.append(block)
    row.lines.append(.childTitles(block: index))
    let isOuter = opened.keys.contains { $0.count > block.depth && $0.starts(with: block.trail) }
    for (place, entity) in block.entities.enumerated() {
      row.lines.append(.child(block: index, index: place))
      guard isOuter else { continue }
      let trail = block.trail + [catalog.store.id(of: entity)]
      for link in opened[trail] ?? [] {
        let inner = ExpandedRelation(
          of: block.links + [link], beneath: entity, trail, row: block.row, plan: block.plan,
          catalog)
        add(inner, to: &row, opened)
      }
    }
    if block.total > block.entities.count { row.lines.append(.more(block: index)) }
    blocks[index].lines = row.firstLine + start..<row.firstLine + row.lines.count
  }
}

extension ResultTable.ExpandedRelation {
  /// Creates the relation along the last of `links`, below an entity of the relation before.
  ///
  /// - Parameter outer: The query of the parent.
  fileprivate init(
    of links: [Link], beneath parent: EntityHandle, _ trail: EntityPath, row: Int,
    plan outer: QueryPlan, _ catalog: Catalog
  ) {
    let link = links[links.count - 1]
    var plan = outer.relation(link.label) ?? QueryPlan(link.target)
    plan.namespace = link.target
    let linked = Relations.entities(of: link, from: parent, plan: plan, in: catalog)
    let shown = Array(linked.prefix(Self.maxShown))
    var columns = TableColumn.all(of: plan, in: catalog)
    columns.removeAll { $0.leadsOnly(backAlong: link) && plan.relation($0.label) == nil }
    (self.trail, self.row, self.parent) = (trail, row, parent)
    (self.links, self.plan) = (links, plan)
    (entities, total, self.columns) = (shown, linked.count, columns)
    isCut = catalog.isCut(link, after: linked.count)
  }

  private static let maxShown = 100
}

extension TableColumn {
  /// Returns whether the column is the to-one inverse of `link`. Such a column would show the same
  /// entity in every row: the one below which the relation is expanded.
  fileprivate func leadsOnly(backAlong link: Link) -> Bool {
    guard let mine = self.link, mine.cardinality == .one else { return false }
    return mine.attribute.id == link.attribute.id && mine.direction != link.direction
  }
}

extension [EntityHandle] {
  /// Returns the indexes of the wanted entities in this list, in ascending order. Entities that are
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
