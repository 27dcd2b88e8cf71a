import TerminalUI

// Handles the mouse. A click selects, a double click opens, the right button opens a menu, and the
// wheel scrolls.
extension Workspace {
  mutating func update(_ mouse: Mouse) -> [Effect] {
    var mouse = mouse
    // Shift makes the wheel scroll sideways.
    if mouse.modifiers.contains(.shift) { mouse.action = mouse.action.sideways }
    // The release may never arrive, so a new press also ends the drag.
    if case .press(_, let clicks) = mouse.action {
      screen.drag = nil
      if screen.press(place(of: mouse), clicks: clicks) { return [] }
    }
    if prompt != nil, case .release = mouse.action, case .column? = screen.drag {
      screen.drag = nil
    }
    if let effects = updateTyping(mouse) { return effects }
    guard case .press(let button, _) = mouse.action else {
      return drag(mouse) ?? updatePanes(mouse)
    }
    if button == .left, let divider = divider(at: mouse) {
      screen.drag = .divider(divider)
      return []
    }
    // Terminals paste with the middle button. It has no function here.
    if button == .middle { return [] }
    if let effects = clickBelow(mouse) { return effects }
    clearRetainedError()
    if let effects = clickNarrowedList(mouse) { return effects }
    guard let left = leaveTyping() else { return [] }
    if button == .right { return left + openMenu(at: mouse) }
    return left + (clickHeader(mouse) ?? updatePanes(mouse))
  }

  private func place(of mouse: Mouse) -> MousePlace {
    if let places = typing {
      let isInList = places.completions?.area.contains(mouse.position)
      if isInList == true { return .completions }
      if places.field.contains(mouse.position) { return .line }
    }
    if mouse.row == layout.footer.row { return .footer(footerKey(at: mouse.column)) }
    if mouse.row == layout.header.row {
      if let crumb = crumb(at: mouse) { return .crumb(crumb.stepsBack) }
      return .tab(headerTabs.first { $0.columns.contains(mouse.column) }?.place)
    }
    if let index = overlay(at: mouse) { return .overlay(index, tab.overlays[index].pane.traits) }
    return .standing(target(of: mouse)?.pane)
  }

  /// Returns the index of the topmost open pane under the mouse; nil if no open pane is there.
  func overlay(at mouse: Mouse) -> Int? {
    tab.overlays.lastIndex { layout.area(of: $0.pane.place).contains(mouse.position) }
  }

  /// Handles a click in the footer: presses the key of a hint, or dismisses the notice. Nil for
  /// other clicks.
  private mutating func clickBelow(_ mouse: Mouse) -> [Effect]? {
    guard !settings.isScreenReader else { return nil }
    let isOnHints = mouse.row == layout.footer.row && notice?.keepsHints != false
    if !isOnHints, mouse.row >= size.rows - noticeRows { return notify(nil) }
    guard isOnHints else { return nil }
    guard case .press(.left, _) = mouse.action, let key = footerKey(at: mouse.column) else {
      return []
    }
    return press(key)
  }

  private mutating func clickHeader(_ mouse: Mouse) -> [Effect]? {
    guard mouse.row == layout.header.row else { return nil }
    if let title = headerTabs.first(where: { $0.columns.contains(mouse.column) }) {
      return showTab(overall: title.place)
    }
    guard catalog != nil, let crumb = crumb(at: mouse), mayClose(above: nil) else { return [] }
    return goBack(steps: crumb.stepsBack)
  }

  private func crumb(at mouse: Mouse) -> Breadcrumbs.Name? {
    headerCrumbs.first { $0.columns.contains(mouse.column) }
  }

  /// Handles a mouse event in the main panes and in the panes above them.
  private mutating func updatePanes(_ mouse: Mouse) -> [Effect] {
    if grabColumn(mouse) { return [] }
    // The target is determined before the click closes a pane next to it.
    let target = target(of: mouse)
    if let effects = updateOverlay(mouse) { return effects }
    guard catalog != nil, let target else { return [] }
    switch mouse.action {
    case .scrollUp: _ = go(.scroll(-Self.wheelLines), in: target.pane)
    case .scrollDown: _ = go(.scroll(Self.wheelLines), in: target.pane)
    case .press(.left, let clicks):
      // The focus may change what is under the mouse.
      let isOnDetail = layout.detailArea?.contains(mouse.position) == true
      tab.focus = target.pane
      if isOnDetail, let pane = detailPane {
        open(EntityPane(pane.entity, in: pane.namespace))
        return []
      }
      return target.isWithin ? click(target, times: clicks) : []
    case .scrollLeft, .scrollRight:
      // Sideways, the wheel moves by columns, which documents do not have.
      guard target.pane == .results, !tab.results.isReading else { return [] }
      let command: Command = mouse.action == .scrollLeft ? .left : .right
      _ = tab.results.handle(command, page: layout.resultRows)
    case .press, .release, .drag: break
    }
    return []
  }

  /// Starts to drag the right edge of the column title under the mouse. Returns false if no edge is
  /// there.
  private mutating func grabColumn(_ mouse: Mouse) -> Bool {
    guard case .press(.left, _) = mouse.action, tab.overlays.isEmpty, !tab.results.isReading,
      let target = target(of: mouse),
      target.pane == .results, (0..<ResultsPane.titleRows).contains(target.line),
      let edge = tab.results.edge(at: target.column, width: target.width),
      let columns = tab.results.table?.columns
    else { return false }
    clearRetainedError()
    screen.drag = .column(
      label: columns[edge.column].label, start: mouse.column - target.column + edge.offset)
    return true
  }

