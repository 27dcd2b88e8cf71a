import Widgets

/// A movement of the cursor to another line, or scrolling.
enum ListMove: Sendable, Equatable {
  /// A movement by a key.
  case by(Command)
  /// A movement to a line, as an index among all lines.
  case to(Int)
  /// A click on a line, as an index among the visible lines.
  case clicked(Int)
  /// Scrolling down by a number of lines; the cursor stays in view.
  case scroll(Int)
}

extension Command {
  /// Returns the number of lines by which the command moves down; 0 for any other command, and for
  /// a movement to an end of the list.
  ///
  /// - Parameter page: The number of visible lines.
  func steps(page: Int) -> Int {
    switch self {
    case .up: -1
    case .down: 1
    case .pageUp: -max(1, page - 1)
    case .pageDown: max(1, page - 1)
    case .halfPageUp: -max(1, page / 2)
    case .halfPageDown: max(1, page / 2)
    default: 0
    }
  }
}

extension ListCursor {
  /// Handles a command that moves by lines; nil for any other command.
  ///
  /// A movement by pages also scrolls by pages; other movements scroll as little as necessary. A
  /// list has no columns, so the keys for the first and the last column go to the first and the last
  /// line.
  mutating func handle(_ command: Command, count: Int, page: Int) -> InputResult? {
    let lines = command.steps(page: page)
    switch command {
    case .up, .down: move(by: lines, of: count, page: page)
    case .pageUp, .pageDown, .halfPageUp, .halfPageDown:
      scrollWithCursor(by: lines, of: count, page: page)
    case .first, .firstColumn: move(to: 0, of: count, page: page)
    case .last, .lastColumn: move(to: count - 1, of: count, page: page)
    default: return nil
    }
    return .done
  }

  /// Moves the cursor within a list of `count` lines; nil for a command that is not a movement.
  mutating func go(_ move: ListMove, of count: Int, page: Int) -> InputResult? {
    switch move {
    case .by(let command): return handle(command, count: count, page: page)
    case .to(let line): self.move(to: line, of: count, page: page)
    case .clicked(let line): self.move(to: top + line, of: count, page: page)
    case .scroll(let lines): scroll(by: lines, of: count, page: page)
    }
    return .done
  }
}

/// The result of handling a key or command.
///
/// A key without effect comes with a reason to show. Cursor movements are an exception: at the end
/// of a list, nothing is shown.
enum InputResult: Sendable, Equatable {
  case done
  case noEffect(Notice)
}
