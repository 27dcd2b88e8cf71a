import InstaQL
import Notebooks
import TerminalUI
import Triples

// What the keys of the results pane do to the query.
extension Model {
  mutating func performInResults(_ intent: Intent) -> [Effect]? {
    let rowAhead = tab.results.rowAhead
    if tab.results.wish(intent, page: layout.resultRows) { return [] }
    if let moved = tab.results.handle(intent, page: layout.resultRows) {
      // The title tells where one is on the way to.
      return tab.results.rowAhead == rowAhead ? say(moved) : []
    }
    switch intent {
    case .open: return openChosen()
    case .peek: return peek()
    case .expand: return nestChosen() ?? say(tab.results.expand(page: layout.resultRows))
    case .fold: return say(tab.results.fold(page: layout.resultRows))
    case .hideColumn, .fitColumn, .freezeColumn, .wider, .narrower: return arrange(intent)
    case .mark: return toggleMark()
    case .order: return order(further: false)
    case .orderFurther: return order(further: true)
    case .filterByCell, .excludeCell: return filterByCell(intent)
    default:
      if tab.results.table?.grid != nil { return complain(.rowIsGroup) }
      return whyNoAnswer.map { complain($0) }
    }
  }

  mutating func complain(_ reason: Notice) -> [Effect] {
    notice = reason
    return []
  }

  /// Goes into what the cursor is on: all that a link leads to, or else the entity.
  private mutating func openChosen() -> [Effect] {
    if let members = tab.results.chosenMembers { return goIn(members) }
    guard let catalog = tab.results.table?.catalog else {
      return complain(whyNoRow)
    }
    guard let (entity, _) = tab.results.chosenEntity else {
      guard let block = tab.results.blockHere else {
        return complain(whyNoRow)
      }
      return goIn(Relations.plan(of: block.link, from: block.parent, in: catalog))
    }
    if let link = tab.results.chosenLink {
      if let key = tab.results.chosenDeadKey {
        return complain(
          .brokenReference(to: link.target, key: key, canEdit: whyReadOnly == nil))
      }
      return goIn(Relations.plan(of: link, from: entity, in: catalog))
    }
    return openEntity()
  }

  /// Shows all that the thing in the row under the cursor has, whatever the cell.
  mutating func openEntity() -> [Effect] {
    guard let catalog = tab.results.table?.catalog,
      let (entity, namespace) = tab.results.chosenEntity
    else {
      return complain(whyNoRow)
    }
    open(
      EntityPane(
        catalog.store.id(of: entity), in: namespace,
        called: catalog.label(of: entity, in: namespace)))
    return []
  }

  /// Shows what the chosen link leads to beside the rows: the entity, or where they are several the row
  /// with all of them.
  private mutating func peek() -> [Effect] {
    guard let catalog = tab.results.table?.catalog,
      let (entity, namespace) = tab.results.chosenEntity
    else {
      return complain(whyNoRow)
    }
    let row = catalog.store.id(of: entity)
    guard let link = tab.results.chosenLink else {
      open(EntityPane(row, in: namespace, called: catalog.label(of: entity, in: namespace)))
      return []
    }
    guard let (targets, there) = targets(of: row, link) else {
      return complain(.loadingLink(link.label))
    }
    let linked = targets.map { there.store.id(of: $0) }
    if linked.isEmpty {
      return complain(.linkNotSet(link.label, canEdit: whyReadOnly == nil))
    }
    open(
      linked.count == 1
        ? EntityPane(linked[0], in: link.target) : EntityPane(row, in: namespace, at: link))
    return []
  }

  /// Has the values of the chosen column counted, and shows them when they are.
  mutating func showFacets() -> [Effect] {
    if let reason = whyNoRowsOfCount { return complain(reason) }
    guard let table = tab.results.table,
      case .attribute(let attribute)? = tab.results.chosenColumn?.source
    else {
      return complain(whyNoAnswer ?? .selectValueColumn)
    }
    if let link = tab.results.blockHere?.link {
      return complain(.onlyQueryColumnsCount(link.label))
    }
    open(FacetsPane(attribute.label))
    return countValues(of: attribute, in: table, isUpdate: false)
  }

  /// Why there is nothing to order, or to count the values of.
  private var whyNoRowsOfCount: Notice? {
    tab.results.table?.answer.count == nil ? nil : .countHasNoRows
  }

