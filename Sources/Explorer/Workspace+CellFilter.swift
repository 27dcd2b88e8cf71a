import InstaQL
import Notebooks
import TerminalUI
import Triples
import Widgets

// Filters rows by the selected cell.
extension Workspace {
  /// Opens a menu of filters for the value at the cursor. The command `excludeCell` applies its
  /// filter without a menu.
  mutating func filterByCell(_ command: Command) -> [Effect] {
    guard var catalog = tab.results.table?.catalog, let (entity, _) = tab.results.chosenEntity,
      let column = tab.results.chosenColumn
    else {
      return notify(.noCellSelected)
    }
    // If the query includes the link, its targets were loaded with the rows.
    catalog.knowsLinks = planHere?.relation(column.label) != nil
    switch CellFilter.menu(column.source, of: entity, in: catalog) {
    case .failure(let reason): return notify(reason.notice)
    case .success(let filters):
      if command == .excludeCell {
        guard let filter = filters.first(where: { $0.isChosen(by: "!") }) else {
          return notify(.cannotExclude)
        }
        return changePlanHere { $0 = $0.filter(filter.condition) }
      }
      if let block = tab.results.relationAtCursor {
        open(menu(of: filters, column.label, in: block))
        return []
      }
      guard let plan = tab.queryHistory?.plan else { return [] }
      let line = filterLine(column, in: plan)
      let entries =
        filters.map { entry(of: $0, in: plan, catalog) }
        + [typingEntry(line, named: column)]
        + listEntries(column.source, of: entity, plan, in: catalog)
      var menu = MenuPane(
        "Filter by \(column.label)",
        entries + orEntry(filters, in: plan, heading: "Or \(column.label)"))
      // A user who types an operator at once, such as `like`, continues in the filter line.
      if !column.source.isLink {
        menu.typedLine = MenuPane.TypedLine(
          letters: Self.operatorLetters, purpose: .filter([]), field: line)
      }
      open(menu)
      return []
    }
  }

  /// Opens a menu of filters for a field of a record. Choosing one closes the record.
  ///
  /// If the record is not of the current query's namespace, the filter opens its own namespace.
  mutating func filterByField(_ target: EditTarget) -> [Effect] {
    guard let source = target.source else { return notify(.noCellSelected) }
    let pane = tab.overlays.last?.pane
    guard let catalog = pane.flatMap({ self.catalog(for: $0) }) ?? known,
      let entity = catalog.store.handle(of: target.entity)
    else { return notify(.entityGone) }
    switch CellFilter.menu(source, of: entity, in: catalog) {
    case .failure(let reason): return notify(reason.notice)
    case .success(let filters):
      let current = tab.queryHistory?.plan
      let plan = current?.namespace == target.namespace ? current : nil
      // Another value can only be typed into the current query.
      let entries = filters.filter { plan != nil || !$0.isTyped }.map {
        entry(of: $0, in: plan ?? QueryPlan(target.namespace), catalog, after: [.close])
      }
      open(MenuPane("Filter by \(source.label)", entries))
      return []
    }
  }

  /// The letters with which comparison operators begin.
  private static let operatorLetters = Set(
    WhereOperator.allCases.compactMap(\.spelling.first).filter(\.isLetter))

  /// Returns a menu entry that applies a filter.
  ///
  /// If the user types the value, the entry opens the filter line with the value selected.
  ///
  /// - Parameter first: The actions to perform before.
  private func entry(
    of filter: CellFilter, in plan: QueryPlan, _ catalog: Catalog, after first: [PaneAction] = []
  ) -> MenuPane.Entry {
    let action: PaneAction
    if filter.isTyped {
      var field = TextField(plan.conditionPrefix + filter.condition.text)
      field.select(from: field.cursor - filter.condition.operandLength)
      action = .compose(.filter([]), field)
    } else {
      action = .change(plan.filter(filter.condition))
    }
    return MenuPane.Entry(
      key: filter.key, otherKey: filter.otherKey,
      label: catalog.reading(filter.condition, of: plan.namespace, isTyped: false),
      detail: filter.isTyped ? "edit the value" : "", actions: first + [action])
  }

