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
      let isBeside = tab.overlays.last?.pane.place == .beside || layout.size(.left) == nil
      divider = isBeside ? .beside : .left
    default: divider = tab.focus == .namespaces || tab.focus == .schema ? .namespaces : .query
    }
    guard let size = shownSize(divider) ?? layout.size(.left) else {
      if screen.isZoomed { return notify(.onePane) }
      let isCovered = self.isCovered(layout.area(of: .results), in: layout)
      return notify(isCovered ? .noDivider(behind: focusedPane.title) : .windowTooNarrow)
    }
    let shown = shownSize(divider) == nil ? .left : divider
    let forward = command == .splitRight || command == .splitDown
    let step = (shown.isUpright ? Self.stepColumns : 1) * (forward ? 1 : -1)
    // The pane next to the results grows to the left, so the step is reversed.
    resize(shown, to: size + (shown == .beside ? -step : step))
    if shownSize(shown) == size { notice = .dividerAtEnd }
    return persistSplits()
  }

  /// Returns the current size of the pane that a divider resizes; nil if the pane is hidden.
  private func shownSize(_ divider: Splits.Divider) -> Int? {
    guard divider == .beside else { return layout.size(divider) }
    let isVisible =
      tab.overlays.last?.pane.place == .beside
      || !isCovered(layout.area(of: .results), in: layout)
    let columns = columnsBeside(layout)
    return isVisible && columns > 0 ? columns : nil
  }

  /// Moves a divider so that its pane has the given size, or the nearest size that leaves space for
  /// others.
  mutating func resize(_ divider: Splits.Divider, to size: Int) {
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

  /// Returns the divider under the mouse; nil if there is none, or if an open pane covers it.
  func divider(at mouse: Mouse) -> Splits.Divider? {
    let place = tab.overlays.last?.pane.place
    let divider = layout.divider(
      at: mouse.position, beside: columnsBeside(layout))
    let isCovered = place.map { layout.area(of: $0).contains(mouse.position) } ?? false
    return isCovered && (divider != .beside || place != .beside) ? nil : divider
  }
}
