import InstaQL
import TerminalUI
import Triples
import Widgets

// Draws an expanded relation, indented below its entity.
extension ResultsPane {
  private static let indent = 4

  /// Returns the indentation of an expanded relation, at most half of the width.
  private static func indent(of block: ResultTable.ExpandedRelation, width: Int) -> Int {
    max(1, min(indent * block.depth, width / 2))
  }

  /// Returns the columns of a relation that fit in `width`, including the column at the cursor.
  func slots(of block: ResultTable.ExpandedRelation, isHere: Bool = true, width: Int) -> [Slot] {
    ColumnLayout.slots(
      of: block.columns.map(\.fit), frozen: min(1, block.columns.count),
      chosen: isHere ? chosenColumn(of: block) : 0,
      from: Self.indent(of: block, width: width), width: width - Self.margin)
  }

  /// Draws the heading of an expanded relation and its column titles. Titles that repeat those above
  /// are omitted, except at the cursor.
  ///
  /// - Parameter drawn: The titles drawn last at each nesting level.
  func drawTitles(
    of block: ResultTable.ExpandedRelation, isHere: Bool,
    _ drawn: inout [Int: (links: [Link], slots: [Slot])], into frame: inout Frame, in line: ListLine
  ) {
    let width = line.area.columns
    let start = Self.indent(of: block, width: width) - Self.gap
    let used = start + frame.write(block.head, .link, in: line, at: start)
    guard block.total > 0 else { return }
    let slots = slots(of: block, isHere: isHere, width: width)
    let above = drawn.updateValue((block.links, slots), forKey: block.depth)
    if let above, above == (block.links, slots), !isHere { return }
    let order = block.plan.order
    // The heading is above the first column. Titles that it covers are not drawn.
    for slot in slots where slot.offset > used {
      let isChosen = isHere && slot.column == chosenColumn(of: block)
      frame.write(
        block.columns[slot.column].title(in: order, isChosen ? .headerSorted : .dim),
        in: slot.place(on: line.area), on: line.ground)
    }
  }

  /// Draws a row of an expanded relation.
  func drawChild(
    _ index: Int, of block: ResultTable.ExpandedRelation, from rows: DrawnRows,
    _ table: ResultTable, _ marks: EntitySelection, into frame: inout Frame, on drawn: DrawnLine
  ) {
    let (entity, line) = (block.entities[index], drawn.line)
    let child = DrawnLine(line: line, chosen: drawn.chosen.map { _ in chosenColumn(of: block) })
    draw(entity, block.rowCells(in: table.catalog), from: rows, into: &frame, on: child)
    let gutter = max(0, Self.indent(of: block, width: line.area.columns) - Self.gap)
    drawGutter(
      of: entity, table, marks[block.link.target], into: &frame,
      line: line.area.inset(left: gutter), ground: line.ground)
  }

  /// Draws the number of linked entities that are not listed.
  func drawMore(
    of block: ResultTable.ExpandedRelation, _ keys: KeyNames, into frame: inout Frame,
    in line: ListLine
  ) {
    let rest = block.total - block.entities.count
    frame.write(
      keys.line(.moreLinked(rest, isCut: block.isCut)), .dim, in: line,
      at: Self.indent(of: block, width: line.area.columns))
  }
}
