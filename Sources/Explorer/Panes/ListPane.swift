import TerminalUI
import Widgets

/// A pane of lines with a cursor.
protocol LinePane: Pane {
  var cursor: ListCursor { get set }
  func lineCount(in context: PaneContext) -> Int
  /// Returns the number of rows above the first line, for example for titles.
  func rowsAbove(in context: PaneContext) -> Int
  /// Returns the number of rows below the lines, for details about the line at the cursor.
  func rowsBelow(in context: PaneContext) -> Int
  /// Moves the cursor to a line.
  mutating func go(to line: Int, in context: PaneContext)
}

extension LinePane {
  func rowsAbove(in context: PaneContext) -> Int { 0 }
  func rowsBelow(in context: PaneContext) -> Int { 0 }

  /// Returns the number of rows that show lines.
  func listRows(in context: PaneContext) -> Int {
    max(1, context.page - rowsAbove(in: context) - rowsBelow(in: context))
  }

  mutating func go(to line: Int, in context: PaneContext) {
    cursor.move(to: line, of: lineCount(in: context), page: listRows(in: context))
  }

  func drawMore(into frame: inout Frame, area: Rect, context: PaneContext) {
    cursor.markMore(
      of: lineCount(in: context), in: listArea(in: area, context), into: &frame)
  }

  /// Returns the area of the lines, below the rows that `rowsAbove` counts.
  func listArea(in area: Rect, _ context: PaneContext) -> Rect {
    area.inset(top: rowsAbove(in: context)).split(rows: listRows(in: context)).top
  }
}

/// A pane with a list. Moving, clicking and scrolling work the same way in all lists.
protocol ListPane: LinePane {
  /// Performs a command that does not move the cursor; nil if the pane does not handle it.
  mutating func perform(_ command: Command, in context: PaneContext) -> [PaneAction]?
  /// Handles a click on a line, after the cursor has moved there.
  mutating func click(column: Int, times: Int, in context: PaneContext) -> [PaneAction]
  /// Handles a click above the lines.
  mutating func clickAbove(column: Int, in context: PaneContext)
  /// Updates the pane after the user moved the cursor or scrolled.
  mutating func didMove(in context: PaneContext)
}

extension ListPane {
  mutating func click(column: Int, times: Int, in context: PaneContext) -> [PaneAction] {
    times == 2 ? perform(.open, in: context) ?? [] : []
  }

  mutating func clickAbove(column: Int, in context: PaneContext) {}
  mutating func didMove(in context: PaneContext) {}

  mutating func handle(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    moveOrPerform(command, in: context)
  }

  mutating func moveOrPerform(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    let (count, page) = (lineCount(in: context), listRows(in: context))
    guard cursor.handle(command, count: count, page: page) != nil else {
      return perform(command, in: context)
    }
    didMove(in: context)
    return []
  }

  mutating func click(line: Int, column: Int, times: Int, in context: PaneContext) -> [PaneAction] {
    let place = line - rowsAbove(in: context)
    guard place >= 0 else {
      clickAbove(column: column, in: context)
      return []
    }
    guard place < listRows(in: context), cursor.top + place < lineCount(in: context) else {
      return []
    }
    go(to: cursor.top + place, in: context)
    didMove(in: context)
    return click(column: column, times: times, in: context)
  }

  mutating func scroll(by lines: Int, in context: PaneContext) {
    cursor.scroll(by: lines, of: lineCount(in: context), page: listRows(in: context))
    didMove(in: context)
  }

  mutating func refresh(in context: PaneContext) { keepInView(in: context) }

  /// Scrolls the list and limits the cursor so that both stay within the lines.
  mutating func keepInView(in context: PaneContext) {
    cursor.scroll(by: 0, of: lineCount(in: context), page: listRows(in: context))
  }
}

/// A list with one item per line.
protocol ItemPane: ListPane {
  associatedtype Item
  var items: [Item] { get }
}

extension ItemPane {
  func lineCount(in context: PaneContext) -> Int { items.count }
  var chosen: Item? { cursor.item(in: items) }

  /// Changes the items. The cursor stays on the item with the same identity, or else on its line.
  mutating func update<ID: Equatable>(
    keeping id: (Item) -> ID, in context: PaneContext, _ change: (inout Self) -> Void
  ) {
    let before = chosen.map(id)
    change(&self)
    go(to: items.firstIndex { id($0) == before } ?? cursor.index, in: context)
  }

