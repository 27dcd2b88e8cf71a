import InstaQL
import TerminalUI
import Widgets

extension ResultsPane {
  /// Moves the cursor in a table of groups or aggregate values. Returns false for a command that is
  /// not a movement.
  mutating func move(_ command: Command, in grid: SummaryGrid, page: Int) -> Bool {
    switch command {
    case .left: column = max(0, column - 1)
    case .right: column = max(0, min(grid.columns.count - 1, column + 1))
    case .firstColumn: column = 0
    case .lastColumn: column = max(0, grid.columns.count - 1)
    default:
      guard cursor.handle(command, count: grid.rowCount, page: page) != nil else { return false }
      remember()
    }
    return true
  }

  /// Moves the cursor to the row of its group. Groups of another query begin with the first row.
  mutating func followGroup(in table: ResultTable, page: Int) {
    let isSameQuery = group?.names == table.answer.group(ofRow: 0)?.names
    let row = group.flatMap(table.answer.row) ?? (isSameQuery ? cursor.index : 0)
    cursor.move(to: row, of: table.height, page: page)
    remember()
  }

  /// The query for the entities of the group at the cursor; nil if there is no group.
  var chosenMembers: QueryPlan? {
    guard let table, table.grid != nil else { return nil }
    return table.answer.members(ofRow: cursor.index)
  }

  /// The path that sorts by the selected column; nil if the results are not groups or aggregate
  /// values.
  var chosenSummaryColumn: AttributePath? {
    guard let grid = table?.grid, grid.columns.indices.contains(column) else { return nil }
    return AttributePath(grid.columns[column].title)
  }

  func draw(
    _ grid: SummaryGrid, of table: ResultTable, into frame: inout Frame, area: Rect,
    isFocused: Bool, keys: KeyNames
  ) {
    guard area.rows > 0 else { return }
    let slots = ColumnLayout.slots(
      of: grid.columns.map(\.fit), frozen: 0, chosen: column, from: 1,
      width: area.columns - Self.margin)
    drawTitles(of: grid, slots, order: table.answer.plan.order, into: &frame, area: area)
    if grid.rowCount == 0 {
      let reason = emptyReason?.sentence(for: table.answer.plan)
        .map { Notice.noRowMatches(because: $0) }
      frame.writeNotice(
        reason?.hinting(.key(.queryText)) ?? .noGroups, keys, in: area.dropping(rows: 1))
    }
    for row in 0..<(area.rows - 1) where cursor.top + row < grid.rowCount {
      let line = cursor.top + row
      let isChosen = line == cursor.index
      let ground: Role = isChosen ? (isFocused ? .selection : .selectionUnfocused) : .text
      let place = area.line(1 + row, ground: ground)
      if isChosen { frame.fill(place) }
      if form == .json {
        frame.write(grid.json(ofRow: line), .string, in: place)
        continue
      }
      for slot in slots {
        let cell = grid.shownCell(line, slot.column, in: table.catalog)
        let isCell = isChosen && isFocused && slot.column == column
        frame.write(
          cell.standing(in: grid.columns[slot.column].fit, width: slot.width),
          in: slot.place(on: place.area), on: isCell ? .cursorCell : ground)
      }
    }
    cursor.markMore(of: grid.rowCount, in: area.dropping(rows: 1), into: &frame)
  }

  private func drawTitles(
    of grid: SummaryGrid, _ slots: [Slot], order: [OrderKey], into frame: inout Frame, area: Rect
  ) {
    let line = area.line(0).area
    frame.fill(line, Paint(.header, on: .header))
    for slot in slots {
      let title = grid.columns[slot.column]
      let mark = order.first { $0.path.dotted == title.title }?.sign ?? ""
      let cell = CellText(
        text: mark + title.title, role: slot.column == column ? .headerSorted : .header,
        isRightAligned: title.fit.isRightAligned)
      frame.write(cell, in: slot.place(on: line), on: .header)
    }
  }
}
