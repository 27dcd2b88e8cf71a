import TerminalUI

// Scrolls the lines of the query pane.
extension Workspace {
  /// Scrolls the query pane; nil for a movement that does not scroll.
  mutating func scrollQuery(_ move: ListMove) -> InputResult? {
    let page = layout.queryRows
    let last = max(0, tab.allQueryLines - page)
    let step: Int
    switch move {
    case .by(.first): step = -tab.queryTop
    case .by(.last): step = last
    case .by(let command):
      step = command.steps(page: page)
      if step == 0 { return nil }
    case .to, .clicked: step = 0
    case .scroll(let lines): step = lines
    }
    tab.queryTop = min(max(0, tab.queryTop + step), last)
    return .done
  }
}
