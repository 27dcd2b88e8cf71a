package import TerminalUI

/// The selected line of a list, and which part of the list is visible.
///
/// Most methods take the number of lines and the number of visible rows, since both can change.
package struct ListCursor: Sendable, Equatable {
  /// The index of the selected line; 0 if there is none.
  package private(set) var index = 0
  /// The index of the first visible line.
  package private(set) var top = 0

  package init() {}

  /// Returns the item of the selected line; nil if there is none.
  package func item<Item>(in items: [Item]) -> Item? {
    items.indices.contains(index) ? items[index] : nil
  }

  /// Selects a line and scrolls it into view.
  package mutating func move(to line: Int, of count: Int, page: Int) {
    index = min(max(0, line), max(0, count - 1))
    follow(of: count, page: page)
  }

  package mutating func move(by lines: Int, of count: Int, page: Int) {
    move(to: index + lines, of: count, page: page)
  }

  /// Scrolls the view and moves the cursor by the same number of lines.
  package mutating func scrollWithCursor(by lines: Int, of count: Int, page: Int) {
    top = min(max(0, top + lines), max(0, count - page))
    move(to: index + lines, of: count, page: page)
  }

  /// Scrolls the view. The cursor only moves if its line would leave the view.
  package mutating func scroll(by lines: Int, of count: Int, page: Int) {
    // A pane that has no rows on the screen does not scroll.
    guard page > 0 else { return }
    top = min(max(0, top + lines), max(0, count - page))
    index = min(max(index, top), max(0, min(count, top + page) - 1))
  }

  /// Scrolls down far enough to show the lines through `line`, but keeps the cursor's line in view.
  package mutating func reveal(through line: Int, of count: Int, page: Int) {
    guard page > 0, line >= top + page else { return }
    top = min(index, line - page + 1, max(0, count - page))
  }

  /// Scrolls as little as necessary to make the cursor visible.
  private mutating func follow(of count: Int, page: Int) {
    let page = max(1, page)
    if index < top { top = index }
    if index >= top + page { top = index - page + 1 }
    top = min(top, max(0, count - page))
  }

  // MARK: Drawing

  /// Returns the visible lines.
  ///
  /// - Parameter chosen: The background of the line at the cursor.
  package func lines(
    of count: Int, in area: Rect, chosen: Role = .selection
  ) -> some Sequence<ListLine> {
    (top..<max(top, min(count, top + max(0, area.rows)))).lazy.map { index in
      var line = area.line(index - top, ground: index == self.index ? chosen : .text)
      line.index = index
      return line
    }
  }

  /// Draws a scroll bar over the right border of an area. It shows which lines are visible.
  package func markMore(of count: Int, in area: Rect, into frame: inout Frame) {
    frame.drawScrollThumb(top: top, page: area.rows, of: count, in: area)
  }

  /// Draws the visible lines: the background of each, then its content.
  ///
  /// - Parameter chosen: The background of the line at the cursor.
  package func draw(
    _ count: Int, in area: Rect, chosen: Role = .selection, into frame: inout Frame,
    _ drawContent: (ListLine, inout Frame) -> Void
  ) {
    for line in lines(of: count, in: area, chosen: chosen) {
      frame.fill(line)
      drawContent(line, &frame)
    }
  }
}
