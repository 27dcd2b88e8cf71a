import Widgets

/// A movement to another line of a pane.
enum ListMove: Sendable, Equatable {
  /// A movement by a key.
  case by(Intent)
  /// A movement to a line, as an index among all lines.
  case to(Int)
  /// A click on a line, as an index among the visible lines.
  case clicked(Int)
  /// Scrolling down by a number of lines; the cursor stays in view.
  case scroll(Int)
}

extension Intent {
  /// The movement among lines; nil if the intent does not move by lines.
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

  /// Returns the number of lines to move down; 0 if the intent does not move by lines.
  func steps(page: Int) -> Int { movement?.lines(page: page) ?? 0 }
}

extension ListCursor {
  /// Handles an intent that moves by lines; nil for any other intent.
  mutating func handle(_ intent: Intent, count: Int, page: Int) -> InputResult? {
    guard let movement = intent.movement else { return nil }
    move(movement, of: count, page: page)
    return .done
  }

  /// Moves within a number of lines; nil for an intent that does not move.
  mutating func go(_ move: ListMove, of count: Int, page: Int) -> InputResult? {
    switch move {
    case .by(let intent): return handle(intent, count: count, page: page)
    case .to(let line): self.move(to: line, of: count, page: page)
    case .clicked(let line): self.move(to: top + line, of: count, page: page)
    case .scroll(let lines): scroll(by: lines, of: count, page: page)
    }
    return .done
  }
}
