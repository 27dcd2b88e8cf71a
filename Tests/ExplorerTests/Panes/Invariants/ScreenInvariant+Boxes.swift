import TerminalUI

extension ScreenInvariant {
  /// Rules about borders, and about what an open pane covers.
  static let boxes = [
    ScreenInvariant("Every border line continues to a corner, a title or another line") { view in
      let boxes = view.frame.wholeBoxes
      let interior = view.frame.focusedInterior
      for row in 0..<view.frame.size.rows {
        for column in 0..<view.frame.size.columns {
          // `DiagramFaults` finds errors in the lines of a diagram.
          if view.scene == .diagram, interior?.contains(row: row, column: column) == true {
            continue
          }
          let arms = view.frame.arms(row: row, column: column)
          for arm in Frame.Arms.each
          where arms.contains(arm) && !view.continues(arm, row, column, boxes) {
            return "“\(view.frame.cell(row: row, column: column).scalar)” in row \(row), "
              + "column \(column) ends"
          }
        }
      }
      return nil
    },
    ScreenInvariant("A screen has boxes between its header and its footer, and only there") {
      view in
      guard !view.isHeard else { return nil }
      let last = view.frame.size.rows - view.frame.footerRows
      let rows = (0..<view.frame.size.rows).filter { row in
        (0..<view.frame.size.columns).contains {
          !view.frame.arms(row: row, column: $0).isEmpty
        }
      }
      return rows == Array(1..<last) ? nil : "rows \(rows)"
    },
    ScreenInvariant("Closing a pane changes nothing outside it") { view in
      guard view.isOpen, view.scene.isOverlay, !view.isHeard,
        !view.scene.changesPanesBelow, !view.changesWhenClosed, let area = view.frame.focusedArea,
        !view.isBesideResults(area)
      else { return nil }
      let last = view.frame.size.rows - max(view.frame.footerRows, view.closed.footerRows)
      for row in 1..<last {
        for column in 0..<view.frame.size.columns
        where !area.contains(row: row, column: column) {
          let (before, after) = (
            view.closed.cell(row: row, column: column).scalar,
            view.frame.cell(row: row, column: column).scalar
          )
          if before != after, !view.isCut(at: column, of: area) {
            return "“\(before)” in row \(row), column \(column) became “\(after)”"
          }
        }
      }
      return nil
    },
  ]
}

extension SceneView {
  /// Returns whether the border at a cell continues in a direction.
  fileprivate func continues(
    _ arm: Frame.Arms, _ row: Int, _ column: Int, _ boxes: [Rect]
  ) -> Bool {
    let isAcross = arm == .left || arm == .right
    var (y, x) = (row + arm.step.rows, column + arm.step.columns)
    while isAcross ? isTitle(row: y, column: x) : frame.isThumb(row: y, column: x) {
      (y, x) = (y + arm.step.rows, x + arm.step.columns)
    }
    let next = frame.arms(row: y, column: x)
    if next.contains(arm.opposite) { return true }
    // A line within a pane ends at the sides of the pane.
    if isAcross, frame.cell(row: row, column: column).scalar == "─", next == [.up, .down] {
      return true
    }
    // A pane next to the results has a box of its own, which begins at the line below the query:
    // no T-shaped character joins the lines.
    if arm == .down, next == [.down, .left] || next == [.down, .right] { return true }
    let isBesideBox = frame.arms(row: row, column: column + 1) == [.down, .right]
    if arm == .up, frame.arms(row: row, column: column) == [.up, .down, .left], isBesideBox {
      return true
    }
    // An open pane, a list of suggestions or a long notice covers the rest.
    if notice != nil, frame.footerRows > 1, y >= frame.size.rows - frame.footerRows { return true }
    return boxes.contains {
      $0.contains(row: y, column: x) && !$0.contains(row: row, column: column)
    }
  }

  /// Whether a text interrupts a line: a title, or the number of hidden boxes of a diagram.
  private func isTitle(row: Int, column: Int) -> Bool {
    guard frame.bounds.contains(row: row, column: column) else { return false }
    return frame.isTitle(row: row, column: column)
      || scene == .diagram && frame.cell(row: row, column: column).paint.ink == .key
  }

  /// Whether the key that closes a pane also changes the results: it clears highlights that do not
  /// fade, and hints name keys of the focused pane.
  fileprivate var changesWhenClosed: Bool {
    state == .changedWithoutMotion || state == .rowsGone
  }

  /// Whether an area is next to the results, which are wider without it.
  fileprivate func isBesideResults(_ area: Rect) -> Bool {
    frame.arms(row: area.row, column: area.column - 1) == [.up, .down, .left]
  }

  /// Whether a column is next to the side of an area, where a wide character may be cut in half.
  fileprivate func isCut(at column: Int, of area: Rect) -> Bool {
    column == area.column - 1 || column == area.endColumn
  }
}
