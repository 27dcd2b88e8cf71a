import TerminalUI
import Widgets

/// The help for a pane: its description, its most used keys, its own keys, then the other keys by
/// topic.
///
/// If there is enough space, the help has several columns. While the user types, it contains only
/// matches.
struct HelpPane: Pane {
  /// The pane whose keys are shown.
  let subject: PaneTraits
  /// The effects of commands whose help text does not apply in the pane.
  private let labels: [Command: String]
  /// The keys that the pane does not leave to the keymap, such as those of a menu's entries.
  private let taken: Set<Key>
  /// The position of the first visible line.
  var cursor = ListCursor()
  /// The typed letters that listed keys match; without letters, all keys are listed.
  private var filter = TypedLetters("")
  /// The position among all lines, which returns with them.
  private var cursorInAll = ListCursor()
  /// The cached layout, so that scrolling does not wrap all sentences again.
  private var layout = LineLayout()

  /// Creates the help for a pane.
  ///
  /// - Parameters:
  ///   - taken: The keys that the pane does not leave to the keymap, and which the help omits.
  ///   - label: Returns the pane's label of a command.
  init(of subject: PaneTraits, without taken: Set<Key> = [], label: (Command) -> String) {
    (self.subject, self.taken) = (subject, taken)
    labels = Dictionary(
      uniqueKeysWithValues: Command.allCases.map { ($0, label($0)) }.filter { $0.label != $1 })
  }

  var traits: PaneTraits { .help }

  func title(in context: PaneContext) -> String { "Keys in \(subject.title)" }

  func remark(in context: PaneContext) -> String {
    let laid = laidOut(in: context)
    let rest = laid.lines.count - laid.end(from: cursor.top)
    let hint = context.isTyping ? nil : "most keys close this help"
    let below = NumberText.count(rest, "line") + " below"
    return [matchCount(in: laid), rest > 0 ? below : nil, hint].compactMap { $0 }
      .joined(separator: " · ")
  }

  /// Returns the number of matches in words; nil if all keys are listed.
  private func matchCount(in laid: LineLayout) -> String? {
    if filter.letters.isEmpty { return nil }
    return NumberText.count(laid.lines.count { $0.isRow }, "match", "matches")
  }

  func label(of command: Command) -> String {
    command == .cancel && !filter.letters.isEmpty ? "show all" : traits.label(of: command)
  }

  func hints(in context: PaneContext) -> [Command] {
    laidOut(in: context).lastTop == 0 ? [.find, .cancel] : [.down, .find, .cancel]
  }

  mutating func handle(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    updateLayout(in: context)
    let count = layout.lines.count
    let page = layout.end(from: cursor.top) - cursor.top
    switch command {
    case .up: scroll(by: -1, in: context)
    case .down: scroll(by: 1, in: context)
    case .pageUp, .halfPageUp: scroll(by: -page, in: context)
    case .pageDown, .halfPageDown: scroll(by: page, in: context)
    case .first, .firstColumn: scroll(by: -count, in: context)
    case .last, .lastColumn: scroll(by: count, in: context)
    case .suspend, .redraw, .find, .outside: return nil
    case .cancel where !filter.letters.isEmpty: narrow(to: "", in: context)
    default: return [.close]
    }
    return []
  }

  mutating func narrow(to text: String, in context: PaneContext) {
    if filter.letters.isEmpty { cursorInAll = cursor }
    filter = TypedLetters(text)
    cursor = filter.letters.isEmpty ? cursorInAll : ListCursor()
    scroll(by: 0, in: context)
  }

  mutating func click(line: Int, column: Int, times: Int, in context: PaneContext) -> [PaneAction] {
    [.close]
  }

  mutating func scroll(by lines: Int, in context: PaneContext) {
    updateLayout(in: context)
    cursor.scroll(by: lines, of: layout.lines.count, page: layout.lines.count - layout.lastTop)
  }

