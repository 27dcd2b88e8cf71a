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
  case filterByCell, excludeCell, filterText, clearFilters, queryText
  case order, orderFurther, orderText
  case group, aggregate
  case relations, mark, marks, deleteMarked
  case allColumns, columns, hideColumn, fitColumn, freezeColumn
  case moveColumnLeft, moveColumnRight, wider, narrower, reset
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

  /// Returns the help text if it fits into the width. Otherwise returns its part before the first
  /// punctuation mark, or the label.
  func help(within columns: Int) -> String {
    let beginning = help.prefix { !":;,".contains($0) }
    return [help, String(beginning)].first { TextWidth.columns(of: $0) <= columns } ?? label
  }
}
