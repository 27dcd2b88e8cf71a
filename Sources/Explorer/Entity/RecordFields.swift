import TerminalUI
import Triples

/// The fields of a namespace, in the order in which a record shows them.
struct RecordFields: Sendable {
  struct Field: Sendable {
    let attribute: Attribute
    /// The type of the attribute.
    let type: String
    /// The notes after a value, the best one first: the type with the link that the attribute's
    /// name suggests, then each of them alone.
    let notes: [String]
  }

  let attributes: [Field]
  let links: [Link]
  /// The width of the longest name, in columns.
  let maxLabelWidth: Int

  init(of namespace: String, in catalog: Catalog) {
    let schema = catalog.schema
    var attributes = schema.attributes(of: namespace)
    // The id says little where there is a label.
    if let label = schema.labelAttribute(of: namespace), !label.isIdentity,
      let index = attributes.firstIndex(where: \.isIdentity)
    {
      attributes.append(attributes.remove(at: index))
    }
    self.attributes = attributes.map { attribute in
      let type = SchemaPane.mark(of: attribute)
      let link = catalog.inferredLink(of: attribute)?.words
      return Field(
        attribute: attribute, type: type,
        notes: (link.map { [type + " " + $0, $0] } ?? []) + [type])
    }
    links = schema.links(of: namespace)
    let labels = attributes.map(\.label) + links.map { "→ " + $0.label }
    maxLabelWidth = labels.map { TextWidth.columns(of: $0) }.max() ?? 0
  }
}