  mutating func refresh(in context: PaneContext) { scroll(by: 0, in: context) }

  // MARK: Lines

  enum Line: Equatable {
    case blank
    /// A line of the description.
    case about(String)
    case title(String)
    /// Keys with their description. A long description continues on `more` lines.
    case row([Key], String)
    /// A further line of a long description.
    case more(String)

    var isRow: Bool { if case .row = self { true } else { false } }

    var text: String {
      switch self {
      case .blank: ""
      case .about(let text), .title(let text), .more(let text): text
      case .row(let keys, let text): keys.map(\.name).joined(separator: " ") + " " + text
      }
    }
  }

  /// Returns all lines at the current width of the pane.
  func lines(in context: PaneContext) -> [Line] { laidOut(in: context).lines }

  /// Returns the layout with the fewest columns that shows all lines at once; otherwise with as
  /// many columns as fit.
  private func laidOut(in context: PaneContext) -> LineLayout {
    let isCurrent =
      layout.width == context.width && layout.page == context.page
      && layout.rows == context.settings.keymap.rows && layout.commands == context.commands
      && layout.filter == filter
    if isCurrent { return layout }
    let limit =
      context.settings.isScreenReader ? 1 : min(3, max(1, context.width / Self.minColumnWidth))
    var laid = LineLayout(
      rows: context.settings.keymap.rows, commands: context.commands, filter: filter,
      width: context.width, page: context.page)
    let keys = rows(of: context.settings.keymap).map(\.keys)
    for columns in 1...limit {
      laid.columns = columns
      laid.keyColumns = Self.keyColumns(of: keys, width: context.width / columns)
      laid.lines = lines(
        of: context.settings.keymap, context.commands, width: context.width / columns,
        keyColumns: laid.keyColumns)
      laid.keepTogether()
      if laid.lastTop == 0 { break }
    }
    return laid
  }

  private mutating func updateLayout(in context: PaneContext) { layout = laidOut(in: context) }

  /// Returns all lines, wrapped at `width` columns: the description, then the topics with their
  /// keys.
  ///
  /// - Parameter keyColumns: The width of the keys before their descriptions; nil if the
  ///   descriptions are not aligned.
  func lines(
    of keymap: Keymap, _ commands: [CommandOffer], width: Int, keyColumns: Int? = nil
  ) -> [Line] {
    func lines(_ keys: [Key], _ help: String) -> [Line] {
      let room = max(Self.minTextWidth, width - (keyColumns ?? 0) - 2)
      let parts =
        TextWidth.columns(of: help) <= room
        ? [help] : TextLines.wrapped(help, width: room, limit: 4)
      // The description of keys that are too wide begins on the next line.
      let isTooWide = keyColumns.map { Self.width(of: keys) > $0 } ?? false
      return [.row(keys, isTooWide ? "" : parts[0])]
        + parts.dropFirst(isTooWide ? 0 : 1).map { .more($0) }
    }
    func lines(of rows: [Keymap.Row]) -> [Line] { rows.flatMap { lines($0.keys, help(of: $0)) } }
    let rows = rows(of: keymap).filter { matches($0.keys, help(of: $0)) }
    let mostUsed = subject.mostUsed.flatMap { command in rows.filter { $0.command == command } }
    let others = rows.filter { !subject.mostUsed.contains($0.command) }
    let bound = bound(commands).filter { matches($0.keys, $0.help) }
    var topics = [
      ("Most used", lines(of: mostUsed)),
      ("In this pane", lines(of: others.filter { $0.focus != nil })),
      ("Commands from the settings", bound.flatMap { lines($0.keys, $0.help) }),
    ]
    topics += Command.Group.allCases.map { group in
      (group.title, lines(of: others.filter { $0.focus == nil && $0.command.group == group }))
    }
    let all = topics.filter { !$0.1.isEmpty }.flatMap { [.blank, .title($0.0)] + $0.1 }
    if !filter.letters.isEmpty { return Array(all.dropFirst()) }
    return TextLines.wrapped(subject.about, width: max(Self.minTextWidth, width - 2), limit: 12)
      .map { .about($0) } + all
  }

