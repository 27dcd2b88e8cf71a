import TerminalUI

/// An old and a new text, to be shown in limited space.
struct TextDifference {
  private let old: String
  private let new: String
  /// The number of bytes with which both texts begin.
  private let commonBytes: Int

  init(_ old: String, _ new: String) {
    (self.old, self.new) = (old, new)
    var count = 0
    for (one, other) in zip(old.utf8, new.utf8) {
      if one != other { break }
      count += 1
    }
    commonBytes = count
  }

  /// Returns texts whose first `columns` columns show the first difference. If necessary, `…`
  /// replaces the start of both.
  func texts(within columns: Int) -> (old: String, new: String) {
    let difference = old.utf8.index(old.startIndex, offsetBy: commonBytes)
    let isWhole = [old, new].allSatisfy { TextWidth.columns(of: $0) <= columns }
    guard !isWhole, TextWidth.columns(of: String(old[..<difference])) + 1 >= columns,
      let start = old.index(
        difference, offsetBy: -max(Self.minLead, columns / 3), limitedBy: old.startIndex)
    else { return (old, new) }
    let bytes = old.utf8.distance(from: old.startIndex, to: start)
    return (
      "…" + old[start...], "…" + new[new.utf8.index(new.startIndex, offsetBy: bytes)...]
    )
  }

  /// The minimum number of characters to show between `…` and the difference.
  private static let minLead = 3
}
