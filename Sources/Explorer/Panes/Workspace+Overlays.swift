import LiveQueries
import TerminalUI
import Triples
import Widgets

// Opens panes above the main panes. The pane that was opened last has the focus.
extension Workspace {
  var focusedPane: PaneTraits { tab.overlays.last?.pane.traits ?? tab.focus.traits }

  mutating func open(_ pane: any Pane) {
    guard pane.traits != focusedPane || !pane.traits.isAlone else {
      notice = .alreadyOpen(focusedPane.title)
      return
    }
    // If the same pane is open below others, the new pane replaces it.
    if pane.traits.isAlone { tab.overlays.removeAll { $0.pane.traits == pane.traits } }
    tab.overlays.append(Overlay(pane))
    refreshOverlays()
  }

  mutating func closeOverlay() {
    if let resumed = tab.overlays.popLast()?.resumedPrompt { prompt = resumed }
  }

  /// Returns the context for the open pane at an index: what the pane can read of the screen.
  func context(of index: Int) -> PaneContext {
    let pane = tab.overlays[index].pane
    let layout = layout
    return context(
      of: pane, in: settings.isScreenReader ? layout.middle : layout.area(of: pane.place))
  }

  /// Returns the context for a pane in an area, which includes the pane's border.
  func context(of pane: any Pane, in area: Rect) -> PaneContext {
    let inner = area.inset(by: 1)
    let catalog = catalog(for: pane)
    // Highlights contain handles, which denote other entities in another store.
    let isShown = catalog.map {
      tab.results.shown?.snapshot.store.isIdentical(to: $0.store) == true
    }
    let search = pane.isSearch ? known.flatMap { pane.query(in: $0) } : nil
    return PaneContext(
      catalog: catalog, plan: tab.plan,
      table: tab.results.table, columns: tab.results.columnsHere,
      found: search.flatMap { store.sideQueries.answer(to: $0) },
      failure: search.flatMap { store.sideQueries.failure(of: $0)?.message },
      settings: settings,
      keys: KeyNames(keymap: settings.keymap, focus: pane.traits),
      standing: tab.focus,
      below: tab.overlays.last { $0.pane.traits != pane.traits }?.pane.traits ?? tab.focus.traits,
      log: store.log, now: tab.results.shown, then: tab.results.origin,
      staged: changes.staged.all,
      marked: markedCount,
      readOnlyReason: store.readOnlyReason,
      commands: commandOffers,
      page: max(1, inner.rows),
      width: inner.columns,
      highlights: isShown == true ? tab.results.highlights : ChangeHighlights(),
      isTyping: prompt != nil
    )
  }

  /// Updates the open panes after data or size changed.
  mutating func refreshOverlays() {
    for index in tab.overlays.indices { update(paneAt: index) { $0.refresh(in: $1) } }
  }

  /// Changes the open pane at an index, and returns the result. A pane that gets another size by
  /// the change also adapts to it.
  @discardableResult
  mutating func update<Result>(
    paneAt index: Int, _ change: (inout any Pane, PaneContext) -> Result
  ) -> Result {
    let (before, place) = (context(of: index), tab.overlays[index].pane.place)
    let result = change(&tab.overlays[index].pane, before)
    if tab.overlays[index].pane.place != place {
      let context = context(of: index)
      tab.overlays[index].pane.refresh(in: context)
    }
    return result
  }

  mutating func updatePane<Kind: Pane>(
    _ kind: Kind.Type, _ news: (inout Kind, PaneContext) -> Void
  ) {
    for index in tab.overlays.indices {
      update(paneAt: index) { pane, context in
        guard var changed = pane as? Kind else { return }
        news(&changed, context)
        pane = changed
      }
    }
  }

  /// Passes a response to the panes that can show it.
  mutating func deliver(_ response: Response) {
    for index in tab.overlays.indices {
      let news = update(paneAt: index) { $0.receive(response, in: $1) }
      if let news { notice = news }
    }
  }

