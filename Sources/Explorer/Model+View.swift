import InstaQL
import Triples
package import TerminalUI

extension Model {
  /// The screen as it is now: panes placed, header above, footer below.
  package func view() -> Frame {
    var frame = Frame(size: size)
    guard size.columns >= Layout.smallest.columns, size.rows >= Layout.smallest.rows else {
      drawTooSmall(into: &frame)
      return frame
    }
    let layout = layout
    drawHeader(into: &frame, area: layout.header)
    if let help {
      help.draw(
        into: &frame,
        area: Rect(row: 1, column: 0, rows: size.rows - 2, columns: size.columns),
        keymap: keymap)
    } else {
      if let left = layout.left { drawLeft(into: &frame, area: left, layout: layout) }
      if let right = layout.right { drawRight(into: &frame, area: right, layout: layout) }
    }
    drawFooter(into: &frame, area: layout.footer)
    return frame
  }

  private func drawTooSmall(into frame: inout Frame) {
    let need = Layout.smallest
    let lines = [
      "Too small:", "\(size.columns)×\(size.rows),", "needs", "\(need.columns)×\(need.rows)",
    ]
    for (row, line) in lines.enumerated() where row < size.rows {
      frame.write(
        line, row: row, column: 0, width: size.columns, paint: Paint(.text))
    }
  }

  private func drawHeader(into frame: inout Frame, area: Rect) {
    frame.fill(area, Paint(.titleBar, on: .titleBar))
    var column = 1
    column += frame.write(
      "sonde", row: 0, column: column, width: 5, paint: Paint(.titleBarName, on: .titleBar))
    let crumbs = ([storeName] + trail.map(\.composer.plan.namespace) + [shownNamespace])
      .compactMap { $0 }.joined(separator: " › ")
    let state = stateText
    let room = area.columns - column - 4 - TextWidth.columns(of: state.text)
    frame.write(
      "  " + crumbs, row: 0, column: column, width: max(0, room),
      paint: Paint(.crumb, on: .titleBar))
    let stateWidth = TextWidth.columns(of: state.text)
    frame.write(
      state.text, row: 0, column: max(0, area.columns - stateWidth - 1), width: stateWidth,
      paint: Paint(state.role, on: .titleBar))
  }

  /// Whether what is shown is the present truth.
  private var stateText: (text: String, role: Role) {
    if storeFailure != nil { return ("✕ stale", .stale) }
    guard let catalog else { return ("… loading", .dim) }
    switch catalog.snapshot.freshness {
    case .live: return ("● live  tx \(catalog.snapshot.transactionID)", .live)
    case .stale: return ("✕ stale  tx \(catalog.snapshot.transactionID)", .stale)
    case .archived: return ("◌ saved  tx \(catalog.snapshot.transactionID)", .offline)
    case .optimistic: return ("● live  pending", .pending)
    }
  }

  private func drawLeft(into frame: inout Frame, area: Rect, layout: Layout) {
    let panel = PanelStack(
      area: area,
      sections: [
        .init(
          title: Focus.namespaces.title, isFocused: focus == .namespaces,
          rows: layout.namespaceRows),
        .init(
          title: shownNamespace ?? Focus.schema.title, isFocused: focus == .schema,
          rows: layout.schemaRows),
      ])
    let inner = panel.draw(into: &frame)
    guard let catalog else { return }
    namespaces.draw(
      into: &frame, area: inner[0], catalog: catalog, shown: shownNamespace,
      isFocused: focus == .namespaces)
    if let namespace = shownNamespace {
      schema.draw(
        into: &frame, area: inner[1], namespace: namespace, catalog: catalog,
        isFocused: focus == .schema)
    }
  }

  private func drawRight(into frame: inout Frame, area: Rect, layout: Layout) {
    let panel = PanelStack(
      area: area,
      sections: [
        .init(
          title: prompt?.purpose.title ?? Focus.query.title,
          isFocused: focus == .query || prompt != nil, rows: layout.queryRows),
        .init(
          title: Focus.results.title, remark: results.remark,
          isFocused: focus == .results && prompt == nil, rows: layout.resultPaneRows),
      ])
    let inner = panel.draw(into: &frame)
    results.draw(
      into: &frame, area: inner[1], isFocused: focus == .results && prompt == nil)
    if let prompt {
      prompt.draw(into: &frame, area: inner[0])
    } else if let plan = composer?.plan {
      QueryLine(plan).draw(into: &frame, area: inner[0])
    }
  }

  /// What was said last, or else the keys that help most here.
  private func drawFooter(into frame: inout Frame, area: Rect) {
    frame.fill(area, Paint(.statusBar, on: .statusBar))
    if let notice {
      frame.write(
        notice.text, row: area.row, column: 1, width: max(0, area.columns - 2),
        paint: Paint(notice.isError ? .error : .statusBar, on: .statusBar))
      return
    }
    var column = 1
    for intent in footerIntents {
      guard let key = keymap.keys(for: intent, in: focus).first else { continue }
      let hint = "\(key.name) \(intent.label)"
      let width = TextWidth.columns(of: hint)
      guard column + width + 1 < area.columns else { break }
      let keyWidth = frame.write(
        key.name, row: area.row, column: column, width: width,
        paint: Paint(.key, on: .statusBar))
      frame.write(
        " " + intent.label, row: area.row, column: column + keyWidth, width: width - keyWidth,
        paint: Paint(.keyLabel, on: .statusBar))
      column += width + 2
    }
  }

  private var footerIntents: [Intent] {
    switch focus {
    case .namespaces: [.open, .filterText, .queryText, .nextPane, .help, .quit]
    case .schema: [.open, .back, .filterText, .nextPane, .help, .quit]
    case .query: [.open, .filterText, .limit, .undo, .redo, .nextPane, .help, .quit]
    case .results:
      [
        .filterByCell, .filterText, .order, .limit, .expand, .open, .back, .undo, .copyCell,
        .help, .quit,
      ]
    }
  }
}
