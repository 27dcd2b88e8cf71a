import InstaQL
import TerminalUI

// Performs the commands of keys.
extension Workspace {
  mutating func press(_ key: Key) -> [Effect] {
    let (said, offered) = (notice, changes.rejectedEdit)
    let isTyping = prompt != nil
    notice = nil
    let followed = endRest(before: key)
    cancelDeletionPreview()
    let effects = followed + press(key, saidLast: said)
    retainError(said, offering: offered, after: key, typing: isTyping)
    return effects
  }

  private mutating func press(_ key: Key, saidLast said: Notice?) -> [Effect] {
    if prompt != nil { return press(inPrompt: key) }
    if reopens(key, saidLast: said) {
      reopenRejectedEdit()
      return []
    }
    let isCancel = settings.keymap.command(for: key, in: focusedPane) == .cancel
    let canceled = isCancel ? endAwaiting() : []
    return canceled + pressInPanes(key, saidLast: said)
  }

  private mutating func pressInPanes(_ key: Key, saidLast said: Notice?) -> [Effect] {
    if !tab.overlays.isEmpty { return pressInOverlay(key) }
    guard let command = settings.keymap.command(for: key, in: focusedPane) else {
      return runCommand(of: key) ?? reportUnknownKey(key)
    }
    // The key dismissed the notice, and has no other effect.
    if command == .cancel, said != nil, !isFindingSeen,
      !requests.isPending(.backgroundWork)
    {
      return []
    }
    return perform(command) ?? reportUnknownKey(key)
  }

  /// Performs a command, for the whole screen or else in the focused pane.
  ///
  /// Nil if neither supports the command. For a command without effect, shows the reason.
  mutating func perform(_ command: Command) -> [Effect]? {
    tab.results.clearDestination(unless: command)
    return performAnywhere(command) ?? performInPane(command)
  }

  mutating func report(_ result: InputResult) -> [Effect] {
    switch result {
    case .done: break
    case .noEffect(let reason): notice = reason
    }
    return []
  }

  /// Performs a command that does not depend on the focused pane; nil for any other command.
  mutating func performAnywhere(_ command: Command) -> [Effect]? {
    if mustWaitForRows(command) { return performWhenLoaded(command) }
    switch command {
    case .quit: return askBeforeQuitting() ?? [.quit(status: 0)]
    case .interrupt: return interrupt()
    case .suspend: return [.suspend]
    case .redraw: return [.redraw]
    case .nextTheme: return [.theme(.next)]
    case .themes: return requests.begin(.themes, for: .themes, from: keyPlace)
    case .help: openHelp()
    case .cancel: return giveUpPreparing() ?? endPreview() ?? clearFinding()
    case .undo: return changeBack(otherwise: nothingToUndoInQuery) { $0.undo(from: $1) }
    case .redo: return changeBack(otherwise: .nothingToRedo) { $0.redo(from: $1) }
    case .back: return goBack()
    case .forward: return goForward()
    case .filterText: ask(filterHere.purpose)
    case .clearFilters: return clearFilters()
    case .queryText: ask(.query)
    case .limit: ask(.limit([]))
    case .orderText: ask(.order([]))
    case .find: startFinding()
    case .findNext: return findNext(1)
    case .findPrevious: return findNext(-1)
    case .explain: return explain(nil)
    case .saveQuery: ask(.saveQuery)
    case .savedQueries:
      return requests.begin(.savedQueries, for: .savedQueries, from: keyPlace)
    case .mouse: return [.mouse(isOn: nil)]
    case .palette:
      open(PalettePane(columnsOf: namespaceOfRecord ?? otherNamespace))
      return requests.begin(.savedQueries, for: .savedQueries)
        + requests.begin(.themes, for: .themes)
    case .edit, .add, .delete, .undoTransaction, .redoTransaction, .hold: return edit(command)
    case .marks: return openMarksMenu()
    case .deleteMarked: return askBeforeDeletingMarked()
    case .pause: return togglePause()
    case .callServer: return callServer()
    case .columns: openUnless(missingResultReason, ColumnsPane(at: columnAtCursor))
    case .relations: return openRelations()
    case .spelling:
      session.spelling = session.spelling.next
      tab.queryLines.reset()
      measureQuery()
      keepInView()
      if !isInSight(.query) {
        let name = session.spelling == .text ? "text" : session.spelling.title
        notice = .spelled(as: name)
      }
    case .form: cycleFormat()
    case .copy: return openCopyMenu()
    case .export: return openExport()
    case .pipe: return openExport(piping: true)
    case .outside: return openOutsideMenu()
    default: return performOnPanes(command)
    }
    return []
  }

  /// Opens the help of the focused pane.
  private mutating func openHelp() {
    let pane = tab.overlays.last?.pane
    let keymap = settings.keymap
    let taken = (pane as? MenuPane).map { menu in
      keymap.rows(in: focusedPane).flatMap(\.keys).filter { menu.actions(for: $0, keymap) != nil }
    }
    let help = HelpPane(of: focusedPane, without: Set(taken ?? [])) {
      pane?.label(of: $0) ?? tab.focus.traits.label(of: $0)
    }
    open(help)
  }

