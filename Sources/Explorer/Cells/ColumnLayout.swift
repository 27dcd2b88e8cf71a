import TerminalUI

/// Distributes the width of a table among its columns.
package enum ColumnLayout {
  /// The position of a column: its index, its distance from the left and its width.
  package struct Slot: Sendable, Equatable {
    package let column: Int
    package var offset: Int
    package var width: Int

    /// Returns the place of the column on a line of the table.
    func place(on line: Rect) -> Rect {
      Rect(row: line.row, column: line.column + offset, rows: 1, columns: width)
    }
  }

  /// The gap between two columns.
  package static let gap = 2
  private static let minWidth = 3
  /// The minimum visible width of a column that counts as shown.
  static let minShownWidth = 8
  /// The width in columns to which a text column can be narrowed to make room for a number column.
  private static let minTextWidth = 12

  /// Returns the positions of the columns that fit in `width`, including the frozen ones and the
  /// selected one. The last column may be cut, unless it has numbers, which would be unreadable.
  ///
  /// Frozen columns that leave no space for others scroll like other columns. In a very narrow
  /// table, all frozen columns scroll.
  ///
  /// - Parameter start: The position of the first column.
  package static func slots(
    of fits: [ColumnFit], frozen: Int, chosen: Int, from start: Int, width: Int
  ) -> [Slot] {
    guard !fits.isEmpty else { return [] }
    var slots = frozenSlots(of: fits, frozen: frozen, from: start, width: width)
    var offset = slots.last.map { $0.offset + $0.width + gap } ?? start
    var index = firstScrolled(
      of: fits, after: slots.count, chosen: chosen, offset: offset, width: width)
    while index < fits.count, offset < width {
      let room = min(fits[index].width, width - offset)
      if room < min(fits[index].width, minWidth), !slots.isEmpty { break }
      slots.append(Slot(column: index, offset: offset, width: room))
      offset += room + gap
      index += 1
    }
    makeRoomForNumber(in: &slots, fits)
    if slots.count > 1, let last = slots.last, last.column != chosen,
      last.width < fits[last.column].minWidth
    {
      slots.removeLast()
      offset -= last.width + gap
    }
    share(width - offset + gap, among: &slots, fits)
    var next = start
    for place in slots.indices {
      slots[place].offset = next
      next += slots[place].width + gap
    }
    return slots
  }

  /// Returns the positions of the frozen columns, which use at most half of the space.
  private static func frozenSlots(
    of fits: [ColumnFit], frozen: Int, from start: Int, width: Int
  ) -> [Slot] {
    let space = width - start + 1
    let most =
      frozen < fits.count
      ? min(start - 1 + max(8, space / 2), width - gap - minWidth - 1) : width
    var slots: [Slot] = []
    var offset = start
    for index in 0..<frozen {
      let wanted = fits[index].width
      // The first column is cut to fit. A later column is omitted instead, since a part of it would
      // be misleading.
      if index > 0, offset + wanted > most { break }
      let room = max(1, min(wanted, most - offset + 1, width - offset))
      if room < min(wanted, minWidth), frozen < fits.count { break }
      slots.append(Slot(column: index, offset: offset, width: room))
      offset += room + gap
    }
    return slots
  }

  /// Returns the first column to show after the frozen columns. The selected column must be
  /// visible, with as many columns as possible to its left.
  private static func firstScrolled(
    of fits: [ColumnFit], after frozen: Int, chosen: Int, offset: Int, width: Int
  ) -> Int {
    var first = max(frozen, chosen)
    var needed = offset - gap
    while first >= frozen, first < fits.count {
      needed += gap + fits[first].width
      if needed > width { break }
      first -= 1
    }
    return max(frozen, first < max(frozen, chosen) ? first + 1 : first)
  }

  /// Narrows text columns if that makes enough room for a last column with numbers.
  private static func makeRoomForNumber(in slots: inout [Slot], _ fits: [ColumnFit]) {
    guard let last = slots.last, fits[last.column].isRightAligned else { return }
    let missing = fits[last.column].width - last.width
    let texts = slots.indices.dropLast().filter {
      let fit = fits[slots[$0].column]
      return !fit.isRightAligned && fit.fixed == nil
    }
    let spare = texts.reduce(0) { $0 + max(0, slots[$1].width - minTextWidth) }
    guard missing > 0, missing <= spare else { return }
    for _ in 0..<missing {
      guard let widest = texts.max(by: { slots[$0].width < slots[$1].width }) else { return }
      slots[widest].width -= 1
    }
    slots[slots.count - 1].width += missing
  }

  /// Distributes spare space equally among the columns that are narrower than their content.
  private static func share(_ spare: Int, among slots: inout [Slot], _ fits: [ColumnFit]) {
    var spare = spare
    while spare > 0 {
      let cut = slots.indices.filter { slots[$0].width < fits[slots[$0].column].full }
      if cut.isEmpty { return }
      let share = max(1, spare / cut.count)
      for place in cut {
        let more = min(share, spare, fits[slots[place].column].full - slots[place].width)
        slots[place].width += more
        spare -= more
      }
    }
  }

  /// The width at the right edge that is reserved for the mark of further columns.
  static let margin = 1
  /// The width of the results on a screen of 80 columns. The record must leave enough space for the
  /// columns that they show there.
  static let usualColumns = 80

  /// Returns the minimum width, at most 80, at which results with columns of these widths show as
  /// many of them as on a screen of 80 columns.
  static func columns(toShow fits: [ColumnFit]) -> Int {
    let wanted = shownCount(of: fits, in: usualColumns)
    var (low, high) = (0, usualColumns)
    while low < high {
      let middle = (low + high) / 2
      if shownCount(of: fits, in: middle) >= wanted { high = middle } else { low = middle + 1 }
    }
    return high
  }

  /// Returns the number of columns that results of this width show, including their borders.
  private static func shownCount(of fits: [ColumnFit], in columns: Int) -> Int {
    slots(
      of: fits, frozen: 1, chosen: 0, from: 1, width: columns - 2 - margin
    ).count { $0.width >= min(fits[$0.column].width, minShownWidth) }
  }
}
