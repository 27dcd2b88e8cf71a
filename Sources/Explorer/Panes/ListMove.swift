/// A movement to another line of a pane.
enum ListMove: Sendable, Equatable {
  /// By a key.
  case by(Intent)
  /// To a line, counted from the first one.
  case to(Int)
  /// To a clicked line, counted from the first visible one.
  case clicked(Int)
  /// With the view, this many lines down.
  case scroll(Int)
}

extension ListCursor {
  /// Moves among this many lines; nil for an intent that does not move.
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