  /// Calls the top pane and performs the actions that it returns.
  ///
  /// Nil if no pane is open, or if the top pane does not handle the call.
  mutating func askOverlay(_ request: (inout any Pane, PaneContext) -> [PaneAction]?) -> [Effect]? {
    guard let index = tab.overlays.indices.last,
      let actions = update(paneAt: index, request)
    else { return nil }
    return actions.flatMap { perform($0) }
  }

  mutating func perform(_ action: PaneAction) -> [Effect] {
    switch action {
    case .close: closeOverlay()
    case .show(let news): notice = news
    case .open(let overlay): open(overlay.pane)
    case .perform(let command):
      closeOverlay()
      // The pane below performs the command as if its own key had been pressed.
      if let effects = askOverlay({ $0.handle(command, in: $1) }) { return effects }
      if mayPass(command), let effects = perform(command) { return effects }
      notice = .notAvailable(in: focusedPane.title)
    case .drillDown(let plan): return drillDown(plan)
    case .change(let plan): return apply(plan)
    case .keepWords(let text): keepWords(ofQuery: text)
    case .ask(let purpose): ask(purpose)
    case .compose(let purpose, let field):
      prompt = PromptPane(purpose, field)
      checkPrompt()
    case .arrange(let settings): return arrange(settings)
    case .send(let steps, let summary):
      switch send(steps, summary) {
      case .success(let effects): return effects
      case .failure(let refusal): notice = refusal.notice
      }
    case .delete(let deletion, let canBeUndone, let isKnownWhole):
      return carryOut(deletion.request, canBeUndone: canBeUndone, isKnownWhole: isKnownWhole)
    case .request(let request, let purpose): return requests.begin(request, for: purpose)
    case .openStore(let listing): return openStore(listing)
    case .stopExport: return requests.stop(.export)
    case .fill(let linked): fill(linked)
    case .type(let target, let attribute, let text): typeValue(of: target, attribute, text)
    case .set(let attribute, let value, let target): return set(attribute, to: value, of: target)
    case .edit(let command, let target): return edit(command, target)
    case .filter(let target): return filterByField(target)
    case .explain(let entity): return explain(entity)
    case .editPrompt: return editPrompt(isAlone: true)
    case .prepare(let what): return prepare(what)
    case .export(let form, let scope, let columns, let path, let isReplacing):
      return export(form, scope, columns, path: path, isReplacing: isReplacing)
    case .mark(let which): return mark(which)
    case .setBaseline: setBaseline()
    case .run(let command): return run(command)
    case .trustProject(let file): return trust(file)
    case .expand(let link, inAllRows: true): return expandAll(link)
    case .expand(let link, inAllRows: false):
      return include(link) ?? report(tab.results.expand(link, page: layout.resultRows))
    case .reach(let label): tab.results.reach(columnOf: label)
    case .jump(let label, let namespace):
      if goToField(label) { return [] }
      tab.focus = .results
      if namespace == nil, tab.results.chooseNested(columnOf: label) { return [] }
      return (namespace ?? shownNamespace).map { showColumn(label, of: $0) } ?? []
    case .effect(let effect): return [effect]
    }
    return []
  }

  /// The namespace of the open record; nil if none is open.
  var namespaceOfRecord: String? { (tab.overlays.last?.pane as? EntityPane)?.namespace }

  /// Moves the cursor of the open record to a field. Returns false if no record is open.
  private mutating func goToField(_ label: String) -> Bool {
    guard let index = tab.overlays.indices.last,
      var record = tab.overlays[index].pane as? EntityPane
    else { return false }
    if let line = record.lines.firstIndex(where: { $0.source?.label == label }) {
      record.go(to: line, in: context(of: index))
      tab.overlays[index].pane = record
    }
    return true
  }

