import InstaQL
package import TerminalUI
import Triples

// Keys, and what they are for wherever one is.
extension Model {
  /// Whether an event is to be kept until there is something to see: keys and clicks that came before
  /// the first answer, but for those that leave or suspend the program.
  ///
  /// - Parameter kept: What came before it and was kept: behind a key that opens a line, the letter that
  ///   leaves is a part of what is typed.
  package func mustWait(_ event: TerminalEvent, after kept: [TerminalEvent] = []) -> Bool {
    guard isStarting else { return false }
    switch event {
    case .key(let key):
      switch preferences.keymap.intent(for: key, in: listening) {
      case .quit: return kept.contains(where: opensLine)
      case .interrupt, .suspend, .redraw: return false
      // What takes long enough to be told of can be used to look around in the help.
      case .help, .nextTheme, .themes: return store.opening == nil
      default: return store.opening == nil || tab.overlays.isEmpty
      }
    case .mouse, .paste: return true
    case .focus, .resize, .wake, .resumed, .terminate, .hangup: return false
    }
  }

  /// Whether one types into a line after a key.
  private func opensLine(_ event: TerminalEvent) -> Bool {
    if case .key(let key) = event { opensLine(key) } else { false }
  }

  func opensLine(_ key: Key) -> Bool {
    preferences.keymap.intent(for: key, in: listening).map {
      [.palette, .find, .filterText, .queryText, .orderText, .limit, .saveQuery, .edit, .add]
        .contains($0)
    } ?? false
  }

  /// Whether the first answer is still to come.
  private var isStarting: Bool {
    guard let catalog, !beginning.isAwaited else { return true }
    return tab.results.content == .loading && tabs.isFirstWatch
      && !catalog.schema.namespaces.isEmpty
  }

  mutating func press(_ key: Key) -> [Effect] {
    let (said, offered) = (notice, refused)
    let isTyping = prompt != nil
    notice = nil
    giveUpFarewell()
    let effects = press(key, saidLast: said)
    keepSaying(said, offering: offered, after: key, typing: isTyping)
    return effects
  }

  private mutating func press(_ key: Key, saidLast said: Notice?) -> [Effect] {
    if prompt != nil { return press(inPrompt: key) }
    if bringsBack(key, saidLast: said) {
      bringBackRefused()
      return []
    }
    if let kept = keepAhead(key) { return kept }
    let isCancel = preferences.keymap.intent(for: key, in: listening) == .cancel
    let canceled = isCancel ? endAwaiting() : []
    return canceled + pressInPanes(key, saidLast: said)
  }

  private mutating func pressInPanes(_ key: Key, saidLast said: Notice?) -> [Effect] {
    if !tab.overlays.isEmpty { return pressInOverlay(key) }
    guard let intent = preferences.keymap.intent(for: key, in: listening) else {
      return sayUnknown(key)
    }
    // That what was said goes away is enough.
    if intent == .cancel, said != nil, !isFindingSeen,
      !requests.isPending(.preparation)
    {
      return []
    }
    return perform(intent) ?? sayUnknown(key)
  }

  /// Carries out what the person wants: first what concerns the whole screen, then the pane in focus;
  /// nil where that has no use for it. What is done in vain says why.
  mutating func perform(_ intent: Intent) -> [Effect]? {
    tab.results.endWish(unless: intent)
    return performAnywhere(intent) ?? performInPane(intent)
  }

  /// Says why something had no effect, where it had none.
  mutating func say(_ outcome: Outcome) -> [Effect] {
    switch outcome {
    case .done: break
    case .nothing(let reason): notice = reason
    }
    return []
  }

  /// Does what does not depend on the pane in focus; nil for what does.
  mutating func performAnywhere(_ intent: Intent) -> [Effect]? {
    switch intent {
    case .quit: return askBeforeQuitting() ?? [.quit(status: 0)]
    case .interrupt: return interrupt()
    case .suspend: return [.suspend]
    case .redraw: return [.redraw]
    case .nextTheme: return [.theme(.next)]
    case .themes: return openThemes()
    case .help:
      open(HelpPane(of: listening))
      return []
    case .cancel: return giveUpPreparing() ?? clearFinding()
    case .nextPane: go(to: tab.focus.next)
    case .previousPane: go(to: tab.focus.previous)
    case .paneNamespaces: go(byNumberTo: .namespaces)
    case .paneSchema: go(byNumberTo: .schema)
    case .paneQuery: go(byNumberTo: .query)
    case .paneResults: go(byNumberTo: .results)
    case .paneEntity, .facets, .changes, .subscriptions, .diagram: return reach(intent)
    case .undo:
      return changeBack(otherwise: .nothingToUndoInQuery) { $0.undo() }
    case .redo:
      return changeBack(otherwise: .nothingToRedo) { $0.redo() }
    case .back: return goBack()
    case .forward: return goForward()
    case .filterText: ask(.filter([]))
    case .queryText: ask(.query)
    case .limit: ask(.limit([]))
    case .orderText: ask(.order([]))
    case .find: startFinding()
    case .findNext: return findNext(1)
    case .findPrevious: return findNext(-1)
    case .explain: return explain(nil)
    case .saveQuery: ask(.saveQuery)
    case .savedQueries:
      return requests.begin(.savedQueries, for: .openSavedQueries)
    case .mouse: return [.toggleMouse]
    case .palette: open(PalettePane())
    case .edit, .add, .delete, .undoTransaction: return edit(intent)
    case .marks: return openMarksMenu()
    case .deleteMarked: return askBeforeDeletingMarked()
    case .pause: return togglePause()
    case .hold: return edit(.hold)
    case .splitLeft, .splitRight, .splitUp, .splitDown: return moveDivider(intent)
    case .callServer: return callServer()
    case .evenSplits: return resetSplits()
    case .zoom: toggleZoom()
    case .newTab: return openTab()
    case .closeTab: return closeTab()
    case .nextTab: return turnTab(forward: true)
    case .previousTab: return turnTab(forward: false)
    case .columns: openUnless(whyNoAnswer, ColumnsPane())
    case .relations: return openRelations()
    case .spelling:
      spelling = spelling.next
      if !isInSight(.query) {
        let name = spelling == .parts ? "parts" : spelling.title
        notice = .spelled(as: name)
      }
    case .form: turnForm()
    case .copy: return openCopyMenu()
    case .export: return openExport()
    case .outside: return openOutsideMenu()
    default: return nil
    }
    return []
  }

