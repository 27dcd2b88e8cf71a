/// The column settings of one namespace, by attribute name.
///
/// Names of attributes that no longer exist are kept and ignored.
package struct ColumnSettings: Codable, Sendable, Hashable {
  package var hidden: [String]
  /// The order of columns from left to right. Attributes that are not listed follow in the schema's
  /// order.
  package var order: [String]
  /// The columns that stay in view while others scroll, from left to right.
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

/// The last view of a store, which the next start restores.
package struct LastView: Codable, Sendable, Hashable {
  /// The query as text; nil if there was none.
  package var query: String?
  /// The path to the entity at the cursor: the ids of its ancestors and its own id, separated by
  /// tabs.
  ///
  /// Tabs and backslashes within ids are escaped as `\t` and `\\`.
  package var cursor: String?
  /// All tabs, including the current one; nil if an earlier version wrote the view.
  package var tabs: [TabView]?
  /// The index of the current tab.
  package var shown: Int?
  /// The ids of the selected rows, by namespace.
  package var marks: [String: [String]]?
  /// The notation in which the query was displayed: text or InstaQL.
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

/// A displayed query and the queries before it in the navigation history.
package struct TabView: Codable, Sendable, Hashable {
  package var query: String
  /// The path to the entity at the cursor: the ids of its ancestors and its own id, separated by
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
  /// The expanded relations. The key is the path to an entity, as in `cursor`; the value is the
  /// labels of the expanded links, separated by tabs.
  package var opened: [String: String]?
  /// The undo stack of the query, newest last.
  package var past: [String]?
  /// The redo stack of the query; the query to redo next is last.
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
  /// The sizes of panes in columns or rows, by the name of their divider.
  package var splits: [String: Int]

  package init(theme: String? = nil, splits: [String: Int] = [:]) {
    self.theme = theme
    self.splits = splits
  }
}
