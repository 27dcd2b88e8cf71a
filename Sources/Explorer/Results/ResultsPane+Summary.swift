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
    if form == .json {
      frame.write(table.json(ofGroup: row), .string, in: line)
      return
    }
    for slot in slots {
      frame.write(
        table.cell(slot.column, ofGroup: row)
          .standing(in: table.columns[slot.column].fit, width: slot.width),
        in: slot.place(on: line.area), on: slot.column == drawn.chosen ? .cursorCell : line.ground)
    }
  }
}
