import InstaQL
import Notebooks
import Triples

// Performs commands in the results. Many of them change the query.
extension Workspace {
  mutating func performInResults(_ command: Command) -> [Effect]? {
    let (rowAhead, page) = (tab.results.rowAhead, layout.resultRows)
    if tab.results.seek(command, page: page) { return [] }
    if let moved = tab.results.handle(command, page: page) {
      // While rows are still loading, the title shows the row that the cursor is moving to.
      return tab.results.rowAhead == rowAhead ? report(moved) : []
    }
    switch command {
    case .open: return openChosen()
    case .peek: return peek()
    case .expand:
      if tab.results.hasNestedValue { return openEntity() }
      return chooseRelation() ?? includeExpanded() ?? report(tab.results.expand(page: page))
    case .fold: return report(tab.results.fold(page: page))
    case .expandAll: return expandAll()
    case .hideColumn, .fitColumn, .freezeColumn, .moveColumnLeft, .moveColumnRight, .wider,
      .narrower:
      return arrange(command)
    case .mark: return toggleMark()
    case .order: return order(further: false)
    case .orderFurther: return order(further: true)
    case .group: return groupByColumn()
    case .aggregate: return aggregateColumn()
    case .filterByCell, .excludeCell: return filterByCell(command)
    default:
      if tab.results.table?.isSummary == true { return notify(.rowIsGroup) }
      return missingResultReason.map { notify($0) }
    }
  }

  /// Opens a menu of the relations that the row at the cursor can expand. Returns nil if there is no
  /// choice.
  private mutating func chooseRelation() -> [Effect]? {
    let links = tab.results.linksToChoose
    if links.isEmpty { return nil }
    openMenu("Expand", of: links) { .expand($0) }
    return []
  }

  /// Expands or collapses everything in the view. If neither the column nor the query determines the
  /// relation to expand, the user chooses one.
  private mutating func expandAll() -> [Effect] {
    let links = tab.results.linksToExpandInAllRows
    if links.count < 2 { return expandAll(links.first) }
    openMenu("Expand in all rows", of: links) { .expand($0, inAllRows: true) }
    return []
  }

  /// Expands a relation below all rows in view. Without one, expands the relations of the query, or
  /// collapses everything.
  mutating func expandAll(_ link: Link?) -> [Effect] {
    link.flatMap { includeInAllRows($0) }
      ?? report(tab.results.expandAll(link, page: layout.resultRows))
  }

  private mutating func openMenu(
    _ heading: String, of links: [Link], _ action: (Link) -> PaneAction
  ) {
    let entries = links.enumerated().map { place, link in
      MenuPane.Entry(
        key: MenuPane.Entry.key(ofPlace: place), label: link.label,
        detail: link.sign + link.target, actions: [action(link)])
    }
    open(MenuPane(heading, entries))
  }

  /// Opens what is at the cursor: the members of a group, the targets of a link, or the entity.
  private mutating func openChosen() -> [Effect] {
    if let members = tab.results.chosenMembers { return drillDown(members) }
    guard let catalog = tab.results.table?.catalog else { return notify(missingRowReason) }
    guard let (entity, _) = tab.results.chosenEntity else {
      guard let block = tab.results.relationAtCursor else { return notify(missingRowReason) }
      return drillDown(Relations.plan(of: block.link, from: block.parent, in: catalog))
    }
    // In a document, no column is selected.
    if !tab.results.isReading, let link = tab.results.chosenLink {
      if let key = tab.results.chosenDanglingReference {
        return notify(
          .brokenReference(to: link.target, key: key, canEdit: store.readOnlyReason == nil))
      }
      return drillDown(Relations.plan(of: link, from: entity, in: catalog))
    }
    if let plan = tab.results.inferredTargets, let column = tab.results.chosenColumn {
      let effects = drillDown(plan)
      notice = .inferredLink(column.label, to: plan.namespace)
      return effects
    }
    return openEntity()
  }

