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
  /// The movement among lines that the command performs; nil for other commands.
  var movement: ListMovement? {
    switch self {
    case .up: .up
    case .down: .down
    case .pageUp: .pageUp
    case .pageDown: .pageDown
    case .halfPageUp: .halfPageUp
    case .halfPageDown: .halfPageDown
    case .first: .first
    case .last: .last
    default: nil
    }
  }

  /// Returns the number of lines by which a command moves down; 0 for any other command.
  func steps(page: Int) -> Int { movement?.lines(page: page) ?? 0 }
}

extension ListCursor {
  /// Handles a command that moves by lines; nil for any other command.
  ///
  /// A list has no columns, so the keys for the first and the last column go to the first and the
  /// last line.
  mutating func handle(_ command: Command, count: Int, page: Int) -> InputResult? {
    let atEnd: ListMovement? =
      command == .firstColumn ? .first : command == .lastColumn ? .last : nil
    guard let movement = command.movement ?? atEnd else { return nil }
    move(movement, of: count, page: page)
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