  /// Continues or ends dragging; nil if nothing is dragged, and for other mouse events.
  private mutating func drag(_ mouse: Mouse) -> [Effect]? {
    guard let drag = screen.drag else { return nil }
    if mouse.action == .release(.left) { screen.drag = nil }
    switch (mouse.action, drag) {
    case (.drag(.left), .divider(let divider)):
      resize(divider, to: layout.size(divider, at: mouse.position))
    case (.release(.left), .divider): return persistSplits()
    case (.drag(.left), .column(let label, let start)):
      guard var settings = tab.results.table?.settings else { break }
      settings.widen(label, from: mouse.column - start, by: 0)
      // The width is persisted when the button is released.
      _ = arrange(settings)
    case (.release(.left), .column):
      return tab.results.table.map { arrange($0.settings) } ?? []
    case (.drag(.left), .pane(let from)):
      guard let last = tab.overlays.indices.last else { break }
      update(paneAt: last) {
        $0.pan(rows: from.row - mouse.row, columns: from.column - mouse.column, in: $1)
      }
      screen.drag = .pane(from: mouse.position)
    default: return nil
    }
    return []
  }

  /// Passes a mouse event to the open pane under it. A click closes the panes above that pane.
  private mutating func updateOverlay(_ mouse: Mouse) -> [Effect]? {
    guard !tab.overlays.isEmpty else { return nil }
    let index = overlay(at: mouse)
    switch mouse.action {
    case .scrollUp, .scrollDown:
      guard let index else { return nil }
      let lines = mouse.action == .scrollUp ? -Self.wheelLines : Self.wheelLines
      update(paneAt: index) { $0.scroll(by: lines, in: $1) }
      return []
    case .press(.left, let clicks):
      guard closeOverlays(above: index) else { return [] }
      guard let index else { return nil }
      let inner = layout.area(of: tab.overlays[index].pane.place).inset(by: 1)
      guard inner.contains(mouse.position) else { return [] }
      screen.drag = .pane(from: mouse.position)
      return askOverlay {
        $0.click(
          line: mouse.row - inner.row, column: mouse.column - inner.column, times: clicks, in: $1)
      }
    case .scrollLeft, .scrollRight:
      guard let index else { return nil }
      let columns = mouse.action == .scrollLeft ? -Self.wheelColumns : Self.wheelColumns
      update(paneAt: index) { $0.pan(rows: 0, columns: columns, in: $1) }
      return []
    case .press, .drag, .release: return []
    }
  }

  /// Closes the open panes above the pane at `index`, or all open panes if `index` is nil. Returns
  /// false if a pane contains typed text.
  mutating func closeOverlays(above index: Int?) -> Bool {
    guard mayClose(above: index) else { return false }
    tab.overlays.removeSubrange(((index ?? -1) + 1)...)
    return true
  }

  /// Returns whether the panes above `index` contain no typed text. Otherwise shows a notice.
  private mutating func mayClose(above index: Int?) -> Bool {
    let kept = (index ?? -1) + 1
    guard !tab.overlays.dropFirst(kept).contains(where: { $0.pane.holdsTyping }) else {
      notice = .unsavedInput
      return false
    }
    return true
  }

  static let wheelLines = 3
  private static let wheelColumns = 6

  /// A position within a main pane, relative to the upper left corner inside its border.
  struct Target {
    let pane: MainPane
    let line: Int
    let column: Int
    let width: Int
    let rows: Int

    /// Whether the position is inside the border. Always false on the smallest screens, where panes
    /// have no interior.
    var isWithin: Bool { line >= 0 && line < rows && column >= 0 && column < width }
  }

  func target(of mouse: Mouse) -> Target? {
    let layout = layout
    let side = [layout.left, layout.right].first { $0?.contains(mouse.position) == true }
    // The border between two panes belongs to the lower one.
    for pane in MainPane.allCases.reversed() {
      guard let inside = layout.inside(pane), inside.column - 1 == side??.column,
        inside.row - 1 <= mouse.row
      else { continue }
      let covered = pane == .results ? columnsBeside(layout) : 0
      return Target(
        pane: pane, line: mouse.row - inside.row, column: mouse.column - inside.column,
        width: inside.columns - covered, rows: inside.rows)
    }
    return nil
  }

  private mutating func click(_ target: Target, times: Int) -> [Effect] {
    if target.pane != .results {
      _ = go(.clicked(target.line), in: target.pane)
    } else if chooseInResults(target) {
      // A click on a column's title sorts by it.
      return perform(.order) ?? []
    }
    return times == 2 ? perform(.open) ?? [] : []
  }

  /// Moves the cursor of the results to the position under the mouse. Returns whether that is the
  /// title of a column.
  mutating func chooseInResults(_ target: Target) -> Bool {
    let line = target.line - ResultsPane.titleRows
    let isTitle = line < 0 && !tab.results.isReading
    if isTitle {
      tab.results.leaveBlocks(page: layout.resultRows)
    } else {
      tab.results.choose(line: line, page: layout.resultRows)
    }
    if !tab.results.isReading,
      let column = tab.results.columnHere(at: target.column, width: target.width)
    {
      tab.results.choose(column: column)
    }
    return isTitle
  }
}

extension Mouse.Action {
  /// The action with vertical scrolling replaced by horizontal scrolling.
  fileprivate var sideways: Mouse.Action {
    switch self {
    case .scrollUp: .scrollLeft
    case .scrollDown: .scrollRight
    case .press, .release, .drag, .scrollLeft, .scrollRight: self
    }
  }
}
