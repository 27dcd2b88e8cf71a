import InstaQL
import TerminalUI
import Triples
import Widgets

// Moves by lines in an answer that is shown as trees or JSON.
extension ResultsPane {
  /// Whether the answer is shown as documents.
  var isReading: Bool {
    guard form != .table, let table else { return false }
    return table.answer.count == nil && !table.answer.rows.isEmpty
  }

  /// Returns the number of rows for documents. They have no column titles above them.
  func rows(of page: Int) -> Int { max(1, page + Self.titleRows) }

  private func lines(_ row: Int, of table: ResultTable) -> [DocumentLines.Line] {
    let folds =
      folds.hidesSome ? folds[table.catalog.store.id(of: table.answer.rows[row])] : NodeFolds()
    return table.document(row, as: form, folds: folds)
  }

  private func count(_ row: Int, of table: ResultTable) -> Int {
    max(1, lines(row, of: table).count)
  }

  /// The lines of the selected document; empty if no documents are shown.
  var selectedDocument: [DocumentLines.Line] {
    guard isReading, let table else { return [] }
    return lines(table.row(ofLine: cursor.index), of: table)
  }

  /// Keeps the cursor within the selected document, and selects the column of its line.
  mutating func readDocument() {
    let lines = selectedDocument
    guard !lines.isEmpty, let table else { return }
    reading.line = min(reading.line, lines.count - 1)
    if let key = lines[reading.line].member,
      let place = table.columns.firstIndex(where: { $0.label == key })
    {
      column = place
    }
  }

  /// Performs a command that moves by lines or by documents. Returns false for any other command.
  mutating func moveReading(_ command: Command, page: Int) -> Bool {
    let rows = rows(of: page)
    switch command {
    case .up, .down: moveLine(by: command.steps(page: rows), rows: rows)
    case .pageUp, .pageDown, .halfPageUp, .halfPageDown:
      moveLine(by: command.steps(page: rows), rows: rows, isTurning: true)
    case .left: goToDocument(reading.line > 0 ? cursor.index : cursor.index - 1, rows: rows)
    case .right: goToDocument(cursor.index + 1, rows: rows)
    case .firstColumn: moveLine(by: -reading.line, rows: rows)
    case .lastColumn: moveLine(by: selectedDocument.count - 1 - reading.line, rows: rows)
    case .first: go(toRow: 0, line: 0, above: 0, rows: rows)
    case .last: go(toRow: .max, line: .max, above: rows, rows: rows)
    default: return false
    }
    return true
  }

  /// Moves the cursor by a number of lines, across documents.
  ///
  /// - Parameter isTurning: Whether the view scrolls by the same number of lines.
  mutating func moveLine(by steps: Int, rows: Int, isTurning: Bool = false) {
    guard let table else { return }
    let goal = goal(after: steps, in: table)
    go(
      toRow: goal.row, line: goal.line, above: reading.above + (isTurning ? 0 : goal.steps),
      rows: rows)
  }

  /// Returns the line that is a number of lines below the cursor, across documents, and the number
  /// of steps to it. At an end of the documents, there are fewer steps.
  private func goal(
    after steps: Int, in table: ResultTable
  ) -> (row: Int, line: Int, steps: Int) {
    var (row, line) = (cursor.index, reading.line + steps)
    while line >= count(row, of: table) {
      guard row + 1 < table.answer.rows.count else {
        let last = count(row, of: table) - 1
        return (row, last, steps - (line - last))
      }
      line -= count(row, of: table)
      row += 1
    }
    while line < 0 {
      guard row > 0 else { return (row, 0, steps - line) }
      row -= 1
      line += count(row, of: table)
    }
    return (row, line, steps)
  }

  /// Moves the cursor to the first line of a document, and scrolls to show as much of it as
  /// possible.
  private mutating func goToDocument(_ row: Int, rows: Int) {
    guard let table, table.answer.rows.indices.contains(row) else { return }
    let distance =
      row > cursor.index ? count(cursor.index, of: table) - reading.line : -reading.line
    let above = min(reading.above + distance, max(0, rows - count(row, of: table)))
    go(toRow: row, line: 0, above: above, rows: rows)
  }

