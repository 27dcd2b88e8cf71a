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
  /// Of the store and of what is shown so much is told before it is left out that something stands
  /// between them.
  private static let leastShortened = 8
  /// Less of either would say nothing.
  private static let least = 3

  /// All names where they fit, else the store and as many of the last ones as do, the store and what is
  /// shown shortened where they must be; what is shown in any case.
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
    guard fitting > 0, let taken = used.prefix(fitting).last else {
      self.init(Self.shortened(store, behind, width: width))
      return
    }
    var parts = kept.prefix(fitting).enumerated().map { (text: $1, stepsBack: $0) }
    let isAll = fitting == behind.count
    if !isAll { parts.append((Self.mark, fitting)) }
    let room = width - taken - (isAll ? 0 : markWidth)
    parts.append((TextWidth.shortened(store, to: room), behind.count))
    self.init(parts.reversed())
  }

  /// The store and what is shown, for which there is no room as they are: each has half of what there is,
  /// and what the other one leaves.
  private static func shortened(
    _ store: String, _ behind: some BidirectionalCollection<String>, width: Int
  ) -> [(text: String, stepsBack: Int)] {
    guard let shown = behind.last else { return [(store, 0)] }
    let widths = [store, shown].map { TextWidth.columns(of: $0) }
    let gap = TextWidth.columns(of: Self.gap)
    func fit(_ least: Int, _ room: Int) -> Bool {
      widths.reduce(0) { $0 + min($1, least) } <= room
    }
    let besideMark = width - 2 * gap - TextWidth.columns(of: mark)
    let isMarked = behind.count > 1 && fit(leastShortened, besideMark)
    let room = isMarked ? besideMark : width - gap
    // It is cut where it is drawn.
    guard fit(least, room) else { return [(shown, 0)] }
    let forStore = min(widths[0], max(room / 2, room - widths[1]))
    return [(TextWidth.shortened(store, to: forStore), behind.count)]
      + (isMarked ? [(mark, 1)] : [])
      + [(TextWidth.shortened(shown, to: room - forStore), 0)]
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
