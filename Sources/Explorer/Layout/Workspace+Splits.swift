import TerminalUI

// Resizes panes by keys, and by dragging their borders.
extension Workspace {
  private static let stepColumns = 2

  /// Moves the divider of the focused pane by one step.
  mutating func moveDivider(_ command: Command) -> [Effect] {
    guard !tab.overlays.contains(where: { layout.area(of: $0.pane.place) == layout.middle }) else {
      return notify(.noDivider(behind: focusedPane.title))
    }
    let divider: Splits.Divider
    switch command {
    case .splitLeft, .splitRight:
      divider = tab.overlays.last?.pane.place == .beside ? .beside : .left
    default: divider = tab.focus == .namespaces || tab.focus == .schema ? .namespaces : .query
    }
    guard let size = layout.size(divider) ?? layout.size(.left) else {
      return notify(screen.isZoomed ? .onePane : .windowTooNarrow)
    }
    let shown = layout.size(divider) == nil ? .left : divider
    let forward = command == .splitRight || command == .splitDown
    let step = (shown.isUpright ? Self.stepColumns : 1) * (forward ? 1 : -1)
    // The pane next to the results grows to the left, so the step is reversed.
    resize(shown, to: size + (shown == .beside ? -step : step))
    if layout.size(shown) == size { notice = .dividerAtEnd }
    return persistSplits()
  }

  /// Moves a divider so that its pane has the given size, or the nearest size that leaves space for
  /// others.
  private mutating func resize(_ divider: Splits.Divider, to size: Int) {
    screen.splits[divider] = max(1, size)
    screen.splits[divider] = layout.size(divider)
    keepInView()
  }

  func persistSplits() -> [Effect] { [.save(.splits(screen.splits.kept))] }

  mutating func resetSplits() -> [Effect] {
    (screen.splits, screen.isZoomed, screen.drag) = (Splits(), false, nil)
    keepInView()
    notice = .paneSizesReset
    return persistSplits()
  }

  /// Toggles whether the focused pane covers the screen.
  mutating func toggleZoom() {
    screen.isZoomed.toggle()
    keepInView()
    if screen.isZoomed { notice = .zoomed(focusedPane.title) }
  }

  /// Starts, continues or ends dragging a divider with the mouse; nil for any other mouse event.
  mutating func dragDivider(_ mouse: Mouse) -> [Effect]? {
    switch mouse.action {
    case .press(.left, _):
      grab(
        layout.divider(
          at: mouse.position,
          hasBeside: layout.isDetailBeside || tab.overlays.last?.pane.place == .beside),
        under: mouse)
      return screen.drag == nil ? nil : []
    case .drag(.left):
      guard let dragged = screen.draggedDivider else { return nil }
      resize(dragged, to: layout.size(dragged, at: mouse.position))
      return []
    case .release(.left):
      guard screen.draggedDivider != nil else { return nil }
      screen.drag = nil
      return persistSplits()
    default: return nil
    }
  }

  /// Starts to drag a divider, unless an open pane covers it.
  private mutating func grab(_ divider: Splits.Divider?, under mouse: Mouse) {
    let isCovered =
      tab.overlays.last.map {
        divider != .beside && layout.area(of: $0.pane.place).contains(mouse.position)
      } ?? false
    screen.drag = isCovered ? nil : divider.map { .divider($0) }
  }
}
