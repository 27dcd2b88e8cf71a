import InstaQL
import Triples
import Widgets

// Collapses and expands documents and their nested values, and all relations of a table.
extension ResultsPane {
  /// Expands the document or nested value at the cursor, or collapses it or the value that contains
  /// its line.
  mutating func setFold(isCollapsed: Bool, page: Int) -> InputResult {
    guard let (entity, line) = lineInDocument else {
      return .noEffect(isCollapsed ? .noRowToFold : .noRowToExpand)
    }
    var new = folds[entity]
    guard let node = new.fold(line.node, within: line.parent, isCollapsed: isCollapsed) else {
      let notice: Notice = isCollapsed ? .alreadyFolded : .alreadyExpanded
      return .noEffect(line.node == nil ? .nothingNested : notice)
    }
    changeFolds(page: page, anchor: [node]) { $0[entity] = new }
    return .done
  }

  /// Expands everything in all rows if anything is collapsed; otherwise collapses all nested values.
  private mutating func foldAllNodes(page: Int) -> InputResult {
    guard let (_, line) = lineInDocument else { return .noEffect(.noRowToExpand) }
    let isCollapsing = !folds.hidesSome
    let inner = line.node ?? line.parent ?? []
    // The cursor stays at its value, or goes to the innermost visible value that contains it.
    let anchor = (0...inner.count).reversed().map { Array(inner[..<$0]) }
    changeFolds(page: page, anchor: anchor, leaf: line) { $0.setAll(isCollapsed: isCollapsing) }
    return .done
  }

  /// Expands all values of the selected document, for example because one contains a match.
  mutating func unfoldDocument(page: Int) {
    guard let (entity, _) = lineInDocument, folds[entity].hidesSome, let table else { return }
    var new = NodeFolds(isCollapsed: folds[entity].isCollapsed)
    if new.isCollapsed {
      let row = table.row(ofLine: cursor.index)
      let lines = table.document(row, as: form, folds: NodeFolds())
      let nodes = lines.compactMap(\.node).filter { !$0.isEmpty }
      new = NodeFolds(isCollapsed: true, except: Set(nodes))
    }
    changeFolds(page: page, anchor: []) { $0[entity] = new }
  }

  /// The entity and the line of a document at the cursor; nil if no documents are shown.
  private var lineInDocument: (entity: EntityID, line: DocumentLines.Line)? {
    let lines = selectedDocument
    guard let table, lines.indices.contains(reading.line) else { return nil }
    let entity = table.answer.rows[table.row(ofLine: cursor.index)]
    return (table.catalog.store.id(of: entity), lines[reading.line])
  }

  /// Changes which values are collapsed, and keeps the cursor on a visible line.
  ///
  /// The cursor goes to the line `leaf`, or else to the first visible value of `anchor`.
  private mutating func changeFolds(
    page: Int, anchor: [NodePath], leaf: DocumentLines.Line? = nil,
    _ change: (inout DocumentFolds) -> Void
  ) {
    let before = reading.line
    change(&folds)
    readDocument()
    let lines = selectedDocument
    var line = leaf.flatMap { leaf in
      leaf.node == nil ? lines.firstIndex { $0 == leaf } : nil
    }
    for node in anchor where line == nil { line = lines.firstIndex { $0.node == node } }
    showLine(line ?? min(before, max(0, lines.count - 1)), movedFrom: before, page: page)
  }

  /// Expands or collapses everything in the view. In documents, these are all nested values; in a
  /// table, these are the relations of the visible rows that the query includes, or else the
  /// selected relation.
  ///
  /// - Parameter link: The relation to expand; nil for those described above.
  mutating func expandAll(_ link: Link? = nil, page: Int) -> InputResult {
    if isReading { return foldAllNodes(page: page) }
    guard let table, table.lineCount > 0 else {
      return .noEffect(table?.isSummary == true ? .rowIsGroup : .noRowToExpand)
    }
    if table.blocks.isEmpty {
      let (before, plan) = (opened, table.answer.plan)
      if let link = link ?? chosenLink,
        plan.relation(link.label) == nil || plan.relationPaths.isEmpty
      {
        expand(link, in: table, page: page)
      } else {
        expand(plan.relationPaths, page: page)
      }
      if opened == before { return .noEffect(.nothingLinked) }
    } else {
      leaveBlocks(page: page)
      opened = [:]
    }
    reopen(at: table.trail(ofLine: cursor.index), page: page)
    return .done
  }

  /// The relations that the user can expand below all rows: that of the selected column, or else all
  /// if the query includes none. Empty if relations are expanded.
  var linksToExpandInAllRows: [Link] {
    guard !isReading, let table, table.lineCount > 0, table.blocks.isEmpty else { return [] }
    let plan = table.answer.plan
    if let chosenLink { return [chosenLink].filter { plan.relation($0.label) == nil } }
    return plan.relationPaths.isEmpty ? table.catalog.schema.links(of: plan.namespace) : []
  }

  /// Marks a relation as expanded below all visible rows that have linked entities.
  private mutating func expand(_ link: Link, in table: ResultTable, page: Int) {
    for line in linesInView(page: page).prefix(while: { $0 < table.lineCount }) {
      guard let (entity, _) = table.entity(onLine: line),
        table.catalog.targets(of: entity, link)?.entities.isEmpty != true
      else { continue }
      opened[[table.catalog.store.id(of: entity)]] = [link]
    }
  }
}
