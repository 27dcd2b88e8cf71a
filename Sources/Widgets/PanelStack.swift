package import TerminalUI

/// A box of stacked sections whose titles are part of the border lines.
///
///     ╭ Namespaces ──╮
///     │ …            │
///     ├ Schema ──────┤
///     │ …            │
///     ╰──────────────╯
package struct PanelStack {
  package struct Section {
    package let title: String
    /// The key that focuses the section, shown before the title if there is space. Empty if no key
    /// focuses the section.
    package var key = ""
    /// A remark shown at the right end of the title line.
    package var remark = ""
    package let isFocused: Bool
    /// The number of rows inside the borders.
    package let rows: Int
    /// The width of the section's box if it is narrower than the stack; otherwise nil.
    package var columns: Int?

    package init(
      title: String, key: String = "", remark: String = "", isFocused: Bool, rows: Int,
      columns: Int? = nil
    ) {
      self.title = title
      self.key = key
      self.remark = remark
      self.isFocused = isFocused
      self.rows = rows
      self.columns = columns
    }

    package var border: Paint { Paint(isFocused ? .borderFocused : .border) }
    package var titlePaint: Paint { Paint(isFocused ? .titleFocused : .title) }

    /// Returns the title, preceded by the key if both and the first part of the remark fit.
    package func title(within columns: Int) -> String {
      Self.fit(keyedTitle, remarks.last ?? "", within: columns) ? keyedTitle : title
    }

    /// Returns the remark. If it does not fit next to the title, its last parts are omitted.
    package func remark(within columns: Int) -> String {
      let title = title(within: columns)
      return remarks.first { Self.fit(title, $0, within: columns) } ?? remarks.last ?? ""
    }

    private var keyedTitle: String { key.isEmpty ? title : "[\(key)] \(title)" }

    /// The whole remark, then shorter ones, each without the last part of the one before.
    private var remarks: [String] {
      let parts = remark.split(separator: Self.gap)
      return (0..<parts.count).map { parts.dropLast($0).joined(separator: Self.gap) }
    }

    private static let gap = " · "

    private static func fit(_ title: String, _ remark: String, within columns: Int) -> Bool {
      let remarkWidth = remark.isEmpty ? 0 : TextWidth.columns(of: remark) + 3
      return TextWidth.columns(of: title) + 2 + remarkWidth <= columns - 4
    }
  }

  package let area: Rect
  package let sections: [Section]
  /// Whether another stack is directly above, so that both share a border line.
  package var continues = false

  package init(area: Rect, sections: [Section], continues: Bool = false) {
    self.area = area
    self.sections = sections
    self.continues = continues
  }

  /// Draws borders and titles, and returns the inner area of each section, from top to bottom.
  package func draw(into frame: inout Frame) -> [Rect] {
    var inner: [Rect] = []
    var row = area.row
    // The top line of each section's box covers the bottom line of the box before it.
    for (index, section) in sections.enumerated() {
      let box = Rect(
        row: row, column: area.column, rows: section.rows + 2,
        columns: section.columns ?? area.columns)
      let title = section.title(within: box.columns)
      let remark = section.remark(within: box.columns)
      frame.box(
        box, title: title, detail: remark,
        border: section.border, titlePaint: section.titlePaint, detailPaint: Paint(.titleDetail))
      if index > 0 || continues {
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
