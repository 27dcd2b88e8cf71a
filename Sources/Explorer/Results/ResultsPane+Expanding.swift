import InstaQL
import Triples
import Widgets

// Expands relations: nested tables below entities, each with its own columns and selected column.
extension ResultsPane {
  /// The expanded relation whose line has the cursor; nil if the cursor is on a row.
  var relationAtCursor: ResultTable.ExpandedRelation? {
    guard let table, table.lineCount > 0 else { return nil }
    return table.block(ofLine: min(cursor.index, table.lineCount - 1)).map { table.blocks[$0] }
  }

  /// The selected column of the rows.
  var column: Int {
    get { chosenColumns[0] }
    set { chosenColumns[0] = newValue }
  }

  /// The columns of the expanded relation at the cursor, or else of the rows.
  var columnsHere: [TableColumn] { relationAtCursor?.columns ?? table?.columns ?? [] }

  /// The index of the selected column in `columnsHere`.
  var columnHere: Int {
    guard let block = relationAtCursor else { return column }
    return chosenColumn(of: block)
  }

  func chosenColumn(of block: ResultTable.ExpandedRelation) -> Int {
    guard chosenColumns.indices.contains(block.depth) else { return 0 }
    return min(chosenColumns[block.depth], max(0, block.columns.count - 1))
  }

  /// Selects a column of the rows or of the relation at the cursor, or the nearest column that
  /// exists.
  mutating func choose(column wanted: Int) {
    let depth = relationAtCursor?.depth ?? 0
    while chosenColumns.count <= depth { chosenColumns.append(0) }
    chosenColumns[depth] = max(0, min(columnsHere.count - 1, wanted))
  }

  /// Selects the column with this label of the relation at the cursor. Returns false if the cursor
  /// is on a row, or if there is no such column.
  mutating func chooseNested(columnOf label: String) -> Bool {
    guard let place = relationAtCursor?.columns.firstIndex(where: { $0.label == label }) else {
      return false
    }
    choose(column: place)
    return true
  }

  /// Moves the cursor from an expanded relation to the row that contains it.
  mutating func leaveBlocks(page: Int) {
    guard let table, let block = relationAtCursor else { return }
    move(to: table.line(ofRow: block.row), page: page)
  }

  /// Expands the relation of the selected link below the entity at the cursor.
  ///
  /// In a column without a link, it expands the non-empty relations that the query includes. If
  /// there are none, it expands the first non-empty relation.
  ///
  /// - Parameter link: The relation to expand; nil for those described above.
  mutating func expand(_ link: Link? = nil, page: Int) -> InputResult {
    if isReading { return setFold(isCollapsed: false, page: page) }
    guard let table, table.lineCount > 0 else {
      return .noEffect(table?.isSummary == true ? .rowIsGroup : .noRowToExpand)
    }
    guard let (entity, namespace) = table.entity(onLine: cursor.index) else {
      return .noEffect(.selectNestedRow)
    }
    let asked = relationAtCursor?.plan ?? table.answer.plan
    let links =
      (link ?? chosenLink).map { [$0] } ?? Self.usualLinks(of: entity, in: namespace, asked, table)
    guard !links.isEmpty else { return .noEffect(.nothingLinked) }
    let trail = table.trail(ofLine: cursor.index)
    if trail.count > Self.maxDepth { return .noEffect(.tooDeep(limit: Self.maxDepth)) }
    let before = opened[trail] ?? []
    let new = links.filter { !before.contains($0) }
    if new.isEmpty { return .noEffect(.alreadyExpanded) }
    show(before + new, beneath: trail, page: page)
    return .done
  }

  /// Marks a relation of the selected entity as expanded. It appears when an answer contains it.
  mutating func markExpanded(_ link: Link) {
    guard let table, table.lineCount > 0 else { return }
    let trail = table.trail(ofLine: cursor.index)
    if opened[trail]?.contains(link) != true { opened[trail, default: []].append(link) }
  }

  /// The maximum depth to which a user can expand relations, so that space for columns remains.
  ///
  /// A typed query may nest relations more deeply.
  static let maxDepth = 16

  /// Collapses the relations below the entity at the cursor, or else the one that contains the
  /// cursor's line.
  mutating func fold(page: Int) -> InputResult {
    if isReading { return setFold(isCollapsed: true, page: page) }
    guard let table, table.lineCount > 0 else {
      return .noEffect(table?.isSummary == true ? .rowIsGroup : .noRowToFold)
    }
    let trail = table.trail(ofLine: cursor.index)
    if table.edge(onLine: cursor.index) == nil, opened[trail] != nil {
      forget(beneath: trail)
      show([], beneath: trail, page: page)
    } else if let block = relationAtCursor {
      let others = (opened[block.trail] ?? []).filter { $0 != block.link }
      if others.isEmpty { forget(beneath: block.trail) }
      show(others, beneath: block.trail, page: page)
    } else {
      return .noEffect(.nothingExpanded)
    }
    return .done
  }

  /// Forgets the relations expanded below an entity and all relations nested within them.
  private mutating func forget(beneath trail: EntityPath) {
    opened = opened.filter { !$0.key.starts(with: trail) }
  }

  /// Sets the relations expanded below an entity, and moves the cursor to the entity.
  private mutating func show(_ links: [Link], beneath trail: EntityPath, page: Int) {
    opened[trail] = links.isEmpty ? nil : links
    reopen(at: trail, page: page)
    if !links.isEmpty, let table, let block = table.block(ofLine: cursor.index + 1) {
      // As much as possible of the relation scrolls into view. The row only moves if necessary.
      let last = min(table.blocks[block].lines.upperBound - 1, cursor.index + max(2, page / 2))
      cursor.reveal(through: last, of: table.height, page: page)
    }
  }

