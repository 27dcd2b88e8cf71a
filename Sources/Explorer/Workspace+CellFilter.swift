import InstaQL
import Notebooks
import TerminalUI
import Triples

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
        guard let filter = filters.first(where: { $0.key == "!" }) else {
          return notify(.cannotExclude)
        }
        return changePlanHere { $0 = $0.filter(filter.condition) }
      }
      if let block = tab.results.relationAtCursor {
        open(menu(of: filters, column.label, in: block))
        return []
      }
      guard let plan = tab.queryHistory?.plan else { return [] }
      let entries =
        filters.map { filter in
          MenuPane.Entry(
            key: filter.key,
            label: catalog.reading(filter.condition, of: plan.namespace, isTyped: false),
            actions: [.change(plan.filter(filter.condition))])
        } + listEntries(column.source, of: entity, plan, in: catalog)
      open(
        MenuPane(
          "Filter by \(column.label)",
          entries + orEntry(filters, in: plan, heading: "Or \(column.label)")))
      return []
    }
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
          key: filter.key, label: filter.condition.text, actions: [.change(plan)])
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
        key: filter.key, label: "or \(filter.condition.text)", actions: [.change(either)])
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
          key: "m", label: condition.text, detail: "of the selected rows",
          actions: [.change(plan.filter(condition))]))
    }
    if let condition = CellFilter.list(source, of: [entity], in: catalog) {
      // The closing bracket is omitted, so that the user can type the next value.
      let text = condition.text.dropLast() + ", "
      entries.append(
        MenuPane.Entry(
          key: "i", label: text + "…", detail: "type more values",
          actions: [.compose(.filter([]), plan.conditionPrefix + text)]))
    }
    return entries
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
