import InstaQL
import Triples

// Selects rows, and opens actions for all selected rows.
extension Workspace {
  /// Selects or deselects the row at the cursor, then moves to the next row.
  mutating func toggleMark() -> [Effect] {
    guard let row = tab.results.chosenRow else { return notify(missingRowReason) }
    session.marks.toggle(row.id, in: row.namespace)
    // In a document, `down` moves by lines instead of rows.
    _ = tab.results.handle(tab.results.isReading ? .right : .down, page: layout.resultRows)
    return []
  }

  /// The existing selected entities of the current namespace.
  var markedEntities: [EntityHandle] {
    tab.results.table.map { session.marks.living(of: $0.answer.namespace, in: $0) } ?? []
  }

  /// The number of selected rows as text, for the title of the results; empty if none, or for groups.
  var markedRemark: String {
    let count = tab.results.table?.isSummary == true ? 0 : markedCount
    return count == 0 ? "" : "\(NumberText.grouped(count)) selected · "
  }

  /// The number of selected entities of the current namespace, whether or not they are in the
  /// answer.
  var markedCount: Int {
    shownNamespace.map { session.marks.count(of: $0, in: tab.results.table?.catalog.store) } ?? 0
  }

  /// Opens the menu of actions on the selected rows, and of ways to change the selection.
  mutating func openMarksMenu() -> [Effect] {
    guard let table = tab.results.table, table.answer.count == nil else {
      return notify(.nothingToSelect)
    }
    if table.isSummary { return notify(missingRowReason) }
    let marked = markedEntities
    // Some of the selected rows may not be loaded, or no longer exist.
    let count = max(marked.count, markedCount)
    let namespace = table.answer.namespace
    var entries: [MenuPane.Entry] = []
    if !marked.isEmpty {
      if let plan = tab.plan, marked.count <= Self.maxInCondition,
        table.catalog.schema.identity(of: namespace)?.isPosition != true
      {
        let ids = marked.map { table.catalog.store.id(of: $0) }
        let condition = table.catalog.schema.condition(matching: ids, in: namespace)
        entries.append(
          MenuPane.Entry(
            key: "f", label: "show only these rows",
            detail: marked.count == count ? "" : Self.loadedRows(marked.count),
            actions: [.change(plan.filter(condition))]))
      }
      entries += settingEntries(
        of: marked.map { table.catalog.store.id(of: $0) }, among: count, in: namespace)
    }
    if count > 0 {
      entries += [
        .init(
          key: "d", label: "delete them", detail: "after confirmation",
          actions: [.perform(.deleteMarked)]),
        .init(key: "y", label: "copy them", actions: [.perform(.copy)]),
        .init(key: "e", label: "export", actions: [.perform(.export)]),
        .init(key: "u", label: "deselect", actions: [.mark(.nothing)]),
      ]
    }
    let rows = NumberText.grouped(table.answer.pageCount)
    entries += [
      .init(key: "a", label: "select all rows", detail: rows, actions: [.mark(.everything)]),
      .init(
        key: "i", label: "invert the selection", detail: "of \(rows)", actions: [.mark(.others)]),
    ]
    open(
      MenuPane(
        count == 0
          ? keys.line(.noneSelected)
          : "\(NumberText.grouped(count)) selected \(namespace)", entries))
    return []
  }

  /// Returns a menu entry that sets the attribute or link at the cursor in all selected rows. Empty
  /// if several rows cannot have the same value.
  ///
  /// - Parameter all: The number of selected rows, including those that are not loaded.
  private func settingEntries(
    of rows: [EntityID], among all: Int, in namespace: String
  ) -> [MenuPane.Entry] {
    guard store.readOnlyReason == nil,
      tab.results.table?.catalog.schema.readOnlyReason(of: namespace) == nil,
      let source = tab.results.chosenColumn?.source
    else { return [] }
    let action: PaneAction
    switch source {
    case .attribute(let attribute):
      guard attribute.namespace == namespace, !attribute.isIdentity,
        attribute.readOnlyReason(of: nil) == nil
      else { return [] }
      let menu = known.flatMap { valueMenu(of: attribute, nil, in: $0) }
      action = menu.map { .open(Overlay($0)) } ?? .type(nil, attribute)
    case .link(let link):
      guard link.reversed.target == namespace, link.reversed.cardinality == .many else { return [] }
      action = .open(Overlay(ChooserPane(link, of: rows)))
    case .computed: return []
    }
    let verb = source.link?.cardinality == .many ? "add to" : "set"
    return [
      MenuPane.Entry(
        key: "s", label: "\(verb) \(source.label)",
        detail: rows.count == all
          ? "in all selected rows" : "in " + Self.loadedRows(rows.count),
        actions: [action])
    ]
  }

  private static func loadedRows(_ count: Int) -> String {
    "the " + NumberText.count(count, "loaded row", "loaded rows")
  }

  /// The maximum number of ids in a condition. A longer condition would be unreadable.
  private static let maxInCondition = 1_000

  /// Selects or deselects rows of the answer together.
  mutating func mark(_ which: BulkSelection) -> [Effect] {
    guard let table = tab.results.table else { return [] }
    let namespace = table.answer.namespace
    // Rows that an earlier selection is still loading must not change this one.
    let canceled = [BulkSelection.everything, .others].flatMap { requests.cancel(.selection($0)) }
    if which == .nothing {
      session.marks[namespace] = []
      return canceled
    }
    guard table.answer.pageCount <= EntitySelection.maxCount else {
      return canceled + notify(.tooManyToSelect(limit: EntitySelection.maxCount))
    }
    if table.answer.window != nil {
      return canceled + requests.begin(.complete(table.answer), for: .selection(which))
    }
    mark(which, of: table.answer)
    return canceled
  }

  mutating func mark(_ which: BulkSelection, of answer: Answer) {
    let shown = Set(answer.rows.map { answer.store.id(of: $0) })
    let marked = session.marks[answer.namespace]
    session.marks[answer.namespace] =
      which == .everything ? marked.union(shown) : marked.symmetricDifference(shown)
  }
}
