/// The column settings of one namespace. Columns are given by the names of their attributes.
///
/// Names of attributes that no longer exist are kept, but ignored.
package struct ColumnSettings: Codable, Sendable, Hashable {
  package var hidden: [String]
  /// The order of the columns from left to right. Attributes that are not listed follow in the
  /// schema's order.
  package var order: [String]
  /// The columns that stay in view while the others scroll, from left to right.
  package var frozen: [String]
  /// The widths that the user set, in terminal columns.
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

/// The last view of a store. The program restores it when the store is opened again.
package struct LastView: Codable, Sendable, Hashable {
  /// The query as text; nil if there was none.
  package var query: String?
  /// The path to the entity at the cursor: the ids of its ancestors, then its own id, separated by
  /// tabs.
  ///
  /// Tabs and backslashes within ids are escaped as `\t` and `\\`.
  package var cursor: String?
  /// All tabs, including the current one. Nil if an earlier version of the program wrote the view.
  package var tabs: [TabView]?
  /// The index of the current tab.
  package var shown: Int?
  /// The ids of the selected rows, by namespace.
  package var marks: [String: [String]]?
  /// The form in which the query was displayed: text or InstaQL.
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

/// The query displayed in a tab, and the queries before it in the tab's navigation history.
package struct TabView: Codable, Sendable, Hashable {
  package var query: String
  /// The path to the entity at the cursor: the ids of its ancestors, then its own id, separated by
  /// tabs.
  ///
  /// Tabs and backslashes within ids are escaped as `\t` and `\\`.
  package var cursor: String?
  /// The column of the cursor, from 0.
  package var column: Int
  /// The earlier views, oldest first. Their own `trail` is empty.
  package var trail: [TabView]
  /// The format of the results; nil for a table.
  package var form: String?
  /// Whether the user opened or hid the record next to the results; nil if neither.
  package var showsRecord: Bool?
  /// The expanded relations. The key is the path to an entity, as in `cursor`; the value is the
  /// labels of the expanded links, separated by tabs.
  package var opened: [String: String]?
  /// The query's undo stack: earlier forms of the query, newest last.
  package var past: [String]?
  /// The query's redo stack. The form that is redone next is last.
  package var undone: [String]?

  package init(
    query: String, cursor: String? = nil, column: Int = 0, trail: [TabView] = [],
    form: String? = nil, opened: [String: String]? = nil
  ) {
    self.query = query
    self.cursor = cursor
    self.column = column
    self.trail = trail
    self.form = form
    self.opened = opened
  }
}

/// Settings of the screen that apply to all stores.
package struct ScreenSettings: Codable, Sendable, Hashable {
  /// The name of the selected theme; nil for the default.
  package var theme: String?
  /// The sizes of panes in columns or rows, keyed by the name of the divider.
  package var splits: [String: Int]

  package init(theme: String? = nil, splits: [String: Int] = [:]) {
    self.theme = theme
    self.splits = splits
  }
}
