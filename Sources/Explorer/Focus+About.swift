extension Focus {
  /// What the pane is for and how one begins in it, for who asks there.
  package func about(in keymap: Keymap) -> String {
    KeyNames(keymap: keymap, focus: self).filling(about)
  }

  private var about: String {
    switch self {
    case .namespaces:
      "The kinds of things in this store, and how many there are of each. The schema of "
        + "the one under the cursor is shown below; \(Intent.open.key) shows all of them in the results."
    case .schema:
      "What a thing of this kind has: its attributes with their types, and its links. A link "
        + "with → leads to one thing, with ⇉ to many; \(Intent.open.key) follows it."
    case .query:
      "What is asked, kept true as the data changes: \(Intent.queryText.key) edits it as text, \(Intent.filterText.key) its filter, \(Intent.limit.key) its limit, "
        + "\(Intent.relations.key) what is nested; \(Intent.undo.key) takes the last change back, \(Intent.spelling.key) spells it in another way."
    case .results:
      "The answer, live: \(Intent.filterByCell.key) filters by the cell under the cursor, \(Intent.order.key) orders by its column, \(Intent.expand.key) opens a "
        + "link in place, \(Intent.open.key) goes in and \(Intent.back.key) comes back; \(Intent.columns.key) chooses the columns."
    case .help: "The keys of the pane from which it was opened."
    case .entity:
      "One thing with all it has, what it links to and what links to it: \(Intent.open.key) follows a link, "
        + "\(Intent.edit.key) edits a value, \(Intent.add.key) links another thing."
    case .menu: "Choose with the cursor and \(Intent.open.key), or press an entry's own key."
    case .relations:
      "The links from here, to any depth: \(Intent.mark.key) nests one in the query, \(Intent.open.key) does so and closes the tree; \(Intent.filterText.key), \(Intent.orderText.key) and \(Intent.limit.key) give it a filter, "
        + "an order and a limit of its own."
    case .columns:
      "The columns of the results: \(Intent.mark.key) hides or shows one, \(Intent.moveUp.key) and \(Intent.moveDown.key) move it, \(Intent.wider.key) and \(Intent.narrower.key) size it, \(Intent.freezeColumn.key) "
        + "keeps it in view. It is remembered for each kind of thing."
    case .changes:
      "All that changed since the store was opened, the newest at the end, old → new: \(Intent.open.key) opens "
        + "what it happened to, \(Intent.form.key) shows less, or what you keep back."
    case .newEntity:
      "A thing that is being made. What it must have is marked with a star; \(Intent.open.key) goes to what is "
        + "still missing, and makes it when nothing is. On a link, typing chooses where it leads."
    case .chooser:
      "What a link shall lead to. Type a part of its name; \(Intent.open.key) links it."
    case .palette:
      "All that can be done, with its key. Type a part of what you want; \(Intent.open.key) does it."
    case .saved:
      "Queries that were kept with \(Intent.saveQuery.key), and those asked lately; \(Intent.open.key) asks one again. Each that was "
        + "kept is a text file in ~/.local/state/sonde/queries, to be edited and shared."
    case .text:
      "How the query is answered, and why a row is in or out; \(Intent.open.key) asks about another one, "
        + "\(Intent.copy.key) copies the lines."
    case .facets:
      "The values of a column: how often each is there, or ranges of numbers and dates, and how they "
        + "went over time; \(Intent.open.key) keeps only the rows of a bar."
    case .subscriptions:
      "The queries that are kept true in this program: how many watch each, how fresh it is, and "
        + "when and how quickly it was last answered; \(Intent.open.key) shows one."
    case .diagram:
      "All kinds of things as boxes and the links between them as lines: → to one, ⇉ to many, ↻ to "
        + "its own kind. Arrows follow the lines, \(Intent.open.key) opens a box."
    case .themes:
      "All themes, those of your own among them. The whole screen is shown in the one under the "
        + "cursor; \(Intent.open.key) keeps it for the next time too, \(Intent.cancel.key) brings back the one before."
    case .export:
      "Writes rows or the whole store to a file; \(Intent.nextPane.key) goes from field to field, letters "
        + "go to the name, \(Intent.open.key) writes."
    }
  }
}
