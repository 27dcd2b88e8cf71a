import TerminalUI

/// The width that a column needs for its title and for the cells measured so far. The width never
/// shrinks.
package struct ColumnFit: Sendable, Hashable {
  /// The width of the title.
  private let title: Int
  /// The maximum width of the column, unless spare space remains or the user sets another width.
  private let limit: Int
  /// The width of the widest text cell.
  private var text = 0
  /// The widths of the longest integer part and of the longest fraction among the numbers. The
  /// fraction includes the decimal point.
  private var whole = 0
  private var fraction = 0
  /// Whether the title and the cells are right-aligned, because the column contains numbers.
  package private(set) var isRightAligned = false
  /// The width set by the user; nil if the cells determine it.
  package var fixed: Int?

  package init(title: Int, limit: Int) { (self.title, self.limit) = (title, limit) }

  /// The width at which no cell is cut.
  package var full: Int { fixed ?? max(title, text, whole + fraction) }

  /// The width that the column needs, up to its limit.
  package var width: Int { min(full, fixed ?? limit) }

  /// The minimum width at which each number in the column can be read; 0 for other columns.
  package var minWidth: Int {
    isRightAligned ? min(full, whole + min(fraction, Self.minFraction)) : 0
  }

  /// Widens the column for a cell.
  package mutating func grow(for cell: String, isNumber: Bool) {
    guard isNumber else { return reserve(TextWidth.columns(of: cell)) }
    isRightAligned = true
    let decimals = Self.fraction(of: cell)
    whole = max(whole, Self.columns(of: cell.utf8) - decimals)
    fraction = max(fraction, decimals)
  }

  /// Widens the column to at least `columns`.
  package mutating func reserve(_ columns: Int) { text = max(text, columns) }

  /// Returns a number at the right edge of `width` columns, with aligned decimal points.
  ///
  /// A fraction that does not fit is cut. A whole number and an exponent are never cut, since the
  /// remaining digits would look like another number. A row of `#` replaces a number that does not
  /// fit.
  package func aligned(_ number: String, in width: Int) -> String {
    let room = min(fraction, width - whole)
    let own = Self.fraction(of: number)
    let columns = Self.columns(of: number.utf8)
    if room > 0, room == fraction || room >= Self.minFraction {
      if own <= room { return number + String(repeating: " ", count: room - own) }
      if !number.utf8.contains(UInt8(ascii: "e")) {
        return String(number.prefix(columns - own + room - 1)) + "…"
      }
    }
    return columns > width ? String(repeating: "#", count: max(0, width)) : number
  }

  /// The minimum width of a cut fraction: the point, one digit and the mark for the omitted digits.
  private static let minFraction = 3

  /// Returns the width of a number's fractional part, including the decimal point.
  private static func fraction(of number: String) -> Int {
    let text = number.utf8
    return text.lastIndex(of: UInt8(ascii: ".")).map { columns(of: text[$0...]) } ?? 0
  }

  /// Returns the width of a part of a number, which is ASCII except for the mark `…`.
  private static func columns(of bytes: some Sequence<UInt8>) -> Int {
    bytes.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
  }
}
