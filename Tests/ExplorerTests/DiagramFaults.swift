import Explorer
import TerminalUI
import Triples

/// What would make a diagram hard to read, counted; all are 0 but for the last, which is rare.
struct DiagramFaults: Equatable {
  /// Pairs of boxes that have a cell in common.
  private(set) var overlappingBoxes = 0
  /// Pieces of lines that pass over a box.
  private(set) var linesThroughBoxes = 0
  /// Ends of links at which no line touches the box.
  private(set) var looseEnds = 0
  /// Pairs of links that have more than a crossing in common.
  private(set) var linesUponEachOther = 0

  /// - Complexity: O(boxes² + pieces²).
  init(drawing schema: Schema) {
    let layout = DiagramLayout(DiagramGraph(schema))
    for (index, box) in layout.boxes.enumerated() {
      for other in layout.boxes.dropFirst(index + 1)
      where !box.area.intersection(other.area).isEmpty {
        overlappingBoxes += 1
      }
      let inside = box.area.inset(left: 1, right: 1)
      linesThroughBoxes += layout.pieces.count { !$0.area.intersection(inside).isEmpty }
      for port in box.left + box.right {
        let column = box.left.contains(port) ? box.area.column : box.area.endColumn - 1
        let isTouched = layout.pieces.contains {
          $0.edge == port.edge && $0.area.contains(row: port.row, column: column)
        }
        if !isTouched || !box.area.inset(top: 1, bottom: 1).contains(row: port.row, column: column)
        {
          looseEnds += 1
        }
      }
    }
    for (index, piece) in layout.pieces.enumerated() {
      linesUponEachOther += layout.pieces.dropFirst(index + 1).count { $0.liesUpon(piece) }
    }
  }
}

extension DiagramLayout.Piece {
  fileprivate var area: Rect {
    isAcross
      ? Rect(row: line, column: cells.lowerBound, rows: 1, columns: cells.count)
      : Rect(row: cells.lowerBound, column: line, rows: cells.count, columns: 1)
  }

  /// Whether another link's piece of the same direction has cells in common with this one.
  fileprivate func liesUpon(_ other: Self) -> Bool {
    edge != other.edge && isAcross == other.isAcross && line == other.line
      && cells.overlaps(other.cells)
  }
}
