import InstaQL
import LiveQueries
import TerminalUI
import Triples

// The answer as lines to be heard: each value after the name of its column.
extension ResultsPane {
  func drawLinear(
    into frame: inout Frame, area: Rect, marks: Marks, keys: KeyNames, wayOut: KeyHint
  ) {
    if isReading, let table {
      return drawDocuments(
        of: table, into: &frame, area: area, isFocused: true, marks: marks, isSpoken: true)
    }
    guard let table, form == .table, table.answer.count == nil, table.lineCount > 0 else {
      return draw(
        into: &frame, area: area, isFocused: true, marks: marks, keys: keys, wayOut: wayOut)
    }
    for row in 0..<area.rows where cursor.top + row < table.lineCount {
      let line = cursor.top + row
      let isChosen = line == cursor.index
      draw(
        parts(ofLine: line, of: table, marks, keys), into: &frame, row: area.row + row, area: area,
        isChosen: isChosen)
    }
  }

  /// What a line says, a part for each column; parts before the columns are the same line's.
  private func parts(
    ofLine line: Int, of table: ResultTable, _ marks: Marks, _ keys: KeyNames
  ) -> (before: String, cells: [String]) {
    switch table.line(line) {
    case .row(let index):
      let entity = table.answer.rows[index]
      let before = spokenState(of: entity, in: table, marks[table.answer.namespace])
      return (before, cells(table.columns, of: entity, in: table))
    case .childTitles(let block):
      let open = table.blocks[block]
      let above = open.depth == 1 ? "the row above" : "what is above"
      return ("", ["\(open.link.label), \(NumberText.grouped(open.total)) beneath \(above)"])
    case .child(let block, let index):
      let open = table.blocks[block]
      return (
        "\(open.link.label) \(index + 1): ",
        cells(open.columns, of: open.entities[index], in: table)
      )
    case .more(let block):
      let rest = table.blocks[block].total - table.blocks[block].entities.count
      return ("", [keys.line(.moreLinked(rest))])
    }
  }

  /// What is said before a row that is marked, or whose changes wait.
  func spokenState(
    of entity: EntityHandle, in table: ResultTable, _ marked: Set<EntityID>
  ) -> String {
    let id = table.catalog.store.id(of: entity)
    let waits = isPending(id, in: table)
    let states = [
      marked.contains(id) ? "marked" : nil,
      unsent?.deleted.contains(id) == true
        ? "to be deleted"
        : isKeptBack(id) ? "not sent" : waits ? "not yet confirmed" : nil,
    ].compactMap { $0 }
    return states.isEmpty ? "" : states.joined(separator: ", ") + ": "
  }

  private func cells(
    _ columns: [TableColumn], of entity: EntityHandle, in table: ResultTable
  ) -> [String] {
    columns.enumerated().map { place, column in
      let words = column.cell(of: entity, in: table.catalog).words
      // What names the entity needs no name itself.
      return place == 0 ? words : "\(column.label) \(words)"
    }
  }

  /// The cursor stands on the part of the chosen column, which is in sight to its end.
  private func draw(
    _ parts: (before: String, cells: [String]), into frame: inout Frame, row: Int, area: Rect,
    isChosen: Bool
  ) {
    let ground: Role = isChosen ? .selection : .text
    if isChosen {
      frame.fill(
        Rect(row: row, column: area.column, rows: 1, columns: area.columns),
        Paint(.text, on: ground))
    }
    let place = isChosen ? min(columnHere, parts.cells.count - 1) : 0
    let until = parts.before + parts.cells[...place].joined(separator: "; ")
    let isLong = TextWidth.columns(of: until) > area.columns
    var before = parts.before + parts.cells[..<place].map { $0 + "; " }.joined()
    if isLong {
      // Whose value it is is heard first, and what stands between the two is left out.
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
