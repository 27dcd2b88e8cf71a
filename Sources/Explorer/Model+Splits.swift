import TerminalUI

// Making panes larger and smaller, by keys and by drawing their borders.
extension Model {
  private static let stepColumns = 2

  /// Moves the divider that concerns the pane in focus.
  mutating func moveDivider(_ intent: Intent) -> [Effect] {
    guard !tab.overlays.contains(where: { layout.area(of: $0.pane.place) == layout.middle }) else {
      notice = .noDivider(behind: listening.title)
      return []
    }
    let divider: Splits.Divider
    switch intent {
    case .splitLeft, .splitRight:
      divider = tab.overlays.last?.pane.place == .beside ? .beside : .left
    default: divider = tab.focus == .namespaces || tab.focus == .schema ? .namespaces : .query
    }
    guard let size = layout.size(divider) ?? layout.size(.left) else {
      notice = sizes.isZoomed ? .onePane : .windowTooNarrow
      return []
    }
    let shown = layout.size(divider) == nil ? .left : divider
    let forward = intent == .splitRight || intent == .splitDown
    let step = (shown.isUpright ? Self.stepColumns : 1) * (forward ? 1 : -1)
    // What is beside the results grows to the left.
    let effects = resize(shown, to: size + (shown == .beside ? -step : step)) + keepSplits()
    if layout.size(shown) == size {
      notice = .dividerAtEnd
    }
    return effects
  }

  /// Gives a pane another size, as far as the others leave room for it.
  private mutating func resize(_ divider: Splits.Divider, to size: Int) -> [Effect] {
    sizes.splits[divider] = max(1, size)
    sizes.splits[divider] = layout.size(divider)
    keepInView()
    return []
  }

  func keepSplits() -> [Effect] { [.save(.splits(sizes.splits.kept))] }

  mutating func resetSplits() -> [Effect] {
    sizes = PaneSizes()
    keepInView()
    notice = .paneSizesReset
    return keepSplits()
  }

  /// Gives the pane in focus the whole screen, or the others their room again.
  mutating func toggleZoom() {
    sizes.isZoomed.toggle()
    keepInView()
    if sizes.isZoomed {
      notice = .zoomed(listening.title)
    }
  }

  /// Takes the mouse where it holds a divider; nil where it does not.
  mutating func dragDivider(_ mouse: Mouse) -> [Effect]? {
    switch mouse.action {
    case .press(.left, _):
      grab(
        layout.divider(
          row: mouse.row, column: mouse.column, hasBeside: tab.overlays.last?.pane.place == .beside),
        under: mouse)
      return sizes.dragged == nil ? nil : []
    case .drag(.left):
      guard let dragged = sizes.dragged else { return nil }
      return resize(
        dragged, to: layout.size(dragged, at: mouse.row, column: mouse.column))
    case .release(.left):
      guard sizes.dragged != nil else { return nil }
      sizes.dragged = nil
      return keepSplits()
    default: return nil
    }
  }

  /// A pane that covers the divider keeps the click.
  private mutating func grab(_ divider: Splits.Divider?, under mouse: Mouse) {
    let isCovered =
      tab.overlays.last.map {
        divider != .beside
          && layout.area(of: $0.pane.place).contains(row: mouse.row, column: mouse.column)
      } ?? false
    sizes.dragged = isCovered ? nil : divider
  }
}
