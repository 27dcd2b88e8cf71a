extension Command {
  /// The topic of the command.
  var group: Group { wording.group }
  /// A label of one or two words for the footer.
  package var label: String { wording.label }
  /// The help text of the command, which fits on one line.
  package var help: String { wording.help }

  private typealias Wording = (group: Group, label: String, help: String)

  private var wording: Wording {
    guard let wording = Self.wordings[self] else {
      preconditionFailure("The command \(self) has no wording.")
    }
    return wording
  }

  private static let wordings: [Command: Wording] = [
    .filterByCell: (.querying, "filter", "filter by this value: = != > < like …"),
    .excludeCell: (.querying, "exclude", "exclude this value"),
    .filterText: (.querying, "edit filter", "edit the filter as text"),
    .clearFilters: (.querying, "clear filters", "clear all filters of the query"),
    .queryText: (.querying, "query", "edit the whole query as text"),
    .order: (.querying, "sort", "sort by this column: ascending, descending, off"),
    .orderFurther: (.querying, "add to sort", "also sort by this column: desc, asc, off"),
    .orderText: (.querying, "edit sort", "edit the sort as text"),
    .group: (.querying, "group", "group by this column, and count"),
    .aggregate: (.querying, "aggregate", "sum, average, median … of this column"),
    .relations: (.querying, "relations", "include linked rows …"),
    .limit: (.querying, "limit", "limit the number of rows"),
    .undo: (.querying, "undo", "undo the last query or column change"),
    .redo: (.querying, "redo", "redo the last query or column change"),
    .spelling: (.querying, "notation", "show the query as text, InstaQL or Swift"),
    .saveQuery: (.querying, "save query", "save the query under a name"),
    .savedQueries: (.querying, "saved", "saved and recent queries"),
    .mark: (.data, "select", "select or deselect"),
    .marks: (.data, "selected", "the selected rows: show only, copy, delete …"),
    .deleteMarked: (.data, "delete selected", "delete the selected rows; asks first"),
    .edit: (.data, "edit", "edit this value, or choose a link's target"),
    .add: (.data, "add", "add a row, or link an existing one"),
    .delete: (.data, "delete", "delete this or the selected rows, or unlink; asks first"),
    .undoTransaction: (.data, "undo data", "undo the last data change"),
    .redoTransaction: (.data, "redo data", "redo the last undone data change"),
    .hold: (.data, "stage changes", "stage changes and send them together"),
    .open: (.answer, "open", "open this namespace, row or linked row"),
    .peek: (.answer, "preview", "show or hide the preview of this row, or of the linked row"),
    .back: (.answer, "back", "back to the previous view"),
    .forward: (.answer, "forward", "forward to the next view"),
    .expand: (.answer, "expand", "expand linked rows or nested values"),
    .fold: (.answer, "collapse", "collapse linked rows or nested values"),
    .expandAll: (.answer, "expand all", "expand or collapse all linked rows or nested values"),
    .copy: (.answer, "copy", "copy: cell, row, column, results, query …"),
    .export: (.answer, "export", "export to a file: csv, json, markdown, backup …"),
    .pipe: (.answer, "pipe", "pipe rows into a shell command"),
    .outside: (.answer, "pager", "open in the pager or the editor"),
    .form: (.answer, "view", "show the results as table, tree or JSON"),
    .pause: (.answer, "pause", "pause or resume live updates"),
    .changes: (.answer, "changes", "changes since the store was opened"),
    .subscriptions: (.answer, "live queries", "live queries: subscribers and freshness"),
    .diagram: (.answer, "diagram", "schema diagram"),
    .find: (.answer, "find", "search in this pane"),
    .findNext: (.answer, "next", "next match"),
    .findPrevious: (.answer, "previous", "previous match"),
    .facets: (.answer, "values", "count the values of this column"),
    .explain: (.answer, "explain", "explain why this row matches, and the query plan"),
    .allColumns: (.columns, "all columns", "columns and types of all namespaces"),
    .columns: (.columns, "columns", "columns: show, hide, move and resize"),
    .hideColumn: (.columns, "hide", "hide this column"),
    .fitColumn: (.columns, "fit", "fit the column to its values; press again to restore"),
    .freezeColumn: (.columns, "freeze", "freeze or unfreeze this column"),
    .moveColumnLeft: (.columns, "move left", "move the column left"),
    .moveColumnRight: (.columns, "move right", "move the column right"),
    .wider: (.columns, "wider", "make the column wider"),
    .narrower: (.columns, "narrower", "make the column narrower"),
    .reset: (.columns, "reset", "reset all columns to their defaults"),
    .nextPane: (.panes, "next pane", "next pane"),
    .previousPane: (.panes, "previous pane", "previous pane"),
    .paneNamespaces: (.panes, "namespaces", "focus the namespaces"),
    .paneSchema: (.panes, "schema", "focus the schema"),
    .paneQuery: (.panes, "query pane", "focus the query"),
    .paneResults: (.panes, "results", "focus the results"),
    .paneEntity: (.panes, "record", "open the record of this row; press again to return"),
    .splitLeft: (.panes, "divider left", "move the divider left"),
    .splitRight: (.panes, "divider right", "move the divider right"),
    .splitUp: (.panes, "divider up", "move the divider up"),
    .splitDown: (.panes, "divider down", "move the divider down"),
    .evenSplits: (.panes, "reset sizes", "reset the pane sizes"),
    .zoom: (.panes, "zoom", "zoom this pane; press again to restore"),
    .newTab: (.panes, "new tab", "new tab with this query"),
    .closeTab: (.panes, "close tab", "close this tab"),
    .nextTab: (.panes, "next tab", "next tab"),
    .previousTab: (.panes, "previous tab", "previous tab"),
    .stores: (.panes, "stores", "go to an open store, or open another"),
    .palette: (.program, "commands", "all commands by name"),
    .mouse: (.program, "mouse", "mouse capture on or off"),
    .callServer: (.program, "reconnect", "reconnect to the server now"),
    .nextTheme: (.program, "theme", "next theme"),
    .themes: (.program, "themes", "choose a theme, with preview"),
    .help: (.program, "help", "keys of this pane"),
    .cancel: (.program, "close", "close this pane, or clear the search"),
    .suspend: (.program, "suspend", "suspend; resume with fg"),
    .redraw: (.program, "redraw", "redraw the screen"),
    .quit: (.program, "quit", "quit"),
    .interrupt: (.program, "cancel", "cancel; quit when nothing is open"),
    .up: (.moving, "up", "up one row"),
    .down: (.moving, "down", "down one row"),
    .left: (.moving, "left", "left one column"),
    .right: (.moving, "right", "right one column"),
    .pageUp: (.moving, "page up", "up a page"),
    .pageDown: (.moving, "page down", "down a page"),
    .halfPageUp: (.moving, "half page up", "up half a page"),
    .halfPageDown: (.moving, "half page down", "down half a page"),
    .first: (.moving, "top", "go to the first row"),
    .last: (.moving, "end", "go to the last row"),
    .firstColumn: (.moving, "first column", "go to the first column; in a list, to the first row"),
    .lastColumn: (.moving, "last column", "go to the last column; in a list, to the last row"),
  ]

  /// The topics of commands, in the order in which lists show them.
  enum Group: CaseIterable, Sendable {
    case querying, data, answer, columns, panes, program, moving

    var title: String {
      switch self {
      case .querying: "Querying"
      case .data: "Changing data"
      case .answer: "Exploring"
      case .columns: "Columns"
      case .panes: "Panes and tabs"
      case .program: "Program"
      case .moving: "Moving"
      }
    }
  }

  static let grouped = Group.allCases.flatMap { group in allCases.filter { $0.group == group } }
}