  /// Opens the record of the entity at the cursor, regardless of the column.
  mutating func openEntity() -> [Effect] {
    guard let row = tab.results.chosenRow else { return notify(missingRowReason) }
    let field = tab.results.chosenAttribute.map { ColumnSource.attribute($0) }
    open(EntityPane(row.id, in: row.namespace, at: field, called: row.label))
    return []
  }

  /// Shows or hides the record next to the results: of the selected link's target, or else of the
  /// row.
  ///
  /// The record follows the cursor. If there is no space for both, it opens above the results.
  private mutating func peek() -> [Effect] {
    if tab.results.chosenEntity != nil, togglePreview() { return [] }
    guard let row = tab.results.chosenRow else { return notify(missingRowReason) }
    guard let link = tab.results.chosenLink else {
      open(inferredTarget ?? EntityPane(row.id, in: row.namespace, called: row.label))
      return []
    }
    guard let targets = targets(of: row.id, link) else {
      return notify(.loadingLink(link.label))
    }
    let linked = targets.entities.map { targets.catalog.store.id(of: $0) }
    if linked.isEmpty {
      return notify(.linkNotSet(link.label, canEdit: store.readOnlyReason == nil))
    }
    open(
      linked.count == 1
        ? EntityPane(linked[0], in: link.target)
        : EntityPane(row.id, in: row.namespace, at: .link(link)))
    return []
  }

  /// Opens the facets pane and starts to count the values of the selected column.
  ///
  /// Links, computed columns and columns of expanded rows are counted by grouping the query.
  mutating func showFacets() -> [Effect] {
    if let reason = missingRowsReason { return notify(reason) }
    guard let table = tab.results.table, tab.results.relationAtCursor == nil,
      let attribute = tab.results.chosenAttribute
    else { return groupByColumn() }
    open(FacetsPane(attribute.label))
    return countValues(of: attribute, in: table)
  }

  /// The reason why the answer has no rows to sort or to count; nil if it has rows.
  private var missingRowsReason: Notice? {
    tab.results.table?.answer.count == nil ? nil : .countHasNoRows
  }

  /// Starts to count the values of an attribute in the current rows.
  mutating func countValues(of attribute: Attribute, in table: ResultTable) -> [Effect] {
    let dates = table.catalog.schema.attributes(of: table.answer.namespace)
      .first { $0.checkedType == .date }
    return requests.begin(.countValues(attribute, table.answer, along: dates), for: .values)
  }

  var facetsPane: FacetsPane? { tab.overlays.lazy.compactMap { $0.pane as? FacetsPane }.last }

  /// The count of values that is in progress, if no counts for its query are shown yet; otherwise
  /// nil.
  var counting: Counting? {
    guard case .countValues(let attribute, let answer, _)? = requests[.values]?.request,
      facetsPane?.counted != answer.plan
    else { return nil }
    return Counting(plan: answer.plan, label: attribute.label)
  }

  /// Cancels a count of values whose pane was closed.
  mutating func endCounting() -> [Effect] {
    requests.isPending(.values) && facetsPane == nil ? requests.cancel(.values) : []
  }

