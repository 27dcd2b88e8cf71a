import InstaQL
import TerminalUI
import Triples
import Widgets

/// The attributes and links of the current namespace.
struct SchemaPane: Sendable, Equatable {
  var cursor = ListCursor()

  /// Returns the attribute or link at the cursor; nil if there is none.
  func chosen(of namespace: String, in catalog: Catalog) -> ColumnSource? {
    cursor.item(in: catalog.lines(of: namespace))
  }

  func draw(
    into frame: inout Frame, area: Rect, namespace: String, catalog: Catalog, isFocused: Bool
  ) {
    let lines = catalog.lines(of: namespace)
    let chosen: Role = isFocused ? .selection : .text
    cursor.draw(lines.count, in: area, chosen: chosen, into: &frame) { line, frame in
      Self.draw(lines[line.index], in: catalog, line, into: &frame)
    }
    cursor.markMore(of: lines.count, in: area, into: &frame)
  }

  private static func draw(
    _ source: ColumnSource, in catalog: Catalog, _ line: ListLine, into frame: inout Frame
  ) {
    let columns = line.area.columns
    let (name, kind, role): (String, String, Role) =
      switch source {
      case .attribute(let attribute):
        (attribute.label, mark(of: attribute, in: catalog, within: columns - 3), .text)
      case .link(let link):
        (link.label, link.sign + link.target, .link)
      case .computed(let column): (column.name, "", .text)
      }
    let kindWidth = min(TextWidth.columns(of: kind), max(0, columns - 8))
    frame.write(name, role, in: line, width: columns - kindWidth - 3)
    frame.write(kind, .dim, in: line, at: columns - kindWidth - 1, width: kindWidth)
  }

  /// Returns the name of a field with its type, or with the namespace of its linked rows.
  static func text(of source: ColumnSource, in catalog: Catalog) -> String {
    switch source {
    case .attribute(let attribute):
      attribute.label + " ("
        + [mark(of: attribute), catalog.inferredLink(of: attribute)?.words]
        .compactMap { $0 }.joined(separator: " ") + ")"
    case .link(let link): link.label + " " + link.sign + link.target
    case .computed(let column): column.name
    }
  }

  /// Returns the type of an attribute's values, such as `number` or `unique text`.
  static func mark(of attribute: Attribute) -> String {
    attribute.isUnique ? "unique " + attribute.typeName : attribute.typeName
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

extension Link {
  /// The mark of a link to one or to many rows, before its name or target.
  var sign: String { cardinality == .one ? "→ " : "⇉ " }
}
