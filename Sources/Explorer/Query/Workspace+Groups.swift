import InstaQL
import Triples
import Widgets

// Groups and aggregates rows by the selected column.
extension Workspace {
  /// Counts the rows for each value of the selected column, the most frequent value first. A column
  /// of rows expanded through links to one row is grouped by its path. For aggregates of all rows, the
  /// user types the column.
  mutating func groupByColumn() -> [Effect] {
    if tab.results.table?.isSummary == true {
      guard let plan = tab.plan, plan.groups.isEmpty, !plan.aggregates.isEmpty else {
        return notify(.rowIsGroup)
      }
      prompt = PromptPane(.query, Self.addingGroups(to: plan))
      checkPrompt()
      return []
    }
    guard let plan = tab.plan, let table = tab.results.table,
      let column = tab.results.chosenColumn
    else { return notify(missingResultReason ?? .noColumn) }
    var paths = column.groupPaths(in: table.catalog, isPartial: store.isPartial)
    var links: [String] = []
    if let block = tab.results.relationAtCursor {
      guard column.attribute != nil, block.links.allSatisfy({ $0.cardinality == .one }) else {
        return notify(.onlyQueryColumnsCount(block.link.label))
      }
      links = block.links.map(\.label)
      paths = paths.map { AttributePath(links + $0.labels) }
    }
    tab.overlays = []
    notice = .grouped(by: (links + [column.label]).joined(separator: "."))
    var grouped = QueryPlan(
      plan.namespace, condition: plan.condition, order: [OrderKey("count", .descending)],
      groups: paths)
    if paths.contains(where: { $0.dotted == "count" }) {
      // The count needs another name than the column.
      grouped.aggregates = [Aggregation(.count, name: "rows")]
      grouped.order = [OrderKey("rows", .descending)]
    }
    return changeQuery { $0 = grouped }
  }

  /// Opens a menu of aggregate functions for the column. If the query already has groups or
  /// aggregates, opens a list of those that can be added.
  mutating func aggregateColumn() -> [Effect] {
    guard let plan = tab.plan else { return notify(missingQueryReason ?? .noColumn) }
    if plan.isSummary {
      if plan.shownAggregates.isEmpty { return notify(.columnsOfGroups) }
      open(AggregatesPane())
      return []
    }
    guard tab.results.table != nil, let column = tab.results.chosenColumn,
      let functions = column.source?.aggregateFunctions
    else { return notify(missingResultReason ?? .noColumn) }
    if let link = tab.results.relationAtCursor?.link {
      return notify(.onlyQueryColumnsCount(link.label))
    }
    let path = AttributePath([column.label])
    func entry(_ key: Character, _ functions: [Aggregation.Function], _ label: String? = nil)
      -> MenuPane.Entry
    {
      let aggregates = functions.map { Aggregation($0, path) }
      let total = QueryPlan(plan.namespace, condition: plan.condition, aggregates: aggregates)
      return MenuPane.Entry(
        key: key, label: label ?? aggregates.map(\.text).joined(separator: ", "),
        actions: [.change(total), .show(.aggregated)])
    }
    let entries = functions.map { entry($0.key, [$0]) }
    open(MenuPane("Aggregate \(column.label)", entries + [entry("*", functions, "all of them")]))
    return []
  }

  /// Removes an aggregate from the query, with the sort keys and the conditions that name it.
  mutating func removeAggregate(_ name: String) -> [Effect] {
    let shown = tab.plan?.shownAggregates ?? []
    guard let removed = shown.first(where: { $0.name == name }) else {
      return notify(.columnsOfGroups)
    }
    if shown.count == 1 { return notify(.onlyAggregate) }
    notice = .removedAggregate(removed.text)
    return changeQuery { plan in
      plan.isCount = plan.isCount && removed != Aggregation(.count)
      plan.aggregates = shown.filter { $0 != removed }
      // Groups without an aggregate are counted.
      if !plan.groups.isEmpty, plan.aggregates == [Aggregation(.count)] { plan.aggregates = [] }
      plan.order.removeAll { $0.path.dotted == name }
      let kept = plan.having?.conjuncts.filter { !$0.names(column: name) } ?? []
      plan.having = kept.count > 1 ? .all(kept) : kept.first
    }
  }

  /// Returns a field with a query as text, in which the cursor is where groups are added. The groups
  /// with the largest aggregates come first.
  private static func addingGroups(to plan: QueryPlan) -> TextField {
    let start = QueryDocument(QueryPlan(plan.namespace, condition: plan.condition)).text
    var sorted = plan
    sorted.order = plan.aggregates.prefix(1).map { OrderKey(AttributePath($0.name), .descending) }
    return TextField(
      beforeCursor: start + " group ",
      afterCursor: String(QueryDocument(sorted).text.dropFirst(start.count)))
  }
}

extension QueryPlan {
  /// Whether groups are in the order that they get when the user groups rows: the most frequent
  /// value first.
  var isInOrderOfNewGroups: Bool {
    guard !groups.isEmpty, order.count == 1, order[0].direction == .descending else { return false }
    return shownAggregates.contains {
      $0.function == .count && $0.path == nil && $0.name == order[0].path.dotted
    }
  }
}

extension ConditionNode {
  /// Returns whether the condition on groups names a column.
  fileprivate func names(column: String) -> Bool {
    var isNamed = false
    forEachPath { if $0.dotted == column { isNamed = true } }
    return isNamed
  }
}

extension Aggregation.Function {
  fileprivate var key: Character {
    switch self {
    case .count: "c"
    case .sum: "s"
    case .average: "a"
    case .countDistinct: "d"
    case .median: "m"
    case .min: "l"
    case .max: "h"
    }
  }
}

extension TableColumn {
  /// Returns the paths to group by: the column itself, or its expression; for a link, the unique
  /// label of its target.
  ///
  /// A large database groups by the foreign key and the label of the target, because it cannot
  /// group by links.
  fileprivate func groupPaths(in catalog: Catalog, isPartial: Bool) -> [AttributePath] {
    let own = [source?.path ?? AttributePath([label])]
    guard let link else { return own }
    let name = catalog.schema.labelAttribute(of: link.target)
    if let name, name.isUnique { return [AttributePath([label, name.label])] }
    let keys = isPartial ? catalog.schema.keyAttributes(behind: link) : []
    if keys.isEmpty { return own }
    return keys.map { AttributePath([$0.label]) }
      + (name.map { [AttributePath([label, $0.label])] } ?? [])
  }
}