  /// Shows the expanded relations, with the cursor on an entity.
  mutating func reopen(at trail: EntityPath, page: Int) {
    reopen()
    guard let table else { return }
    cursor.move(to: table.line(of: trail) ?? cursor.index, of: table.height, page: page)
    remember()
  }

  /// Shows the expanded relations. The columns are measured again, since other rows are on the same
  /// lines then.
  mutating func reopen() {
    guard var table else { return }
    table.open(form == .table ? opened : [:])
    content = .table(table)
    measured = Measured()
  }

  /// Returns the non-empty relations of an entity that the query includes; if there are none, the
  /// first non-empty relation.
  static func usualLinks(
    of entity: EntityHandle, in namespace: String, _ asked: QueryPlan, _ table: ResultTable
  ) -> [Link] {
    let links = setLinks(of: entity, in: namespace, asked, table)
    let nested = links.filter { asked.relation($0.label) != nil }
    return nested.isEmpty ? Array(links.prefix(1)) : nested
  }

  /// Returns the links of an entity that have targets, or whose targets are not loaded yet.
  private static func setLinks(
    of entity: EntityHandle, in namespace: String, _ asked: QueryPlan, _ table: ResultTable
  ) -> [Link] {
    table.catalog.schema.links(of: namespace).filter { link in
      asked.relation(link.label) == nil
        ? table.catalog.targets(of: entity, link)?.entities.isEmpty != true
        : !table.catalog.store.targets(entity, link).isEmpty
    }
  }

  /// The relations below the row at the cursor that the user can expand. Empty if the selected
  /// column or the query determines the relation.
  var linksToChoose: [Link] {
    guard !isReading, chosenLink == nil, let table, table.lineCount > 0,
      let (entity, namespace) = table.entity(onLine: cursor.index)
    else { return [] }
    let asked = relationAtCursor?.plan ?? table.answer.plan
    let links = Self.setLinks(of: entity, in: namespace, asked, table)
    if links.count < 2 { return [] }
    let expanded = opened[table.trail(ofLine: cursor.index)] ?? []
    let rest = links.filter { !expanded.contains($0) }
    return rest.contains { asked.relation($0.label) != nil } ? [] : rest
  }

  /// The relation that `expand` expands below the row at the cursor, if the query does not include
  /// it; otherwise nil.
  var linkToInclude: Link? {
    guard let table, let (entity, namespace) = chosenEntity else { return nil }
    let asked = relationAtCursor?.plan ?? table.answer.plan
    let link = chosenLink ?? Self.usualLinks(of: entity, in: namespace, asked, table).first
    return link.flatMap { asked.relation($0.label) == nil ? $0 : nil }
  }

  // MARK: Relations of the query

  /// Whether the table shows relations that the query does not include. Other forms omit them.
  var expandsOtherRelations: Bool {
    guard form == .table, let table else { return false }
    let included = table.answer.plan.relationPaths
    return table.blocks.contains { !included.contains($0.links.map(\.label)) }
  }

  /// Expands the relations that the user just included below the visible rows.
  mutating func unfoldIncluded(page: Int) {
    guard !unfolding.isEmpty else { return }
    expand(unfolding, page: page)
    unfolding = []
    guard form == .table else { return }
    reopen()
    follow(page: page)
  }

  /// Forgets expanded relations that the query no longer includes.
  mutating func collapse(_ paths: Set<[String]>) {
    guard !paths.isEmpty else { return }
    for (trail, links) in opened {
      let kept = links.filter { link in
        !paths.contains { $0.count == trail.count && $0.last == link.label }
      }
      opened[trail] = kept.isEmpty ? nil : kept
    }
  }

  /// Marks relations of the query as expanded below the visible rows.
  ///
  /// - Parameter paths: The relations, each as the labels of the links from the rows.
  mutating func expand(_ paths: Set<[String]>, page: Int) {
    guard let table else { return }
    for line in linesInView(page: page).prefix(while: { $0 < table.lineCount })
    where table.block(ofLine: line) == nil {
      guard let (entity, _) = table.entity(onLine: line) else { continue }
      expand(
        paths, after: [], below: entity, [table.catalog.store.id(of: entity)],
        plan: table.answer.plan, in: table.catalog)
    }
  }

  /// The recursion is as deep as the relations of the query, whose depth is limited.
  private mutating func expand(
    _ paths: Set<[String]>, after labels: [String], below entity: EntityHandle,
    _ trail: EntityPath, plan: QueryPlan, in catalog: Catalog
  ) {
    for relation in plan.relations where !relation.plan.isCount {
      let path = labels + [relation.label]
      guard paths.contains(where: { $0.starts(with: path) }),
        let link = catalog.schema.link(plan.namespace, relation.label)
      else { continue }
      let targets = Relations.entities(of: link, from: entity, plan: relation.plan, in: catalog)
      if targets.isEmpty { continue }
      if paths.contains(path), opened[trail]?.contains(link) != true {
        opened[trail, default: []].append(link)
      }
      guard trail.count < Self.maxDepth, !relation.plan.relations.isEmpty else { continue }
      var inner = relation.plan
      inner.namespace = link.target
      for target in targets.prefix(Self.maxUnfolded) {
        expand(
          paths, after: path, below: target, trail + [catalog.store.id(of: target)],
          plan: inner, in: catalog)
      }
    }
  }

  /// The maximum number of nested rows below which further relations are expanded at once.
  private static let maxUnfolded = 20
}
