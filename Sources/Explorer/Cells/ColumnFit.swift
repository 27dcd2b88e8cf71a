import TerminalUI

/// The width that a column needs for its title and for the cells measured so far; it only grows.
package struct ColumnFit: Sendable, Hashable {
  /// The width of the title.
  private let title: Int
  /// The width up to which the column claims space; more is given only if there is some left.
  private let limit: Int
  /// The width of the widest text.
  private var text = 0
  /// The widths of the widest number's part before the decimal point, and of its part from there
  /// on.
  private var whole = 0
  private var fraction = 0
  /// Whether the column is right-aligned, as for numbers and their titles.
  package private(set) var isRightAligned = false
  /// The width set by the user.
  package var fixed: Int?

  package init(title: Int, limit: Int) {
    (self.title, self.limit) = (title, limit)
  }

  /// The width at which nothing is cut.
  package var full: Int { fixed ?? max(title, text, whole + fraction) }

  /// The width that the column claims.
  package var width: Int { min(full, fixed ?? limit) }

  /// Widens the column for a cell.
  package mutating func grow(for cell: String, isNumber: Bool) {
    guard isNumber else { return reserve(TextWidth.columns(of: cell)) }
    isRightAligned = true
    let decimals = Self.fraction(of: cell)
    whole = max(whole, cell.utf8.count - decimals)
    fraction = max(fraction, decimals)
  }

  /// Widens the column to a width.
  package mutating func reserve(_ columns: Int) { text = max(text, columns) }

  /// A number drawn at the right edge of `width` columns, with decimal points aligned.
  ///
  /// Decimals are cut if there is no space for them. A number without decimals is never cut, since
  /// the rest would be another number; it becomes a row of `#`.
  package func aligned(_ number: String, in width: Int) -> String {
    let room = min(fraction, width - whole)
    let own = Self.fraction(of: number)
    if room > 0, room == fraction || room >= Self.minFraction {
      return own > room
        ? String(number.prefix(number.utf8.count - own + room - 1)) + "…"
        : number + String(repeating: " ", count: room - own)
    }
    return number.utf8.count > width ? String(repeating: "#", count: max(0, width)) : number
  }

  /// The minimum width of a cut fraction: the point, one digit and the mark for the omitted digits.
  private static let minFraction = 3

  /// The length of a number's part from the decimal point on.
  ///
  /// Numbers are ASCII.
  private static func fraction(of number: String) -> Int {
    let text = number.utf8
    guard let point = text.lastIndex(of: UInt8(ascii: ".")) else { return 0 }
    return text.distance(from: point, to: text.endIndex)
  }
}
