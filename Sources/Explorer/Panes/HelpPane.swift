import TerminalUI

/// The keys that count in the pane in focus, read from the keymap.
struct HelpPane: Pane {
  /// Whose keys are shown.
  let subject: Focus
  /// The first key in view, and the one that was found.
  var cursor = ListCursor()

  init(of subject: Focus) {
    self.subject = subject
  }

  var focus: Focus { .help }
  var place: PanePlace { .screen }

  func title(in context: PaneContext) -> String { "Keys in \(subject.title)" }
  func remark(in context: PaneContext) -> String { "any other key closes this" }
  func hints(in context: PaneContext) -> [Intent] { [.down, .cancel] }

  mutating func handle(_ intent: Intent, in context: PaneContext) -> [Wish]? {
    let (page, count) = (context.page, lineCount(in: context))
    switch intent {
    case .up: scroll(by: -1, in: context)
    case .down: scroll(by: 1, in: context)
    case .pageUp, .halfPageUp: scroll(by: -page, in: context)
    case .pageDown, .halfPageDown: scroll(by: page, in: context)
    case .first: scroll(by: -count, in: context)
    case .last: scroll(by: count, in: context)
    case .suspend, .redraw, .find, .findNext, .findPrevious, .outside: return nil
    default: return [.close]
    }
    return []
  }

  mutating func click(line: Int, column: Int, times: Int, in context: PaneContext) -> [Wish] {
    [.close]
  }

  mutating func scroll(by lines: Int, in context: PaneContext) {
    cursor.scroll(by: lines, of: lineCount(in: context), page: context.page)
  }

  mutating func refresh(in context: PaneContext) { scroll(by: 0, in: context) }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    let rows = context.keymap.rows(in: subject)
    for (line, row) in rows.dropFirst(cursor.top).prefix(area.rows).enumerated() {
      let names = row.keys.map(\.name).joined(separator: "  ")
      frame.write(
        names, row: area.row + line, column: area.column + 1, width: 22, paint: Paint(.key))
      frame.write(
        row.intent.help, row: area.row + line, column: area.column + 24,
        width: max(0, area.columns - 25), paint: Paint(.text))
    }
  }
}
