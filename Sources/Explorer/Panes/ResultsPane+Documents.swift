import InstaQL
import TerminalUI
import Triples

/// Where one reads in an answer that is shown as documents, one after the other.
struct Reading: Sendable, Equatable {
  /// The line under the cursor, within the document of the chosen row.
  var line = 0
  /// Lines of the screen between the top of the view and that line.
  var above = 0
  /// The chosen document, so that a long one is not made anew for each key.
  var kept: Kept?

  struct Kept: Sendable, Equatable {
    let row: Int
    let form: AnswerForm
    let lines: [DocumentLines.Line]

    /// Made of the same answer, the same row has the same lines.
    static func == (a: Kept, b: Kept) -> Bool {
      a.row == b.row && a.form == b.form && a.lines.count == b.lines.count
    }
  }
}

// The answer as trees or JSON: the cursor moves by lines, also within a document that is longer than
// the screen.
extension ResultsPane {
  /// Whether the answer is shown as documents now.
  var isReading: Bool {
    guard form != .table, let table else { return false }
    return table.grid == nil && table.answer.count == nil && !table.answer.rows.isEmpty
  }

  /// Lines of one document; what is left out of a longer one is said in its last.
  static let mostLines = 20_000

  /// Rows of the pane: documents have no titles above them.
  private func rows(of page: Int) -> Int { max(1, page + Self.titleRows) }

  private func lines(_ row: Int, of table: ResultTable, most: Int) -> [DocumentLines.Line] {
    if let kept = reading.kept, kept.row == row, kept.form == form { return kept.lines }
    return table.document(row, as: form, most: most)
  }

  private func count(_ row: Int, of table: ResultTable) -> Int {
    max(1, lines(row, of: table, most: Self.mostLines).count)
  }

  /// Makes the chosen document, and the column the one that the line under the cursor belongs to.
  mutating func readDocument() {
    guard isReading, let table else { return }
    let row = table.row(ofLine: cursor.index)
    if reading.kept?.row != row || reading.kept?.form != form {
      reading.kept = Reading.Kept(
        row: row, form: form, lines: lines(row, of: table, most: Self.mostLines))
    }
    guard let lines = reading.kept?.lines, !lines.isEmpty else { return }
    reading.line = min(reading.line, lines.count - 1)
    if let key = lines[reading.line].member,
      let place = table.columns.firstIndex(where: { $0.label == key })
    {
      column = place
    }
  }

  /// Answers the intents that move among lines and documents; false for any other.
  mutating func moveReading(_ intent: Intent, page: Int) -> Bool {
    let rows = rows(of: page)
    switch intent {
    case .up: moveLine(by: -1, rows: rows)
    case .down: moveLine(by: 1, rows: rows)
    case .pageUp: moveLine(by: -max(1, rows - 1), rows: rows, isTurning: true)
    case .pageDown: moveLine(by: max(1, rows - 1), rows: rows, isTurning: true)
    case .halfPageUp: moveLine(by: -max(1, rows / 2), rows: rows, isTurning: true)
    case .halfPageDown: moveLine(by: max(1, rows / 2), rows: rows, isTurning: true)
    case .left: goToDocument(reading.line > 0 ? cursor.index : cursor.index - 1, rows: rows)
    case .right: goToDocument(cursor.index + 1, rows: rows)
    case .firstColumn: moveLine(by: -reading.line, rows: rows)
    case .lastColumn: moveLine(by: (reading.kept?.lines.count ?? 1) - 1 - reading.line, rows: rows)
    case .first: go(toRow: 0, line: 0, above: 0, rows: rows)
    case .last: go(toRow: .max, line: .max, above: rows, rows: rows)
    default: return false
    }
    return true
  }

  /// Moves the cursor over the lines of all documents; `isTurning` moves the view along with it.
  private mutating func moveLine(by steps: Int, rows: Int, isTurning: Bool = false) {
    guard let table else { return }
    var row = cursor.index
    var line = reading.line + steps
    var moved = steps
    var count = count(row, of: table)
    while line >= count {
      guard row + 1 < table.answer.rows.count else {
        moved -= line - (count - 1)
        line = count - 1
        break
      }
      line -= count
      row += 1
      count = self.count(row, of: table)
    }
    while line < 0 {
      guard row > 0 else {
        moved -= line
        line = 0
        break
      }
      row -= 1
      line += self.count(row, of: table)
    }
    go(toRow: row, line: line, above: reading.above + (isTurning ? 0 : moved), rows: rows)
  }