  /// Returns the keys of custom commands that apply to the pane, with their descriptions.
  private func bound(_ commands: [CommandOffer]) -> [(keys: [Key], help: String)] {
    commands.compactMap { offer in
      guard let key = offer.command.key, offer.command.scope.contains(subject) else { return nil }
      return ([key], offer.command.name + (offer.reason.map { " (\($0))" } ?? ""))
    }
  }

  private func help(of row: Keymap.Row) -> String { labels[row.command] ?? row.command.help }

  /// Returns whether a key or its description contains the typed words.
  private func matches(_ keys: [Key], _ help: String) -> Bool {
    [Self.names(of: keys), help].contains { filter.places(in: $0) != nil }
  }

  /// Returns the rows of the key table that apply to the pane.
  private func rows(of keymap: Keymap) -> [Keymap.Row] {
    keymap.rows(in: subject).filter { !subject.ignores($0.command) }.map {
      let keys = subject.speaking($0.keys).filter { !taken.contains($0) }
      return Keymap.Row(focus: $0.focus, keys: keys, command: $0.command)
    }.filter { !$0.keys.isEmpty }
  }

  private static let minColumnWidth = 56
  private static let minTextWidth = 15

  private static func names(of keys: [Key]) -> String { keys.map(\.name).joined(separator: "  ") }

  /// Returns the width of keys, including the gap before their description.
  private static func width(of keys: [Key]) -> Int { TextWidth.columns(of: names(of: keys)) + 2 }

  /// Returns the width for the keys of all rows, at most a third of the width.
  private static func keyColumns(of rows: [[Key]], width: Int) -> Int {
    min(rows.map { Self.width(of: $0) }.max() ?? 0, width / 3)
  }

  /// Returns the visible lines with their positions.
  private func visible(_ laid: LineLayout, in area: Rect) -> [(line: Int, place: ListLine)] {
    guard area.rows > 0 else { return [] }
    let columns = laid.columns(of: area.rows, from: cursor.top)
    let width = area.columns / columns.count
    return columns.enumerated().flatMap { number, lines in
      let column = Rect(
        row: area.row, column: area.column + number * width, rows: area.rows, columns: width)
      return lines.map { (line: $0, place: column.line($0 - lines.lowerBound)) }
    }
  }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    let laid = laidOut(in: context)
    if laid.lines.isEmpty { frame.writeNotice(.noMatch, context.keys, in: area) }
    for (line, place) in visible(laid, in: area) {
      switch laid.lines[line] {
      case .blank: break
      case .about(let text): frame.write(text, .text, in: place)
      case .title(let title): frame.write(title, .emphasis, in: place)
      case .more(let text): write(text, .text, in: place, at: laid.keyColumns + 1, into: &frame)
      case .row(let keys, let text):
        write(
          Self.names(of: keys), .key, in: place, at: 1,
          width: text.isEmpty ? .max : max(0, laid.keyColumns - 1), into: &frame)
        write(text, .text, in: place, at: laid.keyColumns + 1, into: &frame)
      }
    }
  }

  /// Writes text in a line and highlights the typed letters.
  private func write(
    _ text: String, _ role: Role, in place: ListLine, at column: Int, width: Int = .max,
    into frame: inout Frame
  ) {
    frame.write(text, role, in: place, at: column, width: width)
    frame.mark(
      filter.places(in: text) ?? [], of: text, row: place.area.row,
      column: place.area.column + column,
      width: max(0, min(width, place.area.columns - column - 1)))
  }
}

extension PaneTraits {
  package static let help = PaneTraits(
    title: "Help",
    about: "The keys of the pane in which help was opened."
  ) {
    $0.place = .screen
    $0.labels = [.down: "scroll"]
  }
}
