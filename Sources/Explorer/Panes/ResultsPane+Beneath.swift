import InstaQL
import TerminalUI
import Triples

// Relations that are open in place: tables beneath entities, each with columns and a cursor of its own.
extension ResultsPane {
  /// The open relation that the cursor is in; nil on a row.
  var blockHere: ResultTable.Block? {
    guard let table, table.lineCount > 0 else { return nil }
    return table.block(ofLine: min(cursor.index, table.lineCount - 1)).map { table.blocks[$0] }
  }

  /// The columns of the rows, or of the open relation that the cursor is in.
  var columnsHere: [TableColumn] { blockHere?.columns ?? table?.columns ?? [] }

  /// The chosen one of them.
  var columnHere: Int {
    guard let block = blockHere else { return column }
    return chosenColumn(of: block)
  }

  func chosenColumn(of block: ResultTable.Block) -> Int {
    guard columnsBeneath.indices.contains(block.depth - 1) else { return 0 }
    return min(columnsBeneath[block.depth - 1], max(0, block.columns.count - 1))
  }

  /// Goes to a column, or to the nearest that there is.
  mutating func choose(column wanted: Int) {
    let place = max(0, min(columnsHere.count - 1, wanted))
    guard let depth = blockHere?.depth else {
      column = place
      return
    }
    while columnsBeneath.count < depth { columnsBeneath.append(0) }
    columnsBeneath[depth - 1] = place
  }

  /// Goes to the row that an open relation lies beneath.
  mutating func leaveBlocks(page: Int) {
    guard let table, let block = blockHere else { return }
    move(to: table.line(ofRow: block.row), page: page)
  }

  /// Opens the relation of the chosen column beneath the entity under the cursor; without a link in
  /// the column, the first one that leads anywhere, those that the query nests before all others.
  mutating func expand(page: Int) -> Outcome {
    guard form == .table else {
      return .nothing(because: .onlyTablesExpand)
    }
    guard let table, table.lineCount > 0 else {
      return .nothing(because: table?.grid == nil ? .noRowToExpand : .rowIsGroup)
    }
    guard let (entity, namespace) = table.entity(onLine: cursor.index) else {
      return .nothing(because: .selectNestedRow)
    }
    let asked = blockHere?.plan ?? table.answer.plan
    guard let link = chosenLink ?? Self.firstLink(of: entity, in: namespace, asked, table) else {
      return .nothing(
        because: table.catalog.snapshot.served == nil ? .nothingLinked : .selectLinkColumn)
    }
    let trail = table.trail(ofLine: cursor.index)
    if trail.count > Self.deepest {
      return .nothing(because: .tooDeep(limit: Self.deepest))
    }
    if opened[trail] != link { forget(beneath: trail) }
    show(opened: link, beneath: trail, page: page)
    return .done
  }

  /// The indent of so many relations in each other still leaves room for a row; a query that is typed
  /// may nest more.
  static let deepest = 16

  /// Closes the relation that is open beneath the entity under the cursor, or else the one that it
  /// stands in.
  mutating func fold(page: Int) -> Outcome {
    guard let table, table.lineCount > 0 else {
      return .nothing(because: .noRowToFold)
    }
    var trail = table.trail(ofLine: cursor.index)
    if opened[trail] == nil, trail.count > 1 { trail.removeLast() }
    guard opened[trail] != nil else {
      return .nothing(because: .nothingExpanded)
    }
    forget(beneath: trail)
    show(opened: nil, beneath: trail, page: page)
    return .done
  }

  /// Whatever is open beneath an entity is open no longer.
  private mutating func forget(beneath trail: EntityTrail) {
    opened = opened.filter { !$0.key.starts(with: trail) }
  }

  /// With the cursor on the entity.
  private mutating func show(opened link: Link?, beneath trail: EntityTrail, page: Int) {
    guard var table else { return }
    opened[trail] = link
    table.open(opened)
    content = .table(table)
    cursor.move(to: table.line(of: trail) ?? cursor.index, of: table.height, page: page)
    if link != nil, let block = table.block(ofLine: cursor.index + 1) {
      // What opens is seen, be it not all of it: the row stays where it is as far as it can.
      let last = min(table.blocks[block].lines.upperBound - 1, cursor.index + max(2, page / 2))
      cursor.reveal(through: last, of: table.height, page: page)
    }
    remember()
  }

  private static func firstLink(
    of entity: EntityHandle, in namespace: String, _ asked: QueryPlan, _ table: ResultTable
  ) -> Link? {
    let links = table.catalog.schema.links(of: namespace)
    let nested = links.filter { asked.relation($0.label) != nil }
    return (nested + links).first { !table.catalog.store.targets(entity, $0).isEmpty }
  }
}
