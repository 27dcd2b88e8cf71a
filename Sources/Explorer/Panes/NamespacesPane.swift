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
      let typed = TypedLetters(filter)
      return TypedLetters.ranked(names) { name in
        typed.match(name).map { (Match(name: name, letters: $0.positions), $0.score) }
      }
    }
  }

  func namespace(in catalog: Catalog) -> String? { cursor.item(in: names(in: catalog)) }

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

  /// Draws the namespaces with their numbers of rows; for a screen reader, with the unit.
  func draw(
    into frame: inout Frame, area: Rect, catalog: Catalog, shown: String?, isFocused: Bool,
    isSpoken: Bool
  ) {
    let names = names(in: catalog)
    let chosen: Role = isFocused ? .selection : .selectionUnfocused
    cursor.draw(names.count, in: area, chosen: chosen, into: &frame) { line, frame in
      let name = names[line.index]
      let about = catalog.isEstimated(name) ? isSpoken ? "about " : "≈" : ""
      let count = catalog.count(of: name).map { number in
        about + NumberText.grouped(number) + (isSpoken ? number == 1 ? " row" : " rows" : "")
      }
      let room = frame.writeAtEnd(count ?? "", .number, in: line) + 1
      let mark = name == shown ? " ▸ " : "   "
      frame.write(mark + name, name == shown ? .title : .text, in: line, at: 0, width: room)
      if !filter.isEmpty {
        frame.mark(
          matches[line.index].letters, of: name, row: line.area.row,
          column: line.area.column + 3, width: max(0, room - 3))
      }
    }
    cursor.markMore(of: names.count, in: area, into: &frame)
  }
}
