import InstaQL
package import TerminalUI
import Triples

// Queues input for data that has not arrived yet: the catalog of the store, the rows of a query, a
// match of a search.
extension Workspace {
  /// Queues an event if it must wait. Returns nil if the event can be handled now.
  mutating func queue(_ event: TerminalEvent) -> [Effect]? {
    if case .key(let key) = event, !screen.queue.isEmpty,
      settings.keymap.command(for: key, in: focusedPane) == .cancel
    {
      screen.queue = InputQueue()
      return notify(.queuedKeysDiscarded)
    }
    return mustWait(event) ? queue(.event(event)) : nil
  }

  /// Performs a command as soon as the rows are loaded. An example is a command for a column of a
  /// namespace that was just opened.
  mutating func performWhenLoaded(_ command: Command) -> [Effect] {
    isAwaitingRows || showsBeginning
      ? queue(.command(command)) : notify(missingResultReason)
  }

  /// Returns whether a command must wait for rows although keys of the focused pane do not, or for
  /// all rows while only the first ones are loaded.
  func mustWaitForRows(_ command: Command) -> Bool {
    if showsBeginning, command.needsAllRows { return true }
    return isAwaitingRows && command.needsRows && tab.overlays.isEmpty && otherNamespace == nil
  }

  private mutating func queue(_ input: InputQueue.Input) -> [Effect] {
    guard !screen.queue.isFull else { return notify(.queueFull) }
    let target = awaitedData ?? (isAwaitingRows ? .rows : .allRows)
    screen.queue.append(input, for: target, at: keyPlace)
    switch screen.queue.target {
    // The screen shows that the store is loading.
    case .store: return []
    case .rows, .newRows, .allRows, .match: return notify(.keysQueued(screen.queue.inputs.count))
    case .choices: return notify(focusedPane == .export ? .stillNaming : .stillSearching)
    }
  }

  /// Discards the queued input, because its rows will not be loaded. Input that waits for the store
  /// is kept.
  mutating func discardQueuedInput() {
    guard !screen.queue.isEmpty, screen.queue.target != .store else { return }
    screen.queue = InputQueue()
    notice = .queuedKeysDiscarded
  }

  /// Handles the queued input once its data has arrived. If loading failed, or if another pane has
  /// the focus by now, discards it.
  mutating func handleQueuedInput() -> [Effect] {
    let queue = screen.queue
    guard !queue.isEmpty else { return [] }
    let isLeft = queue.target != .store && (prompt != nil || queue.place != keyPlace)
    guard isReady(queue.target, isLeft: isLeft) else { return [] }
    screen.queue = InputQueue()
    notice = nil
    if isLeft { return notify(.queuedKeysDiscarded) }
    if queue.target.isRows, tab.results.table == nil { return [] }
    // If the data for one input has not arrived, it is queued again, with all inputs after it.
    return queue.inputs.flatMap { handle($0) }
  }

  /// Returns whether queued input can be handled, or must be discarded because its pane was left.
  private func isReady(_ target: InputQueue.Target, isLeft: Bool) -> Bool {
    switch target {
    // Once the store is there, each input waits only for the rows that it needs itself.
    case .store: awaitedData != .store
    // Commands for rows also wait in panes whose keys do not.
    case .rows, .allRows:
      awaitedData == nil && (isLeft || !isAwaitingRows && (target == .rows || !showsBeginning))
    case .newRows, .match, .choices: awaitedData == nil
    }
  }

  private mutating func handle(_ input: InputQueue.Input) -> [Effect] {
    switch input {
    case .event(let event): return update(event)
    case .command(let command):
      return awaitedData == nil && screen.queue.isEmpty
        ? perform(command) ?? [] : queue(input)
    }
  }

  /// Returns whether an event must wait, because its data has not arrived or because earlier input
  /// waits.
  package func mustWait(_ event: TerminalEvent) -> Bool {
    guard let data = awaitedData ?? (screen.queue.isEmpty ? nil : screen.queue.target) else {
      return false
    }
    switch event {
    case .key(let key):
      let isLetter = focusedPane.takesTyping && key.typed != nil
      let command = isLetter ? nil : settings.keymap.command(for: key, in: focusedPane)
      return !reopens(key, saidLast: notice) && mustWait(command, for: data)
    case .paste: return data == .store || !screen.queue.isEmpty
    // The tabs of other stores can be clicked.
    case .mouse(let mouse):
      return data == .store && (others.isEmpty || mouse.row != layout.header.row)
    case .focus, .resize, .wake, .resumed, .terminate, .hangup: return false
    }
  }

  private func mustWait(_ command: Command?, for data: InputQueue.Target) -> Bool {
    switch command {
    case .cancel, .interrupt, .suspend, .redraw: return false
    // If a queued key opens a line, the quit key is a letter of that line.
    case .quit: return screen.queue.inputs.contains(where: opensLine)
    default: break
    }
    switch data {
    case .store: return command.map(mustWaitForStore) ?? true
    case .rows, .newRows, .allRows, .match, .choices:
      return !screen.queue.isEmpty || command.map { needs(data, $0) } == true
    }
  }

