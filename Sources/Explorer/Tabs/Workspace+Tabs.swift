import InstaQL
import TerminalUI

// Opens, closes and switches tabs.
extension Workspace {
  /// The names of the tabs of this store: the saved name of a tab's query, or its namespace. Tabs of
  /// the same namespace also name their conditions. A tab without a query has an empty name.
  var tabNames: [String] {
    let plans = tabs.plans
    let names = plans.map { plan in plan.map { session.queryNames[$0] ?? $0.namespace } ?? "" }
    guard let catalog else { return names }
    func withCondition(_ place: Int, isTyped: Bool) -> String {
      guard let plan = plans[place], names[place] == plan.namespace,
        let condition = plan.condition, names.count(where: { $0 == plan.namespace }) > 1
      else { return TextWidth.truncated(names[place], to: Self.maxTabNameWidth) }
      let text = catalog.reading(
        condition, of: plan.namespace, isTyped: isTyped, words: session.typedWords)
      return TextWidth.truncated("\(plan.namespace) \(text)", to: Self.maxConditionTabWidth)
    }
    let titles = names.indices.map { withCondition($0, isTyped: false) }
    return titles.indices.map { place in
      // Conditions on different rows with the same label look alike, unless they name the keys.
      let isUnique = !titles.indices.contains { other in
        titles[other] == titles[place] && plans[other]?.condition != plans[place]?.condition
      }
      return isUnique ? titles[place] : withCondition(place, isTyped: true)
    }
  }

  static let maxTabNameWidth = 16
  /// The maximum width of a tab's name with a condition, in columns.
  static let maxConditionTabWidth = 24

  /// Prepares the current tab for being hidden.
  private mutating func leaveTab() -> [Effect] {
    if screen.queue.target != .store { screen.queue = InputQueue() }
    // When the user returns, the cursor of the namespaces is on the namespace of the results.
    if chosenNamespace != shownNamespace { tab.schema = SchemaPane() }
    return forgetFinding()
  }

  /// Opens a new tab that shows the query of the current tab.
  mutating func openTab() -> [Effect] {
    guard let plan = tab.plan else { return notify(missingQueryReason) }
    guard tabs.count < TabStrip.maxCount else {
      return notify(.tooManyTabs(limit: TabStrip.maxCount))
    }
    let place = tab.results.place
    let stop = leaveTab()
    tabs.open(focus: tab.focus)
    notice = .tabOpened(others.tabsBefore + tabs.place + 1)
    return stop + show(QueryHistory(plan), place: place)
  }

  /// Closes the current tab. If it is the only one, closes the store, unless no other store is
  /// open.
  mutating func closeTab() -> [Effect] {
    guard tabs.count > 1 else {
      if !others.isEmpty { return closeStore() }
      return notify(.onlyTab)
    }
    let stop =
      (tab.watch.map { [Effect.stopWatching($0)] } ?? [])
      + requests.cancel(.explanation(tab: tab.id)) + leaveTab()
    tabs.close()
    return stop + showCurrentTab()
  }

  /// Switches to the next or previous tab, across all stores. The first tab follows the last one.
  mutating func switchTab(forward: Bool) -> [Effect] {
    let place = tabs.place + (forward ? 1 : -1)
    if !(0..<tabs.count).contains(place), let next = forward ? others.next : others.previous {
      return [.workspace(.show(next.id, tab: forward ? 0 : next.tabs.count - 1))]
    }
    guard tabs.count > 1 else { return notify(.onlyTab) }
    return showTab((place + tabs.count) % tabs.count)
  }

  /// Switches to the tab of this store at a position, from 0.
  mutating func showTab(_ place: Int) -> [Effect] {
    guard place != tabs.place, (0..<tabs.count).contains(place) else { return [] }
    let stop = leaveTab()
    tabs.show(place)
    return stop + showCurrentTab()
  }

  /// Updates the tab that has become the current one.
  private mutating func showCurrentTab() -> [Effect] {
    session.isViewNew = true
    let page = layout.resultRows
    if let namespace = shownNamespace {
      tab.results.arrange(session.columns[namespace] ?? tab.results.settings, page: page)
      namespaces.choose(namespace, page: layout.namespaceRows)
    }
    tab.results.scroll(by: 0, page: page)
    refreshOverlays()
    // Pending responses belong to the previous tab.
    let canceled = cancelOpeningSavedQueries() + requests.cancel(.location)
    store.sideQueries.explainRequest = nil
    guard tab.watch == nil, let queryHistory = tab.queryHistory else {
      // The response to its request was lost while the tab was not shown, so the request is
      // repeated.
      tab.results.locator?.isAsked = false
      let renewed = renewTimes()
      return canceled + (renewed.isEmpty ? seek() + recount() : renewed)
    }
    // The open panes stay as they were; showing a query would close them.
    let overlays = tab.overlays
    defer { tab.overlays = overlays }
    return canceled + show(queryHistory, place: tab.results.place)
  }
}
