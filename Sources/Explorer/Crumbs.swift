import TerminalUI

/// The way to what is shown, as the header tells it.
package struct Crumbs: Sendable, Equatable {
  /// A name of the way where it is written.
  package struct Name: Sendable, Equatable {
    /// How often one goes back to come there; 0 for what is shown.
    package let stepsBack: Int
    /// Counted from where the way begins.
    package let columns: Range<Int>
  }

  package let text: String
  /// The mark of what is left out is the newest of that.
  package let names: [Name]

  private static let gap = " › "
  private static let mark = "…"

  /// All names where they fit, else as many of the last ones as do; the last one in any case.
  ///
  /// - Parameters:
  ///   - names: Where one came through, what is shown last.
  ///   - width: In columns.
  /// - Complexity: O(`width`), however long the way is.
  package init(of names: some BidirectionalCollection<String>, width: Int) {
    var kept: [String] = []
    var used = 0
    // How many fit behind the mark that says that there are more.
    var fitting = 0
    for name in names.reversed() {
      used += TextWidth.columns(of: name) + (kept.isEmpty ? 0 : TextWidth.columns(of: Self.gap))
      kept.append(name)
      // What is shown says more than that something stands before it.
      guard used <= width else {
        self.init(last: kept.prefix(max(1, fitting)), isMarked: fitting > 0)
        return
      }
      if used + TextWidth.columns(of: Self.mark + Self.gap) <= width { fitting = kept.count }
    }
    self.init(last: kept[...], isMarked: false)
  }

  /// - Parameter last: What is shown first, then what comes before it.
  private init(last: ArraySlice<String>, isMarked: Bool) {
    var text = ""
    var names: [Name] = []
    var column = 0
    for (steps, name) in (last + (isMarked ? [Self.mark] : [])).enumerated().reversed() {
      let end = column + TextWidth.columns(of: name)
      names.append(Name(stepsBack: steps, columns: column..<end))
      text += steps > 0 ? name + Self.gap : name
      column = end + TextWidth.columns(of: Self.gap)
    }
    (self.text, self.names) = (text, names)
  }
}
