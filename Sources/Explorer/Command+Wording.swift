import TerminalUI

extension Command {
  /// The topic, the label and the description of a command.
  struct Wording: Sendable {
    let group: Group
    let label: String
    let help: String
  }

  /// The wording of each command, which is looked up for every hint.
  var wording: Wording {
    guard let wording = Self.wordings[self] else {
      preconditionFailure("The command \(self) has no wording.")
    }
    return wording
  }

  var group: Group { wording.group }

  private static let wordings: [Command: Wording] = {
    var wordings: [Command: Wording] = [:]
    for (group, entries) in entries {
      for (command, label, help) in entries {
        wordings[command] = Wording(group: group, label: label, help: help)
      }
    }
    return wordings
  }()

  private static let entries: [(Group, [(Command, label: String, help: String)])] = [
    (
      .querying,
      [
        (.filterByCell, "filter", "filter by this value: = != > < like …"),
        (.excludeCell, "exclude", "exclude this value"),
        (.filterText, "edit filter", "edit the filter as text"),
        (.queryText, "query", "edit the whole query as text"),
        (.order, "sort", "sort by this column: ascending, descending, off"),
        (.orderFurther, "add to sort", "add this column to the sort"),
        (.orderText, "edit sort", "edit the sort as text"),
        (.group, "group", "group by this column, and count"),
        (.aggregate, "aggregate", "sum, average, median … of this column"),
        (.relations, "related", "include related rows …"),
        (.limit, "limit", "limit the number of rows"),
        (.undo, "undo", "undo the last query change"),
        (.redo, "redo", "redo the last query change"),
        (.spelling, "notation", "show the query as text, InstaQL or Swift"),
        (.saveQuery, "save query", "save the query under a name"),
        (.savedQueries, "saved", "saved and recent queries"),
      ]
    ),
    (
      .data,
      [
        (.mark, "select", "select or deselect"),
        (.marks, "selected", "the selected rows: show only, copy, delete …"),
        (.deleteMarked, "delete selected", "delete the selected rows, after a preview"),
        (.edit, "edit", "edit this value, or choose a link's target"),
        (.add, "add", "add a row, or link an existing one"),
        (.delete, "delete", "delete or unlink, after a preview"),
        (.undoTransaction, "undo data", "undo the last data change"),
        (.redoTransaction, "redo data", "redo the last undone data change"),
        (.hold, "stage changes", "stage changes and send them together"),
      ]
    ),
    (
      .answer,
      [
        (.open, "open", "open this namespace, row or linked row"),
        (.peek, "preview", "preview the linked row next to the results"),
        (.back, "back", "back to the previous view"),
        (.forward, "forward", "forward to the next view"),
        (.expand, "expand", "expand related rows or nested values"),
        (.fold, "collapse", "collapse related rows or nested values"),
        (.expandAll, "expand all", "expand or collapse all related rows or nested values"),
        (.copy, "copy", "copy: cell, row, column, results, query …"),
        (.export, "export", "export to a file: csv, json, markdown, backup …"),
        (.pipe, "pipe", "pipe rows into a shell command"),
        (.outside, "pager", "open in the pager or the editor"),
        (.form, "view", "show the results as table, tree or JSON"),
        (.pause, "pause", "pause or resume live updates"),
        (.changes, "changes", "changes since the store was opened"),
        (.subscriptions, "live queries", "live queries: subscribers, freshness"),
        (.diagram, "diagram", "schema diagram"),
        (.find, "find", "search in this pane"),
        (.findNext, "next", "next match"),
        (.findPrevious, "previous", "previous match"),
        (.facets, "values", "count the values of this column"),
        (.explain, "explain", "explain why this row matches, and the query plan"),
      ]
    ),
    (
      .columns,
      [
        (.columns, "columns", "columns: show, hide, move and resize"),
        (.hideColumn, "hide", "hide this column"),
        (.fitColumn, "fit", "fit the column to its values; press again to restore"),
        (.freezeColumn, "freeze", "freeze or unfreeze this column"),
        (.moveUp, "move up", "move the column left (up in the column list)"),
        (.moveDown, "move down", "move the column right (down in the column list)"),
        (.wider, "wider", "make the column wider"),
        (.narrower, "narrower", "make the column narrower"),
        (.reset, "reset", "reset to the default"),
      ]
    ),
    (
      .panes,
      [
        (.nextPane, "next pane", "next pane"),
        (.previousPane, "previous pane", "previous pane"),
        (.paneNamespaces, "namespaces", "focus the namespaces"),
        (.paneSchema, "schema", "focus the schema"),
        (.paneQuery, "query pane", "focus the query"),
        (.paneResults, "results", "focus the results"),
        (.paneEntity, "record", "open the record of this row; press again to return"),
        (.splitLeft, "divider left", "move the divider left"),
        (.splitRight, "divider right", "move the divider right"),
        (.splitUp, "divider up", "move the divider up"),
        (.splitDown, "divider down", "move the divider down"),
        (.evenSplits, "reset sizes", "reset the pane sizes"),
        (.zoom, "zoom", "zoom this pane; press again to restore"),
        (.newTab, "new tab", "new tab with this query"),
        (.closeTab, "close tab", "close this tab"),
        (.nextTab, "next tab", "next tab"),
        (.previousTab, "previous tab", "previous tab"),
        (.stores, "stores", "go to an open store, or open another"),
      ]
    ),
    (
      .program,
      [
        (.palette, "palette", "all commands by name"),
        (.mouse, "mouse", "mouse capture on or off"),
        (.callServer, "reconnect", "reconnect to the server now"),
        (.nextTheme, "theme", "next theme"),
        (.themes, "themes", "choose a theme, with preview"),
        (.help, "help", "keys of this pane"),
        (.cancel, "close", "close or clear"),
        (.suspend, "suspend", "suspend; resume with fg"),
        (.redraw, "redraw", "redraw the screen"),
        (.quit, "quit", "quit"),
        (.interrupt, "cancel", "cancel; quit when nothing is open"),
      ]
    ),
    (
      .moving,
      [
        (.up, "up", "up one row"),
        (.down, "down", "down one row"),
        (.left, "left", "left one column"),
        (.right, "right", "right one column"),
        (.pageUp, "page up", "up a page"),
        (.pageDown, "page down", "down a page"),
        (.halfPageUp, "half page up", "up half a page"),
        (.halfPageDown, "half page down", "down half a page"),
        (.first, "top", "go to the first row"),
        (.last, "end", "go to the last row"),
        (.firstColumn, "first column", "go to the first column"),
        (.lastColumn, "last column", "go to the last column"),
      ]
    ),
  ]
}
