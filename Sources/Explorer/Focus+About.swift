extension Focus {
  /// A description of the pane for its help, shown above the keys.
  package var about: String {
    switch self {
    case .namespaces:
      "Namespaces (tables) of this store with row counts. The schema of the selected one is below."
    case .schema:
      "Attributes of this namespace with their types, and its links: → to one, ⇉ to many."
    case .query: "The current query. Its results update live."
    case .results: "The results of the query, updated live."
    case .help: "The keys of the pane from which it was opened."
    case .entity: "One row: all its values, and its links in both directions."
    case .menu: "Choose an entry with the cursor, or press its own key."
    case .relations:
      "The links from here, to any depth. Each can be nested in the query, with a filter, an order "
        + "and a limit of its own."
    case .columns:
      "The columns of the results: visibility, order and width. Remembered for each namespace."
    case .changes:
      "Changes since the store was opened, oldest first (old → new); also those of one namespace, "
        + "of the current result, and the ones that are staged or queued."
    case .newEntity:
      "A new row. Required fields are marked *. On a link, type to search for its target."
    case .chooser: "Rows that the link can lead to. Type a part of the name."
    case .palette: "All commands with their keys. Type a part of the name."
    case .saved:
      "Saved queries and recent ones. Each saved query is a text file in "
        + "~/.local/state/sonde/queries, which can be edited and shared."
    case .text: "How the query was evaluated, and why a row is in its result or not."
    case .facets:
      "The values of a column by frequency, or ranges of numbers and dates, and how they changed "
        + "over time."
    case .subscriptions:
      "Live queries in this process: how many subscribers each has, how fresh its result is, and "
        + "when and how fast it was last evaluated."
    case .diagram:
      "Namespaces as boxes and links as lines: → to one, ⇉ to many, ↻ to the same namespace."
    case .themes: "All themes, your own included. The screen previews the selected one."
    case .export: "Writes rows or the whole store to a file."
    }
  }
}
