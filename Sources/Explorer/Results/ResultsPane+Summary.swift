import InstaQL
import TerminalUI
import Widgets

extension ResultsPane {
  /// Moves the cursor to the row of its group. Groups of another query begin with the first row.
  mutating func followGroup(in table: ResultTable, page: Int) {
    let isSameQuery = group?.names == table.answer.group(ofRow: 0)?.names
    let row = group.flatMap(table.answer.row) ?? (isSameQuery ? cursor.index : 0)
    cursor.move(to: row, of: table.height, page: page)
    remember()
  }

  /// The query for the entities of the group at the cursor; nil if there is no group.
  var chosenMembers: QueryPlan? { table?.answer.members(ofRow: cursor.index) }

  func drawGroup(
    _ row: Int, of table: ResultTable, in slots: [Slot], into frame: inout Frame,
    on drawn: DrawnLine
  ) {
    let line = drawn.line
    let pattern = pattern(isAtCursor: line.ground != .text)
    let match: Role = line.ground == .text ? .match : .matchCurrent
    if form == .json {
      let text = table.json(ofGroup: row)
      frame.write(text, .string, in: line)
      if pattern.isIn(text) { frame.highlight(pattern, in: line.area, ground: match) }
      return
    }
    for slot in slots {
      let place = slot.place(on: line.area)
      let cell = table.cell(slot.column, ofGroup: row)
      let isMatch = pattern.isIn(cell.text)
      let shown = isMatch ? cell.showing(pattern, within: place.columns) : cell
      frame.write(
        shown.standing(in: table.columns[slot.column].fit, width: slot.width),
        in: place, on: slot.column == drawn.chosen ? .cursorCell : line.ground)
      if isMatch { frame.highlight(pattern, in: place, ground: match) }
    }
  }
}
