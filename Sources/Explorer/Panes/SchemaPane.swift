import InstaQL
import TerminalUI
import Triples
import Widgets

/// The attributes and links of the current namespace.
struct SchemaPane: Sendable, Equatable {
  private(set) var cursor = ListCursor()

  mutating func go(
    _ move: ListMove, namespace: String, catalog: Catalog, page: Int
  ) -> InputResult? {
    cursor.go(move, of: Self.lines(of: namespace, in: catalog).count, page: page)
  }

  mutating func reset() {
    cursor = ListCursor()
  }

  /// Returns the attribute or link at the cursor; nil if there is none.
  func chosen(of namespace: String, in catalog: Catalog) -> ColumnSource? {
    let lines = Self.lines(of: namespace, in: catalog)
    return lines.indices.contains(cursor.index) ? lines[cursor.index] : nil
  }

  func draw(
    into frame: inout Frame, area: Rect, namespace: String, catalog: Catalog, isFocused: Bool
  ) {
    let lines = Self.lines(of: namespace, in: catalog)
    for (index, line, ground) in cursor.lines(
      of: lines.count, in: area, chosen: isFocused ? .selection : .text)
    {
      Self.draw(lines[index], in: catalog, into: &frame, line: line, ground: ground)
    }
    cursor.markMore(of: lines.count, in: area, into: &frame)
  }

  static func lines(of namespace: String, in catalog: Catalog) -> [ColumnSource] {
    catalog.lines(of: namespace)
  }

  private static func draw(
    _ source: ColumnSource, in catalog: Catalog, into frame: inout Frame, line: Rect,
    ground: Role
  ) {
    frame.fill(line, Paint(.text, on: ground))
    let (name, kind, role): (String, String, Role) =
      switch source {
      case .attribute(let attribute):
        (attribute.label, mark(of: attribute, in: catalog, within: line.columns - 3), .text)
      case .link(let link):
        (link.label, (link.cardinality == .one ? "→ " : "⇉ ") + link.target, .link)
      case .computed(let column): (column.name, "", .text)
      }
    let kindWidth = min(TextWidth.columns(of: kind), max(0, line.columns - 8))
    frame.write(
      name, row: line.row, column: line.column + 1, width: max(0, line.columns - kindWidth - 3),
      paint: Paint(role, on: ground))
    frame.write(
      kind, row: line.row, column: line.column + line.columns - kindWidth - 1, width: kindWidth,
      paint: Paint(.dim, on: ground))
  }

  /// Returns the type of an attribute's values, preceded by `unique` for a unique attribute.
  static func mark(of attribute: Attribute) -> String {
    let type = attribute.checkedType.map { $0 == .string ? "text" : $0.rawValue } ?? "any"
    return attribute.isUnique ? "unique " + type : type
  }

  /// Returns the type of an attribute, shortened for a narrow pane.
  private static func mark(
    of attribute: Attribute, in catalog: Catalog, within width: Int
  ) -> String {
    let mark = mark(of: attribute)
    if let supposed = catalog.inferredLink(of: attribute) {
      let both = mark + " " + supposed.words
      let room = width - TextWidth.columns(of: attribute.label)
      return TextWidth.columns(of: both) <= room ? both : supposed.words
    }
    guard attribute.isUnique,
      TextWidth.columns(of: attribute.label) + TextWidth.columns(of: mark) > width
    else { return mark }
    return "◆ " + mark.dropFirst("unique ".count)
  }
}
