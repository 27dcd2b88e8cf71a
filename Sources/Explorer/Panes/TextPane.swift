import InstaQL
import TerminalUI
import Triples

/// Lines to read, such as how a query was answered.
struct TextPane: Pane {
  let heading: String
  /// As they were given.
  private let unwrapped: [TextLine]
  /// As wide as the pane.
  private(set) var lines: [TextLine]
  var cursor = ListCursor()
  /// Whether another entity can be asked about.
  let namespace: String?

  init(_ heading: String, _ lines: [TextLine], askingAbout namespace: String? = nil) {
    self.heading = heading
    unwrapped = lines
    self.lines = lines
    self.namespace = namespace
  }

  func begins(with line: TextLine?) -> Bool { unwrapped.first == line }

  var focus: Focus { .text }
  var place: PanePlace { .results }

  func title(in context: PaneContext) -> String { heading }

  func remark(in context: PaneContext) -> String {
    namespace == nil ? "" : context.keys.line(Notice("", hints: [.key(.open, "another row")]))
  }

  func hints(in context: PaneContext) -> [Intent] {
    (namespace == nil ? [] : [.open]) + [.copy, .outside, .cancel]
  }

  func label(of intent: Intent) -> String { intent == .open ? "another" : intent.label }

  mutating func handle(_ intent: Intent, in context: PaneContext) -> [Wish]? {
    if let moved = cursor.handle(intent, count: lines.count, page: context.page) {
      return moved.wishes
    }
    switch intent {
    case .copy: return [.effect(.copy(text))]
    case .outside: return [.effect(.page(text))]
    case .open:
      return namespace.map { [.open(Overlay(ChooserPane(whyIn: $0)))] }
        ?? [.say(.nothingToOpen)]
    default: return nil
    }
  }

  /// Lines that are too long go on in the next one, further in than they begin.
  mutating func refresh(in context: PaneContext) {
    lines = unwrapped.flatMap { line -> [TextLine] in
      let indent = String(repeating: " ", count: line.text.prefix { $0 == " " }.count)
      let width = max(8, context.width - 2 - indent.count - Self.hanging.count)
      guard TextWidth.columns(of: line.text) > context.width - 2 else { return [line] }
      let parts = TextLines.wrapped(
        String(line.text.dropFirst(indent.count)), width: width, most: Self.mostParts)
      return parts.enumerated().map { place, part in
        TextLine(indent + (place == 0 ? "" : Self.hanging) + part, line.role)
      }
    }
    cursor.scroll(by: 0, of: lines.count, page: context.page)
  }

  private static let hanging = "    "
  private static let mostParts = 1_000

  private var text: String { unwrapped.map(\.text).joined(separator: "\n") }

  mutating func click(line: Int, column: Int, times: Int, in context: PaneContext) -> [Wish] {
    cursor.move(to: cursor.top + line, of: lines.count, page: context.page)
    return []
  }

  mutating func scroll(by lines: Int, in context: PaneContext) {
    cursor.scroll(by: lines, of: self.lines.count, page: context.page)
  }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    for (index, line, ground) in cursor.lines(of: lines.count, in: area) {
      frame.fill(line, Paint(.text, on: ground))
      frame.write(
        lines[index].text, row: line.row, column: line.column + 1, width: max(0, line.columns - 2),
        paint: Paint(lines[index].role, on: ground))
    }
  }
}
