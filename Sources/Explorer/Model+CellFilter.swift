import InstaQL
import Notebooks
import TerminalUI
import Triples

// Filtering by the chosen cell.
extension Model {
  /// Offers the ways to filter by the chosen cell; `excludeCell` takes one of them at once.
  mutating func filterByCell(_ intent: Intent) -> [Effect] {
    guard var catalog = tab.results.table?.catalog, let (entity, _) = tab.results.chosenEntity,
      let column = tab.results.chosenColumn
    else {
      return complain(.noCellSelected)
    }
    // What the query asks for came with the rows.
    catalog.knowsLinks = planHere?.relation(column.label) != nil
    switch CellFilter.menu(column.source, of: entity, in: catalog) {
    case .failure(let reason): return complain(reason.notice)
    case .success(let filters):
      if intent == .excludeCell {
        guard let filter = filters.first(where: { $0.key == "!" }) else {
          return complain(.cannotExclude)
        }
        return changePlanHere { $0 = $0.filter(filter.condition) }
      }
      if let block = tab.results.blockHere {
        open(menu(of: filters, column.label, in: block))
        return []
      }
      guard let plan = tab.composer?.plan else { return [] }
      let entries =
        filters.map { filter in
          MenuPane.Entry(
            key: filter.key, label: catalog.reading(filter.condition, of: plan.namespace),
            wishes: [.change(plan.filter(filter.condition))])
        } + listEntries(column.source, of: entity, plan, in: catalog)
      open(
        MenuPane(
          "Filter by \(column.label)",
          entries + orEntry(filters, in: plan, heading: "Or \(column.label)")))
      return []
    }
  }

  /// The ways to filter what an open relation shows, beneath every row.
  private func menu(
    of filters: [CellFilter], _ label: String, in block: ResultTable.Block
  ) -> MenuPane {
    MenuPane(
      "Filter \(block.link.label) by \(label)",
      filters.compactMap { filter in
        guard var plan = tab.composer?.plan else { return nil }
        plan.change(along: block) { $0 = $0.filter(filter.condition) }
        return MenuPane.Entry(
          key: filter.key, label: filter.condition.text, wishes: [.change(plan)])
      })
  }

  /// Where there is a filter already: the same ways once more, to take in what fits either.
  private func orEntry(
    _ filters: [CellFilter], in plan: QueryPlan, heading: String
  ) -> [MenuPane.Entry] {
    guard let before = plan.condition else { return [] }
    let entries = filters.map { filter in
      var either = plan
      either.condition = before.or(filter.condition)
      return MenuPane.Entry(
        key: filter.key, label: "or \(filter.condition.text)", wishes: [.change(either)])
    }
    return [
      MenuPane.Entry(
        key: "o", label: "or …", detail: "take in what fits either",
        wishes: [.open(Overlay(MenuPane(heading, entries)))])
    ]
  }

  /// The ways to filter by several values: those of the marked rows, or typed ones.
  private func listEntries(
    _ source: TableColumn.Source, of entity: EntityHandle, _ plan: QueryPlan, in catalog: Catalog
  ) -> [MenuPane.Entry] {
    var entries: [MenuPane.Entry] = []
    let marked = markedEntities
    if let condition = CellFilter.list(source, of: marked, in: catalog) {
      entries.append(
        MenuPane.Entry(
          key: "m", label: condition.text, detail: "of the marked rows",
          wishes: [.change(plan.filter(condition))]))
    }
    if let condition = CellFilter.list(source, of: [entity], in: catalog) {
      // Without the bracket at its end, so that typing goes on with the next value.
      let text = condition.text.dropLast() + ", "
      entries.append(
        MenuPane.Entry(
          key: "i", label: text + "…", detail: "type more values",
          wishes: [.compose(.filter([]), plan.conditionPrefix + text)]))
    }
    return entries
  }
}

extension QueryPlan {
  /// What stands before a further condition when the filter is typed.
  fileprivate var conditionPrefix: String {
    guard let condition else { return "" }
    if case .any = condition { return "(\(condition.text)) and " }
    return condition.text + " and "
  }
}
