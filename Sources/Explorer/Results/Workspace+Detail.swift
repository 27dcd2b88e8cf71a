import InstaQL
import TerminalUI
import Triples

// Shows the record that follows the cursor of the results.
extension Workspace {
  /// Whether there is a record at the cursor of the results.
  var hasDetail: Bool {
    guard !settings.isScreenReader, tab.results.form == .table, let table = tab.results.table
    else { return false }
    return table.lineCount > 0
  }

  /// The record of the row at the cursor, or of a selected link's target if the user opened the
  /// record.
  var detailPane: EntityPane? {
    guard hasDetail, let table = tab.results.table else { return nil }
    let results = tab.results
    let row =
      results.chosenEntity
      ?? results.relationAtCursor.map { ($0.parent, $0.link.reversed.target) }
    guard let (entity, namespace) = row else { return nil }
    let id = table.catalog.store.id(of: entity)
    guard tab.preview == .open, results.chosenEntity != nil else {
      return EntityPane(previewOf: id, in: namespace)
    }
    guard let link = results.chosenLink else {
      return inferredTarget.map { EntityPane(previewOf: $0.entity, in: $0.namespace) }
        ?? EntityPane(previewOf: id, in: namespace)
    }
    guard let targets = targets(of: id, link), targets.entities.count == 1 else {
      return EntityPane(previewOf: id, in: namespace, at: link)
    }
    return EntityPane(
      previewOf: targets.catalog.store.id(of: targets.entities[0]), in: link.target)
  }

  /// The record of the only target of the link that the selected column's name suggests. Nil if
  /// there is no such target, or if only a part of the store is loaded.
  var inferredTarget: EntityPane? {
    guard let plan = tab.results.inferredTargets, let catalog = tab.results.table?.catalog,
      !catalog.isServed,
      let rows = try? QueryEngine.answer(plan, in: catalog.store).rows, rows.count == 1
    else { return nil }
    return EntityPane(catalog.store.id(of: rows[0]), in: plan.namespace)
  }

  /// The query that loads the record from a remote store; nil if the rows contain its data.
  var detailQuery: QueryPlan? {
    guard tab.preview == .open, tab.overlays.isEmpty, layout.detailArea != nil,
      tab.results.chosenLink != nil, let known
    else { return nil }
    return detailPane?.query(in: known)
  }

  /// Shows or hides the preview of the row at the cursor. If a link is selected, shows the link's
  /// target, or the row again. Returns false if there is no space.
  mutating func togglePreview() -> Bool {
    let before = tab.preview
    let isLink = tab.results.chosenLink != nil || inferredTarget != nil
    if layout.detailArea != nil {
      tab.preview = isLink && before != .open ? .open : .onWideScreens
      if !isLink, layout.detailArea != nil { tab.preview = .hidden }
    } else {
      tab.preview = .onWideScreens
      if isLink || layout.detailArea == nil { tab.preview = .open }
      guard layout.detailArea != nil else {
        tab.preview = before
        return false
      }
    }
    keepInView()
    return true
  }

  /// Closes a record that the user opened. Returns nil if no such record is visible.
  mutating func endPreview() -> [Effect]? {
    guard tab.preview == .open, tab.overlays.isEmpty, layout.detailArea != nil else { return nil }
    tab.preview = .onWideScreens
    keepInView()
    return []
  }

  func drawDetail(into frame: inout Frame, layout: Layout) {
    guard let area = layout.detailArea, area.rows > 2, !isCovered(area, in: layout),
      !tab.overlays.contains(where: { $0.pane.place == .beside }), var pane = detailPane
    else { return }
    let context = context(of: pane, in: area)
    let input = DetailInput(pane, in: context)
    pane = tab.record(of: input) {
      pane.refresh(in: context)
      return pane
    }
    draw(
      pane, into: &frame, area: area, context, isFocused: false, continues: !layout.isDetailBeside)
  }
}
