import TerminalUI

// What is typed for rows that are still to come waits for them, as for whoever types quickly on the
// way to something they know.
extension Model {
  /// More are no longer typed on purpose.
  static let mostAhead = 64

  /// Keeps a key until the rows are there that it is meant for; nil where it is for now.
  mutating func keepAhead(_ key: Key) -> [Effect]? {
    guard prompt == nil, tab.overlays.isEmpty, tab.focus == .results, isAwaitingRows else {
      return nil
    }
    let intent = preferences.keymap.intent(for: key, in: .results)
    switch intent {
    case .cancel where !tab.ahead.isEmpty:
      tab.ahead = []
      notice = .queuedKeysDiscarded
      return []
    case .cancel, .interrupt, .suspend, .redraw: return nil
    // Behind a key that opens a line, the letter that leaves is a part of what is typed.
    case .quit: if !tab.ahead.contains(where: opensLine) { return nil }
    case nil: if !tab.ahead.contains(where: opensLine) { return nil }
    default: if tab.ahead.isEmpty, intent?.isForRows != true { return nil }
    }
    guard tab.ahead.count < Self.mostAhead else {
      notice = .queueFull
      return []
    }
    tab.ahead.append(key)
    notice = .keysQueued(tab.ahead.count)
    return []
  }

  /// Other rows will come than those that keys were typed for.
  mutating func dropAhead() {
    guard !tab.ahead.isEmpty else { return }
    tab.ahead = []
    notice = .queuedKeysDiscarded
  }

  /// Takes the keys that waited, since there are rows now; where there will be none, they are dropped.
  mutating func takeAhead() -> [Effect] {
    guard !tab.ahead.isEmpty, !isAwaitingRows else { return [] }
    let keys = tab.ahead
    tab.ahead = []
    notice = nil
    guard tab.results.table != nil else { return [] }
    var effects: [Effect] = []
    for (index, key) in keys.enumerated() {
      effects += press(key)
      // One of them led on to rows that are to come.
      guard tab.ahead.isEmpty else {
        tab.ahead += keys[(index + 1)...]
        break
      }
    }
    return effects
  }

  /// Whether there are no rows yet of the query that was just asked.
  private var isAwaitingRows: Bool {
    catalog != nil && tab.watch != nil && tab.results.content == .loading
  }
}

extension Intent {
  /// Whether it does something to the row, the cell or the column under the cursor, or to the rows.
  fileprivate var isForRows: Bool {
    switch self {
    case .up, .down, .left, .right, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .first, .last,
      .firstColumn, .lastColumn, .open, .peek, .expand, .fold, .filterByCell, .excludeCell, .order,
      .orderFurther, .mark, .hideColumn, .fitColumn, .freezeColumn, .wider, .narrower, .columns,
      .export, .outside, .edit, .delete, .facets, .paneEntity, .explain, .findNext,
      .findPrevious:
      true
    case .nextPane, .previousPane, .paneNamespaces, .paneSchema, .paneQuery, .paneResults, .back,
      .forward, .filterText, .queryText, .orderText, .relations, .marks, .deleteMarked, .moveUp,
      .moveDown, .reset, .limit, .undo, .redo, .spelling, .form, .hold, .pause, .changes,
      .subscriptions, .diagram, .themes, .splitLeft, .splitRight, .splitUp, .splitDown, .evenSplits,
      .zoom,
      .newTab, .add, .copy, .closeTab, .nextTab, .previousTab, .undoTransaction, .find, .saveQuery,
      .savedQueries, .mouse, .palette, .callServer, .nextTheme, .help, .cancel, .suspend, .redraw,
      .quit, .interrupt:
      false
    }
  }
}
