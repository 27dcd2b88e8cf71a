/// How the columns of one namespace are shown: attributes by name.
///
/// Names that the schema no longer knows are kept and mean nothing.
package struct ColumnSettings: Codable, Sendable, Hashable {
  package var hidden: [String]
  /// From the left; attributes that are not listed follow in the schema's order.
  package var order: [String]
  /// Those that stay while the others scroll, from the left.
  package var frozen: [String]
  /// In columns of the terminal.
  package var widths: [String: Int]

  package init(
    hidden: [String] = [], order: [String] = [], frozen: [String] = [], widths: [String: Int] = [:]
  ) {
    self.hidden = hidden
    self.order = order
    self.frozen = frozen
    self.widths = widths
  }
}

/// Where somebody was in a store, to begin there the next time.
package struct LastView: Codable, Sendable, Hashable {
  /// The query as text; nil when none was composed.
  package var query: String?
  /// The id of the entity under the cursor, after those that it lies beneath, with tabs between them;
  /// a tab in one of them is `\t`, a backslash `\\`.
  package var cursor: String?
  /// All tabs, the one that was shown among them; nil where an older program wrote this.
  package var tabs: [TabView]?
  /// Which of the tabs was shown, from 0.
  package var shown: Int?
  /// The ids of what was marked, by namespace.
  package var marks: [String: [String]]?
  /// How the query was spelt.
  package var spelling: String?

  package init(
    query: String? = nil, cursor: String? = nil, tabs: [TabView]? = nil, shown: Int? = nil,
    marks: [String: [String]]? = nil, spelling: String? = nil
  ) {
    self.query = query
    self.cursor = cursor
    self.tabs = tabs
    self.shown = shown
    self.marks = marks
    self.spelling = spelling
  }
}

/// A query that was looked at, and those from which somebody had come to it.
package struct TabView: Codable, Sendable, Hashable {
  package var query: String
  /// The id of the entity under the cursor, after those that it lies beneath, with tabs between them;
  /// a tab in one of them is `\t`, a backslash `\\`.
  package var cursor: String?
  /// The column of the cursor, from 0.
  package var column: Int
  /// The oldest first; what they were come from is not told again.
  package var trail: [TabView]
  /// How the answer was shown; nil for a table.
  package var form: String?
  /// The relations that were open in place: the link's name by the ids of what it lies beneath.
  package var opened: [String: String]?
  /// The queries that undoing leads back to, the newest last.
  package var past: [String]?
  /// The queries that redoing leads to, the next one last.
  package var undone: [String]?

  package init(
    query: String, cursor: String? = nil, column: Int = 0, trail: [TabView] = [],
    form: String? = nil, opened: [String: String]? = nil, past: [String]? = nil,
    undone: [String]? = nil
  ) {
    self.query = query
    self.cursor = cursor
    self.column = column
    self.trail = trail
    self.form = form
    self.opened = opened
    self.past = past
    self.undone = undone
  }
}

/// What holds for the whole screen, whatever store is open.
package struct ScreenSettings: Codable, Sendable, Hashable {
  /// The theme chosen last; nil when none ever was.
  package var theme: String?
  /// How large panes were made, by the name of what divides them, in columns or rows.
  package var splits: [String: Int]

  package init(theme: String? = nil, splits: [String: Int] = [:]) {
    self.theme = theme
    self.splits = splits
  }
}
