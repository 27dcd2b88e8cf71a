import TerminalUI

/// A box of one or more sections, one upon the other, whose titles stand in its lines.
///
///     ╭ Namespaces ──╮
///     │ …            │
///     ├ Schema ──────┤
///     │ …            │
///     ╰──────────────╯
struct PanelStack {
  struct Section {
    let title: String
    /// Told at the right end of the title's line.
    var remark = ""
    let isFocused: Bool
    /// Rows inside, without the lines.
    let rows: Int

    var border: Paint { Paint(isFocused ? .borderFocused : .border) }
    var titlePaint: Paint { Paint(isFocused ? .titleFocused : .title) }
  }

  let area: Rect
  let sections: [Section]

  /// Draws lines and titles and answers with the inner area of each section, top first.
  func draw(into frame: inout Frame) -> [Rect] {
    var inner: [Rect] = []
    var row = area.row
    // Each section draws its own box, and the next one its upper line upon the lower line of that.
    for (index, section) in sections.enumerated() {
      let box = Rect(
        row: row, column: area.column, rows: section.rows + 2, columns: area.columns)
      frame.box(
        box, title: section.title, detail: section.remark,
        border: section.border, titlePaint: section.titlePaint, detailPaint: Paint(.titleDetail))
      if index > 0 {
        frame.divider(
          row: row, of: box, title: section.title, detail: section.remark,
          border: section.border, titlePaint: section.titlePaint,
          detailPaint: Paint(.titleDetail))
      }
      inner.append(box.inset(by: 1))
      row += section.rows + 1
    }
    return inner
  }
}
