import InstaQL
import TerminalUI
import Triples

/// Lines to read, such as how a query was answered.
struct TextPane: Pane {
  let heading: String
  private(set) var lines: [TextLine]
  var cursor = ListCursor()
  /// Whether another entity can be asked about.
  let namespace: String?

  init(_ heading: String, _ lines: [TextLine], askingAbout namespace: String? = nil) {
    self.heading = heading
    self.lines = lines
    self.namespace = namespace
  }

  var focus: Focus { .text }
  var place: PanePlace { .results }

  func title(in context: PaneContext) -> String { heading }

  func remark(in context: PaneContext) -> String {
    namespace == nil ? "" : "enter asks about another one"
  }

  func hints(in context: PaneContext) -> [Intent] { [.open, .copy, .outside, .cancel] }

  mutating func handle(_ intent: Intent, in context: PaneContext) -> [Wish]? {
    if cursor.handle(intent, count: lines.count, page: context.page) { return [] }
    switch intent {
    case .copy: return [.effect(.copy(text))]
    case .outside: return [.effect(.page(text))]
    case .open:
      return namespace.map { [.open(Overlay(ChooserPane(whyIn: $0)))] }
        ?? [.say("There is nothing to go into: escape closes this")]
    default: return nil
    }
  }

  private var text: String { lines.map(\.text).joined(separator: "\n") }

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
        lines[index].text, row: line.row, column: line.column + 1, width: max(0, line.columns - 2),
        paint: Paint(lines[index].role, on: ground))
    }
  }
}
