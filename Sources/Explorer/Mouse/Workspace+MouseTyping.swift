import TerminalUI
import Widgets

// Handles the mouse while a line is typed. A click in the line moves its cursor, and a click in the
// list accepts a word. A click elsewhere closes an unchanged line, as Escape would; typed text is
// never discarded.
extension Workspace {
  /// The areas of the prompt's text and of its completions on the screen.
  struct TypingPlaces {
    let field: Rect
    /// The list of completions; nil if it is hidden.
    var completions: Completion.Box?
    /// Whether the text is wrapped instead of scrolled sideways.
    var isBroken = false
  }

  var typing: TypingPlaces? { prompt == nil ? nil : typing(in: layout) }

  func typing(in layout: Layout) -> TypingPlaces? {
    guard let prompt else { return nil }
    if settings.isScreenReader {
      let line = Layout.linearArea(of: size).inset(left: 1, right: 1).split(rows: 1).top
      return TypingPlaces(field: line)
    }
    if isPromptBelow(layout) {
      return TypingPlaces(field: Self.fieldBelow(prompt, in: layout.footer))
    }
    if isTypingInCell { return cellField.map { TypingPlaces(field: $0) } }
    guard let area = layout.inside(.query) else { return nil }
    let field = Rect(
      row: area.row, column: area.column + 1, rows: prompt.lineRows(of: area.rows),
      columns: max(0, area.columns - 2))
    guard let completion = prompt.completion else {
      return TypingPlaces(field: field, isBroken: true)
    }
    let column = field.column + prompt.column(ofByte: completion.alignment(in: prompt.field.text))
    let box = completion.box(
      row: area.endRow, column: column,
      area: area.inset(bottom: -layout.resultPaneRows - 2))
    return TypingPlaces(field: field, completions: box, isBroken: true)
  }

  /// Handles a mouse event in the prompt's text or its completions; nil for an event elsewhere.
  mutating func updateTyping(_ mouse: Mouse) -> [Effect]? {
    guard let places = typing else { return nil }
    if let box = places.completions?.area, box.contains(mouse.position) {
      return updateCompletions(mouse, in: box)
    }
    guard places.field.contains(mouse.position) else { return nil }
    switch mouse.action {
    case .press(.left, _), .drag(.left):
      clearRetainedError()
      if places.isBroken, let prompt {
        let line = prompt.firstLine(rows: places.field.rows) + mouse.row - places.field.row
        self.prompt?.field.moveCursor(
          to: prompt.broken.position(line: line, column: mouse.column - places.field.column))
      } else {
        prompt?.field.click(
          column: mouse.column - places.field.column, width: places.field.columns)
      }
      return checkPrompt()
    case .press, .drag, .release, .scrollUp, .scrollDown, .scrollLeft, .scrollRight: return nil
    }
  }

  private mutating func updateCompletions(_ mouse: Mouse, in box: Rect) -> [Effect]? {
    switch mouse.action {
    case .scrollUp: prompt?.completion?.scroll(by: -Self.wheelLines, rows: box.rows - 2)
    case .scrollDown: prompt?.completion?.scroll(by: Self.wheelLines, rows: box.rows - 2)
    case .press(.left, _):
      clearRetainedError()
      guard box.inset(by: 1).contains(mouse.position),
        prompt?.completion?.choose(line: mouse.row - box.row - 1) == true
      else { return [] }
      return acceptCompletion()
    case .release: return nil
    case .press, .drag, .scrollLeft, .scrollRight: break
    }
    return []
  }

  /// Closes the prompt after a click elsewhere, unless that would discard typed text.
  ///
  /// - Returns: The effects of closing it; nil if it stays open.
  mutating func leaveTyping() -> [Effect]? {
    guard let prompt else { return [] }
    if isNarrowing { return endNarrowing(opening: false) }
    // A click during a search ends the search at its match.
    if prompt.purpose == .find { return endFinding(keeping: true) }
    guard prompt.isUntouched else {
      closeCompletion()
      notice = .unappliedInput
      return nil
    }
    self.prompt = nil
    return []
  }
}
