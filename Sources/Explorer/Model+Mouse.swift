import TerminalUI

// The mouse: a click chooses, a second one opens, the wheel scrolls what is under it.
extension Model {
  mutating func update(_ mouse: Mouse) -> [Effect] {
    guard prompt == nil else { return [] }
    if case .press(.left, _) = mouse.action, mouse.row == 0,
      let tab = headerTabs.first(where: { $0.columns.contains(mouse.column) })
    {
      notice = nil
      return showTab(tab.place)
    }
    if let effects = dragDivider(mouse) { return effects }
    if let effects = dragColumn(mouse) { return effects }
    if let effects = updateOverlay(mouse) { return effects }
    guard catalog != nil, let target = target(of: mouse) else { return [] }
    switch mouse.action {
    case .scrollUp: _ = go(.scroll(-Self.wheelLines), in: target.pane)
    case .scrollDown: _ = go(.scroll(Self.wheelLines), in: target.pane)
    case .press(.left, let clicks):
      notice = nil
      tab.focus = target.pane
      return click(target, times: clicks)
    case .scrollLeft, .scrollRight:
      guard target.pane == .results else { return [] }
      let intent: Intent = mouse.action == .scrollLeft ? .left : .right
      return tab.results.handle(intent, page: layout.resultRows).map { say($0) } ?? []
    case .press, .release, .drag: break
    }
    return []
  }

  /// Takes the mouse where it holds the right edge of a column's title, which makes the column wider or
  /// narrower; nil where it does not.
  private mutating func dragColumn(_ mouse: Mouse) -> [Effect]? {
    switch mouse.action {
    case .press(.left, _):
      guard tab.overlays.isEmpty, !tab.results.isReading, let target = target(of: mouse),
        target.pane == .results, (0..<ResultsPane.titleRows).contains(target.line),
        let edge = tab.results.edge(at: target.column, width: target.width),
        let columns = tab.results.table?.columns
      else { return nil }
      notice = nil
      sizes.draggedColumn = PaneSizes.DraggedColumn(
        label: columns[edge.column].label, start: mouse.column - target.column + edge.offset)
      return []
    case .drag(.left):
      guard let dragged = sizes.draggedColumn else { return nil }
      guard var settings = tab.results.table?.settings else { return [] }
      settings.widen(dragged.label, from: mouse.column - dragged.start, by: 0)
      // It is remembered when the mouse lets go.
      _ = arrange(settings)
      return []
    case .release(.left):
      guard sizes.draggedColumn != nil else { return nil }
      sizes.draggedColumn = nil
      return tab.results.table.map { arrange($0.settings) } ?? []
    default: return nil
    }
  }

  /// The pane on top gets what happens within it; a click beside it closes what covers nothing there.
  private mutating func updateOverlay(_ mouse: Mouse) -> [Effect]? {
    guard let overlay = tab.overlays.last else { return nil }
    let area = layout.area(of: overlay.pane.place)
    guard area.contains(row: mouse.row, column: mouse.column) else {
      guard case .press = mouse.action else { return [] }
      guard !tab.overlays.contains(where: { $0.pane.holdsTyping }) else {
        notice = Notice(text: "What was typed is not sent yet: enter makes it, escape leaves it")
        return []
      }
      notice = nil
      tab.overlays = []
      return nil
    }
    let inner = area.inset(by: 1)
    switch mouse.action {
    case .scrollUp:
      return askOverlay {
        $0.scroll(by: -Self.wheelLines, in: $1); return []
      }
    case .scrollDown:
      return askOverlay {
        $0.scroll(by: Self.wheelLines, in: $1); return []
      }
    case .press(.left, let clicks):
      notice = nil
      guard inner.contains(row: mouse.row, column: mouse.column) else { return [] }
      return askOverlay {
        $0.click(
          line: mouse.row - inner.row, column: mouse.column - inner.column, times: clicks, in: $1)
      }
    case .press, .release, .drag, .scrollLeft, .scrollRight: return []
    }
  }

  private static let wheelLines = 3

  /// A pane and a place within it, both counted from its inner corner.
  private struct Target {
    let pane: StandingPane
    let line: Int
    let column: Int
    let width: Int
  }

  private func target(of mouse: Mouse) -> Target? {
    let layout = layout
    if let left = layout.left, left.contains(row: mouse.row, column: mouse.column) {
      return target(
        in: left, upper: .namespaces, lower: .schema, upperRows: layout.namespaceRows, of: mouse)
    }
    if let right = layout.right, right.contains(row: mouse.row, column: mouse.column) {
      return target(
        in: right, upper: .query, lower: .results, upperRows: layout.queryRows, of: mouse)
    }
    return nil
  }

  private func target(
    in area: Rect, upper: StandingPane, lower: StandingPane, upperRows: Int, of mouse: Mouse
  ) -> Target {
    let line = mouse.row - area.row - 1
    if let only = layout.only {
      return Target(
        pane: only, line: line, column: mouse.column - area.column - 1, width: area.columns - 2)
    }
    let isUpper = line < upperRows
    return Target(
      pane: isUpper ? upper : lower, line: isUpper ? line : line - upperRows - 1,
      column: mouse.column - area.column - 1, width: area.columns - 2)
  }

  private mutating func click(_ target: Target, times: Int) -> [Effect] {
    if target.pane == .results { return clickInResults(target, times: times) }
    _ = go(.clicked(target.line), in: target.pane)
    return times == 2 ? perform(.open) ?? [] : []
  }

  private mutating func clickInResults(_ target: Target, times: Int) -> [Effect] {
    let line = target.line - ResultsPane.titleRows
    // A click on a column's title orders by it.
    if line < 0, !tab.results.isReading {
      tab.results.leaveBlocks(page: layout.resultRows)
      if let column = tab.results.column(at: target.column, width: target.width) {
        tab.results.choose(column: column)
      }
      return perform(.order) ?? []
    }
    tab.results.choose(line: line, page: layout.resultRows)
    if !tab.results.isReading,
      let column = tab.results.columnHere(at: target.column, width: target.width)
    {
      tab.results.choose(column: column)
    }
    return times == 2 ? perform(.open) ?? [] : []
  }
}
