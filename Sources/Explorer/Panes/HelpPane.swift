import TerminalUI

/// The keys that count in the pane in focus, read from the keymap.
struct HelpPane: Sendable, Equatable {
  let focus: Focus
  private var top = 0

  init(focus: Focus) {
    self.focus = focus
  }

  /// Scrolls; false for an intent that closes the help.
  mutating func handle(_ intent: Intent, page: Int) -> Bool {
    let end = max(0, Keymap.standard.rows(in: focus).count - page)
    switch intent {
    case .up: top = max(0, top - 1)
    case .down: top = min(end, top + 1)
    case .pageUp, .halfPageUp, .first: top = intent == .first ? 0 : max(0, top - page)
    case .pageDown, .halfPageDown, .last: top = intent == .last ? end : min(end, top + page)
    default: return false
    }
    return true
  }

  func draw(into frame: inout Frame, area: Rect, keymap: Keymap) {
    let rows = keymap.rows(in: focus)
    let panel = PanelStack(
      area: area,
      sections: [
        .init(
          title: "Keys in \(focus.title)", remark: "any other key closes this", isFocused: true,
          rows: max(0, area.rows - 2))
      ])
    frame.fill(area, Paint(.text))
    guard let inner = panel.draw(into: &frame).first else { return }
    for (line, row) in rows.dropFirst(top).prefix(inner.rows).enumerated() {
      let names = row.keys.map(\.name).joined(separator: "  ")
      frame.write(
        names, row: inner.row + line, column: inner.column + 1, width: 22,
        paint: Paint(.key))
      frame.write(
        row.intent.help, row: inner.row + line, column: inner.column + 24,
        width: max(0, inner.columns - 25), paint: Paint(.text))
    }
  }
}