  private mutating func go(toRow row: Int, line: Int, above: Int, rows: Int) {
    guard let table else { return }
    cursor.move(to: row, of: table.height, page: rows)
    remember()
    reading.line = line
    readDocument()
    // Above the first documents, there may be fewer lines.
    reading.above = -goal(after: -min(max(0, above), rows - 1), in: table).steps
  }

  /// Moves the cursor to a line of the selected document after values were collapsed or expanded.
  mutating func showLine(_ line: Int, movedFrom before: Int, page: Int) {
    go(toRow: cursor.index, line: line, above: reading.above + line - before, rows: rows(of: page))
  }

  /// Scrolls by a number of lines; 0 scrolls only if the view extends beyond the rows.
  mutating func scrollReading(by lines: Int, page: Int) {
    moveLine(by: lines, rows: rows(of: page), isTurning: true)
  }

  mutating func chooseReading(line: Int, page: Int) {
    let rows = rows(of: page)
    guard let table else { return }
    let places = linesInView(of: table, rows: rows)
    guard places.indices.contains(line) else { return }
    go(toRow: places[line].row, line: places[line].line, above: line, rows: rows)
  }

  /// Restores the reading position in the selected document.
  mutating func goBack(to place: ReadingPosition) {
    reading.line = place.line
    reading.above = place.above
    readDocument()
  }

  // MARK: Finding

  /// Moves to the next match in the selected document.
  ///
  /// - Parameter step: The direction, 1 or -1; 0 also considers the line at the cursor.
  mutating func findInDocument(step: Int, page: Int) -> Bool {
    guard isReading, !pattern.isEmpty else { return false }
    readDocument()
    let lines = selectedDocument
    var line = reading.line + step
    while lines.indices.contains(line) {
      if pattern.isIn(lines[line].text) {
        moveLine(by: line - reading.line, rows: rows(of: page))
        return true
      }
      line += step < 0 ? -1 : 1
    }
    return false
  }

  /// Moves to the first search match in the selected document, or backwards to the last match.
  mutating func reachMatch(isBackwards: Bool, page: Int) {
    guard isReading, !pattern.isEmpty else { return }
    readDocument()
    if matchInDocument(isBackwards) == nil { unfoldDocument(page: page) }
    if let place = matchInDocument(isBackwards) {
      moveLine(by: place - reading.line, rows: rows(of: page))
    }
  }

  private func matchInDocument(_ isBackwards: Bool) -> Int? {
    let lines = selectedDocument
    return isBackwards
      ? lines.lastIndex { pattern.isIn($0.text) } : lines.firstIndex { pattern.isIn($0.text) }
  }

  // MARK: Drawing

  private struct LineInView {
    let row: Int
    let line: Int
    let content: DocumentLines.Line
  }

  /// Returns the visible lines of the documents, from top to bottom.
  ///
  /// - Parameter beyond: The number of additional lines below the view.
  private func linesInView(of table: ResultTable, rows: Int, beyond: Int = 0) -> [LineInView] {
    var (row, first, _) = goal(after: -min(reading.above, max(0, rows - 1)), in: table)
    var inView: [LineInView] = []
    while inView.count < rows + beyond, row < table.answer.rows.count {
      let lines = lines(row, of: table)
      for number in lines.indices.dropFirst(first).prefix(rows + beyond - inView.count) {
        inView.append(LineInView(row: row, line: number, content: lines[number]))
      }
      first = 0
      row += 1
    }
    return inView
  }

