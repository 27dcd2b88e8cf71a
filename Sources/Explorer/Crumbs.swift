import TerminalUI

/// The way to what is shown, as the header tells it.
package enum Crumbs {
  private static let gap = " › "
  private static let leftOut = "… › "

  /// All names where they fit, else as many of the last ones as do; the last one in any case.
  ///
  /// - Parameters:
  ///   - names: Where one came through, what is shown last.
  ///   - width: In columns.
  /// - Complexity: O(`width`), however long the way is.
  package static func text(
    of names: some BidirectionalCollection<String>, width: Int
  ) -> String {
    var kept: [String] = []
    var used = 0
    // How many fit behind the mark that says that there are more.
    var fitting = 0
    for name in names.reversed() {
      used += TextWidth.columns(of: name) + (kept.isEmpty ? 0 : TextWidth.columns(of: gap))
      kept.append(name)
      // What is shown says more than that something stands before it.
      guard used <= width else {
        let isMarked = fitting > 0
        return (isMarked ? leftOut : "")
          + kept.prefix(max(1, fitting)).reversed().joined(separator: gap)
      }
      if used + TextWidth.columns(of: leftOut) <= width { fitting = kept.count }
    }
    return kept.reversed().joined(separator: gap)
  }
}
