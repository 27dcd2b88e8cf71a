import InstaQL
import TerminalUI
import Triples
import Widgets

// Expands relations: nested tables below entities, each with its own columns and selected column.
extension ResultsPane {
  /// The expanded relation whose line has the cursor; nil if the cursor is on a row.
  var relationAtCursor: ResultTable.ExpandedRelation? {
    guard let table, table.lineCount > 0 else { return nil }
    return table.block(ofLine: min(cursor.index, table.lineCount - 1)).map { table.blocks[$0] }
  }

  /// The columns of the expanded relation at the cursor, or else of the rows.
  var columnsHere: [TableColumn] { relationAtCursor?.columns ?? table?.columns ?? [] }

  /// The index of the selected column in `columnsHere`.
  var columnHere: Int {
    guard let block = relationAtCursor else { return column }
    return chosenColumn(of: block)
  }

  func chosenColumn(of block: ResultTable.ExpandedRelation) -> Int {
    guard columnsBeneath.indices.contains(block.depth - 1) else { return 0 }
    return min(columnsBeneath[block.depth - 1], max(0, block.columns.count - 1))
  }

  /// Selects a column of the rows or of the relation at the cursor, or the nearest column that
  /// exists.
  mutating func choose(column wanted: Int) {
    let place = max(0, min(columnsHere.count - 1, wanted))
    guard let depth = relationAtCursor?.depth else {
      column = place
      return
    }
    while columnsBeneath.count < depth { columnsBeneath.append(0) }
    columnsBeneath[depth - 1] = place
  }

  /// Moves the cursor from an expanded relation to the row that contains it.
  mutating func leaveBlocks(page: Int) {
    guard let table, let block = relationAtCursor else { return }
    move(to: table.line(ofRow: block.row), page: page)
  }

  /// Expands the relation of the selected link below the entity at the cursor.
  ///
  /// In a column without a link, it expands the first non-empty relation, preferably one that the
  /// query includes.
  mutating func expand(page: Int) -> InputResult {
    if isReading { return unfoldNode(page: page) }
    guard let table, table.lineCount > 0 else {
      return .noEffect(table?.grid == nil ? .noRowToExpand : .rowIsGroup)
    }
    guard let (entity, namespace) = table.entity(onLine: cursor.index) else {
      return .noEffect(.selectNestedRow)
    }
    let asked = relationAtCursor?.plan ?? table.answer.plan
    guard let link = chosenLink ?? Self.firstLink(of: entity, in: namespace, asked, table) else {
      return .noEffect(
        table.catalog.snapshot.served == nil ? .nothingLinked : .selectLinkColumn)
    }
    let trail = table.trail(ofLine: cursor.index)
    if trail.count > Self.deepest {
      return .noEffect(.tooDeep(limit: Self.deepest))
    }
    if opened[trail] != link { forget(beneath: trail) }
    show(opened: link, beneath: trail, page: page)
    return .done
  }

  /// The maximum depth to which a user can expand relations, so that space for columns remains.
  ///
  /// A typed query may nest relations more deeply.
  static let deepest = 16

  /// Collapses the relation below the entity at the cursor, or else the relation that contains the
  /// entity.
  mutating func fold(page: Int) -> InputResult {
    if isReading { return foldNode(page: page) }
    guard let table, table.lineCount > 0 else {
      return .noEffect(.noRowToFold)
    }
    var trail = table.trail(ofLine: cursor.index)
    if opened[trail] == nil, trail.count > 1 { trail.removeLast() }
    guard opened[trail] != nil else {
      return .noEffect(.nothingExpanded)
    }
    forget(beneath: trail)
    show(opened: nil, beneath: trail, page: page)
    return .done
  }

  /// Forgets the relation expanded below an entity and all relations nested within it.
  private mutating func forget(beneath trail: EntityPath) {
    opened = opened.filter { !$0.key.starts(with: trail) }
  }

  /// Expands or collapses the relation below an entity, and moves the cursor to the entity.
  private mutating func show(opened link: Link?, beneath trail: EntityPath, page: Int) {
    guard var table else { return }
    opened[trail] = link
    table.open(opened)
    content = .table(table)
    cursor.move(to: table.line(of: trail) ?? cursor.index, of: table.height, page: page)
    if link != nil, let block = table.block(ofLine: cursor.index + 1) {
      // As much as possible of the relation scrolls into view. The row only moves if necessary.
      let last = min(table.blocks[block].lines.upperBound - 1, cursor.index + max(2, page / 2))
      cursor.reveal(through: last, of: table.height, page: page)
    }
    remember()
  }

  static func firstLink(
    of entity: EntityHandle, in namespace: String, _ asked: QueryPlan, _ table: ResultTable
  ) -> Link? {
    let links = table.catalog.schema.links(of: namespace)
    let nested = links.filter { asked.relation($0.label) != nil }
    return (nested + links).first { !table.catalog.store.targets(entity, $0).isEmpty }
  }
}
