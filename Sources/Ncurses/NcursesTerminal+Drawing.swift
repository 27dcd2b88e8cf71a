internal import CNcurses
internal import CTerminal
package import TerminalUI

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Draws frames. The changed rows are passed to ncurses, which sends the differences.
extension NcursesTerminal {
  package func draw(_ frame: Frame, theme: Theme) {
    if theme != table.theme {
      table.use(theme)
      shown = nil
    }
    var changed = paintRows(of: frame)
    if painter.isReset {
      // Rows painted earlier used color pairs that were redefined, so the whole screen is
      // repainted.
      clearok(nc_curscr(), true)
      shown = nil
      changed = paintRows(of: frame)
    }
    guard changed > 0 || frame.cursor != shown?.cursor || shown == nil else { return }
    let cursor = frame.cursor.flatMap { Rect(size).contains($0) ? $0 : nil }
    if let cursor { wmove(nc_stdscr(), Int32(cursor.row), Int32(cursor.column)) }
    inOnePiece { show(frame, cursor: cursor) }
    shown = frame
  }

  /// Sends all output of `body` to the terminal so that it is displayed at once, in one write if
  /// the system can buffer it.
  private func inOnePiece(_ body: () -> Void) {
    let frame = ct_frame_begin()
    guard frame >= 0 else {
      if profile.isModern { send("\u{1B}[?2026h") }
      body()
      if profile.isModern { send("\u{1B}[?2026l") }
      return
    }
    output = frame
    body()
    output = STDOUT_FILENO
    ct_frame_end(profile.isModern ? 1 : 0)
  }

  private func show(_ frame: Frame, cursor: Position?) {
    wnoutrefresh(nc_stdscr())
    doupdate()
    drawDisputed(of: frame, cursor: cursor)
    // The cursor's visibility is set last, because leaving the alternate screen of another program
    // restores that program's cursor.
    curs_set(cursor == nil ? 0 : 1)
  }

  package func redraw() {
    shown = nil
    clearok(nc_curscr(), true)
  }

  /// Passes the changed parts of rows to ncurses and returns the number of changed rows.
  private func paintRows(of frame: Frame) -> Int {
    let window = nc_stdscr()
    let last = shown?.size == frame.size ? shown : nil
    var changed = 0
    disputed = []
    for row in 0..<size.rows {
      let columns = columnsToPaint(row, of: frame, since: last)
      if columns.isEmpty { continue }
      let runs = disputedRuns(row, of: frame)
      if !runs.isEmpty { disputed.append((row, runs)) }
      let span = runs.isEmpty ? columns : 0..<size.columns
      painter.paint(row: row, of: frame, columns: span, hiding: runs, table: &table)
      if painter.isReset { return changed }
      mvwadd_wchnstr(
        window, Int32(row), Int32(span.lowerBound), painter.cells, Int32(painter.count))
      changed += 1
    }
    return changed
  }

  private func columnsToPaint(_ row: Int, of frame: Frame, since last: Frame?) -> Range<Int> {
    guard let last else { return 0..<size.columns }
    guard row < frame.size.rows else { return 0..<0 }
    return frame.changedColumns(since: last, row: row).clamped(to: 0..<size.columns)
  }

  private func disputedRuns(_ row: Int, of frame: Frame) -> [Range<Int>] {
    guard row < frame.size.rows, painter.repertoire != .ascii else { return [] }
    return frame.disputedRuns(row: row).map { $0.clamped(to: 0..<size.columns) }
      .filter { !$0.isEmpty }
  }

  /// Draws the runs whose width terminals disagree about, over the blanks that were painted for
  /// them.
  ///
  /// The cursor is positioned explicitly after each run, because ncurses assumes the widths of the
  /// C library.
  private func drawDisputed(of frame: Frame, cursor: Position?) {
    if disputed.isEmpty { return }
    let window = nc_stdscr()
    for (row, runs) in disputed {
      painter.paint(row: row, of: frame, columns: 0..<size.columns, table: &table)
      for run in runs {
        let cells = painter.cells(of: run)
        let end = Int32(min(run.upperBound, size.columns - 1))
        painter.cells.withUnsafeBufferPointer { all in
          let part = UnsafeBufferPointer(rebasing: all[cells])
          _ = mvwadd_wchnstr(
            window, Int32(row), Int32(run.lowerBound), part.baseAddress, Int32(part.count))
        }
        wmove(window, Int32(row), end)
        wnoutrefresh(window)
        doupdate()
        // The cursor is moved without ncurses, which assumes that it is there already.
        place(row: Int32(row), column: end)
      }
    }
    if let cursor { wmove(window, Int32(cursor.row), Int32(cursor.column)) }
    wnoutrefresh(window)
    doupdate()
  }
  private func place(row: Int32, column: Int32) {
    var text = [CChar](repeating: 0, count: 64)
    let length = ct_cursor_address(row, column, &text, text.count)
    send(String(decoding: text.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self))
  }
}
