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

    /// Returns the title and the remark that fit.
    ///
    /// The key precedes the title if both and the first part of the remark fit. If the remark does
    /// not fit next to the title, its last parts are omitted.
    package func texts(within columns: Int) -> (title: String, remark: String) {
      let keyedTitle = keyedTitle
      // Comparing ends takes long, so only a remark that ends with a space is compared.
      let isOpen = remark.utf8.last == UInt8(ascii: " ") && remark.hasSuffix(Self.gap)
      let whole = isOpen ? String(remark.dropLast(Self.gap.count)) : remark
      if Self.fit(keyedTitle, whole, within: columns) { return (keyedTitle, whole) }
      var remarks = [whole[...]]
      while let shorter = Self.shortened(remarks[remarks.count - 1]) { remarks.append(shorter) }
      let shortest = remarks[remarks.count - 1]
      let title = Self.fit(keyedTitle, String(shortest), within: columns) ? keyedTitle : title
      let fitting = remarks.first { Self.fit(title, String($0), within: columns) }
      return (title, String(fitting ?? shortest))
    }

    private var keyedTitle: String { key.isEmpty ? title : "[\(key)] \(title)" }

    /// Returns a remark without its last part; nil if it has only one.
    private static func shortened(_ remark: Substring) -> Substring? {
      guard let dot = remark.unicodeScalars.lastIndex(of: "·") else { return nil }
      let rest = remark[..<dot]
      return rest.last == " " ? rest.dropLast() : shortened(rest)
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
      let (title, remark) = section.texts(within: box.columns)
      let isJoined = index > 0 || continues
      frame.box(
        box, title: isJoined ? "" : title, detail: isJoined ? "" : remark,
        border: section.border, titlePaint: section.titlePaint, detailPaint: Paint(.titleDetail))
      if isJoined {
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