  /// Handles a key if a pane is open above the main panes.
  mutating func pressInOverlay(_ key: Key) -> [Effect] {
    if let effects = askOverlay({ $0.type(key, in: $1) }) { return effects }
    let command = settings.keymap.command(for: key, in: focusedPane)
    // Any key closes the help, even a key without a binding.
    guard let command = command ?? (focusedPane == .help ? .cancel : nil) else {
      return runCommand(of: key) ?? reportUnknownKey(key)
    }
    if let effects = askOverlay({ $0.handle(command, in: $1) }) { return effects }
    switch command {
    case .cancel, .quit, .interrupt, .back:
      if let effects = giveUpPreparing() { return effects }
      closeOverlay()
      return []
    default:
      let effects = mayPass(command) ? performAnywhere(command) : nil
      return effects ?? reportUnknownKey(key)
    }
  }

  /// Returns whether the panes below may handle a command that the top pane does not handle.
  ///
  /// They may not change a row that the top pane covers. Below a dialog, only commands for the
  /// whole program are allowed.
  private func mayPass(_ command: Command) -> Bool {
    if focusedPane.isDialog { return PaneTraits.throughDialogs.contains(command) }
    return tab.overlays.isEmpty
      || !focusedPane.ignores(command) && !PaneTraits.changing.contains(command)
  }

  mutating func reportUnknownKey(_ key: Key) -> [Effect] {
    if let prompt { return notify(.unusedKey(key, in: prompt.title, .press(.escape, "cancel"))) }
    let hint: Command =
      if focusedPane.isDialog {
        // A dialog must be answered first.
        .cancel
      } else if focusedPane == .namespaces,
        settings.keymap.command(for: key, in: .results) != nil
      {
        // The key works in the results of the namespace.
        .open
      } else {
        .help
      }
    let title = focusedPane == .menu ? "this menu" : focusedPane.title
    return notify(.unusedKey(key, in: title, .key(hint)))
  }

  /// Returns whether the open panes from the index `first` on hide an area, so that it need not be
  /// drawn.
  func isCovered(_ area: Rect, from first: Int = 0, in layout: Layout) -> Bool {
    tab.overlays.dropFirst(first).contains {
      layout.visibleArea(of: $0.pane.place)?.contains(area) == true
    }
  }

  func drawOverlays(into frame: inout Frame, layout: Layout) {
    for index in tab.overlays.indices {
      let pane = tab.overlays[index].pane
      guard let area = layout.visibleArea(of: pane.place),
        !isCovered(area, from: index + 1, in: layout)
      else { continue }
      let isTop = index == tab.overlays.count - 1 && prompt == nil
      let context = context(of: pane, in: area)
      let inner = draw(pane, into: &frame, area: area, context, isFocused: isTop)
      if isTop || prompt?.purpose == .find, let lines = pane as? any FindablePane {
        lines.drawMatches(
          of: tab.finding.marked(in: pane.traits), into: &frame, area: inner, context: context)
      }
    }
  }

  /// Draws a pane in a box with its title.
  ///
  /// - Parameter continues: Whether the box shares its upper border with the box above.
  /// - Returns: The area inside the box.
  @discardableResult
  func draw(
    _ pane: any Pane, into frame: inout Frame, area: Rect, _ context: PaneContext,
    isFocused: Bool, continues: Bool = false
  ) -> Rect {
    frame.fill(area, Paint(.text))
    let section = PanelStack.Section(
      title: pane.title(in: context), key: number(of: pane.traits),
      remark: pane.remark(in: context), isFocused: isFocused, rows: area.rows - 2)
    let panel = PanelStack(area: area, sections: [section], continues: continues)
    let inner = panel.draw(into: &frame)[0]
    pane.draw(into: &frame, area: inner, context: context)
    pane.drawMore(into: &frame, area: inner, context: context)
    return inner
  }

  var keys: KeyNames {
    KeyNames(keymap: settings.keymap, focus: focusedPane, isTyping: prompt != nil)
  }

  /// The keys of the main pane with the focus. An open pane does not change the hints below it.
  var mainKeys: KeyNames {
    KeyNames(keymap: settings.keymap, focus: tab.focus.traits, isTyping: prompt != nil)
  }
}