  /// Performs a command for panes and tabs; nil for any other command.
  private mutating func performOnPanes(_ command: Command) -> [Effect]? {
    switch command {
    case .nextPane: go(to: tab.focus.next)
    case .previousPane: go(to: tab.focus.moved(by: -1))
    case .paneNamespaces: go(to: .namespaces)
    case .paneSchema: go(to: .schema)
    case .paneQuery: go(to: .query)
    case .paneResults: go(to: .results)
    case .paneEntity, .facets, .changes, .subscriptions, .diagram: return reach(command)
    case .splitLeft, .splitRight, .splitUp, .splitDown: return moveDivider(command)
    case .evenSplits: return resetSplits()
    case .zoom: toggleZoom()
    case .stores: return openStores()
    case .newTab: return openTab()
    case .closeTab: return closeTab()
    case .nextTab: return switchTab(forward: true)
    case .previousTab: return switchTab(forward: false)
    default: return nil
    }
    return []
  }

  /// Opens the tree of relations. If the namespaces or the schema have the focus, first opens the
  /// namespace at the cursor.
  private mutating func openRelations() -> [Effect] {
    let isLookingAround = tab.overlays.isEmpty && (tab.focus == .namespaces || tab.focus == .schema)
    let effects = isLookingAround ? openChosenNamespace() : []
    let isSummary = tab.plan?.isSummary == true
    openUnless(missingQueryReason ?? (isSummary ? .rowIsGroup : nil), RelationsPane())
    return effects
  }

  /// Opens a pane, or shows the reason why it cannot open.
  private mutating func openUnless(_ reason: Notice?, _ pane: any Pane) {
    if let reason { notice = reason } else { open(pane) }
  }

  /// Switches to the next form of the results. If they are hidden, a notice names the new form.
  private mutating func cycleFormat() {
    let expandsOthers = tab.results.expandsOtherRelations
    tab.results.show(as: tab.results.form.next, page: layout.resultRows)
    let form = tab.results.form.title
    if tab.results.table == nil {
      notice = .willBeShown(as: form)
    } else if !isInSight(.results) {
      notice = .shown(as: form)
    } else if expandsOthers {
      notice = .onlyIncluded
    }
  }

  /// Returns whether a main pane is visible and no pane is open above the main panes.
  private func isInSight(_ pane: MainPane) -> Bool { tab.overlays.isEmpty && layout.shows(pane) }

  /// Cancels the operation in progress. If there is none, exits the program.
  private mutating func interrupt() -> [Effect] {
    if let effects = giveUpPreparing() ?? cancelBlocked() ?? cancelCommand() { return effects }
    // Canceling the loading of one store closes only this store.
    if catalog == nil, !others.isEmpty { return closeStore() }
    if counting != nil {
      tab.overlays.removeAll { $0.pane is FacetsPane }
      return notify(.countingCanceled)
    }
    guard tab.latency.isSlow, let watch = tab.watch else {
      return askBeforeQuitting() ?? [.quit(status: 130)]
    }
    tab.watch = nil
    screen.queue = InputQueue()
    tab.latency.end()
    tab.results.giveUp()
    notice = .queryCanceled
    return [.stopWatching(watch)]
  }

  /// Focuses a main pane and closes the panes above it.
  private mutating func go(to pane: MainPane) {
    guard pane != tab.focus || !tab.overlays.isEmpty else { return }
    tab.overlays = []
    tab.focus = pane
    // A pane that is shown alone has more space than a pane next to others.
    if settings.isScreenReader || screen.isZoomed { keepInView() }
  }

  /// Opens or focuses the pane of a command. If that pane already has the focus, closes it.
  private mutating func reach(_ command: Command) -> [Effect] {
    if focusedPane.command == command {
      closeOverlay()
      return []
    }
    // If the pane is already open below others, it moves to the top unchanged.
    if let index = tab.overlays.lastIndex(where: { $0.pane.traits.command == command }) {
      tab.overlays.append(tab.overlays.remove(at: index))
      return []
    }
    switch command {
    case .paneEntity: return openEntity()
    case .facets: return countInSchema() ?? showFacets()
    case .changes:
      open(ChangesPane(showing: changes.staged.all.isEmpty ? .everything : .staged))
    case .subscriptions: open(SubscriptionsPane())
    case .diagram: open(DiagramPane())
    default: break
    }
    return []
  }

  private mutating func performInPane(_ command: Command) -> [Effect]? {
    guard catalog != nil else { return notify(.loading) }
    switch (tab.focus, command) {
    case (.namespaces, .open): return openChosenNamespace()
    case (.namespaces, .allColumns): return openAllColumns()
    case (.schema, _): if let effects = performInSchema(command) { return effects }
    case (.query, .open):
      ask(.query)
      return []
    case (.results, _): return performInResults(command)
    case (.namespaces, _), (.query, _): break
    }
    return go(.by(command), in: tab.focus).map { report($0) }
  }
}
