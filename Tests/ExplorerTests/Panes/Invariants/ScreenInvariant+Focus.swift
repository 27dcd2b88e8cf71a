import Ncurses
import TerminalUI

extension ScreenInvariant {
  /// Rules about the focused pane, its cursor and its selected row.
  static let focus = [
    ScreenInvariant("Exactly one pane has the focus colors") { view in
      guard !view.isHeard else { return nil }
      let titles = view.frame.focusedTitles
      // The title of a deletion that is too long for the border is inside the box.
      guard titles.count == (view.frame.hasFocusedLine && view.scene == .deletion ? 0 : 1),
        let area = view.frame.focusedArea
      else {
        return "the focused titles are \(titles)"
      }
      for (row, column) in view.frame.focusCells {
        let isOnBorder =
          row == area.row || row == area.endRow - 1 || column == area.column
          || column == area.endColumn - 1
        if !isOnBorder { return "row \(row), column \(column) has them as well" }
      }
      return nil
    },
    ScreenInvariant("A typed line has its title in the focus colors") { view in
      guard view.isTypedLine, !view.isHeard else { return nil }
      let titles = view.frame.focusedTitles
      return titles == [" \(view.scene.lineTitle) "] ? nil : "the title is \(titles)"
    },
    ScreenInvariant("The cursor is inside the focused pane") { view in
      guard let cursor = view.frame.cursor, !view.isHeard else { return nil }
      let isInside = view.frame.focusedInterior?.contains(cursor)
      return isInside == true ? nil : "it is in row \(cursor.row), column \(cursor.column)"
    },
    ScreenInvariant("The cursor follows the typed text") { view in
      guard view.isOpen, view.scene.isTyped else { return nil }
      guard let cursor = view.frame.cursor, cursor.column > 0 else { return "there is no cursor" }
      let last = view.frame.cell(row: cursor.row, column: cursor.column - 1).scalar
      let typed = view.state.hasWideText ? "x" : view.scene.lastTyped
      return Character(last) == typed ? nil : "“\(last)” precedes it"
    },
    ScreenInvariant("Only the focused pane has a row or cell on the selection color") {
      view in
      guard !view.isHeard else { return nil }
      let interior = view.frame.focusedInterior ?? Rect(row: 0, column: 0, rows: 0, columns: 0)
      let strays = view.frame.cells(in: view.frame.bounds) {
        [.selection, .cursorCell, .buttonFocused].contains($0.paint.ground)
      }.filter { !interior.contains($0) }
      return strays.first.map { "row \($0.row), column \($0.column) has another one" }
    },
    ScreenInvariant("Without colors, the selected row is in reverse") { view in
      guard view.isOpen, !view.isHeard, view.scene.hasSelectedRow, view.state.hasRows,
        SceneMatrix.whyEmpty(view.scene, view.state) == nil,
        let interior = view.frame.focusedInterior
      else { return nil }
      let cells = view.frame.cells(in: interior) { _ in true }
      return cells.contains { view.isReversed($0) } ? nil : "no row is"
    },
  ]
}

extension SceneView {
  fileprivate func isReversed(_ place: Position) -> Bool {
    let paint = frame.cell(row: place.row, column: place.column).paint
    return Theme.plain.style(of: paint, depth: .none).attributes.contains(.reverse)
  }
}
