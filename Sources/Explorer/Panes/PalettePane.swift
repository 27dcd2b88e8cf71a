import TerminalUI

/// The command palette: all intents by name, with their keys.
struct PalettePane: Pane {
  private var field = TextField()
  private(set) var found: [Intent] = Self.match("")
  private(set) var cursor = ListCursor()

  var focus: Focus { .palette }
  var place: PanePlace { .popup(columns: 64, rows: 16) }

  func title(in context: PaneContext) -> String { "Command" }
  func remark(in context: PaneContext) -> String { "\(found.count)" }
  func label(of intent: Intent) -> String { intent == .open ? "run" : intent.label }

  mutating func type(_ key: Key, in context: PaneContext) -> [PaneAction]? {
    guard let typed = field.handle(key) else { return nil }
    if typed == .done { narrow(in: context) }
    return typed.actions
  }

  mutating func paste(_ text: String, in context: PaneContext) -> InputResult? {
    let outcome = field.paste(text)
    narrow(in: context)
    return outcome
  }

  private mutating func narrow(in context: PaneContext) {
    found = Self.match(field.text)
    cursor.move(to: 0, of: found.count, page: context.page - 1)
  }

  mutating func handle(_ intent: Intent, in context: PaneContext) -> [PaneAction]? {
    if let moved = cursor.handle(intent, count: found.count, page: context.page - 1) {
      return moved.actions
    }
    guard intent == .open else { return nil }
    guard found.indices.contains(cursor.index) else {
      return [.show(.noMatch)]
    }
    return [.perform(found[cursor.index])]
  }

  mutating func click(line: Int, column: Int, times: Int, in context: PaneContext) -> [PaneAction] {
    guard line > 0 else {
      field.click(column: column - 1, width: max(0, context.width - 2))
      return []
    }
    guard found.indices.contains(cursor.top + line - 1) else { return [] }
    return [.perform(found[cursor.top + line - 1])]
  }

  mutating func scroll(by lines: Int, in context: PaneContext) {
    cursor.scroll(by: lines, of: found.count, page: context.page - 1)
  }

  /// The intents whose description or settings name contains the letters of `text` in order, best
  /// match first.
  static func match(_ text: String) -> [Intent] {
    let wanted = text.lowercased().filter { !$0.isWhitespace }
    let all = Intent.grouped.filter { $0 != .palette }
    guard !wanted.isEmpty else { return all }
    return all.enumerated().compactMap { place, intent -> (Intent, Int, Int)? in
      let scores = [(intent.label, 0), (intent.help, 20), (intent.name, 40)].compactMap {
        words, penalty in gaps(of: wanted, in: words.lowercased()).map { $0 + penalty }
      }
      return scores.min().map { (intent, $0, place) }
    }
    .sorted { ($0.1, $0.2) < ($1.1, $1.2) }.map(\.0)
  }

  /// The number of letters before and between those of `wanted`; nil if they do not occur in order.
  private static func gaps(of wanted: String, in words: String) -> Int? {
    if let place = words.firstRange(of: wanted)?.lowerBound {
      return min(9, words.distance(from: words.startIndex, to: place))
    }
    var gaps = 10
    var rest = words[...]
    for letter in wanted {
      guard let place = rest.firstIndex(of: letter) else { return nil }
      gaps += rest.distance(from: rest.startIndex, to: place)
      rest = rest[rest.index(after: place)...]
    }
    return gaps
  }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    field.draw(
      into: &frame, row: area.row, column: area.column + 1, width: max(0, area.columns - 2),
      paint: Paint(.prompt))
    if found.isEmpty { frame.writeNotice(.noMatch, context.keys, in: area.dropping(rows: 1)) }
    for (index, line, ground) in cursor.lines(of: found.count, in: area.dropping(rows: 1)) {
      frame.fill(line, Paint(.text, on: ground))
      let names = context.keymap.keys(for: found[index], in: context.standing.focus)
        .map(\.name).joined(separator: " ")
      let width = TextWidth.columns(of: names)
      let room = max(0, line.columns - width - 3)
      frame.write(
        found[index].help(within: room), row: line.row, column: line.column + 1, width: room,
        paint: Paint(.text, on: ground))
      frame.write(
        names, row: line.row, column: line.endColumn - width - 1, width: width,
        paint: Paint(.key, on: ground))
    }
    cursor.markMore(of: found.count, in: area.dropping(rows: 1), into: &frame)
  }
}
