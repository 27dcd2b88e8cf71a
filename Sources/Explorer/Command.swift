import TerminalUI

/// A user command, independent of the key bound to it.
package enum Command: String, CaseIterable, Sendable, Hashable {
  case up, down, left, right
  case pageUp, pageDown, halfPageUp, halfPageDown
  case first, last, firstColumn, lastColumn
  case nextPane, previousPane
  case paneNamespaces, paneSchema, paneQuery, paneResults, paneEntity
  case open, peek, back, forward
  case expand, fold, expandAll
  case filterByCell, excludeCell, filterText, queryText
  case order, orderFurther, orderText
  case group, aggregate
  case relations, mark, marks, deleteMarked
  case columns, hideColumn, fitColumn, freezeColumn
  case moveUp, moveDown, wider, narrower, reset
  case limit
  case undo, redo
  case copy, export, pipe, outside
  case spelling, form
  case pause, changes, subscriptions, diagram
  case splitLeft, splitRight, splitUp, splitDown, evenSplits, zoom
  case newTab, closeTab, nextTab, previousTab, stores
  case edit, add, delete, undoTransaction, redoTransaction, hold
  case palette
  case find, findNext, findPrevious
  case facets, explain, saveQuery, savedQueries, mouse
  case callServer
  case nextTheme, themes
  case help
  case cancel
  case suspend, redraw
  case quit, interrupt

  /// A description for help and documentation. It fits on one line.
  package var help: String { words.help }

  /// Returns the help text if it fits into the width. Otherwise returns its part before the first
  /// punctuation mark, or the label.
  func help(within columns: Int) -> String {
    let beginning = help.prefix { !":;,".contains($0) }
    return [help, String(beginning)].first { TextWidth.columns(of: $0) <= columns } ?? label
  }

  /// A label of one or two words for the footer.
  package var label: String { words.label }

  private var words: (label: String, help: String) {
    switch self {
    case .up: ("up", "up one row")
    case .down: ("down", "down one row")
    case .left: ("left", "left one column")
    case .right: ("right", "right one column")
    case .pageUp: ("page up", "up a page")
    case .pageDown: ("page down", "down a page")
    case .halfPageUp: ("half page up", "up half a page")
    case .halfPageDown: ("half page down", "down half a page")
    case .first: ("top", "go to the first row")
    case .last: ("end", "go to the last row")
    case .firstColumn: ("first column", "go to the first column")
    case .lastColumn: ("last column", "go to the last column")
    case .nextPane: ("next pane", "next pane")
    case .previousPane: ("previous pane", "previous pane")
    case .paneNamespaces: ("namespaces", "focus the namespaces")
    case .paneSchema: ("schema", "focus the schema")
    case .paneQuery: ("query pane", "focus the query")
    case .paneResults: ("results", "focus the results")
    case .paneEntity: ("record", "open the record of this row; press again to return")
    case .open: ("open", "open this namespace, row or linked row")
    case .peek: ("preview", "preview the linked row next to the results")
    case .back: ("back", "back to the previous view")
    case .forward: ("forward", "forward to the next view")
    case .expand: ("expand", "expand related rows or nested values")
    case .fold: ("collapse", "collapse related rows or nested values")
    case .expandAll: ("expand all", "expand or collapse all related rows or nested values")
    case .filterByCell: ("filter", "filter by this value: = != > < like …")
    case .excludeCell: ("exclude", "exclude this value")
    case .filterText: ("edit filter", "edit the filter as text")
    case .queryText: ("query", "edit the whole query as text")
    case .order: ("sort", "sort by this column: ascending, descending, off")
    case .orderFurther: ("add to sort", "add this column to the sort")
    case .orderText: ("edit sort", "edit the sort as text")
    case .group: ("group", "group by this column, and count")
    case .aggregate: ("aggregate", "sum, average, median … of this column")
    case .relations: ("related", "include related rows …")
    case .mark: ("select", "select or deselect")
    case .marks: ("selected", "the selected rows: show only, copy, delete …")
    case .deleteMarked: ("delete selected", "delete the selected rows, after a preview")
    case .columns: ("columns", "columns: show, hide, move and resize")
    case .hideColumn: ("hide", "hide this column")
    case .fitColumn: ("fit", "fit the column to its values; press again to restore")
    case .freezeColumn: ("freeze", "freeze or unfreeze this column")
    case .moveUp: ("move up", "move the column left (up in the column list)")
    case .moveDown: ("move down", "move the column right (down in the column list)")
    case .wider: ("wider", "make the column wider")
    case .narrower: ("narrower", "make the column narrower")
    case .reset: ("reset", "reset to the default")
    case .limit: ("limit", "limit the number of rows")
    case .undo: ("undo", "undo the last query change")
    case .redo: ("redo", "redo the last query change")
    case .copy: ("copy", "copy: cell, row, column, results, query …")
    case .export: ("export", "export to a file: csv, json, markdown, backup …")
    case .pipe: ("pipe", "pipe rows into a shell command")
    case .outside: ("pager", "open in the pager or the editor")
    case .spelling: ("notation", "show the query as text, InstaQL or Swift")
    case .form: ("view", "show the results as table, tree or JSON")
    case .hold: ("stage changes", "stage changes and send them together")
    case .pause: ("pause", "pause or resume live updates")
    case .changes: ("changes", "changes since the store was opened")
    case .subscriptions: ("live queries", "live queries: subscribers, freshness")
    case .diagram: ("diagram", "schema diagram")
    case .splitLeft: ("divider left", "move the divider left")
    case .splitRight: ("divider right", "move the divider right")
    case .splitUp: ("divider up", "move the divider up")
    case .splitDown: ("divider down", "move the divider down")
    case .evenSplits: ("reset sizes", "reset the pane sizes")
    case .zoom: ("zoom", "zoom this pane; press again to restore")
    case .newTab: ("new tab", "new tab with this query")
    case .closeTab: ("close tab", "close this tab")
    case .nextTab: ("next tab", "next tab")
    case .previousTab: ("previous tab", "previous tab")
    case .stores: ("stores", "go to an open store, or open another")
    case .edit: ("edit", "edit this value, or choose a link's target")
    case .add: ("add", "add a row, or link an existing one")
    case .delete: ("delete", "delete or unlink, after a preview")
    case .undoTransaction: ("undo data", "undo the last data change")
    case .redoTransaction: ("redo data", "redo the last undone data change")
    case .find: ("find", "search in this pane")
    case .findNext: ("next", "next match")
    case .findPrevious: ("previous", "previous match")
    case .facets: ("values", "count the values of this column")
    case .explain: ("explain", "explain why this row matches, and the query plan")
    case .saveQuery: ("save query", "save the query under a name")
    case .savedQueries: ("saved", "saved and recent queries")
    case .mouse: ("mouse", "mouse capture on or off")
    case .palette: ("palette", "all commands by name")
    case .callServer: ("reconnect", "reconnect to the server now")
    case .nextTheme: ("theme", "next theme")
    case .themes: ("themes", "choose a theme, with preview")
    case .help: ("help", "keys of this pane")
    case .cancel: ("close", "close or clear")
    case .suspend: ("suspend", "suspend; resume with fg")
    case .redraw: ("redraw", "redraw the screen")
    case .quit: ("quit", "quit")
    case .interrupt: ("cancel", "cancel; quit when nothing is open")
    }
  }
}