  /// Hides, moves, resizes or freezes the selected column. Of groups, only aggregates can be hidden:
  /// they are removed from the query.
  private mutating func arrange(_ command: Command) -> [Effect] {
    guard let table = tab.results.table, let column = tab.results.chosenColumn
    else { return notify(.noColumn) }
    if table.isSummary {
      return command == .hideColumn ? removeAggregate(column.label) : notify(.columnsOfGroups)
    }
    if let link = tab.results.relationAtCursor?.link { return notify(.columnsOfQuery(link.label)) }
    var settings = table.settings
    let width = tab.results.chosenWidth(within: resultColumns) ?? column.width
    switch command {
    case .hideColumn:
      guard table.columns.count > 1 else { return notify(.lastColumn) }
      settings.hidden.toggle(column.label)
      notice = .hid(column.label)
    case .fitColumn:
      settings.widths[column.label] =
        settings.widths[column.label] == nil
        ? table.fullWidth(of: column, lines: tab.results.linesInView(page: layout.resultRows)) : nil
      notice =
        settings.widths[column.label] == nil ? .unfitted(column.label) : .fitted(column.label)
    case .freezeColumn:
      settings.frozen.toggle(column.label)
      notice =
        settings.frozen.contains(column.label) ? .froze(column.label) : .unfroze(column.label)
    case .moveColumnLeft, .moveColumnRight:
      let isLeft = command == .moveColumnLeft
      settings.move(
        column.label, by: isLeft ? -1 : 1,
        among: TableColumn.onScreen(
          of: table.answer.plan, in: table.catalog, by: settings, moving: table.moved
        ).map(\.label))
      guard settings != table.settings else { return notify(isLeft ? .alreadyFirst : .alreadyLast) }
      notice = .movedColumn(column.label)
    case .wider: settings.widen(column.label, from: width, by: 1)
    case .narrower: settings.widen(column.label, from: width, by: -1)
    default: break
    }
    return arrange(settings)
  }

  /// Applies column settings. Undo restores the previous ones.
  mutating func arrange(_ settings: ColumnSettings) -> [Effect] {
    guard let namespace = shownNamespace else { return [] }
    let previous = session.columns[namespace] ?? ColumnSettings()
    tab.queryHistory?.record(previous, before: settings)
    return apply(settings)
  }

  /// Applies column settings, and saves them for the current namespace.
  mutating func apply(_ settings: ColumnSettings) -> [Effect] {
    guard let namespace = shownNamespace else { return [] }
    session.arrange(settings, of: namespace)
    tab.results.arrange(settings, page: layout.resultRows)
    refreshOverlays()
    return [.save(.columns(settings, namespace: namespace))]
  }

  /// Sorts by the selected column: first ascending, then descending, then not by this column. If
  /// this replaces a sort by several columns, a notice says so.
  ///
  /// - Parameter further: Whether to keep the other columns of the sort, and to begin with the
  ///   descending order. The order in which groups are created is replaced.
  private mutating func order(further: Bool) -> [Effect] {
    if let reason = missingRowsReason { return notify(reason) }
    guard let column = tab.results.chosenColumn, let catalog = tab.results.table?.catalog else {
      return notify(missingResultReason ?? .noColumnToSort)
    }
    guard let path = column.orderPath(in: catalog) else { return notify(.cannotSort(column.label)) }
    if !further, let keys = planHere?.order, keys.count > 1 {
      notice = .replacedSort(keys.map(\.text).joined(separator: ", "))
    }
    return changePlanHere { plan in
      guard further else { return plan.toggleOrder(path) }
      let keeps = !plan.isInOrderOfNewGroups || plan.orderKey(of: path) != nil
      plan.toggleOrder(path, beginning: .descending, asFurtherKey: keeps)
    }
  }

  /// The query of the expanded relation at the cursor, or else of the rows.
  var planHere: QueryPlan? { tab.results.relationAtCursor?.plan ?? tab.plan }

  /// Edits the query at the cursor. If the cursor is in a relation that the main query does not
  /// include, adds the relation to the query.
  mutating func changePlanHere(_ edit: (inout QueryPlan) -> Void) -> [Effect] {
    guard let block = tab.results.relationAtCursor else { return changeQuery(edit) }
    return changeQuery { $0.change(along: block, edit) }
  }
}

extension QueryPlan {
  /// Edits the nested query of an expanded relation, or adds it if the query does not include the
  /// relation.
  mutating func change(along block: ResultTable.ExpandedRelation, _ edit: (inout QueryPlan) -> Void)
  {
    change(along: block.links.map(\.label), edit)
  }
}
