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
    /// The key that leads here from anywhere, shown where there is room; empty for none.
    var key = ""
    /// Told at the right end of the title's line.
    var remark = ""
    let isFocused: Bool
    /// Rows inside, without the lines.
    let rows: Int

    var border: Paint { Paint(isFocused ? .borderFocused : .border) }
    var titlePaint: Paint { Paint(isFocused ? .titleFocused : .title) }

    /// The title with its key, where so many columns hold both and the remark.
    func title(within columns: Int) -> String {
      guard !key.isEmpty else { return title }
      let whole = "[\(key)] \(title)"
      return Self.fit(whole, remark, within: columns) ? whole : title
    }

    /// As much of the remark as stands beside the title: its last parts can be spared.
    func remark(within columns: Int) -> String {
      if Self.fit(title, remark, within: columns) { return remark }
      var parts = remark.split(separator: Self.gap)
      while parts.count > 1,
        !Self.fit(title, parts.joined(separator: Self.gap), within: columns)
      {
        parts.removeLast()
      }
      return parts.joined(separator: Self.gap)
    }

    private static let gap = " · "

    private static func fit(_ title: String, _ remark: String, within columns: Int) -> Bool {
      let remarkWidth = remark.isEmpty ? 0 : TextWidth.columns(of: remark) + 3
      return TextWidth.columns(of: title) + 2 + remarkWidth <= columns - 4
    }
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
      let title = section.title(within: box.columns)
      let remark = section.remark(within: box.columns)
      frame.box(
        box, title: title, detail: remark,
        border: section.border, titlePaint: section.titlePaint, detailPaint: Paint(.titleDetail))
      if index > 0 {
        frame.divider(
          row: row, of: box, title: title, detail: remark,
          border: section.border, titlePaint: section.titlePaint,
          detailPaint: Paint(.titleDetail))
      }
      inner.append(box.inset(by: 1))
      row += section.rows + 1
    }
    return inner
  }
}
