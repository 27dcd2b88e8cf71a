import TerminalUI

/// Lines to read, such as how a query was answered.
struct TextPane: Pane {
  let heading: String
  let lines: [String]
  private(set) var cursor = ListCursor()

  init(_ heading: String, _ lines: [String]) {
    self.heading = heading
    self.lines = lines
  }

  var focus: Focus { .text }
  var place: PanePlace { .results }

  func title(in context: PaneContext) -> String { heading }
  func hints(in context: PaneContext) -> [Intent] { [.copy, .cancel] }

  mutating func handle(_ intent: Intent, in context: PaneContext) -> [Wish]? {
    if cursor.handle(intent, count: lines.count, page: context.page) { return [] }
    return intent == .copy ? [.effect(.copy(lines.joined(separator: "\n")))] : nil
  }

  mutating func click(line: Int, column: Int, times: Int, in context: PaneContext) -> [Wish] {
    cursor.move(to: cursor.top + line, of: lines.count, page: context.page)
    return []
  }

  mutating func scroll(by lines: Int, in context: PaneContext) {
    cursor.scroll(by: lines, of: self.lines.count, page: context.page)
  }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    for row in 0..<area.rows where cursor.top + row < lines.count {
      let index = cursor.top + row
      let ground: Role = index == cursor.index ? .selection : .text
      let line = Rect(row: area.row + row, column: area.column, rows: 1, columns: area.columns)
      frame.fill(line, Paint(.text, on: ground))
      frame.write(
        lines[index], row: line.row, column: line.column + 1, width: max(0, line.columns - 2),
        paint: Paint(.text, on: ground))
    }
  }
}