  /// Puts the cursor on the first line of a document, as much of which is shown as there is room for.
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
    reading.above = linesBefore(in: table, most: min(max(0, above), rows - 1))
  }

  /// Lines that stand before the one under the cursor, counted up to `most`.
  private func linesBefore(in table: ResultTable, most: Int) -> Int {
    var total = reading.line
    var row = cursor.index
    while total < most, row > 0 {
      row -= 1
      total += count(row, of: table)
    }
    return min(total, most)
  }

  /// Scrolls under the cursor; 0 only keeps the view within its rows.
  mutating func scrollReading(by lines: Int, page: Int) {
    moveLine(by: lines, rows: rows(of: page), isTurning: true)
  }

  /// A click on a line of the pane.
  mutating func chooseReading(line: Int, page: Int) {
    let rows = rows(of: page)
    guard let table else { return }
    let places = linesInView(of: table, rows: rows)
    guard places.indices.contains(line) else { return }
    go(toRow: places[line].row, line: places[line].line, above: line, rows: rows)
  }

  /// Puts the cursor on the line of the chosen document that it was on.
  mutating func goBack(to place: Reading) {
    reading.line = place.line
    reading.above = place.above
    readDocument()
  }

  // MARK: Finding

  /// Goes to the next line of the chosen document that holds the pattern.
  ///
  /// - Parameter step: 0 begins with the line under the cursor.
  mutating func findInDocument(step: Int, page: Int) -> Bool {
    guard isReading, !pattern.isEmpty else { return false }
    readDocument()
    guard let lines = reading.kept?.lines else { return false }
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

  /// In a document that was found, goes to the first line that holds the pattern, or to the last one.
  mutating func reachMatch(isBackwards: Bool, page: Int) {
    guard isReading, !pattern.isEmpty else { return }
    readDocument()
    let lines = reading.kept?.lines ?? []
    let place =
      isBackwards
      ? lines.lastIndex { pattern.isIn($0.text) } : lines.firstIndex { pattern.isIn($0.text) }
    if let place { moveLine(by: place - reading.line, rows: rows(of: page)) }
  }

  // MARK: Drawing

  private struct LineInView {
    let row: Int
    let line: Int
    let content: DocumentLines.Line
  }

  /// The lines in view, top first. Only what there is room for is made, so the cost follows the screen.
  ///
  /// - Parameter beyond: How many lines beneath the view are wanted as well.
  private func linesInView(
    of table: ResultTable, rows: Int, beyond: Int = 0
  ) -> [LineInView] {
    var row = table.row(ofLine: cursor.index)
    var line = reading.line - min(reading.above, max(0, rows - 1))
    while line < 0, row > 0 {
      row -= 1
      line += lines(row, of: table, most: Self.mostLines).count
    }
    var first = max(0, line)
    var inView: [LineInView] = []
    while inView.count < rows + beyond, row < table.answer.rows.count {
      let most = first + rows + beyond - inView.count
      let lines = lines(row, of: table, most: most)
      for number in lines.indices.dropFirst(first).prefix(rows + beyond - inView.count) {
        inView.append(LineInView(row: row, line: number, content: lines[number]))
      }
      first = 0
      row += 1
    }
    return inView
  }

  /// Draws the rows about the chosen one as trees or JSON.
  func drawDocuments(
    of table: ResultTable, into frame: inout Frame, area: Rect, isFocused: Bool, marks: Marks,
    isSpoken: Bool = false
  ) {
    let marked = marks[table.answer.namespace]
    let chosen = table.row(ofLine: cursor.index)
    let lines = linesInView(of: table, rows: area.rows, beyond: 1)
    for (offset, shown) in lines.prefix(area.rows).enumerated() {
      var place = Rect(row: area.row + offset, column: area.column, rows: 1, columns: area.columns)
      let entity = table.answer.rows[shown.row]
      let isChosen = shown.row == chosen && shown.line == reading.line
      let ground: Role = isChosen ? (isFocused ? .selection : .selectionUnfocused) : .text
      if isSpoken, shown.line == 0 {
        let state = spokenState(of: entity, in: table, marked)
        let said = frame.write(
          state, row: place.row, column: place.column, width: place.columns, paint: Paint(.pending))
        // What follows begins with a blank already.
        place = place.split(columns: max(0, said - 1)).right
      }
      draw(shown.content, into: &frame, place: place, ground: ground)
      mark(shown.content, of: entity, in: table, into: &frame, place: place, isChosen: isChosen)
      if pattern.isIn(shown.content.text) {
        frame.repaint(place, ground: isChosen ? .matchCurrent : .match)
      }
      if shown.line == 0, !isSpoken {
        drawGutter(of: entity, table, marked, into: &frame, line: place, ground: ground)
      }
    }
    let isAtTop = lines.first.map { $0.row == 0 && $0.line == 0 } ?? true
    frame.markMore(
      above: !isAtTop || (table.answer.stretch?.skipped ?? 0) > 0,
      below: lines.count > area.rows || hasMoreRows, beside: area)
  }

  /// Shows for a moment that what a line tells is another one, or its whole entity new.
  private func mark(
    _ line: DocumentLines.Line, of entity: EntityHandle, in table: ResultTable,
    into frame: inout Frame, place: Rect, isChosen: Bool
  ) {
    if flashes.isEmpty { return }
    let (schema, namespace) = (table.catalog.schema, table.answer.namespace)
    let attribute = line.member.flatMap {
      schema.attribute(namespace, $0) ?? schema.link(namespace, $0)?.attribute
    }
    let text = Rect(
      row: place.row, column: place.column + 1 + line.indent, rows: 1,
      columns: TextWidth.columns(of: line.text)
    ).intersection(place)
    flashes.mark(entity, attribute?.id, into: &frame, place: text, isOnGround: isChosen)
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
}
