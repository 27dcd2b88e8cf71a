import TerminalUI

// Queues keys and commands for rows that are not loaded yet, and for a match that is not found yet.
extension Workspace {
  /// The maximum number of keys queued while rows are loading.
  static let maxQueuedKeys = 64

  /// Queues a key for rows that are still loading, or for a match that a background search will
  /// find. Returns nil if the key can be handled now.
  mutating func queueKey(_ key: Key) -> [Effect]? {
    guard prompt == nil, tab.overlays.isEmpty, tab.focus == .results,
      isAwaitingRows || isAwaitingMatch
    else { return nil }
    let command = settings.keymap.command(for: key, in: .results)
    switch command {
    case .cancel where !tab.queued.isEmpty:
      tab.queued = []
      return notify(.queuedKeysDiscarded)
    case .cancel, .interrupt, .suspend, .redraw: return nil
    // If a queued key opens a line, the quit key is a letter of that line.
    case .quit, nil: if !tab.queued.contains(where: opensLine) { return nil }
    default: if tab.queued.isEmpty, command.map(mustWait) != true { return nil }
    }
    guard tab.queued.count < Self.maxQueuedKeys else { return notify(.queueFull) }
    return queue(.key(key))
  }

  /// Performs a command as soon as the rows are loaded. An example is a command for a column of a
  /// namespace that was just opened.
  mutating func performWhenLoaded(_ command: Command) -> [Effect] {
    isAwaitingRows ? queue(.command(command)) : notify(missingResultReason)
  }

  private mutating func queue(_ input: QueuedInput) -> [Effect] {
    tab.queued.append(input)
    return notify(.keysQueued(tab.queued.count))
  }

  private func opensLine(_ input: QueuedInput) -> Bool {
    if case .key(let key) = input { opensLine(key) } else { false }
  }

  /// Discards the queued keys, because their rows will not be loaded.
  mutating func discardQueuedKeys() {
    guard !tab.queued.isEmpty else { return }
    tab.queued = []
    notice = .queuedKeysDiscarded
  }

  /// Handles the queued keys once the rows are loaded. If loading failed, discards them.
  mutating func handleQueuedKeys() -> [Effect] {
    guard !tab.queued.isEmpty, !isAwaitingRows, !isAwaitingMatch else { return [] }
    let inputs = tab.queued
    tab.queued = []
    notice = nil
    guard tab.results.table != nil else { return [] }
    var effects: [Effect] = []
    for (index, input) in inputs.enumerated() {
      switch input {
      case .key(let key): effects += press(key)
      case .command(let command): effects += perform(command) ?? []
      }
      // One of the keys requested rows that are not loaded yet, so the remaining keys stay queued.
      guard tab.queued.isEmpty else {
        tab.queued += inputs[(index + 1)...]
        break
      }
    }
    return effects
  }

  /// Returns whether a command needs the awaited rows, or the awaited match. Until a match is found,
  /// the cursor can still be moved, and the search can be continued from another row.
  private func mustWait(_ command: Command) -> Bool {
    guard command.isForRows else { return false }
    if isAwaitingRows { return true }
    return command.steps(page: layout.resultRows) == 0 && command != .findNext
      && command != .findPrevious
  }

  /// Whether a search of the results is running, or its match is still loading.
  private var isAwaitingMatch: Bool {
    requests.isPending(.search)
      || tab.finding.isAwaitingRow && tab.results.rowWindow.destination != nil
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
      .freezeColumn, .moveColumnLeft, .moveColumnRight, .wider, .narrower, .columns, .export, .pipe,
      .outside, .edit, .delete, .facets,
      .paneEntity, .explain, .findNext,
      .findPrevious:
      true
    case .nextPane, .previousPane, .paneNamespaces, .paneSchema, .paneQuery, .paneResults, .back,
      .forward, .allColumns, .filterText, .queryText, .orderText, .relations, .marks, .deleteMarked,
      .clearFilters,
      .reset, .limit, .undo, .redo, .spelling, .form, .hold, .pause, .changes,
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
