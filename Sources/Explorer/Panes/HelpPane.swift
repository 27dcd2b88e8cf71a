import TerminalUI

/// What the pane in focus is for, and the keys that count there, read from the keymap: its own first,
/// then the others by what they are for. Where there is room for two columns of them, there are two.
struct HelpPane: Pane {
  /// Whose keys are shown.
  let subject: Focus
  /// The first key in view, and the one that was found.
  var cursor = ListCursor()
  /// The lines as they were laid out last: a key that moves need not break a hundred sentences.
  private var layout = LineLayout()

  init(of subject: Focus) {
    self.subject = subject
  }

  var focus: Focus { .help }
  var place: PanePlace { .screen }

  func title(in context: PaneContext) -> String { "Keys in \(subject.title)" }

  func remark(in context: PaneContext) -> String {
    let rest = lineCount(in: context) - cursor.top - linesInView(in: context)
    return (rest > 0 ? "\(rest) more below · " : "") + "any other key closes this"
  }

  func hints(in context: PaneContext) -> [Intent] { [.down, .cancel] }
  func label(of intent: Intent) -> String { intent == .down ? "scroll" : intent.label }

  mutating func handle(_ intent: Intent, in context: PaneContext) -> [Wish]? {
    layOut(in: context)
    let (page, count) = (linesInView(in: context), lineCount(in: context))
    let before = cursor
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
    return Outcome.moved(cursor != before, by: intent).wishes
  }

  mutating func click(line: Int, column: Int, times: Int, in context: PaneContext) -> [Wish] {
    [.close]
  }

  mutating func scroll(by lines: Int, in context: PaneContext) {
    layOut(in: context)
    cursor.scroll(
      by: lines, of: lineCount(in: context), page: linesInView(in: context))
  }

  mutating func refresh(in context: PaneContext) { scroll(by: 0, in: context) }

  // MARK: Lines

  enum Line: Equatable {
    case blank
    /// A line of what the pane is for.
    case about(String)
    case title(String)
    /// Keys, with as much of what they do as one line has room for.
    case row(Keymap.Row, String)
    /// The rest of it.
    case more(String)
  }

  private struct LineLayout: Equatable {
    var rows: [Keymap.Row] = []
    var width = 0
    var page = 0
    var columns = 1
    var lines: [Line] = []
  }

  /// All lines as the pane shows them.
  func lines(in context: PaneContext) -> [Line] { laidOut(in: context).lines }

  /// As few columns as show all lines at once, since wide ones need not break their sentences; where
  /// there is no such number, as many as there is room for.
  private func laidOut(in context: PaneContext) -> LineLayout {
    let isCurrent =
      layout.width == context.width && layout.page == context.page
      && layout.rows == context.keymap.rows
    if isCurrent { return layout }
    let most =
      context.isLinear ? 1 : min(3, max(1, context.width / Self.leastColumnWidth))
    var laid = LineLayout(
      rows: context.keymap.rows, width: context.width, page: context.page)
    for columns in 1...most {
      laid.columns = columns
      laid.lines = lines(of: context.keymap, width: context.width / columns)
      if laid.lines.count <= columns * context.page { break }
    }
    return laid
  }

  private mutating func layOut(in context: PaneContext) { layout = laidOut(in: context) }

  /// All lines: what the pane is for, then titles with their keys beneath, whose sentences go on in
  /// further lines where they are too long for `width` columns.
  func lines(of keymap: Keymap, width: Int) -> [Line] {
    func lines(of row: Keymap.Row) -> [Line] {
      let room = max(Self.keyColumns, width - Self.keyColumns - 2)
      let help = row.intent.help
      if TextWidth.columns(of: help) <= room { return [.row(row, help)] }
      let parts = TextLines.wrapped(help, width: room, most: 4)
      return [.row(row, parts[0])] + parts.dropFirst().map { .more($0) }
    }
    let rows = keymap.rows(in: subject)
    let own = rows.filter { $0.focus != nil }
    var all = TextLines.wrapped(
      subject.about(in: keymap),
      width: max(Self.keyColumns, width - 2), most: 12
    )
    .map { Line.about($0) }
    if !own.isEmpty { all += [.blank, .title("Here")] + own.flatMap(lines) }
    for group in Intent.Group.allCases {
      let others = rows.filter { $0.focus == nil && $0.intent.group == group }
      if others.isEmpty { continue }
      all += [.blank, .title(group.title)]
      all += others.flatMap(lines)
    }
    return all
  }

  private static let leastColumnWidth = 56
  private static let keyColumns = 15

  private func columnCount(in context: PaneContext) -> Int { laidOut(in: context).columns }

  /// How many lines are seen at once, in all columns.
  func linesInView(in context: PaneContext) -> Int {
    context.page * columnCount(in: context)
  }

  /// Where a line in view stands; nil for one that is not.
  private func place(ofLine line: Int, in area: Rect, _ context: PaneContext) -> Rect? {
    let columns = columnCount(in: context)
    let number = line - cursor.top
    guard area.rows > 0, number >= 0, number < area.rows * columns else { return nil }
    let width = area.columns / columns
    return Rect(
      row: area.row + number % area.rows, column: area.column + number / area.rows * width, rows: 1,
      columns: width)
  }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    for (index, line) in lines(in: context).enumerated() {
      guard let place = place(ofLine: index, in: area, context) else { continue }
      switch line {
      case .blank: break
      case .about(let text):
        frame.write(
          text, row: place.row, column: place.column + 1, width: max(0, place.columns - 2),
          paint: Paint(.text))
      case .title(let title):
        frame.write(
          title, row: place.row, column: place.column + 1, width: max(0, place.columns - 2),
          paint: Paint(.emphasis))
      case .more(let text): write(text, into: &frame, at: place)
      case .row(let row, let text):
        let names = row.keys.map(\.name).joined(separator: "  ")
        frame.write(
          names, row: place.row, column: place.column + 1, width: Self.keyColumns - 1,
          paint: Paint(.key))
        write(text, into: &frame, at: place)
      }
    }
  }

  /// Writes what keys do behind them.
  private func write(_ text: String, into frame: inout Frame, at place: Rect) {
    frame.write(
      text, row: place.row, column: place.column + Self.keyColumns + 1,
      width: max(0, place.columns - Self.keyColumns - 2), paint: Paint(.text))
  }

  func drawMatches(
    of pattern: TextPattern, into frame: inout Frame, area: Rect, context: PaneContext
  ) {
    guard !pattern.isEmpty else { return }
    for line in 0..<lineCount(in: context) where pattern.isIn(text(ofLine: line, in: context)) {
      guard let place = place(ofLine: line, in: area, context) else { continue }
      frame.repaint(place, ground: line == cursor.index ? .matchCurrent : .match)
    }
  }
}