  /// Draws the visible items, or a notice if there are none.
  func drawItems(
    into frame: inout Frame, area: Rect, or notice: Notice? = nil, _ context: PaneContext,
    _ draw: (Item, ListLine, inout Frame) -> Void
  ) {
    if items.isEmpty, let notice { frame.writeNotice(notice, context.keys, in: area) }
    cursor.draw(items.count, in: area, into: &frame) { draw(items[$0.index], $0, &$1) }
  }
}

/// A list below a field that filters it.
protocol FilteredPane: ItemPane {
  var field: TextField { get set }
  /// Updates the list after the user edited the filter text.
  mutating func narrow(in context: PaneContext)
  /// Updates the pane after its lines changed.
  mutating func didChangeLines(in context: PaneContext)
}

extension FilteredPane {
  func rowsAbove(in context: PaneContext) -> Int { 1 }

  mutating func didChangeLines(in context: PaneContext) {}

  mutating func refresh(in context: PaneContext) {
    didChangeLines(in: context)
    keepInView(in: context)
  }

  mutating func type(_ key: Key, in context: PaneContext) -> [PaneAction]? {
    // In an empty field, these keys go to the ends of the list.
    if field.text.isEmpty, key == .home || key == .end { return nil }
    guard let typed = field.handle(key) else { return nil }
    if typed == .done {
      narrow(in: context)
      didChangeLines(in: context)
    }
    return typed.actions
  }

  mutating func paste(_ text: String, in context: PaneContext) -> InputResult? {
    let outcome = field.paste(text)
    narrow(in: context)
    didChangeLines(in: context)
    return outcome
  }

  mutating func clickAbove(column: Int, in context: PaneContext) {
    field.click(column: column - 1, width: max(0, context.width - 2))
  }

  /// Draws the field, and below it the items, or a notice if there are none.
  func drawFiltered(
    into frame: inout Frame, area: Rect, or notice: Notice? = nil, _ context: PaneContext,
    _ draw: (Item, ListLine, inout Frame) -> Void
  ) {
    field.drawNarrowing(into: &frame, area: area)
    drawItems(into: &frame, area: area.inset(top: 1), or: notice, context, draw)
  }
}

/// A pane of lines that can be searched, and shown in the pager.
protocol FindablePane: LinePane {
  /// Returns the searchable text of a line: all of its words, separated by single spaces.
  func text(ofLine line: Int, in context: PaneContext) -> String
  /// Shows lines that are hidden, since no other line matches. Returns whether there are any.
  mutating func showHiddenLines(in context: PaneContext) -> Bool
  /// Highlights the matches of a search in the visible lines.
  func drawMatches(
    of pattern: TextPattern, into frame: inout Frame, area: Rect, context: PaneContext)
  /// Returns the full text for the pager.
  func text(in context: PaneContext) -> String
}

extension FindablePane {
  mutating func showHiddenLines(in context: PaneContext) -> Bool { false }

  /// Moves the cursor to the next matching line, wrapping around at the ends. Hidden lines are
  /// searched if no other line matches. Returns whether there is a matching line.
  ///
  /// - Parameter step: The direction, 1 or -1; 0 searches downwards and includes the line `start`.
  mutating func find(
    _ pattern: TextPattern, from start: Int, step: Int, in context: PaneContext
  ) -> Bool {
    func match(in pane: Self) -> Int? {
      pattern.line(from: start, step: step, of: pane.lineCount(in: context)) {
        pane.text(ofLine: $0, in: context)
      }
    }
    var expanded = self
    if let line = match(in: self) {
      go(to: line, in: context)
    } else if expanded.showHiddenLines(in: context), let line = match(in: expanded) {
      self = expanded
      go(to: line, in: context)
    } else {
      return false
    }
    return true
  }

  /// Returns all lines as text, for the pager.
  func text(in context: PaneContext) -> String {
    (0..<lineCount(in: context)).map { text(ofLine: $0, in: context) + "\n" }.joined()
  }

  func drawMatches(
    of pattern: TextPattern, into frame: inout Frame, area: Rect, context: PaneContext
  ) {
    guard !pattern.isEmpty else { return }
    let list = listArea(in: area, context)
    for line in cursor.lines(of: lineCount(in: context), in: list)
    where pattern.isIn(text(ofLine: line.index, in: context)) {
      frame.repaint(line.area, ground: line.index == cursor.index ? .matchCurrent : .match)
    }
  }
}