  /// Returns the filter line with the name of the column, after which the user types a comparison.
  private func filterLine(_ column: TableColumn, in plan: QueryPlan) -> TextField {
    TextField(plan.conditionPrefix + Self.text(of: column))
  }

  /// Returns a menu entry that opens the filter line with the name of the column.
  private func typingEntry(_ line: TextField, named column: TableColumn) -> MenuPane.Entry {
    MenuPane.Entry(
      key: "t", label: Self.text(of: column) + "…", detail: "type a comparison",
      actions: [.compose(.filter([]), line)])
  }

  /// Returns the name of a column as the beginning of a comparison.
  private static func text(of column: TableColumn) -> String {
    let path: AttributePath
    switch column.source {
    case .attribute(let attribute): path = AttributePath([attribute.label])
    case .computed(let computed): path = computed.computedPath
    case .link(let link): path = AttributePath([link.label])
    }
    return (path.expression ?? ValueExpression.path(path)).text + (column.source.isLink ? "." : " ")
  }

  /// Returns a menu of filters for an expanded relation. The chosen filter applies to this relation
  /// in all rows.
  private func menu(
    of filters: [CellFilter], _ label: String, in block: ResultTable.ExpandedRelation
  ) -> MenuPane {
    MenuPane(
      "Filter \(block.link.label) by \(label)",
      filters.compactMap { filter in
        guard var plan = tab.queryHistory?.plan else { return nil }
        plan.change(along: block) { $0 = $0.filter(filter.condition) }
        return MenuPane.Entry(
          key: filter.key, otherKey: filter.otherKey, label: filter.condition.text,
          actions: [.change(plan)])
      })
  }

  /// Returns a menu entry that opens filters joined to the current condition by `or`. Empty if the
  /// query has no condition.
  private func orEntry(
    _ filters: [CellFilter], in plan: QueryPlan, heading: String
  ) -> [MenuPane.Entry] {
    guard let before = plan.condition else { return [] }
    let entries = filters.map { filter in
      var either = plan
      either.condition = before.or(filter.condition)
      return MenuPane.Entry(
        key: filter.key, otherKey: filter.otherKey, label: "or \(filter.condition.text)",
        actions: [.change(either)])
    }
    return [
      MenuPane.Entry(
        key: "o", label: "or …", detail: "also include this value (OR)",
        actions: [.open(Overlay(MenuPane(heading, entries)))])
    ]
  }

  /// Returns menu entries that filter by several values: the values of the selected rows, or typed
  /// values.
  private func listEntries(
    _ source: ColumnSource, of entity: EntityHandle, _ plan: QueryPlan, in catalog: Catalog
  ) -> [MenuPane.Entry] {
    var entries: [MenuPane.Entry] = []
    let marked = markedEntities
    if let condition = CellFilter.list(source, of: marked, in: catalog) {
      entries.append(
        MenuPane.Entry(
          key: "m", label: condition.text, detail: "the values of the selected rows",
          actions: [.change(plan.filter(condition))]))
    }
    if let condition = CellFilter.list(source, of: [entity], in: catalog) {
      // The closing bracket is omitted, so that the user can type the next value.
      let text = condition.text.dropLast() + ", "
      entries.append(
        MenuPane.Entry(
          key: "i", label: text + "…", detail: "type more values",
          actions: [.compose(.filter([]), TextField(plan.conditionPrefix + text))]))
    }
    return entries
  }
}

extension ConditionNode {
  /// The number of characters after the comparison operator.
  fileprivate var operandLength: Int {
    let sign = QuerySpan.spans(of: text, isCondition: true).last { $0.kind == .comparison }
    guard let sign else { return 0 }
    let operand = String(decoding: text.utf8.dropFirst(sign.range.upperBound), as: UTF8.self)
    return operand.drop { $0 == " " }.count
  }
}

extension QueryPlan {
  /// The current condition and `and`, after which the user types a further condition. Empty without
  /// a condition.
  fileprivate var conditionPrefix: String {
    guard let condition else { return "" }
    if case .any = condition { return "(\(condition.text)) and " }
    return condition.text + " and "
  }
}
