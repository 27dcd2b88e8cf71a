import InstaQL
import TerminalUI
import Triples
import Widgets

// Draws the answer as lines for a screen reader. The name of the column precedes each value.
extension ResultsPane {
  func drawLinear(
    into frame: inout Frame, area: Rect, marks: EntitySelection, keys: KeyNames,
    recoveryHint: KeyHint
  ) {
    if isReading, let table {
      return drawDocuments(
        of: table, into: &frame, area: area, isFocused: true, marks: marks, isSpoken: true)
    }
    guard let table, form == .table, table.answer.count == nil, table.lineCount > 0 else {
      return draw(
        into: &frame, area: area, isFocused: true, marks: marks, keys: keys,
        recoveryHint: recoveryHint)
    }
    for row in 0..<area.rows where cursor.top + row < table.lineCount {
      let line = cursor.top + row
      let isChosen = line == cursor.index
      draw(
        parts(ofLine: line, of: table, marks, keys), into: &frame, row: area.row + row, area: area,
        isChosen: isChosen)
    }
  }

  /// Returns the texts of a line in reading order: the state of the row, then a text for each
  /// column.
  private func parts(
    ofLine line: Int, of table: ResultTable, _ marks: EntitySelection, _ keys: KeyNames
  ) -> (before: String, cells: [String]) {
    switch table.line(line) {
    case .row(let index):
      let entity = table.answer.rows[index]
      let before = spokenState(of: entity, in: table, marks[table.answer.namespace])
      return (before, cells(table.columns, of: entity, in: table))
    case .childTitles(let block):
      let open = table.blocks[block]
      let above = open.depth == 1 ? "the row above" : "the rows above"
      let rows = NumberText.count(open.total, "linked row")
      return ("", ["\(open.link.label), \(rows) of \(above)"])
    case .child(let block, let index):
      let open = table.blocks[block]
      return (
        "\(open.link.label) \(index + 1): ",
        cells(open.columns, of: open.entities[index], in: table)
      )
    case .more(let block):
      let open = table.blocks[block]
      let rest = open.total - open.entities.count
      return ("", [keys.line(.moreLinked(rest, isCut: open.isCut))])
    }
  }

  /// Returns words about the state of a row, such as being selected or having pending changes.
  func spokenState(
    of entity: EntityHandle, in table: ResultTable, _ marked: Set<EntityID>
  ) -> String {
    let id = table.catalog.store.id(of: entity)
    let states = [
      marked.contains(id) ? "selected" : nil,
      table.catalog.snapshot.pending.mark(of: id)?.words,
    ].compactMap { $0 }
    return states.isEmpty ? "" : states.joined(separator: ", ") + ": "
  }

  private func cells(
    _ columns: [TableColumn], of entity: EntityHandle, in table: ResultTable
  ) -> [String] {
    columns.enumerated().map { place, column in
      let words = column.cell(of: entity, in: table.catalog).words
      // The first value is the entity's label, which needs no column name.
      return place == 0 ? words : "\(column.label) \(words)"
    }
  }

  /// Draws a line. On the selected line, the text of the selected column is scrolled into view.
  private func draw(
    _ parts: (before: String, cells: [String]), into frame: inout Frame, row: Int, area: Rect,
    isChosen: Bool
  ) {
    let ground: Role = isChosen ? .selection : .text
    if isChosen { frame.fill(area.line(row - area.row, ground: ground)) }
    let place = isChosen ? min(columnHere, parts.cells.count - 1) : 0
    let until = parts.before + parts.cells[...place].joined(separator: "; ")
    let isLong = TextWidth.columns(of: until) > area.columns
    var before = parts.before + parts.cells[..<place].map { $0 + "; " }.joined()
    if isLong {
      // The entity's label stays at the start; the parts between it and the selected column are
      // omitted.
      let name = parts.before + parts.cells[0]
      before = place == 0 ? parts.before : TextWidth.truncated(name, to: area.columns / 2) + "; "
    }
    frame.write(
      before + parts.cells[place...].joined(separator: "; "), row: row, column: area.column,
      width: area.columns, paint: Paint(.text, on: ground))
    guard isChosen else { return }
    let start = place == 0 ? 0 : TextWidth.columns(of: before)
    frame.cursor = Position(row: row, column: area.column + start)
  }
}