  private func mustWaitForStore(_ command: Command) -> Bool {
    switch command {
    case .callServer: false
    // The user can read the help while the store is opened.
    case .help, .nextTheme, .themes: store.loading == nil
    // The user can switch to another open store without waiting for this store.
    case .stores: store.loading == nil && others.isEmpty
    case .nextTab, .previousTab, .closeTab: others.isEmpty
    default: true
    }
  }

  /// Returns whether a command needs data that has not arrived. Until a match is found, the cursor
  /// can still be moved, and the search can be continued from another row.
  private func needs(_ data: InputQueue.Target, _ command: Command) -> Bool {
    switch data {
    case .store: true
    case .rows: command.isForRows
    case .allRows: command.needsAllRows
    // The cursor can be moved in the previous rows, but what it opens is one of the new rows.
    case .newRows: command == .open || command == .paneEntity
    case .match:
      command.isForRows && command.steps(page: layout.resultRows) == 0 && command != .findNext
        && command != .findPrevious
    case .choices: command == .open
    }
  }

  private func opensLine(_ input: InputQueue.Input) -> Bool {
    guard case .event(.key(let key)) = input else { return false }
    return settings.keymap.command(for: key, in: focusedPane)?.opensLine == true
  }

  /// The data for which input for the focused pane waits; nil if the data is there.
  private var awaitedData: InputQueue.Target? {
    // The list of stores and, while a slow store is opened, the help can be used.
    if isStarting, focusedPane != .stores {
      return store.isMissing || store.loading != nil && !tab.overlays.isEmpty ? nil : .store
    }
    guard prompt == nil else { return nil }
    if let top = tab.overlays.last?.pane { return top.awaitsMatches ? .choices : nil }
    guard tab.focus == .results else { return nil }
    return isAwaitingRows ? .rows : isAwaitingMatch ? .match : isAwaitingNewRows ? .newRows : nil
  }

  /// Whether the catalog or the session has not arrived yet. The first query may take long, so
  /// input does not wait for its answer.
  private var isStarting: Bool { catalog == nil || session.startup.isAwaited }

  /// Whether a search of the results is running, or its match is still loading.
  private var isAwaitingMatch: Bool {
    requests.isPending(.search)
      || tab.results.rowWindow.destination?.isMatch == true
  }

  /// Whether the first rows of the current query are still loading, and no shown row can be one of
  /// them.
  private var isAwaitingRows: Bool {
    guard catalog != nil, tab.watch != nil else { return false }
    return tab.results.content == .loading
      || isAwaitingNewRows && tab.results.table?.isSummary != tab.plan?.isSummary
  }

  /// Whether the rows of the previous query are shown until those of the current one are loaded.
  private var isAwaitingNewRows: Bool { tab.latency.isWaiting && tab.results.table != nil }
}

extension InputQueue.Target {
  fileprivate var isRows: Bool { self == .rows || self == .newRows || self == .allRows }
}

extension Command {
  /// Whether the command acts on rows regardless of the focused pane.
  fileprivate var needsRows: Bool { needsAllRows || self == .copy || self == .paneEntity }

  /// Whether the command opens a line in which letters are typed.
  fileprivate var opensLine: Bool {
    switch self {
    case .palette, .find, .filterText, .queryText, .orderText, .limit, .saveQuery, .edit, .add: true
    default: false
    }
  }

  /// Whether the command needs loaded rows, because it acts on a row, a cell, a column or all rows.
  fileprivate var isForRows: Bool {
    switch self {
    case .up, .down, .left, .right, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .first, .last,
      .firstColumn, .lastColumn, .open, .peek, .expand, .fold, .expandAll, .filterByCell,
      .excludeCell, .order, .orderFurther, .group, .aggregate, .mark, .hideColumn, .fitColumn,
      .freezeColumn, .moveColumnLeft, .moveColumnRight, .wider, .narrower, .columns, .export,
      .pipe, .outside, .edit, .delete, .facets, .paneEntity, .explain, .findNext, .findPrevious:
      true
    case .nextPane, .previousPane, .paneNamespaces, .paneSchema, .paneQuery, .paneResults, .back,
      .forward, .allColumns, .filterText, .queryText, .orderText, .relations, .marks,
      .deleteMarked, .clearFilters, .reset, .limit, .undo, .redo, .spelling, .form, .hold, .pause,
      .changes, .subscriptions, .diagram, .themes, .splitLeft, .splitRight, .splitUp, .splitDown,
      .evenSplits, .zoom, .newTab, .add, .copy, .closeTab, .nextTab, .previousTab, .stores,
      .undoTransaction, .redoTransaction, .find, .saveQuery, .savedQueries, .mouse, .palette,
      .callServer, .nextTheme, .help, .cancel, .suspend, .redraw, .quit, .interrupt:
      false
    }
  }
}
