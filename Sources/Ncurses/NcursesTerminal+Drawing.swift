internal import CNcurses
package import TerminalUI

/// Showing frames: rows that differ are handed over, ncurses sends what differs in them.
extension NcursesTerminal {
  /// From this many rows on, the terminal is told to show them all at once. Fewer fit into one write.
  private static let rowsToSynchronize = 4

  package func draw(_ frame: Frame, theme: Theme) {
    if theme != table.theme {
      table.use(theme)
      shown = nil
    }
    var changed = paintRows(of: frame)
    if painter.isReset {
      // Rows painted before have pairs that mean something else by now.
      clearok(nc_curscr(), true)
      shown = nil
      changed = paintRows(of: frame)
    }
    guard changed > 0 || frame.cursor != shown?.cursor || shown == nil else { return }
    let cursor = frame.cursor.flatMap {
      Rect(size).contains(row: $0.row, column: $0.column) ? $0 : nil
    }
    if let cursor { wmove(nc_stdscr(), Int32(cursor.row), Int32(cursor.column)) }
    let isSynchronized = changed >= Self.rowsToSynchronize && profile.isModern
    if isSynchronized { send("\u{1B}[?2026h") }
    wnoutrefresh(nc_stdscr())
    doupdate()
    // Only now, as coming back from the shell's screen would bring the cursor of that along.
    curs_set(cursor == nil ? 0 : 1)
    if isSynchronized { send("\u{1B}[?2026l") }
    shown = frame
  }

  package func redraw() {
    shown = nil
    clearok(nc_curscr(), true)
  }

  /// Hands over the rows that differ from those shown; answers how many.
  private func paintRows(of frame: Frame) -> Int {
    let window = nc_stdscr()
    let last = shown?.size == frame.size ? shown : nil
    var changed = 0
    for row in 0..<size.rows {
      if let last, row >= frame.size.rows || last.rowEquals(frame, row: row) { continue }
      painter.paint(row: row, of: frame, columns: size.columns, table: &table)
      if painter.isReset { return changed }
      mvwadd_wchnstr(window, Int32(row), 0, painter.cells, Int32(painter.count))
      changed += 1
    }
    return changed
  }
}
