/// The four panes that are always open, in the order in which Tab focuses them. Others open above
/// them.
enum MainPane: CaseIterable, Sendable, Hashable {
  case namespaces, schema, query, results

  var traits: PaneTraits {
    switch self {
    case .namespaces: .namespaces
    case .schema: .schema
    case .query: .query
    case .results: .results
    }
  }
}

extension PaneTraits {
  package static let namespaces = PaneTraits(
    title: "Namespaces",
    about:
      "Namespaces (tables) of this store with row counts. The schema of the selected namespace is "
      + "below.",
    command: .paneNamespaces,
    ignoring: .only(sideways + unfolding),
    hints: [.open, .find, .allColumns, .queryText, .nextPane])

  package static let schema = PaneTraits(
    title: "Schema",
    about: "Attributes of this namespace with their types, and its links: → to one, ⇉ to many.",
    command: .paneSchema,
    ignoring: .only(sideways + unfolding),
    hints: [.open, .back, .filterText, .nextPane])

  package static let query = PaneTraits(
    title: "Query",
    about: "The current query. Its results update live.",
    command: .paneQuery,
    ignoring: .only(sideways + toEnds + unfolding),
    hints: [.open, .filterText, .clearFilters, .limit, .undo, .redo, .nextPane],
    labels: [.open: "edit query"])

  package static let results = PaneTraits(
    title: "Results",
    about: "The results of the query, updated live.",
    command: .paneResults,
    mostUsed: [
      .open, .back, .find, .filterByCell, .order, .queryText, .expand, .columns, .edit, .undo,
    ],
    hints: [
      .add, .filterByCell, .filterText, .order, .relations, .limit, .expand, .open, .peek, .back,
      .edit, .undo, .copy, .explain, .form, .changes, .palette,
    ])
}
