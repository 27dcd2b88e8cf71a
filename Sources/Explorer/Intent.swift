/// What the person at the keyboard wants, apart from the key that says it.
package enum Intent: String, CaseIterable, Sendable, Hashable {
  case up, down, left, right
  case pageUp, pageDown, halfPageUp, halfPageDown
  case first, last, firstColumn, lastColumn
  case nextPane, previousPane
  case paneNamespaces, paneSchema, paneQuery, paneResults
  case open, back, forward
  case expand, fold
  case filterByCell, excludeCell, filterText, queryText
  case order, orderFurther
  case limit
  case undo, redo
  case copyCell
  case nextTheme
  case help
  case cancel
  case suspend, redraw
  case quit, interrupt

  /// What it does, for the help pane and the documentation; short enough for one line.
  package var help: String {
    switch self {
    case .up: "up one row"
    case .down: "down one row"
    case .left: "left one column"
    case .right: "right one column"
    case .pageUp: "up a page"
    case .pageDown: "down a page"
    case .halfPageUp: "up half a page"
    case .halfPageDown: "down half a page"
    case .first: "to the first row"
    case .last: "to the last row"
    case .firstColumn: "to the first column"
    case .lastColumn: "to the last column"
    case .nextPane: "next pane"
    case .previousPane: "previous pane"
    case .paneNamespaces: "to the namespaces"
    case .paneSchema: "to the schema"
    case .paneQuery: "to the query"
    case .paneResults: "to the results"
    case .open: "go in: namespace, linked entities"
    case .back: "back along the trail"
    case .forward: "forward along the trail"
    case .expand: "open the relation in place"
    case .fold: "fold it again"
    case .filterByCell: "keep rows with this value"
    case .excludeCell: "leave out rows with this value"
    case .filterText: "edit the filter as text"
    case .queryText: "edit the whole query as text"
    case .order: "order by this column: up, down, not"
    case .orderFurther: "order by this column as well"
    case .limit: "limit the number of rows"
    case .undo: "undo the last change of the query"
    case .redo: "redo it"
    case .copyCell: "copy the cell"
    case .nextTheme: "next theme"
    case .help: "these keys"
    case .cancel: "close, clear, leave"
    case .suspend: "suspend; fg brings it back"
    case .redraw: "draw the screen anew"
    case .quit: "quit"
    case .interrupt: "cancel; quit when nothing is open"
    }
  }

  /// The same in a word or two, for the footer.
  package var label: String {
    switch self {
    case .filterByCell: "keep"
    case .excludeCell: "drop"
    case .filterText: "filter"
    case .queryText: "query"
    case .order: "order"
    case .limit: "limit"
    case .expand: "expand"
    case .fold: "fold"
    case .open: "open"
    case .back: "back"
    case .undo: "undo"
    case .redo: "redo"
    case .copyCell: "copy"
    case .nextPane: "pane"
    case .help: "help"
    case .quit: "quit"
    case .nextTheme: "theme"
    default: help
    }
  }
}
