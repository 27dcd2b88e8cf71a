import TerminalUI
import Triples

/// Every change since the store was opened: what came, went and became something else.
struct ChangesPane: Pane {
  var cursor = ListCursor()
  /// Whether the newest line stays in sight as more come.
  private var isFollowing = true
  private var count = 0

  var focus: Focus { .changes }
  var place: PanePlace { .results }

  func title(in context: PaneContext) -> String { "Changes" }

  func remark(in context: PaneContext) -> String {
    let log = context.log
    var parts = [NumberText.grouped(log.entries.count)]
    if log.dropped > 0 { parts.append("\(NumberText.grouped(log.dropped)) older ones dropped") }
    if log.missed > 0 { parts.append("\(log.missed) transactions unknown") }
    return parts.joined(separator: " · ")
  }

  func hints(in context: PaneContext) -> [Intent] { [.open, .first, .last, .cancel] }

  mutating func handle(_ intent: Intent, in context: PaneContext) -> [Wish]? {
    let entries = context.log.entries
    if cursor.handle(intent, count: entries.count, page: context.page) {
      isFollowing = cursor.index >= entries.count - 1
      return []
    }
    guard intent == .open, entries.indices.contains(cursor.index) else { return nil }
    let entry = entries[cursor.index]
    guard let catalog = context.catalog, let handle = catalog.store.handle(of: entry.entity),
      catalog.store.contains(handle, in: entry.namespace)
    else { return [.say("\(entry.name) is no longer in the store")] }
    return [.open(Overlay(EntityPane(entry.entity, in: entry.namespace)))]
  }

  mutating func go(to line: Int, in context: PaneContext) {
    cursor.move(to: line, of: context.log.entries.count, page: context.page)
    isFollowing = cursor.index >= context.log.entries.count - 1
  }

  mutating func click(line: Int, column: Int, times: Int, in context: PaneContext) -> [Wish] {
    let count = context.log.entries.count
    guard cursor.top + line < count else { return [] }
    cursor.move(to: cursor.top + line, of: count, page: context.page)
    isFollowing = cursor.index == count - 1
    return times == 2 ? handle(.open, in: context) ?? [] : []
  }

  mutating func scroll(by lines: Int, in context: PaneContext) {
    cursor.scroll(by: lines, of: context.log.entries.count, page: context.page)
    isFollowing = cursor.index >= context.log.entries.count - 1
  }

  mutating func refresh(in context: PaneContext) {
    let total = context.log.entries.count
    if isFollowing {
      cursor.move(to: total - 1, of: total, page: context.page)
    } else {
      cursor.scroll(by: 0, of: total, page: context.page)
    }
    count = total
  }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    let entries = context.log.entries
    if entries.isEmpty {
      frame.writeWrapped(
        "Nothing has changed since the store was opened: what does stands here, old → new",
        in: area, paint: .dim)
    }
    for row in 0..<area.rows where cursor.top + row < entries.count {
      let index = cursor.top + row
      Self.draw(
        entries[index], into: &frame,
        line: Rect(row: area.row + row, column: area.column, rows: 1, columns: area.columns),
        ground: index == cursor.index ? .selection : .text)
    }
  }

  private static func draw(
    _ entry: ChangeLog.Entry, into frame: inout Frame, line: Rect, ground: Role
  ) {
    frame.fill(line, Paint(.text, on: ground))
    var column = line.column + 1
    func write(_ text: String, _ role: Role, width: Int = .max, takes: Int? = nil) {
      let room = max(0, min(width, line.endColumn - column))
      let used = frame.write(
        text, row: line.row, column: column, width: room, paint: Paint(role, on: ground))
      column += takes ?? used
    }
    write("\(entry.transaction)", .dim, width: 7, takes: 8)
    write(entry.kind.sign, entry.kind.role, takes: 2)
    write(entry.namespace, .namespace, width: 14, takes: 15)
    write(entry.name, .text, width: 24, takes: 25)
    write(entry.label, .attribute)
    if !entry.label.isEmpty { write("  ", .text) }
    if let old = entry.old { write(old.text, .deleted, width: 30) }
    if entry.old != nil || entry.new != nil { write(" → ", .dim) }
    if let new = entry.new { write(new.text, .inserted) }
  }
}

extension ChangeLog.Kind {
  fileprivate var role: Role {
    switch self {
    case .inserted, .linked: .inserted
    case .updated: .changed
    case .deleted, .unlinked: .deleted
    }
  }
}
