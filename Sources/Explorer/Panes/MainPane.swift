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
      "Namespaces (tables) of this store with row counts. The schema below and the results follow "
      + "the cursor."
  ) {
    $0.command = .paneNamespaces
    $0.ignored = .only(sideways + unfolding)
    $0.hints = [.open, .find, .palette, .queryText, .nextPane, .allColumns]
    $0.labels = [.palette: "column/command"]
  }

  package static let schema = PaneTraits(
    title: "Schema",
    about: "Attributes of this namespace with their types, and its links: → to one, ⇉ to many."
  ) {
    $0.command = .paneSchema
    $0.ignored = .only(sideways + unfolding)
    $0.labels = [.filterByCell: "filter by field"]
    $0.hints = [
      .open, .back, .filterByCell, .order, .orderFurther, .group, .aggregate, .facets, .columns,
      .nextPane, .filterText,
    ]
  }

  package static let query = PaneTraits(
    title: "Query",
    about: "The current query. Its results update live."
  ) {
    $0.command = .paneQuery
    $0.ignored = .only(sideways + toEnds + unfolding)
    $0.hints = [.open, .filterText, .clearFilters, .limit, .undo, .redo, .nextPane]
    $0.labels = [.open: "edit query"]
  }

  package static let results = PaneTraits(
    title: "Results",
    about: "The results of the query, updated live."
  ) {
    $0.command = .paneResults
    $0.mostUsed = [
      .open, .back, .find, .filterByCell, .order, .group, .aggregate, .queryText, .expand, .columns,
      .edit, .undo,
    ]
    $0.hints = [
      .marks, .filterText, .add, .back, .relations, .queryText, .limit, .undo, .copy, .explain,
      .form, .changes, .palette,
    ]
  }

  /// The hints that come first, because they also have to fit on narrow screens.
  private static let essential: [Command] = [
    .open, .filterByCell, .filterText, .edit, .find,
  ]
  /// The hints that depend on the column.
  private static let ofColumn: [Command] = [.aggregate, .order, .group]
  private static let ofLinks: [Command] = [.expand, .fold, .expandAll, .peek]
  private static let others: [Command] = [
    .add, .delete, .relations, .queryText, .limit, .undo, .copy, .explain, .form,
    .changes,
  ]

  /// The hints for rows.
  static let hintsForRows =
    [.marks] + essential + ofColumn + [.palette, .orderFurther, .back] + ofLinks + others
  /// The hints for rows while a link is selected.
  static let hintsForLinks =
    [.marks] + essential + ofLinks + [.palette, .back] + ofColumn + [.orderFurther] + others
  /// The hints for groups of rows.
  static let hintsForGroups = rowHints(
    first: [.open, .filterByCell, .order, .aggregate, .hideColumn])
  /// The hints for rows as a tree or as JSON.
  static let hintsForDocuments =
    rowHints(first: [.marks, .form] + essential + [.expandAll, .fold, .expand])

  private static func rowHints(first: [Command]) -> [Command] {
    first + hintsForRows.filter { !first.contains($0) }
  }
}
