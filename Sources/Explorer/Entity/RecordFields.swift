import TerminalUI
import Triples

/// The fields of a namespace, in the order in which a record shows them.
struct RecordFields: Sendable {
  let attributes: [Attribute]
  let links: [Link]
  /// The width of the longest name, in columns.
  let maxLabelWidth: Int

  init(of namespace: String, in schema: Schema) {
    var attributes = schema.attributes(of: namespace)
    // The id says little where there is a label.
    if let label = schema.labelAttribute(of: namespace), !label.isIdentity,
      let index = attributes.firstIndex(where: \.isIdentity)
    {
      attributes.append(attributes.remove(at: index))
    }
    self.attributes = attributes
    links = schema.links(of: namespace)
    let labels = attributes.map(\.label) + links.map { "→ " + $0.label }
    maxLabelWidth = labels.map { TextWidth.columns(of: $0) }.max() ?? 0
  }
}
