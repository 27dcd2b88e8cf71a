import TerminalUI

// Queues keys that are pressed before the rows are loaded.
extension Workspace {
  /// The maximum number of keys queued while rows are loading.
  static let maxQueuedKeys = 64

  /// Queues a key for rows that are still loading. Returns nil if the key can be handled now.
  mutating func queueKey(_ key: Key) -> [Effect]? {
    guard prompt == nil, tab.overlays.isEmpty, tab.focus == .results, isAwaitingRows else {
      return nil
    }
    let command = settings.keymap.command(for: key, in: .results)
    switch command {
    case .cancel where !tab.queuedKeys.isEmpty:
      tab.queuedKeys = []
      return notify(.queuedKeysDiscarded)
    case .cancel, .interrupt, .suspend, .redraw: return nil
    // If a queued key opens a line, the quit key is a letter of that line.
    case .quit: if !tab.queuedKeys.contains(where: opensLine) { return nil }
    case nil: if !tab.queuedKeys.contains(where: opensLine) { return nil }
    default: if tab.queuedKeys.isEmpty, command?.isForRows != true { return nil }
    }
    guard tab.queuedKeys.count < Self.maxQueuedKeys else { return notify(.queueFull) }
    tab.queuedKeys.append(key)
    return notify(.keysQueued(tab.queuedKeys.count))
  }

  /// Discards the queued keys, because their rows will not be loaded.
  mutating func discardQueuedKeys() {
    guard !tab.queuedKeys.isEmpty else { return }
    tab.queuedKeys = []
    notice = .queuedKeysDiscarded
  }

  /// Handles the queued keys once the rows are loaded. If loading failed, discards them.
  mutating func handleQueuedKeys() -> [Effect] {
    guard !tab.queuedKeys.isEmpty, !isAwaitingRows else { return [] }
    let keys = tab.queuedKeys
    tab.queuedKeys = []
    notice = nil
    guard tab.results.table != nil else { return [] }
    var effects: [Effect] = []
    for (index, key) in keys.enumerated() {
      effects += press(key)
      // One of the keys requested rows that are not loaded yet, so the remaining keys stay queued.
      guard tab.queuedKeys.isEmpty else {
        tab.queuedKeys += keys[(index + 1)...]
        break
      }
    }
    return effects
  }

  /// Whether the first rows of the current query are still loading.
  private var isAwaitingRows: Bool {
    catalog != nil && tab.watch != nil && tab.results.content == .loading
  }
}

extension Command {
  /// Whether the command needs loaded rows, because it acts on a row, a cell, a column or all rows.
  fileprivate var isForRows: Bool {
    switch self {
    case .up, .down, .left, .right, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .first, .last,
      .firstColumn, .lastColumn, .open, .peek, .expand, .fold, .expandAll, .filterByCell,
      .excludeCell, .order, .orderFurther, .group, .aggregate, .mark, .hideColumn, .fitColumn,
      .freezeColumn, .moveColumnLeft, .moveColumnRight, .wider, .narrower, .columns, .export, .pipe, .outside, .edit, .delete, .facets,
      .paneEntity, .explain, .findNext,
      .findPrevious:
      true
    case .nextPane, .previousPane, .paneNamespaces, .paneSchema, .paneQuery, .paneResults, .back,
      .forward, .filterText, .queryText, .orderText, .relations, .marks, .deleteMarked, ..reset, .limit, .undo, .redo, .spelling, .form, .hold, .pause, .changes,
      .subscriptions, .diagram, .themes, .splitLeft, .splitRight, .splitUp, .splitDown, .evenSplits,
      .zoom,
      .newTab, .add, .copy, .closeTab, .nextTab, .previousTab, .stores, .undoTransaction,
      .redoTransaction,
      .find, .saveQuery,
      .savedQueries, .mouse, .palette, .callServer, .nextTheme, .help, .cancel, .suspend, .redraw,
      .quit, .interrupt:
      false
    }
  }
}
