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

  var next: MainPane { moved(by: 1) }
  var previous: MainPane { moved(by: -1) }

  private func moved(by step: Int) -> MainPane {
    let all = Self.allCases
    let index = all.firstIndex(of: self) ?? 0
    return all[(index + step + all.count) % all.count]
  }
}

extension MainPane {
  /// The commands that are most useful as hints in the footer of this pane.
  var hints: [Command] {
    switch self {
    case .namespaces: [.open, .find, .allColumns, .queryText, .nextPane]
    case .schema: [.open, .back, .filterText, .nextPane]
    case .query: [.open, .filterText, .clearFilters, .limit, .undo, .redo, .nextPane]
    case .results:
      [
        .add, .filterByCell, .filterText, .order, .relations, .limit, .expand, .open, .peek, .back,
        .edit,
        .undo, .copy, .explain, .form, .changes, .palette,
      ]
    }
  }
}

extension MainPane {
  /// Returns the label of a command in this pane's footer.
  func label(of command: Command) -> String {
    self == .query && command == .open ? "edit query" : command.label
  }
}

extension PaneTraits {
  package static let namespaces = PaneTraits(
    title: "Namespaces",
    about:
      "Namespaces (tables) of this store with row counts. The schema of the selected namespace is "
      + "below.",
    command: .paneNamespaces,
    ignoring: .only(sideways + unfolding))

  package static let schema = PaneTraits(
    title: "Schema",
    about:
      "Attributes of this namespace with their types, and its links: → to one, ⇉ to many.",
    command: .paneSchema,
    ignoring: .only(sideways + unfolding))

  package static let query = PaneTraits(
    title: "Query",
    about:
      "The current query. Its results update live.",
    command: .paneQuery,
    ignoring: .only(sideways + toEnds + unfolding))

  package static let results = PaneTraits(
    title: "Results",
    about:
      "The results of the query, updated live.",
    command: .paneResults,
    mostUsed: [
      .open, .back, .find, .filterByCell, .order, .queryText, .expand, .columns, .edit, .undo,
    ])
}
