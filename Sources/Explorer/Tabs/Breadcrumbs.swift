import TerminalUI

/// What the breadcrumbs depend on.
struct BreadcrumbsInput: Sendable, Equatable {
  private let count: Int
  private let store: String?
  /// The last names, as many as can fit.
  private let last: [String]
  private let width: Int

  init(_ names: some BidirectionalCollection<String>, count: Int, width: Int) {
    (store, self.count, self.width) = (names.first, count, width)
    // Each name takes a column, and three for the gap before it.
    last = Array(names.dropFirst().suffix(width / 4 + 1))
  }
}

/// The breadcrumbs in the header: the store, the views visited before, and the current view.
package struct Breadcrumbs: Sendable, Equatable {
  /// A name among the breadcrumbs, with its position.
  package struct Name: Sendable, Equatable {
    /// The number of steps back to this view; 0 for the current view.
    package let stepsBack: Int
    /// The columns that the name occupies, counted from the start of the breadcrumbs.
    package let columns: Range<Int>
  }

  package let text: String
  /// The names on the screen, with their positions.
  ///
  /// `…` replaces omitted names. A click on `…` opens the newest of the omitted views.
  package let names: [Name]

  private static let gap = " › "
  private static let mark = "…"

  /// The width in columns to which a long store name is shortened before other names are omitted.
  private static let minStoreWidth = 20
  /// The minimum width in columns of the store and the current view while `…` is between them.
  private static let minShortenedWidth = 8
  /// The minimum width in columns of the store and of the current view. With less space, only the
  /// current view is shown.
  private static let minWidth = 3

  /// Creates breadcrumbs with all names if they fit, otherwise with the store and the last names.
  ///
  /// The store and the current view are shortened if necessary; the current view is always shown.
  ///
  /// - Parameters:
  ///   - names: The store, then the views visited, the current one last.
  ///   - width: The available width in columns.
  /// - Complexity: O(`width`), regardless of the number of names.
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
    // The number of names that fit after `…`.
    var fitting = 0
    for name in behind.reversed() {
      kept.append(name)
      used.append((used.last ?? 0) + gap + TextWidth.columns(of: name))
      let needed = min(storeWidth, Self.minStoreWidth) + (used.last ?? 0)
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

  /// Returns the store and the current view, both shortened to fit. Each gets half of the space,
  /// and what the other does not need.
  private static func shortened(
    _ store: String, _ behind: some BidirectionalCollection<String>, width: Int
  ) -> [(text: String, stepsBack: Int)] {
    guard let shown = behind.last else { return [(store, 0)] }
    let widths = [store, shown].map { TextWidth.columns(of: $0) }
    let gap = TextWidth.columns(of: Self.gap)
    func fit(_ minWidth: Int, _ room: Int) -> Bool {
      widths.reduce(0) { $0 + min($1, minWidth) } <= room
    }
    let besideMark = width - 2 * gap - TextWidth.columns(of: mark)
    let isMarked = behind.count > 1 && fit(minShortenedWidth, besideMark)
    let room = isMarked ? besideMark : width - gap
    // Drawing cuts the name to the available width.
    guard fit(minWidth, room) else { return [(shown, 0)] }
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
