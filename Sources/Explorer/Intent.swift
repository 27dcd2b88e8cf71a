import TerminalUI

/// What the person at the keyboard wants, apart from the key that says it.
package enum Intent: String, CaseIterable, Sendable, Hashable {
  case up, down, left, right
  case pageUp, pageDown, halfPageUp, halfPageDown
  case first, last, firstColumn, lastColumn
  case nextPane, previousPane
  case paneNamespaces, paneSchema, paneQuery, paneResults, paneEntity
  case open, peek, back, forward
  case expand, fold
  case filterByCell, excludeCell, filterText, queryText
  case order, orderFurther, orderText
  case relations, mark, marks, deleteMarked
  case columns, hideColumn, fitColumn, freezeColumn
  case moveUp, moveDown, wider, narrower, reset
  case limit
  case undo, redo
  case copy, export, outside
  case spelling, form
  case pause, changes, subscriptions, diagram
  case splitLeft, splitRight, splitUp, splitDown, evenSplits, zoom
  case newTab, closeTab, nextTab, previousTab
  case edit, add, delete, undoTransaction, hold
  case palette
  case find, findNext, findPrevious
  case facets, explain, saveQuery, savedQueries, mouse
  case callServer
  case nextTheme, themes
  case help
  case cancel
  case suspend, redraw
  case quit, interrupt

  /// What it does, for the help pane and the documentation; short enough for one line.
  package var help: String { words.help }

  /// The same in so many columns: without what comes after the first pause, or in a word or two.
  func help(within columns: Int) -> String {
    let beginning = help.prefix { !":;,".contains($0) }
    return [help, String(beginning)].first { TextWidth.columns(of: $0) <= columns } ?? label
  }

  /// The same in a word or two, for the footer.
  package var label: String { words.label }

  private var words: (label: String, help: String) {
    switch self {
    case .up: ("up", "up one row")
    case .down: ("down", "down one row")
    case .left: ("left", "left one column")
    case .right: ("right", "right one column")
    case .pageUp: ("page up", "up a page")
    case .pageDown: ("page down", "down a page")
    case .halfPageUp: ("half up", "up half a page")
    case .halfPageDown: ("half down", "down half a page")
    case .first: ("top", "to the first row")
    case .last: ("end", "to the last row")
    case .firstColumn: ("first column", "to the first column")
    case .lastColumn: ("last column", "to the last column")
    case .nextPane: ("pane", "next pane")
    case .previousPane: ("pane back", "previous pane")
    case .paneNamespaces: ("namespaces", "to the namespaces; again goes back")
    case .paneSchema: ("schema", "to the schema; again goes back")
    case .paneQuery: ("query pane", "to the query; again goes back")
    case .paneResults: ("results", "to the results; again goes back")
    case .paneEntity: ("entity", "to all that this row has; again goes back")
    case .open: ("open", "go in: namespace, linked entities")
    case .peek: ("peek", "look at what this link leads to, beside the rows")
    case .back: ("back", "back along the trail")
    case .forward: ("forward", "forward along the trail")
    case .expand: ("expand", "open the relation in place")
    case .fold: ("fold", "fold it again")
    case .filterByCell: ("filter", "filter by this cell: = != > < like …")
    case .excludeCell: ("drop", "leave out rows with this value")
    case .filterText: ("filter text", "edit the filter as text")
    case .queryText: ("query", "edit the whole query as text")
    case .order: ("order", "order by this column: up, down, not")
    case .orderFurther: ("order too", "order by this column as well")
    case .orderText: ("order text", "edit the order as text")
    case .relations: ("with", "choose nested relations from a tree")
    case .mark: ("mark", "mark, take in or leave out")
    case .marks: ("marked", "the marked rows: show only, copy, delete …")
    case .deleteMarked: ("delete marked", "delete the marked rows; shows first what goes")
    case .columns: ("columns", "choose, order and size the columns")
    case .hideColumn: ("hide", "hide this column, until the list of columns shows it again")
    case .fitColumn: ("fit", "as wide as what it holds, and back")
    case .freezeColumn: ("freeze", "keep this column in view, or let it go")
    case .moveUp: ("move up", "move it up")
    case .moveDown: ("move down", "move it down")
    case .wider: ("wider", "make the column wider")
    case .narrower: ("narrower", "make the column narrower")
    case .reset: ("reset", "as it was at first")
    case .limit: ("limit", "limit the number of rows")
    case .undo: ("undo", "undo the last change of the query")
    case .redo: ("redo", "redo it")
    case .copy: ("copy", "copy: cell, entity, column, answer, query …")
    case .export: ("export", "write rows to a file: csv, json, markdown, backup …")
    case .outside: ("outside", "open in the pager or the editor")
    case .spelling: ("spelling", "spell the query as text, InstaQL, Swift")
    case .form: ("form", "show the answer as table, tree, JSON")
    case .hold: ("hold changes", "keep your changes back, and send them together")
    case .pause: ("pause", "hold the rows as they are; again shows what came")
    case .changes: ("changes", "what changed since the store was opened")
    case .subscriptions: ("watched", "what is watched: by how many, how fresh")
    case .diagram: ("diagram", "namespaces and links drawn as boxes and lines")
    case .splitLeft: ("narrow", "move the line between the panes left")
    case .splitRight: ("widen", "move the line between the panes right")
    case .splitUp: ("line up", "move the line between the panes up")
    case .splitDown: ("line down", "move the line between the panes down")
    case .evenSplits: ("even", "make all panes as large as at first")
    case .zoom: ("zoom", "give this pane the whole screen, and back")
    case .newTab: ("new tab", "another tab that begins with this query")
    case .closeTab: ("close tab", "close this tab")
    case .nextTab: ("next tab", "to the next tab")
    case .previousTab: ("tab back", "to the tab before")
    case .edit: ("edit", "edit the value, choose what a link leads to")
    case .add: ("add", "add an entity, or link one")
    case .delete: ("delete", "delete or unlink; shows first what goes")
    case .undoTransaction: ("take back", "take back the last change of data")
    case .find: ("find", "find in this pane as you type")
    case .findNext: ("next", "the next one found")
    case .findPrevious: ("previous", "the one found before")
    case .facets: ("values", "the values of this column with bars, to filter by")
    case .explain: ("explain", "why this row is in or out, and how the query is answered")
    case .saveQuery: ("save", "save the query under a name")
    case .savedQueries: ("saved", "saved queries and history")
    case .mouse: ("mouse", "let go of the mouse, or take it again")
    case .palette: ("palette", "everything that can be done, by name")
    case .callServer: ("call now", "call a server that is away at once")
    case .nextTheme: ("theme", "next theme")
    case .themes: ("themes", "choose a theme from a list, seen at once")
    case .help: ("help", "these keys")
    case .cancel: ("close", "close, clear, leave")
    case .suspend: ("suspend", "suspend; fg brings it back")
    case .redraw: ("redraw", "draw the screen anew")
    case .quit: ("quit", "quit")
    case .interrupt: ("cancel", "cancel; quit when nothing is open")
    }
  }
}
