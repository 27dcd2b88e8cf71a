import Explorer
import Ncurses
import TerminalUI

/// The first thing that somebody sees who names no store: the demos, each with what to try in it.
struct DemoChooser {
  private struct Choice {
    let name: String
    /// What it holds, and what to try in it.
    let holds: String
    let tour: String
  }

  /// What came of it.
  enum Outcome: Equatable {
    case chosen(String)
    case left
    /// A signal asked for the end.
    case ended(Int32)
  }

  private let choices: [Choice]
  private var place = 0

  /// Whether the screen is heard: nothing is drawn, and the cursor stands on the choice.
  private let isLinear: Bool

  private static let tours = [
    "world": (
      "countries, cities and languages",
      "f filters by a cell, s orders, enter goes in, [ comes back"
    ),
    "goals": ("a person's goals and to-dos", "w nests them in one another, > opens a row in place"),
    "company": ("200 people and who leads whom", "enter follows a link, D draws them all"),
  ]

  /// - Parameter names: The demos that there are; at least one.
  init(_ names: [String], isLinear: Bool = false) {
    self.isLinear = isLinear
    let order = ["world", "goals", "company"]
    let known = order.filter(names.contains) + names.filter { !order.contains($0) }
    choices = known.map { name in
      let tour = Self.tours[name] ?? ("", "")
      return Choice(name: name, holds: tour.0, tour: tour.1)
    }
  }

  /// What a key does; nil when the choice goes on.
  mutating func handle(_ key: Key) -> Outcome? {
    switch key {
    case .down, .character("j"), .tab: place = min(place + 1, choices.count - 1)
    case .up, .character("k"), .backTab: place = max(place - 1, 0)
    case .enter: return .chosen(choices[place].name)
    case .escape, .character("q"), .control("c"): return .left
    default:
      guard case .character(let digit) = key.code, let number = digit.wholeNumberValue,
        choices.indices.contains(number - 1)
      else { return nil }
      return .chosen(choices[number - 1].name)
    }
    return nil
  }

  func view(_ size: Size) -> Frame {
    var frame = Frame(size: size)
    guard size.rows > 0, size.columns > 0 else { return frame }
    let (head, rest) = Rect(size).split(rows: 1)
    let (middle, foot) = rest.split(rows: rest.rows - 1)
    draw(bar: [("sonde", .titleBarName), ("  which data?", .titleBar)], head, .titleBar, &frame)
    drawChoices(into: &frame, area: middle)
    draw(
      bar: [
        ("enter", .key), (" open  ", .keyLabel), ("↑↓ 1-\(choices.count)", .key),
        (" choose  ", .keyLabel), ("q", .key), (" leave", .keyLabel),
      ], foot, .statusBar, &frame)
    return frame
  }

  private func draw(
    bar parts: [(text: String, role: Role)], _ area: Rect, _ ground: Role, _ frame: inout Frame
  ) {
    if !isLinear { frame.fill(area, Paint(ground, on: ground)) }
    var column = area.column + 1
    for part in parts {
      column += frame.write(
        part.text, row: area.row, column: column, width: max(0, area.endColumn - column),
        paint: Paint(part.role, on: isLinear ? .text : ground))
    }
  }

  private struct Line {
    let text: String
    let role: Role
    var indent = 0
    /// The choice that the line belongs to.
    var choice: Int?
    var isName = false
  }

  private func lines(width: Int) -> [Line] {
    func wrapped(_ text: String, _ role: Role, indent: Int = 0, choice: Int? = nil) -> [Line] {
      TextLines.wrapped(text, width: max(8, width - indent), most: 4)
        .map { Line(text: $0, role: role, indent: indent, choice: choice) }
    }
    var lines = [Line(text: "", role: .text)]
    lines += wrapped(
      "A live explorer for graph-shaped data. Choose a demo to look around in:", .text)
    for (number, choice) in choices.enumerated() {
      let sign = number == place ? (isLinear ? "chosen: " : "▸ ") : (isLinear ? "" : "  ")
      let name = "\(sign)\(number + 1)  \(choice.name)"
      lines.append(Line(text: "", role: .text))
      let both = choice.holds.isEmpty ? name : "\(name): \(choice.holds)"
      let fits = TextWidth.columns(of: both) <= width
      lines.append(
        Line(
          text: fits ? both : name, role: number == place ? .emphasis : .text, choice: number,
          isName: true))
      if !fits { lines += wrapped(choice.holds, .text, indent: isLinear ? 0 : 5, choice: number) }
      lines += wrapped(choice.tour, .dim, indent: isLinear ? 0 : 5, choice: number)
    }
    lines.append(Line(text: "", role: .text))
    lines += wrapped("sonde demo world: one that changes while you look", .dim)
    lines += wrapped("sonde ./data, app.sqlite, backup.zip or ws://…: your own", .dim)
    return lines
  }

  /// What does not fit is left out at the top, so that the choice is in sight.
  private func drawChoices(into frame: inout Frame, area: Rect) {
    let width = area.columns - 4
    guard width > 0, area.rows > 0 else { return }
    var lines = lines(width: width)
    if lines.count > area.rows { lines.removeAll { $0.text.isEmpty } }
    let end = (lines.lastIndex { $0.choice == place } ?? 0) + 1
    let shown = lines.dropFirst(max(0, end - area.rows)).prefix(area.rows)
    for (row, line) in shown.enumerated() {
      let isChosen = line.isName && line.choice == place
      let ground: Role = isChosen && !isLinear ? .selection : .text
      if isChosen {
        if !isLinear {
          frame.fill(
            Rect(row: area.row + row, column: 1, rows: 1, columns: area.columns - 2),
            Paint(.text, on: ground))
        }
        frame.cursor = isLinear ? Position(row: area.row + row, column: 2) : nil
      }
      frame.write(
        line.text, row: area.row + row, column: 2 + line.indent, width: width - line.indent,
        paint: Paint(line.role, on: ground))
    }
  }
}

extension DemoChooser {
  /// Asks in the terminal.
  ///
  /// - Parameter theme: What to show it in, given what is shown first.
  /// - Throws: A failure when there is no terminal that can be used.
  static func ask(
    _ options: NcursesTerminal.Options, isLinear: Bool,
    theme: (NcursesTerminal, Frame) -> Theme
  ) throws(Failure) -> Outcome {
    do {
      return try NcursesTerminal.open(options) { terminal in
        var chooser = DemoChooser(StoreLocation.demoNames, isLinear: isLinear)
        let theme = theme(terminal, chooser.view(terminal.size))
        while true {
          terminal.draw(chooser.view(terminal.size), theme: theme)
          for event in terminal.wait(until: nil) {
            switch event {
            case .key(let key):
              if let outcome = chooser.handle(key) { return outcome }
            case .terminate(let signal): return .ended(signal)
            case .hangup: return .ended(1)
            case .mouse, .paste, .focus, .resize, .wake, .resumed: break
            }
          }
        }
      }
    } catch let error as TerminalError {
      throw Failure(message: error.message, status: ExitStatus.usage)
    } catch {
      throw Failure(message: "\(error)", status: ExitStatus.usage)
    }
  }
}
