import InstaQL
import Triples
import Widgets

// Filters rows by the selected cell. No entry of its menus has a key with which a typed value can
// begin, such as a letter or a digit.
extension Workspace {
  /// Opens a menu of filters for the value at the cursor. The command `excludeCell` applies its
  /// filter without a menu.
  mutating func filterByCell(_ command: Command) -> [Effect] {
    if let cell = tab.results.chosenGroupCell { return filter(by: cell, command) }
    guard var row = tab.results.chosenRow, let source = row.source else {
      return notify(.noCellSelected)
    }
    // If the query includes the link, its targets were loaded with the rows.
    row.catalog.knowsLinks = planHere?.relation(source.label) != nil
    guard let filters = filters(in: CellFilter.menu(source, of: row.entity, in: row.catalog))
    else { return [] }
    if command == .excludeCell {
      guard let filter = filters.first(where: { $0.isChosen(by: "!") }) else {
        return notify(.cannotExclude)
      }
      return changePlanHere { $0 = $0.filter(filter.condition) }
    }
    guard let plan = tab.plan else { return [] }
    // In a relation, the chosen filter applies to the relation in all rows.
    let block = tab.results.relationAtCursor
    let query = FilteredQuery(
      plan: plan, path: block?.links.map(\.label) ?? [], namespace: row.namespace)
    var entries =
      filters.map { entry(of: $0, in: query, row.catalog) }
      + [typingEntry(source.path.operand + (source.isLink ? "." : " "), in: query)]
    entries += listEntries(source, of: row.entity, query, in: row.catalog)
    entries += orEntry(filters, source, in: query, row.catalog)
    let heading = (block.map { "Filter \($0.link.label)" } ?? "Filter") + " by \(source.label)"
    var menu = MenuPane(heading, entries + clearEntries(of: plan))
    menu.typedLine = typedLine(source, in: query, row.catalog)
    open(menu)
    return []
  }

  /// The filter that is edited as text: that of the groups if the cursor is on an aggregate.
  var filterHere: FilterClause {
    guard tab.focus == .results, tab.overlays.isEmpty else { return .filter }
    return tab.results.chosenGroupCell?.clause ?? .filter
  }

  /// Opens a menu of filters for a cell of the groups. The command `excludeCell` applies its filter
  /// without a menu.
  private mutating func filter(by cell: GroupCell, _ command: Command) -> [Effect] {
    guard let plan = tab.plan, let catalog = tab.results.table?.catalog,
      let filters = filters(in: CellFilter.menu(cell, in: catalog.schema))
    else { return [] }
    let query = FilteredQuery(plan: plan, namespace: plan.namespace, clause: cell.clause)
    if command == .excludeCell {
      guard let filter = filters.first(where: { $0.isChosen(by: "!") }) else {
        return notify(.cannotExclude)
      }
      return apply(query.adding(filter.condition))
    }
    var path = cell.path
    if case .entities(let namespace) = cell.kind,
      let label = catalog.schema.labelAttribute(of: namespace)
    {
      path = AttributePath(path.labels + [label.label])
    }
    let entries = filters.map { entry(of: $0, in: query, catalog) }
    let typing = typingEntry(path.operand + " ", in: query)
    let subject = cell.clause == .having ? "groups by" : "by"
    var menu = MenuPane(
      "Filter \(subject) \(cell.path)", entries + [typing] + clearEntries(of: plan))
    menu.typedLine = typedLine(path, in: query)
    open(menu)
    return []
  }

