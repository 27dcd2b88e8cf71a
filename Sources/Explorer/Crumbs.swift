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

  /// Of a store's long name so much is told before names behind it are left out, in columns.
  private static let leastStore = 20
  /// Less of it would not say which store it is.
  private static let leastShortened = 8

  /// All names where they fit, else the store, shortened where it must be, and as many of the last ones
  /// as do; the last one in any case.
  ///
  /// - Parameters:
  ///   - names: The store, then where one came through, what is shown last.
  ///   - width: In columns.
  /// - Complexity: O(`width`), however long the way is.
  package init(of names: some RandomAccessCollection<String>, width: Int) {
    guard let store = names.first else {
      self.init([])
      return
    }
    let behind = names.dropFirst()
    let storeWidth = TextWidth.columns(of: store)
    let gap = TextWidth.columns(of: Self.gap)
    let markWidth = gap + TextWidth.columns(of: Self.mark)
    var kept: [String] = []
    var used: [Int] = []
    // How many fit behind the mark that says that there are more.
    var fitting = 0
    for name in behind.reversed() {
      kept.append(name)
      used.append((used.last ?? 0) + gap + TextWidth.columns(of: name))
      let needed = min(storeWidth, Self.leastStore) + (used.last ?? 0)
      guard needed <= width else { break }
      if needed + markWidth <= width || kept.count == behind.count { fitting = kept.count }
    }
    // What is shown says more than that something stands before it.
    let shown = min(behind.count, max(1, fitting))
    var parts = kept.prefix(shown).enumerated().map { (text: $1, stepsBack: $0) }
    let isAll = shown == behind.count
    let room = width - (shown > 0 ? used[shown - 1] : 0) - (isAll ? 0 : markWidth)
    let isStoreTold = room >= min(storeWidth, Self.leastShortened)
    let taken = (shown > 0 ? used[shown - 1] - gap : 0) + markWidth
    if isStoreTold ? !isAll : taken <= width { parts.append((Self.mark, shown)) }
    if isStoreTold {
      parts.append((TextWidth.shortened(store, to: room), behind.count))
    } else if shown == 0 {
      parts = [(store, 0)]
    }
    self.init(parts.reversed())
  }

  private init(_ parts: [(text: String, stepsBack: Int)]) {
    var names: [Name] = []
    var column = 0
    for part in parts {
      let end = column + TextWidth.columns(of: part.text)
      names.append(Name(stepsBack: part.stepsBack, columns: column..<end))
      column = end + TextWidth.columns(of: Self.gap)
    }
    text = parts.map(\.text).joined(separator: Self.gap)
    self.names = names
  }
}
