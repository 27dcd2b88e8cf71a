import TerminalUI

/// The keys that count in the pane in focus, read from the keymap.
struct HelpPane: Pane {
  /// Whose keys are shown.
  let subject: Focus
  private var top = 0

  init(of subject: Focus) {
    self.subject = subject
  }

  var focus: Focus { .help }
  var place: PanePlace { .screen }

  func title(in context: PaneContext) -> String { "Keys in \(subject.title)" }
  func remark(in context: PaneContext) -> String { "any other key closes this" }
  func hints(in context: PaneContext) -> [Intent] { [.down, .cancel] }

  mutating func handle(_ intent: Intent, in context: PaneContext) -> [Wish]? {
    let page = context.page
    let end = max(0, context.keymap.rows(in: subject).count - page)
    switch intent {
    case .up: top = max(0, top - 1)
    case .down: top = min(end, top + 1)
    case .pageUp, .halfPageUp: top = max(0, top - page)
    case .pageDown, .halfPageDown: top = min(end, top + page)
    case .first: top = 0
    case .last: top = end
    case .suspend, .redraw: return nil
    default: return [.close]
    }
    return []
  }

  mutating func click(line: Int, column: Int, times: Int, in context: PaneContext) -> [Wish] {
    [.close]
  }

  mutating func scroll(by lines: Int, in context: PaneContext) {
    let end = max(0, context.keymap.rows(in: subject).count - context.page)
    top = min(max(0, top + lines), end)
  }

  mutating func refresh(in context: PaneContext) { scroll(by: 0, in: context) }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    let rows = context.keymap.rows(in: subject)
    for (line, row) in rows.dropFirst(top).prefix(area.rows).enumerated() {
      let names = row.keys.map(\.name).joined(separator: "  ")
      frame.write(
        names, row: area.row + line, column: area.column + 1, width: 22, paint: Paint(.key))
      frame.write(
        row.intent.help, row: area.row + line, column: area.column + 24,
        width: max(0, area.columns - 25), paint: Paint(.text))
    }
  }
}
