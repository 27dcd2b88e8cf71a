import TerminalUI

extension Frame {
  /// Writes a notice and its keys into the middle of an otherwise empty pane.
  mutating func writePanel(_ notice: Notice, _ keys: KeyNames, in area: Rect) {
    let inner = area.inset(left: 1, right: 1)
    guard inner.rows > 0, inner.columns > 0 else { return }
    let width = min(inner.columns, Self.maxPanelColumns)
    let rows = keys.rows(of: notice, width: width, limit: inner.rows)
    let top = inner.row + (inner.rows - rows.count) / 3
    for (number, row) in rows.enumerated() {
      let column = inner.column + max(0, (inner.columns - row.columns) / 2)
      write(
        row, row: top + number, column: column, width: inner.endColumn - column, role: .dim,
        on: .text)
    }
  }

  /// The maximum width of a line in columns; longer lines are wrapped.
  private static let maxPanelColumns = 64
}
