import TerminalUI
import Triples
import Widgets

extension DiagramPane: FindablePane {
  func lineCount(in context: PaneContext) -> Int { layout?.graph.namespaces.count ?? 0 }

  func text(ofLine line: Int, in context: PaneContext) -> String {
    layout?.graph.namespaces[line] ?? ""
  }

  mutating func go(to line: Int, in context: PaneContext) { choose(line, in: context) }

  /// Returns the diagram as text. For a screen reader, it has a line for each namespace.
  func text(in context: PaneContext) -> String {
    guard let layout else { return "" }
    guard context.settings.isScreenReader, let catalog = context.catalog else {
      return layout.picture(in: context.catalog)
    }
    return layout.graph.namespaces.map { Self.spoken($0, in: catalog) }.joined(separator: "\n")
      + "\n"
  }

  /// Returns a namespace and its links in words, without symbols.
  static func spoken(_ namespace: String, in catalog: Catalog) -> String {
    let count = catalog.count(of: namespace).map { [NumberText.count($0, "row")] } ?? []
    let links = catalog.schema.links(of: namespace).map {
      "link \($0.label) to \($0.cardinality == .one ? "" : "many ")\($0.target)"
    }
    return ([namespace] + count + (links.isEmpty ? ["no links"] : links)).joined(separator: ", ")
  }

  func drawMatches(
    of pattern: TextPattern, into frame: inout Frame, area: Rect, context: PaneContext
  ) {
    guard !pattern.isEmpty, let layout else { return }
    let (picture, _) = area.split(rows: rows(of: area.rows))
    let origin = origin(in: Size(columns: picture.columns, rows: picture.rows))
    frame.clipped(to: picture) { frame in
      for box in layout.boxes where pattern.isIn(text(ofLine: box.place, in: context)) {
        frame.repaint(
          Rect(
            row: box.area.row - origin.row + picture.row,
            column: box.area.column - origin.column + picture.column, rows: 1,
            columns: box.area.columns),
          ground: box.place == cursor.index ? .matchCurrent : .match)
      }
    }
  }
}
