import TerminalUI
import Triples
import Widgets

/// The list of namespaces with their entity counts. While the user types, it contains only matches.
struct NamespacesPane: Sendable, Equatable {
  var cursor = ListCursor()
  /// The delay after which the results show the namespace on which the cursor rests.
  var rest = Delay(.milliseconds(100))
  /// The namespaces in the list: all of them, or those that match the filter, best match first.
  private(set) var items: [TypedMatch<String>] = []
  /// The names of all namespaces.
  private var all: [String] = []
  /// The text that filters the list; empty if all namespaces are listed.
  private var filter = ""

  var chosen: String? { cursor.item(in: items)?.entry }

  /// Returns the names that contain the letters of `filter` in order, best match first.
  static func matches(of filter: String, among names: [String]) -> [TypedMatch<String>] {
    let typed = TypedLetters(filter)
    if typed.letters.isEmpty { return names.map { TypedMatch(entry: $0) } }
    return TypedLetters.ranked(names) { name in
      typed.match(name).map { (TypedMatch(entry: name, letters: $0.positions), $0.score) }
    }
  }

  /// Moves the cursor to `namespace`, which the user selected in another pane.
  mutating func choose(_ namespace: String, page: Int) {
    guard let index = items.firstIndex(where: { $0.entry == namespace }) else { return }
    cursor.move(to: index, of: items.count, page: page)
  }

  /// Lists only the namespaces that match `filter`, and moves the cursor to the best match.
  mutating func narrow(to filter: String, page: Int) {
    self.filter = filter
    items = Self.matches(of: filter, among: all)
    cursor.move(to: 0, of: items.count, page: page)
  }

  /// Lists the namespaces of a changed store. The filter stays.
  mutating func list(_ names: [String]) {
    all = names
    items = Self.matches(of: filter, among: names)
  }

  /// Draws the namespaces with their numbers of rows; for a screen reader, with the unit.
  func draw(
    into frame: inout Frame, area: Rect, catalog: Catalog, shown: String?, isFocused: Bool,
    isSpoken: Bool
  ) {
    let chosen: Role = isFocused ? .selection : .selectionUnfocused
    cursor.draw(items.count, in: area, chosen: chosen, into: &frame) { line, frame in
      let name = items[line.index].entry
      let about = catalog.isEstimated(name) ? isSpoken ? "about " : "≈" : ""
      let count = catalog.count(of: name).map { number in
        about + NumberText.grouped(number) + (isSpoken ? number == 1 ? " row" : " rows" : "")
      }
      let room = frame.writeAtEnd(count ?? "", .number, in: line) + 1
      let mark = name == shown ? " ▸ " : "   "
      frame.write(mark + name, name == shown ? .emphasis : .text, in: line, at: 0, width: room)
      frame.mark(
        items[line.index].letters, of: name, row: line.area.row, column: line.area.column + 3,
        width: max(0, room - 3))
    }
    cursor.markMore(of: items.count, in: area, into: &frame)
  }
}
