extension Focus {
  /// What the pane is for and how one begins in it, in a line of 78 columns at most.
  package var about: String {
    switch self {
    case .namespaces: "The kinds of things there are, and how many of each; enter goes to them"
    case .schema: "What a thing has: → leads to one other, ⇉ to many; enter follows it"
    case .query: "What is asked, always true: Q edits all, F filter, L limit, w nests, u undoes"
    case .results: "The answer, live: f filters by a cell, s orders, > opens a link in place"
    case .help: "The keys of the pane that it was opened from; any other key closes it"
    case .entity: "One thing, its links both ways: enter follows one, e edits, a links another"
    case .menu: "Choose with the cursor and enter, or press an entry's own key"
    case .relations: "Links to any depth: space nests one, f s L give it a filter, order, limit"
    case .columns: "Space hides or shows a column, K J move it, + - size it, ! keeps it in view"
    case .changes: "All that changed since the store was opened, old → new; enter opens it"
    case .chooser: "What a link shall lead to: type a part of its name, enter links it"
    case .palette: "All that can be done: type a part of what you want, enter does it"
    case .saved: "Queries kept with b and those asked lately: enter asks one again"
    case .text: "Lines to read; y copies them"
    case .facets: "How often each value is there, and over time; enter keeps one's rows"
    case .subscriptions: "The queries that are kept true here, how fresh each is; enter shows one"
    case .diagram: "Kinds of things and their links: arrows follow the lines, enter opens a box"
    case .export: "Writes rows or the store to a file: tab to the next field, enter writes"
    }
  }
}