  /// Draws the visible parts of the selected document and of the documents above and below it.
  func drawDocuments(
    of table: ResultTable, into frame: inout Frame, area: Rect, isFocused: Bool,
    marks: EntitySelection,
    isSpoken: Bool = false
  ) {
    let marked = marks[table.answer.namespace]
    let chosen = table.row(ofLine: cursor.index)
    let lines = linesInView(of: table, rows: area.rows, beyond: 1)
    for (offset, shown) in lines.prefix(area.rows).enumerated() {
      var place = area.line(offset).area
      let entity = table.answer.rows[shown.row]
      let isChosen = shown.row == chosen && shown.line == reading.line
      let ground: Role = isChosen ? (isFocused ? .selection : .selectionUnfocused) : .text
      if isSpoken, shown.line == 0 {
        let state = spokenState(of: entity, in: table, marked)
        let said = frame.write(
          state, row: place.row, column: place.column, width: place.columns, paint: Paint(.pending))
        // The text that follows begins with a space.
        place = place.split(columns: max(0, said - 1)).right
      }
      draw(shown.content, into: &frame, place: place, ground: ground)
      mark(shown.content, of: entity, in: table, into: &frame, place: place, isChosen: isChosen)
      let pattern = pattern(isAtCursor: isChosen)
      if pattern.isIn(shown.content.text) {
        frame.highlight(pattern, in: place, ground: isChosen ? .matchCurrent : .match)
      }
      if shown.line == 0, !isSpoken {
        drawGutter(of: entity, table, marked, into: &frame, line: place, ground: ground)
      }
    }
    drawThumb(of: table, lines, into: &frame, area: area)
  }

  /// Draws the scroll bar for rows. Lines within a row count as fractions, because the number of
  /// lines of other rows is unknown.
  private func drawThumb(
    of table: ResultTable, _ lines: [LineInView], into frame: inout Frame, area: Rect
  ) {
    guard let first = lines.first, let last = lines.prefix(area.rows).last else { return }
    let skipped = table.answer.window?.skipped ?? 0
    let isAtEnd = lines.count <= area.rows && !hasMoreRows
    if first.row == 0, first.line == 0, skipped == 0, isAtEnd { return }
    let parts = max(area.rows, 2)
    func place(_ line: LineInView) -> Int {
      (skipped + line.row) * parts + line.line * parts / count(line.row, of: table)
    }
    let all = max(table.answer.rows.count, position(in: table).count.rows) * parts
    let top = max(place(first), first.row == 0 && first.line == 0 && skipped == 0 ? 0 : 1)
    let page = max(1, place(last) - top + 1)
    frame.drawScrollThumb(
      top: isAtEnd ? max(1, all - page) : min(top, max(0, all - page - 1)), page: page, of: all,
      in: area)
  }

  /// Highlights a line if its value changed recently or its entity is new.
  private func mark(
    _ line: DocumentLines.Line, of entity: EntityHandle, in table: ResultTable,
    into frame: inout Frame, place: Rect, isChosen: Bool
  ) {
    if highlights.isEmpty { return }
    let (schema, namespace) = (table.catalog.schema, table.answer.namespace)
    let attribute = line.member.flatMap {
      schema.attribute(namespace, $0) ?? schema.link(namespace, $0)?.attribute
    }
    let text = Rect(
      row: place.row, column: place.column + 1 + line.indent, rows: 1,
      columns: TextWidth.columns(of: line.text)
    ).intersection(place)
    highlights.mark(entity, attribute?.id, into: &frame, place: text, isOnGround: isChosen)
  }

  private func draw(
    _ line: DocumentLines.Line, into frame: inout Frame, place: Rect, ground: Role
  ) {
    if ground != .text { frame.fill(place, Paint(.text, on: ground)) }
    var column = place.column + 1 + line.indent
    for piece in line.pieces {
      column += frame.write(
        piece.text, row: place.row, column: column, width: max(0, place.endColumn - column),
        paint: Paint(piece.role, on: ground))
    }
  }

  // MARK: Form

  mutating func show(as form: AnswerForm, page: Int) {
    if table != nil { keptNeededColumns = neededColumns }
    self.form = form
    reopen()
    follow(page: page)
  }
}
