import TerminalUI
import Triples
import Widgets

// Edits a value in its cell.
extension Workspace {
  /// The prompt if it is drawn over the edited cell of the results; otherwise nil.
  var cellPrompt: PromptPane? { _read { if isTypingInCell { yield prompt } else { yield nil } } }

  /// The prompt if it is drawn in the query pane; otherwise nil.
  var linePrompt: PromptPane? { _read { if isTypingInCell { yield nil } else { yield prompt } } }

  /// Whether the prompt is drawn in the query pane. This copies no prompt.
  var isTypingInLine: Bool { prompt != nil && !isTypingInCell }

  /// Whether the prompt is drawn over the edited cell of the results. This copies no prompt.
  var isTypingInCell: Bool {
    guard case .value(let target, let attribute)? = prompt?.purpose,
      !settings.isScreenReader, tab.overlays.isEmpty, tab.focus == .results,
      tab.results.form == .table,
      let row = tab.results.chosenRow, row.namespace == target.namespace, row.id == target.entity,
      tab.results.chosenAttribute?.id == attribute.id
    else { return false }
    return true
  }

  /// Wraps the typed text again if the text, its error or the width of the query pane changed.
  ///
  /// - Parameter columns: The width of the query pane with its border.
  mutating func measurePrompt(columns: Int) {
    // Here, `isTypingInLine` would copy the workspace.
    guard prompt != nil, cellPrompt == nil else { return }
    let (plan, schema) = (queryToChange, catalog?.schema)
    prompt?.measure(width: columns - 4, plan, schema)
  }

  /// The area inside the border of the results pane; nil if the pane is hidden.
  private var resultsInside: Rect? {
    let layout = layout
    guard layout.shows(.results) else { return nil }
    return layout.inside(.results)?.split(columns: resultColumns(in: layout)).left
  }

  /// The area of the cell at the cursor of the results; nil if it is not visible.
  var cellPlace: Rect? {
    guard let area = resultsInside, let slot = tab.results.slotHere(width: area.columns) else {
      return nil
    }
    let row = area.row + ResultsPane.titleRows + tab.results.cursor.index - tab.results.cursor.top
    guard row < area.endRow else { return nil }
    return Rect(row: row, column: area.column + slot.offset, rows: 1, columns: slot.width)
  }

  /// The area of the text field over the edited cell, at least as wide as the text if possible.
  var cellField: Rect? {
    guard let prompt = cellPrompt, let area = resultsInside, let cell = cellPlace else {
      return nil
    }
    let wanted = tab.results.fieldWidth(
      for: TextWidth.columns(of: prompt.field.text), within: area.columns)
    let width = min(wanted, area.columns - 1)
    return Rect(
      row: cell.row, column: min(cell.column, area.endColumn - width), rows: 1, columns: width)
  }

  /// Draws the typed value over the edited cell, and below it an error, or what can be typed into an
  /// empty field.
  func drawCellPrompt(into frame: inout Frame, area: Rect) {
    guard let prompt = cellPrompt, let field = cellField else { return }
    let isWrong = prompt.complaint != nil
    // A field that does not begin with its cell must not continue the text before it.
    if field.column > area.column, field.column != cellPlace?.column {
      frame.fill(
        Rect(row: field.row, column: field.column - 1, rows: 1, columns: 1), Paint(.prompt))
    }
    prompt.field.draw(
      into: &frame, row: field.row, column: field.column, width: field.columns,
      paint: Paint(.prompt),
      spans: isWrong ? [(0..<prompt.field.text.utf8.count, .invalid)] : [])
    let hint = prompt.field.text.isEmpty ? prompt.example(nil, nil, nil) : nil
    guard let message = prompt.complaint ?? hint else { return }
    let paint = isWrong ? Paint(.error) : Paint(.completionDetail, on: .completion)
    let width = min(TextWidth.columns(of: message) + 2, area.columns)
    let (above, below) = (field.row - area.row, area.endRow - field.row - 1)
    let lines = TextLines.wrapped(
      message, width: max(1, width - 2),
      limit: max(1, min(Self.maxComplaintRows, max(above, below))))
    let place = Rect(
      row: lines.count <= below ? field.row + 1 : field.row - lines.count,
      column: max(area.column, min(field.column, area.endColumn - width)), rows: lines.count,
      columns: width)
    frame.fill(place, paint)
    for (row, line) in lines.enumerated() {
      frame.write(
        line, row: place.row + row, column: place.column + 1, width: max(0, width - 2),
        paint: paint)
    }
  }

  private static let maxComplaintRows = 3
}
