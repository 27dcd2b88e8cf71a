import TerminalUI
import Triples
import Widgets

/// The list of namespaces with their entity counts. While the user types, it contains only matches.
struct NamespacesPane: Sendable, Equatable {
  private(set) var cursor = ListCursor()
  /// The text that filters the list; empty if all namespaces are listed.
  private var filter = ""
  /// The namespaces that match the filter, best match first.
  private var matches: [Match] = []

  /// A namespace whose name contains the typed letters in order.
  struct Match: Sendable, Equatable {
    let name: String
    /// The positions of the typed letters in the name.
    let letters: [Int]

    /// Returns the names that contain the letters of `filter` in order, best match first.
    static func all(for filter: String, among names: [String]) -> [Match] {
      let wanted = Array(filter.lowercased().filter { !$0.isWhitespace })
      guard !wanted.isEmpty else { return names.map { Match(name: $0, letters: []) } }
      return names.enumerated().compactMap { place, name in
        PaletteMatch.letters(of: wanted, in: name).map {
          (match: Match(name: name, letters: $0.positions), score: $0.score, place: place)
        }
      }
      .sorted { ($0.score, $0.place) < ($1.score, $1.place) }.map(\.match)
    }
  }

  func namespace(in catalog: Catalog) -> String? {
    let names = names(in: catalog)
    return names.indices.contains(cursor.index) ? names[cursor.index] : nil
  }

  /// Returns the namespaces in the list: all of them, or those that match the filter.
  func names(in catalog: Catalog) -> [String] {
    filter.isEmpty ? catalog.schema.namespaces : matches.map(\.name)
  }

  mutating func go(_ move: ListMove, catalog: Catalog, page: Int) -> InputResult? {
    cursor.go(move, of: names(in: catalog).count, page: page)
  }

  /// Moves the cursor to `namespace`, which the user selected in another pane.
  mutating func choose(_ namespace: String, catalog: Catalog, page: Int) {
    let names = names(in: catalog)
    guard let index = names.firstIndex(of: namespace) else { return }
    cursor.move(to: index, of: names.count, page: page)
  }

  /// Lists only the namespaces that match `filter`, and moves the cursor to the best match.
  mutating func narrow(to filter: String, catalog: Catalog, page: Int) {
    self.filter = filter
    refresh(in: catalog)
    cursor.move(to: 0, of: names(in: catalog).count, page: page)
  }

  /// Filters the namespaces again after the catalog changed.
  mutating func refresh(in catalog: Catalog) {
    matches = filter.isEmpty ? [] : Match.all(for: filter, among: catalog.schema.namespaces)
  }

  func draw(
    into frame: inout Frame, area: Rect, catalog: Catalog, shown: String?, isFocused: Bool
  ) {
    let names = names(in: catalog)
    for (index, line, ground) in cursor.lines(
      of: names.count, in: area, chosen: isFocused ? .selection : .selectionUnfocused)
    {
      let name = names[index]
      frame.fill(line, Paint(.text, on: ground))
      let about = catalog.isEstimated(name) ? "≈" : ""
      let count = catalog.count(of: name).map { about + NumberText.grouped($0) } ?? ""
      let countWidth = TextWidth.columns(of: count)
      let mark = name == shown ? " ▸ " : "   "
      let room = max(0, area.columns - countWidth - 2)
      frame.write(
        mark + name, row: line.row, column: line.column, width: room,
        paint: Paint(name == shown ? .title : .text, on: ground))
      if !filter.isEmpty {
        frame.mark(
          matches[index].letters, of: name, row: line.row, column: line.column + 3,
          width: max(0, room - 3))
      }
      frame.write(
        count, row: line.row, column: line.column + max(0, area.columns - countWidth - 1),
        width: countWidth, paint: Paint(.number, on: ground))
    }
    cursor.markMore(of: names.count, in: area, into: &frame)
  }
}
