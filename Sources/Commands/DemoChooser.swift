import Ncurses
import TerminalUI

/// The first thing that somebody sees who names no store: the demos, each with what to try in it.
struct DemoChooser {
  private struct Choice {
    let name: String
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

  private static let tours = [
    "world": "countries and 26 000 cities: filter with f, order with s, go in with Enter",
    "goals": "a person's goals and to-dos: nest them with w, open in place with >",
    "company": "200 people, who leads whom: follow links there and back with Enter and Backspace",
  ]

  /// - Parameter names: The demos that there are; at least one.
  init(_ names: [String]) {
    let order = ["world", "goals", "company"]
    let known = order.filter(names.contains) + names.filter { !order.contains($0) }
    choices = known.map { Choice(name: $0, tour: Self.tours[$0] ?? "") }
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
    func line(_ row: Int, _ text: String, _ role: Role, indent: Int = 2) {
      guard row < size.rows, size.columns > indent else { return }
      frame.write(
        text, row: row, column: indent, width: size.columns - indent, paint: Paint(role, on: .text))
    }
    line(1, "Sonde: a live explorer for graph-shaped data", .title)
    line(2, "Choose a demo, or leave and name a store: sonde ./data", .dim)
    for (number, choice) in choices.enumerated() {
      let isChosen = number == place
      let row = 4 + number * 3
      line(
        row, "\(isChosen ? ">" : " ") \(number + 1)  \(choice.name)", isChosen ? .emphasis : .text)
      line(row + 1, choice.tour, .dim, indent: 7)
    }
    line(
      4 + choices.count * 3, "up down choose   enter open   q leave   sonde demo: one that changes",
      .keyLabel)
    return frame
  }
}

extension DemoChooser {
  /// Asks in the terminal.
  ///
  /// - Throws: A failure when there is no terminal that can be used.
  static func ask(_ options: NcursesTerminal.Options, theme: Theme) throws(Failure) -> Outcome {
    do {
      return try NcursesTerminal.open(options) { terminal in
        var chooser = DemoChooser(StoreLocation.demoNames)
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
