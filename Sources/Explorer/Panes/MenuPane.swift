import TerminalUI

/// A short list to choose from: by the cursor, by an entry's own key, or by a click.
struct MenuPane: Pane {
  struct Entry: Sendable, Equatable {
    /// The key that chooses it at once; nil where only the cursor and the mouse do.
    let key: Character?
    let label: String
    /// What it would do here, in dim letters.
    var detail = ""
    let wishes: [Wish]

    /// The same with the menu closed, which what is performed beneath does of itself.
    fileprivate var chosen: [Wish] {
      if case .perform? = wishes.first { return wishes }
      return [.close] + wishes
    }
  }

  let heading: String
  let entries: [Entry]
  /// Where it opens; nil for the middle.
  let corner: Position?
  private(set) var cursor = ListCursor()

  init(_ heading: String, _ entries: [Entry], at corner: Position? = nil) {
    self.heading = heading
    self.entries = entries
    self.corner = corner
  }

  var focus: Focus { .menu }
  var place: PanePlace {
    let widest = labelWidth + (entries.map { TextWidth.columns(of: $0.detail) }.max() ?? 0) + 8
    let columns = max(widest, TextWidth.columns(of: heading) + 4)
    return corner.map { .at($0, columns: columns, rows: entries.count, heading: heading) }
      ?? .popup(columns: columns, rows: entries.count, heading: heading)
  }

  /// Columns of the longest label, so that what stands after them begins in one column.
  private var labelWidth: Int { entries.map { TextWidth.columns(of: $0.label) }.max() ?? 0 }

  func title(in context: PaneContext) -> String { head(in: context.width).isEmpty ? heading : "" }

  /// The heading in lines above the entries, where it is too long for the pane's own line.
  static func head(_ heading: String, in width: Int) -> [String] {
    TextWidth.columns(of: heading) + 4 <= width
      ? [] : TextLines.wrapped(heading, width: max(1, width - 2), most: 3)
  }

  private func head(in width: Int) -> [String] { Self.head(heading, in: width) }

  private func page(in context: PaneContext) -> Int {
    max(1, context.page - head(in: context.width).count)
  }

  func label(of intent: Intent) -> String { intent == .open ? "choose" : intent.label }

  mutating func type(_ key: Key, in context: PaneContext) -> [Wish]? {
    guard let typed = key.typed, let entry = entries.first(where: { $0.key == typed }) else {
      return nil
    }
    return entry.chosen
  }

  mutating func handle(_ intent: Intent, in context: PaneContext) -> [Wish]? {
    if let moved = cursor.handle(intent, count: entries.count, page: page(in: context)) {
      return moved.wishes
    }
    guard intent == .open, entries.indices.contains(cursor.index) else { return nil }
    return entries[cursor.index].chosen
  }

  mutating func click(line: Int, column: Int, times: Int, in context: PaneContext) -> [Wish] {
    let line = line - head(in: context.width).count
    guard line >= 0 else { return [] }
    let index = cursor.top + line
    guard entries.indices.contains(index) else { return [] }
    return entries[index].chosen
  }

  mutating func scroll(by lines: Int, in context: PaneContext) {
    cursor.scroll(by: lines, of: entries.count, page: page(in: context))
  }

  mutating func refresh(in context: PaneContext) { scroll(by: 0, in: context) }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    let head = head(in: area.columns)
    for (row, text) in head.enumerated() {
      frame.write(
        text, row: area.row + row, column: area.column + 1, width: max(0, area.columns - 2),
        paint: Paint(.emphasis))
    }
    let list = area.dropping(rows: head.count)
    for (index, line, ground) in cursor.lines(of: entries.count, in: list) {
      let entry = entries[index]
      frame.fill(line, Paint(.text, on: ground))
      frame.write(
        entry.key.map { String($0) } ?? "", row: line.row, column: line.column + 1, width: 2,
        paint: Paint(.key, on: ground))
      frame.write(
        entry.label, row: line.row, column: line.column + 4, width: max(0, line.columns - 5),
        paint: Paint(.text, on: ground))
      frame.write(
        entry.detail, row: line.row, column: line.column + labelWidth + 6,
        width: max(0, line.columns - labelWidth - 7), paint: Paint(.dim, on: ground))
    }
    cursor.markMore(of: entries.count, beside: list, into: &frame)
  }
}