  /// Has the values of an attribute counted in the rows that are shown.
  ///
  /// - Parameter isUpdate: Whether values of the same query are in sight already.
  mutating func countValues(
    of attribute: Attribute, in table: ResultTable, isUpdate: Bool
  ) -> [Effect] {
    let dates = table.catalog.schema.attributes(of: table.answer.namespace)
      .first { $0.checkedType == .date }
    let counting = Counting(plan: table.answer.plan, label: attribute.label)
    return requests.begin(
      .countValues(attribute, table.answer, along: dates),
      for: .countValues(counting, isUpdate: isUpdate))
  }

  /// The values that are being counted for the first time.
  var counting: Counting? {
    guard case .countValues(let counting, isUpdate: false)? = requests.purpose(of: .values) else {
      return nil
    }
    return counting
  }

  /// Ends the counting of values that nobody looks at any more.
  mutating func endCounting() -> [Effect] {
    guard requests.isPending(.values), !tab.overlays.contains(where: { $0.pane is FacetsPane })
    else { return [] }
    return requests.cancel(.values)
  }

  /// What one key does to the chosen column.
  private mutating func arrange(_ intent: Intent) -> [Effect] {
    guard let table = tab.results.table, let column = tab.results.chosenColumn else {
      return complain(.noColumn)
    }
    if let link = tab.results.blockHere?.link {
      return complain(.columnsOfQuery(link.label))
    }
    var settings = table.settings
    switch intent {
    case .hideColumn:
      guard table.columns.count > 1 else {
        return complain(.lastColumn)
      }
      settings.toggleHidden(column.label)
      notice = .hid(column.label)
    case .fitColumn:
      settings.widths[column.label] =
        settings.widths[column.label] == nil
        ? table.fullWidth(of: column, lines: tab.results.linesInView(page: layout.resultRows)) : nil
      notice =
        settings.widths[column.label] == nil ? .unfitted(column.label) : .fitted(column.label)
    case .freezeColumn:
      settings.toggleFrozen(column.label)
      notice =
        settings.frozen.contains(column.label) ? .froze(column.label) : .unfroze(column.label)
    case .wider: settings.widen(column.label, from: column.width, by: 1)
    case .narrower: settings.widen(column.label, from: column.width, by: -1)
    default: break
    }
    return arrange(settings)
  }

  /// Shows the columns in another way and remembers it for the namespace.
  mutating func arrange(_ settings: ColumnSettings) -> [Effect] {
    guard let namespace = shownNamespace else { return [] }
    columns[namespace] = settings
    tab.results.arrange(settings, page: layout.resultRows)
    refreshOverlays()
    return [.save(.columns(settings, namespace: namespace))]
  }

  /// Orders by the chosen column: ascending, then descending, then not.
  private mutating func order(further: Bool) -> [Effect] {
    if let reason = whyNoRowsOfCount { return complain(reason) }
    if let path = tab.results.chosenSummaryColumn {
      return changeQuery { $0.toggleOrder(path, asFurtherKey: further) }
    }
    guard let column = tab.results.chosenColumn, let catalog = tab.results.table?.catalog else {
      return complain(whyNoAnswer ?? .noColumnToSort)
    }
    guard let path = column.orderPath(in: catalog) else {
      return complain(.cannotSort(column.label))
    }
    return changePlanHere { $0.toggleOrder(path, asFurtherKey: further) }
  }

  /// What is asked of the rows, or of the open relation that the cursor is in.
  var planHere: QueryPlan? { tab.results.blockHere?.plan ?? tab.composer?.plan }

  /// Changes that; a relation becomes a part of the query by it.
  mutating func changePlanHere(_ edit: (inout QueryPlan) -> Void) -> [Effect] {
    guard let block = tab.results.blockHere else { return changeQuery(edit) }
    return changeQuery { $0.change(along: block, edit) }
  }
}

extension QueryPlan {
  /// Changes what is asked of an open relation, and follows it where the query did not yet.
  mutating func change(along block: ResultTable.Block, _ edit: (inout QueryPlan) -> Void) {
    let path = block.links.map(\.label)
    var nested = self[along: path] ?? QueryPlan(block.link.label)
    edit(&nested)
    for depth in 1..<path.count where self[along: Array(path.prefix(depth))] == nil {
      self[along: Array(path.prefix(depth))] = QueryPlan(path[depth - 1])
    }
    self[along: path] = nested
  }
}