  /// Returns the filters by a value; if there are none, shows the reason.
  private mutating func filters(
    in found: Result<[CellFilter], Rejection>
  ) -> [CellFilter]? {
    switch found {
    case .success(let filters): return filters
    case .failure(let reason):
      notice = reason.notice
      return nil
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
    guard let filters = filters(in: CellFilter.menu(source, of: entity, in: catalog)) else {
      return []
    }
    let current = tab.plan.flatMap { $0.namespace == target.namespace ? $0 : nil }
    let query = FilteredQuery(
      plan: current ?? QueryPlan(target.namespace), namespace: target.namespace)
    // Another value can only be typed into the current query.
    let entries = filters.filter { current != nil || !$0.isTyped }.map {
      entry(of: $0, in: query, catalog, after: [.close])
    }
    var menu = MenuPane("Filter by \(source.label)", entries)
    if current != nil { menu.typedLine = typedLine(source, in: query, catalog, after: [.close]) }
    open(menu)
    return []
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
    of filter: CellFilter, in query: FilteredQuery, _ catalog: Catalog,
    after first: [PaneAction] = []
  ) -> MenuPane.Entry {
    let action: PaneAction
    if filter.isTyped {
      action = .compose(query.purpose, filter.field(after: linePrefix(of: query)))
    } else {
      action = .change(query.adding(filter.condition))
    }
    let text = catalog.reading(filter.condition, of: query.namespace, isTyped: false)
    return MenuPane.Entry(
      key: filter.key, otherKey: filter.otherKey, label: query.isEither ? "or " + text : text,
      detail: filter.isTyped ? "edit the value" : "", actions: first + [action])
  }

  /// Returns the filter line for a user who types an operator, such as `like`, or a value in the
  /// menu. Nil for a link whose targets have no label to compare.
  ///
  /// - Parameter first: The actions to perform before.
  private func typedLine(
    _ source: ColumnSource, in query: FilteredQuery, _ catalog: Catalog,
    after first: [PaneAction] = []
  ) -> MenuPane.TypedLine? {
    var path = source.path
    if let link = source.link {
      guard let label = catalog.schema.labelAttribute(of: link.target) else { return nil }
      path = AttributePath([link.label, label.label])
    }
    return typedLine(path, in: query, after: first)
  }

  private func typedLine(
    _ path: AttributePath, in query: FilteredQuery, after first: [PaneAction] = []
  ) -> MenuPane.TypedLine {
    .comparison(
      query.purpose, TextField(linePrefix(of: query) + path.operand + " "),
      operators: Self.operatorLetters, after: first)
  }

  /// Returns a menu entry that opens the filter line with the name of the column.
  private func typingEntry(_ text: String, in query: FilteredQuery) -> MenuPane.Entry {
    MenuPane.Entry(
      key: " ", label: text + "…", detail: "type a comparison",
      actions: [.compose(query.purpose, TextField(linePrefix(of: query) + text))])
  }

  /// Opens the filter line with the name of a field, after which the user types a comparison.
  mutating func typeFilter(by source: ColumnSource) {
    ask(.filter([]))
    guard let plan = queryToChange, prompt != nil else { return }
    let query = FilteredQuery(plan: plan, namespace: plan.namespace)
    let text = linePrefix(of: query) + source.path.operand + (source.isLink ? "." : " ")
    prompt = PromptPane(.filter([]), TextField(text), changing: prompt?.other)
    checkPrompt()
  }

  /// Returns a menu entry that clears all filters. Empty if the query has none.
  private func clearEntries(of plan: QueryPlan) -> [MenuPane.Entry] {
    guard plan.hasFilters else { return [] }
    return [
      MenuPane.Entry(key: nil, label: "clear all filters", actions: [.perform(.clearFilters)])
    ]
  }

  /// Returns the present condition and `and` or `or`, after which the user types a further condition.
  /// Empty without a condition.
  private func linePrefix(of query: FilteredQuery) -> String {
    guard let condition = query.condition else { return "" }
    let words = session.typedWords
    let text =
      known?.reading(condition, of: query.namespace, words: words)
      ?? words.text(of: condition, in: query.namespace)
    if query.isEither { return text + " or " }
    if case .any = condition { return "(\(text)) and " }
    return text + " and "
  }

  /// Returns a menu entry that opens filters joined to the current condition by `or`. Empty if the
  /// query has no condition.
  private func orEntry(
    _ filters: [CellFilter], _ source: ColumnSource, in query: FilteredQuery, _ catalog: Catalog
  ) -> [MenuPane.Entry] {
    if query.condition == nil { return [] }
    var either = query
    either.isEither = true
    var menu = MenuPane(
      "Or \(source.label)", filters.map { entry(of: $0, in: either, catalog) })
    menu.typedLine = typedLine(source, in: either, catalog)
    return [
      MenuPane.Entry(
        key: "|", label: "or …", detail: "also include this value (OR)",
        actions: [.open(Overlay(menu))])
    ]
  }

  /// Returns menu entries that filter by several values: the values of the selected rows, or typed
  /// values.
  private func listEntries(
    _ source: ColumnSource, of entity: EntityHandle, _ query: FilteredQuery, in catalog: Catalog
  ) -> [MenuPane.Entry] {
    var entries: [MenuPane.Entry] = []
    // The selected rows are rows of the whole query.
    let marked = query.path.isEmpty ? markedEntities : []
    if let condition = CellFilter.list(source, of: marked, in: catalog) {
      entries.append(
        MenuPane.Entry(
          key: ",", label: condition.text, detail: "the values of the selected rows",
          actions: [.change(query.adding(condition))]))
    }
    if let condition = CellFilter.list(source, of: [entity], in: catalog) {
      // The closing bracket is omitted, so that the user can type the next value.
      let text = condition.text.dropLast() + ", "
      entries.append(
        MenuPane.Entry(
          key: "(", label: text + "…", detail: "type more values",
          actions: [.compose(query.purpose, TextField(linePrefix(of: query) + text))]))
    }
    return entries
  }

  /// Removes all filters of the query, including those of its groups and its relations.
  mutating func clearFilters() -> [Effect] {
    guard let plan = tab.plan else { return notify(missingQueryReason ?? .noFilters) }
    guard plan.hasFilters else { return notify(.noFilters) }
    notice = .filtersCleared
    return changeQuery { $0 = plan.withoutFilters }
  }
}

extension AttributePath {
  /// The path as the left side of a comparison.
  fileprivate var operand: String { (expression ?? ValueExpression.path(self)).text }
}

extension QueryPlan {
  /// Whether the query filters its rows, its groups, or the rows of a relation.
  var hasFilters: Bool {
    condition != nil || having != nil || relations.contains { $0.plan.hasFilters }
  }

  fileprivate var withoutFilters: QueryPlan {
    var plan = removing(.filter)
    plan.having = nil
    for relation in relations { plan.setRelation(relation.label, relation.plan.withoutFilters) }
    return plan
  }
}
