import TerminalUI

/// Which of a number of lines is chosen, and which of them are in view.
///
/// The number of lines and of rows on screen are told with each move, since both change.
struct ListCursor: Sendable, Equatable {
  /// The chosen line, 0-based; 0 when there is none.
  private(set) var index = 0
  /// The first line in view.
  private(set) var top = 0

  /// Chooses a line and brings it into view.
  mutating func move(to line: Int, of count: Int, page: Int) {
    index = min(max(0, line), max(0, count - 1))
    follow(of: count, page: page)
  }

  mutating func move(by lines: Int, of count: Int, page: Int) {
    move(to: index + lines, of: count, page: page)
  }

  /// Moves the view and the chosen line alike, so that the line stays where it is on the screen.
  mutating func turn(by lines: Int, of count: Int, page: Int) {
    top = min(max(0, top + lines), max(0, count - page))
    move(to: index + lines, of: count, page: page)
  }

  /// Scrolls without choosing another line, unless the chosen one would leave the view.
  mutating func scroll(by lines: Int, of count: Int, page: Int) {
    // Nobody scrolls what has no row on the screen; another line is not chosen for that.
    guard page > 0 else { return }
    top = min(max(0, top + lines), max(0, count - page))
    index = min(max(index, top), max(0, min(count, top + page) - 1))
  }

  /// Brings lines below the chosen one into view, as far as that one stays there.
  mutating func reveal(through line: Int, of count: Int, page: Int) {
    guard page > 0, line >= top + page else { return }
    top = min(index, line - page + 1, max(0, count - page))
  }

  /// Scrolls no further than is needed to see the chosen line.
  private mutating func follow(of count: Int, page: Int) {
    let page = max(1, page)
    if index < top { top = index }
    if index >= top + page { top = index - page + 1 }
    top = min(top, max(0, count - page))
  }
}

extension ListCursor {
  /// Answers the moving intents; nil for any other.
  mutating func handle(_ intent: Intent, count: Int, page: Int) -> Outcome? {
    switch intent {
    case .up, .down: move(by: Self.steps(intent, page: page), of: count, page: page)
    case .pageUp, .pageDown, .halfPageUp, .halfPageDown:
      turn(by: Self.steps(intent, page: page), of: count, page: page)
    case .first: move(to: 0, of: count, page: page)
    case .last: move(to: count - 1, of: count, page: page)
    default: return nil
    }
    return .done
  }

  /// How many lines an intent moves down by; 0 for one that does not move by lines.
  static func steps(_ intent: Intent, page: Int) -> Int {
    switch intent {
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
  /// The lines in view from the top of an area on: which, where, and on what ground each is drawn.
  ///
  /// - Parameter chosen: The ground of the line that the cursor is on.
  func lines(
    of count: Int, in area: Rect, chosen: Role = .selection
  ) -> some Sequence<(index: Int, line: Rect, ground: Role)> {
    (top..<max(top, min(count, top + max(0, area.rows)))).lazy.map { index in
      let line = Rect(
        row: area.row + index - top, column: area.column, rows: 1, columns: area.columns)
      return (index, line, index == self.index ? chosen : .text)
    }
  }
}

extension ListCursor {
  /// Says at the right border of an area that there are more lines above or below those in view.
  func markMore(of count: Int, beside area: Rect, into frame: inout Frame) {
    frame.markMore(above: top > 0, below: top + area.rows < count, beside: area)
  }
}

extension Frame {
  /// Says at the right border of an area what of its lines is not in view.
  mutating func markMore(above isMoreAbove: Bool, below isMoreBelow: Bool, beside area: Rect) {
    // Where nothing has borders, places are told in words.
    guard area.rows > 0, area.endColumn < size.columns else { return }
    if isMoreAbove { write("▴", row: area.row, column: area.endColumn, paint: Paint(.key)) }
    if isMoreBelow { write("▾", row: area.endRow - 1, column: area.endColumn, paint: Paint(.key)) }
  }
}