  /// Opens the tree of relations of what somebody looks at, which is then shown.
  private mutating func openRelations() -> [Effect] {
    let isLookingAround = tab.overlays.isEmpty && (tab.focus == .namespaces || tab.focus == .schema)
    let effects = isLookingAround ? openChosenNamespace() : []
    openUnless(whyNoQuery, RelationsPane())
    return effects
  }

  /// Opens a pane that has something to show, or says why it has not.
  private mutating func openUnless(_ reason: Notice?, _ pane: any Pane) {
    if let reason { notice = reason } else { open(pane) }
  }

  /// Shows the answer in the next form, and says so where it is not in sight.
  private mutating func turnForm() {
    tab.results.turnForm(page: layout.resultRows)
    let form = tab.results.form.title
    if tab.results.table == nil {
      notice = .willBeShown(as: form)
    } else if !isInSight(.results) {
      notice = .shown(as: form)
    }
  }

  /// Whether a standing pane is shown with nothing above it.
  private func isInSight(_ pane: StandingPane) -> Bool {
    tab.overlays.isEmpty && layout.shows(pane)
  }

  /// Gives up what takes too long; when nothing does, ends the program.
  private mutating func interrupt() -> [Effect] {
    if let effects = giveUpPreparing() ?? giveUpHeldUp() { return effects }
    if counting != nil {
      tab.overlays.removeAll { $0.pane is FacetsPane }
      notice = .countingCanceled
      return []
    }
    guard tab.slowness.isSlow, let watch = tab.watch else {
      return askBeforeQuitting() ?? [.quit(status: 130)]
    }
    tab.watch = nil
    tab.ahead = []
    tab.slowness.isWaiting = false
    tab.results.giveUp()
    notice = .queryCanceled
    return [.stopWatching(watch)]
  }

  /// Goes to a standing pane; what is open above them closes.
  private mutating func go(to pane: StandingPane) {
    guard pane != tab.focus || !tab.overlays.isEmpty else {
      notice = .alreadyFocused(listening.title)
      return
    }
    tab.overlays = []
    tab.focus = pane
    // What is shown alone has more room now than while another pane was.
    if preferences.isLinear || sizes.isZoomed { keepInView() }
  }

  /// The same by its number, which pressed once more leads back to where one was.
  private mutating func go(byNumberTo pane: StandingPane) {
    let before = tab.focus
    if pane == before, tab.overlays.isEmpty, let back = tab.focusBefore, back != pane {
      go(to: back)
    } else {
      go(to: pane)
    }
    tab.focusBefore = before
  }

  /// Goes to a pane that opens above the standing ones, and from it back to where one was.
  private mutating func reach(_ intent: Intent) -> [Effect] {
    if listening.intent == intent {
      closeOverlay()
      return []
    }
    // One that is open beneath others comes up as it was left.
    if let index = tab.overlays.lastIndex(where: { $0.pane.focus.intent == intent }) {
      tab.overlays.append(tab.overlays.remove(at: index))
      return []
    }
    switch intent {
    case .paneEntity: return openEntity()
    case .facets: return showFacets()
    case .changes:
      open(ChangesPane(showing: withUnsent?.entries.isEmpty == false ? .unsent : .everything))
    case .subscriptions: open(SubscriptionsPane())
    case .diagram: open(DiagramPane())
    default: break
    }
    return []
  }

  private mutating func performInPane(_ intent: Intent) -> [Effect]? {
    guard let catalog else {
      notice = .loading
      return []
    }
    switch tab.focus {
    case .namespaces:
      return intent == .open
        ? openChosenNamespace() : go(.by(intent), in: .namespaces).map { say($0) }
    case .schema:
      guard intent == .open, let namespace = chosenNamespace else {
        return go(.by(intent), in: .schema).map { say($0) }
      }
      guard let link = tab.schema.link(of: namespace, in: catalog) else {
        return say(.nothing(because: .notALink))
      }
      return goIn(QueryPlan(link.target))
    case .query:
      guard intent == .open else { return nil }
      ask(.query)
      return []
    case .results: return performInResults(intent)
    }
  }
}
