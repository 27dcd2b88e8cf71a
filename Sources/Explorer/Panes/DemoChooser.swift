package import TerminalUI
import Widgets

/// The start screen without a store: a list of demos, each with a suggestion to try.
package struct DemoChooser {
  private struct Choice {
    let name: String
    /// A description of the demo's contents.
    let holds: String
    let tour: String
  }

  /// The way in which the user left the start screen.
  package enum Outcome: Equatable {
    case chosen(String)
    case left
    /// The program ends because of this signal.
    case ended(Int32)
  }

  /// What the caller must do after the screen handled an event.
  package enum Step: Equatable {
    /// The user continues to choose.
    case goOn
    case suspend, redraw
    case end(Outcome)
  }

  private let choices: [Choice]
  private var place = 0
  /// The message on the last line. The next key press removes it.
  private var said: String?
  /// Whether help covers the list of demos until the next key press.
  private var isHelping = false

  /// Whether the screen is for a screen reader: no boxes, and the cursor is on the selected demo.
  private let isScreenReader: Bool

  private static let tours = [
    "world": (
      "countries, cities and languages",
      "Try: f filters · s sorts · enter opens · [ goes back"
    ),
    "goals": ("a person's goals and to-dos", "Try: w includes related rows · > expands them"),
    "company": ("200 people and who manages whom", "Try: enter opens a link · D shows the diagram"),
  ]

  /// Creates a list of demos.
  ///
  /// - Parameter names: The available demos; at least one.
  package init(_ names: [String], isScreenReader: Bool = false) {
    self.isScreenReader = isScreenReader
    let order = ["world", "goals", "company"]
    let known = order.filter(names.contains) + names.filter { !order.contains($0) }
    choices = known.map { name in
      let tour = Self.tours[name] ?? ("", "")
      return Choice(name: name, holds: tour.0, tour: tour.1)
    }
  }

  /// Handles an event on a screen of this size. Returns what the caller must do.
  package mutating func handle(_ event: TerminalEvent, on size: Size) -> Step {
    switch event {
    case .key(let key):
      said = nil
      if isHelping {
        isHelping = false
        return key == .control("c") ? .end(.left) : .goOn
      }
      return press(key)
    case .mouse(let mouse): return handleMouse(mouse, on: size)
    case .paste:
      said = "No text field to paste into. \(Self.waysOn)"
      return .goOn
    case .terminate(let signal): return .end(.ended(signal))
    case .hangup: return .end(.ended(1))
    case .focus, .resize, .wake, .resumed: return .goOn
    }
  }

  private static let waysOn = "enter open · q quit"

  private mutating func press(_ key: Key) -> Step {
    switch key {
    case .down, .character("j"), .tab, .control("n"): move(by: 1)
    case .up, .character("k"), .backTab, .control("p"): move(by: -1)
    case .home, .character("g"), .pageUp: move(by: -choices.count)
    case .end, .character("G"), .pageDown: move(by: choices.count)
    case .enter: return .end(.chosen(choices[place].name))
    case .escape, .character("q"), .control("c"): return .end(.left)
    case .character("?"), .function(1): isHelping = true
    case .control("z"): return .suspend
    case .control("l"): return .redraw
    default:
      guard case .character(let digit) = key.code, key.modifiers.isEmpty,
        let number = digit.wholeNumberValue, choices.indices.contains(number - 1)
      else {
        said = "\(key.name) does nothing here. \(Self.waysOn)"
        return .goOn
      }
      return .end(.chosen(choices[number - 1].name))
    }
    return .goOn
  }

  private mutating func move(by steps: Int) {
    place = min(max(0, place + steps), choices.count - 1)
  }

  /// Handles the mouse: one click selects, two clicks open, the wheel moves the selection.
  private mutating func handleMouse(_ mouse: Mouse, on size: Size) -> Step {
    switch mouse.action {
    case .scrollUp: place = max(0, place - 1)
    case .scrollDown: place = min(place + 1, choices.count - 1)
    case .press(.left, let clicks):
      said = nil
      if isHelping {
        isHelping = false
        return .goOn
      }
      if let key = footer.key(at: Position(row: mouse.row, column: mouse.column), on: size) {
        return press(key)
      }
      let parts = Self.parts(of: size)
      let row = mouse.row - parts.middle.row
      let shown = shownLines(in: parts.middle)
      guard shown.indices.contains(row), let choice = shown[row].choice else { return .goOn }
      // A new selection can change the layout and move another line under the mouse, so the second
      // click must hit the selected demo.
      if clicks == 2, choice == place { return .end(.chosen(choices[choice].name)) }
      place = choice
    case .scrollLeft, .scrollRight, .press, .release, .drag: break
    }
    return .goOn
  }

  package func view(_ size: Size) -> Frame {
    var frame = Frame(size: size)
    guard size.rows > 0, size.columns > 0 else { return frame }
    let parts = Self.parts(of: size)
    draw(bar: [("sonde", .titleBarName), ("  demos", .titleBar)], parts.head, .titleBar, &frame)
    drawChoices(into: &frame, area: parts.middle)
    markMore(into: &frame, area: parts.middle)
    draw(bar: said.map { [($0, .statusBar)] } ?? footer.parts, parts.foot, .statusBar, &frame)
    return frame
  }

  private static func parts(of size: Size) -> (head: Rect, middle: Rect, foot: Rect) {
    let (head, rest) = Rect(size).split(rows: 1)
    let (middle, foot) = rest.split(rows: rest.rows - 1)
    return (head, middle, foot)
  }

  private var footer: Footer { Footer(isScreenReader: isScreenReader, isCovered: said != nil) }

  /// The key hints in the last line. Each hint can be clicked.
  private struct Footer {
    let isScreenReader: Bool
    /// Whether a message replaces the key hints.
    let isCovered: Bool

    private var hints: [(name: String, label: String, key: Key?)] {
      [
        ("enter", "open", .enter),
        (isScreenReader ? "up, down" : "↑↓", "choose", nil), ("?", "help", .character("?")),
        ("q", "quit", .character("q")),
      ]
    }

    var parts: [(text: String, role: Role)] {
      hints.flatMap { [($0.name, .key), (" \($0.label)  ", .keyLabel)] }
    }

    func key(at place: Position, on size: Size) -> Key? {
      guard place.row == size.rows - 1, !isCovered else { return nil }
      var column = 1
      for hint in hints {
        let width = TextWidth.columns(of: hint.name) + 1 + TextWidth.columns(of: hint.label)
        if (column..<column + width).contains(place.column) { return hint.key }
        column += width + 2
      }
      return nil
    }
  }

  private func draw(
    bar parts: [(text: String, role: Role)], _ area: Rect, _ ground: Role, _ frame: inout Frame
  ) {
    if !isScreenReader { frame.fill(area, Paint(ground, on: ground)) }
    var column = area.column + 1
    for part in parts {
      column += frame.write(
        part.text, row: area.row, column: column, width: max(0, area.endColumn - column),
        paint: Paint(part.role, on: isScreenReader ? .text : ground))
    }
  }

  private struct Line {
    let text: String
    let role: Role
    var indent = 0
    /// The index of the demo that the line belongs to; nil for other lines.
    var choice: Int?
    var isName = false
  }

  private func lines(width: Int) -> [Line] {
    func wrapped(_ text: String, _ role: Role, indent: Int = 0, choice: Int? = nil) -> [Line] {
      TextLines.wrapped(text, width: max(8, width - indent), limit: 4)
        .map { Line(text: $0, role: role, indent: indent, choice: choice) }
    }
    var lines = [Line(text: "", role: .text)]
    if isHelping { return lines + Self.help(choices.count).flatMap { wrapped($0, .text) } }
    lines += wrapped("Choose a demo dataset:", .text)
    for (number, choice) in choices.enumerated() {
      let sign =
        number == place ? (isScreenReader ? "chosen: " : "▸ ") : (isScreenReader ? "" : "  ")
      let name = "\(sign)\(number + 1)  \(choice.name)"
      lines.append(Line(text: "", role: .text))
      let both = choice.holds.isEmpty ? name : "\(name): \(choice.holds)"
      let fits = TextWidth.columns(of: both) <= width
      lines.append(
        Line(
          text: fits ? both : name, role: number == place ? .emphasis : .text, choice: number,
          isName: true))
      if !fits {
        lines += wrapped(choice.holds, .text, indent: isScreenReader ? 0 : 5, choice: number)
      }
      lines += wrapped(choice.tour, .dim, indent: isScreenReader ? 0 : 5, choice: number)
    }
    lines.append(Line(text: "", role: .text))
    lines += wrapped("sonde demo world: the same data, changing live", .dim)
    lines += wrapped("sonde ./data, app.sqlite, backup.zip or ws://…: your own data", .dim)
    return lines
  }

  private static func help(_ count: Int) -> [String] {
    [
      // This line is first, because the smallest screens show only a few lines.
      "Press any key to go back. Changes in a demo are not saved.",
      "enter  opens the selected demo; press ? there for its keys",
      "1-\(count)  open a demo by its number", "up, down, j, k  move the selection",
      "home, end  select the first or last", "q, escape, ctrl-c  quit",
      "ctrl-z  suspends, fg resumes",
    ]
  }

  /// Returns the lines in view. Lines at the top are dropped to keep the selection visible.
  private func shownLines(in area: Rect) -> [Line] {
    let width = area.columns - 4
    guard width > 0, area.rows > 0 else { return [] }
    var lines = lines(width: width)
    if lines.count > area.rows { lines.removeAll { $0.text.isEmpty } }
    let start = lines.firstIndex { $0.choice == place } ?? 0
    let end = (lines.lastIndex { $0.choice == place } ?? 0) + 1
    // If a demo is taller than the screen, its name must stay visible.
    return Array(lines.dropFirst(max(0, min(start, end - area.rows))).prefix(area.rows))
  }

  /// Draws marks at the right edge if there are more demos above or below.
  private func markMore(into frame: inout Frame, area: Rect) {
    let shown = shownLines(in: area).compactMap(\.choice)
    guard !isScreenReader, !isHelping, let first = shown.first, let last = shown.last else {
      return
    }
    func mark(_ sign: String, row: Int) {
      frame.write(sign, row: row, column: area.endColumn - 1, paint: Paint(.key))
    }
    if first > 0 { mark("▴", row: area.row) }
    if last < choices.count - 1 { mark("▾", row: area.endRow - 1) }
  }

  private func drawChoices(into frame: inout Frame, area: Rect) {
    for (row, line) in shownLines(in: area).enumerated() {
      let isChosen = line.isName && line.choice == place
      let ground: Role = isChosen && !isScreenReader ? .selection : .text
      if isChosen {
        if !isScreenReader {
          frame.fill(
            Rect(row: area.row + row, column: 1, rows: 1, columns: area.columns - 2),
            Paint(.text, on: ground))
        }
        frame.cursor = isScreenReader ? Position(row: area.row + row, column: 2) : nil
      }
      frame.write(
        line.text, row: area.row + row, column: 2 + line.indent,
        width: area.columns - 4 - line.indent, paint: Paint(line.role, on: ground))
    }
  }
}
