import TerminalUI
import Triples

// Lists the columns of all namespaces.
extension Workspace {
  /// Opens a list of all namespaces with the names and types of their columns.
  mutating func openAllColumns() -> [Effect] {
    guard let catalog, !catalog.schema.namespaces.isEmpty else { return notify(missingQueryReason) }
    open(TextPane(.allColumns, catalog.columnLines))
    return []
  }
}

extension Catalog {
  /// The namespaces, each followed by a line with its columns.
  fileprivate var columnLines: [TextLine] {
    schema.namespaces.flatMap { namespace in
      let columns = lines(of: namespace).map { SchemaPane.text(of: $0, in: self) }
      return [
        TextLine(namespace, .emphasis), TextLine("  " + columns.joined(separator: ", ")),
      ]
    }
  }
}

extension PaneTraits {
  package static let allColumns = PaneTraits(
    title: "All columns",
    about: "All namespaces with their columns and types, and their links: → to one, ⇉ to many.",
    isAlone: true,
    ignoring: .only(sideways + unfolding + changing),
    at: .screen)
}
