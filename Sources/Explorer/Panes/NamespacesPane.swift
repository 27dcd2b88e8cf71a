import TerminalUI
import Triples
import Widgets

/// The namespaces with their entity counts.
struct NamespacesPane: Sendable, Equatable {
  private(set) var cursor = ListCursor()

  func namespace(in catalog: Catalog) -> String? {
    let names = catalog.schema.namespaces
    return names.indices.contains(cursor.index) ? names[cursor.index] : nil
  }

  mutating func go(_ move: ListMove, catalog: Catalog, page: Int) -> InputResult? {
    cursor.go(move, of: catalog.schema.namespaces.count, page: page)
  }

  /// Moves the cursor to `namespace`, which the user selected in another pane.
  mutating func choose(_ namespace: String, catalog: Catalog, page: Int) {
    guard let index = catalog.schema.namespaces.firstIndex(of: namespace) else { return }
    cursor.move(to: index, of: catalog.schema.namespaces.count, page: page)
  }

  func draw(
    into frame: inout Frame, area: Rect, catalog: Catalog, shown: String?, isFocused: Bool
  ) {
    let names = catalog.schema.namespaces
    for (index, line, ground) in cursor.lines(
      of: names.count, in: area, chosen: isFocused ? .selection : .selectionUnfocused)
    {
      let name = names[index]
      frame.fill(line, Paint(.text, on: ground))
      let about = catalog.isEstimated(name) ? "≈" : ""
      let count = catalog.count(of: name).map { about + NumberText.grouped($0) } ?? ""
      let countWidth = TextWidth.columns(of: count)
      let mark = name == shown ? " ▸ " : "   "
      frame.write(
        mark + name, row: line.row, column: line.column,
        width: max(0, area.columns - countWidth - 2),
        paint: Paint(name == shown ? .title : .text, on: ground))
      frame.write(
        count, row: line.row, column: line.column + max(0, area.columns - countWidth - 1),
        width: countWidth, paint: Paint(.number, on: ground))
    }
    cursor.markMore(of: names.count, in: area, into: &frame)
  }
}
