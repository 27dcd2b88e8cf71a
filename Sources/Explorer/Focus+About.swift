extension Focus {
  /// What the pane is for and how one begins in it, for who asks there.
  package var about: String {
    switch self {
    case .namespaces:
      "The kinds of things in this store, and how many there are of each. The schema of "
        + "the one under the cursor is shown below; enter shows all of them in the results."
    case .schema:
      "What a thing of this kind has: its attributes with their types, and its links. A link "
        + "with → leads to one thing, with ⇉ to many; enter follows it."
    case .query:
      "What is asked, kept true as the data changes. Q edits it as text, F its filter, L its limit, "
        + "w what is nested; u takes the last change back, i spells it in another way."
    case .results:
      "The answer, live. f filters by the cell under the cursor, s orders by its column, > opens a "
        + "link in place, enter goes in and [ comes back; c chooses the columns."
    case .help: "The keys of the pane from which it was opened."
    case .entity:
      "One thing with all it has, what it links to and what links to it. Enter follows a link, e "
        + "edits a value, a links another thing."
    case .menu: "Choose with the cursor and enter, or press an entry's own key."
    case .relations:
      "The links from here, to any depth. Space nests one in the query; f, s and L give it a filter, "
        + "an order and a limit of its own."
    case .columns:
      "The columns of the results: space hides or shows one, K and J move it, } and { size it, ! "
        + "keeps it in view. It is remembered for each kind of thing."
    case .changes:
      "All that changed since the store was opened, the newest at the end, old → new. Enter opens "
        + "what it happened to, v shows less, or what you keep back."
    case .newEntity:
      "A thing that is being made. What it must have is marked with a star; enter goes to what is "
        + "still missing, and makes it when nothing is. On a link, typing chooses where it leads."
    case .chooser: "What a link shall lead to. Type a part of its name; enter links it."
    case .palette:
      "All that can be done, with its key. Type a part of what you want; enter does it."
    case .saved:
      "Queries that were kept with b, and those asked lately. Enter asks one again. Each that was "
        + "kept is a text file in ~/.local/state/sonde/queries, to be edited and shared."
    case .text: "Lines to read; y copies them."
    case .facets:
      "The values of a column: how often each is there, or ranges of numbers and dates, and how they "
        + "went over time. Enter keeps only the rows of a bar."
    case .subscriptions:
      "The queries that are kept true in this program: how many watch each, how fresh it is, and "
        + "when and how quickly it was last answered. Enter shows one."
    case .diagram:
      "All kinds of things as boxes and the links between them as lines: → to one, ⇉ to many, ↻ to "
        + "its own kind. Arrows follow the lines, enter opens a box."
    case .themes:
      "All themes, those of your own among them. The whole screen is shown in the one under the "
        + "cursor; enter keeps it for the next time too, escape brings back the one before."
    case .export:
      "Writes rows or the whole store to a file. Tab goes from field to field, enter writes."
    }
  }
}
