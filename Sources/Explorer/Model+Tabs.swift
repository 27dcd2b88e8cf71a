import InstaQL
import LiveQueries
import TerminalUI
import Triples
import Widgets

// Opening, closing and switching tabs.
extension Model {
  /// The maximum number of tabs; users could not distinguish more.
  static let maxTabs = 20

  /// The current tab in the form in which hidden tabs are kept.
  private var shownTab: Tab {
    var shown = tab
    shown.queuedKeys = []
    // On return, the cursor of the namespaces is at the results' namespace.
    if chosenNamespace != shownNamespace { shown.schema = SchemaPane() }
    return shown
  }

  /// Opens a tab with the query of the current one.
  mutating func openTab() -> [Effect] {
    guard let plan = tab.queryHistory?.plan else {
      notice = missingQueryReason
      return []
    }
    guard tabs.count < Self.maxTabs else {
      notice = .tooManyTabs(limit: Self.maxTabs)
      return []
    }
    let place = tab.results.place
    tabs.before.append(shownTab)
    let stop = forgetFinding()
    tab = Tab(focus: tab.focus, id: tabs.nextTabID())
    notice = .tabOpened(tabs.before.count + 1)
    return stop + show(QueryHistory(plan), place: place)
  }

  mutating func closeTab() -> [Effect] {
    let stop =
      (tab.watch.map { [Effect.stopWatching($0)] } ?? [])
      + requests.cancel(.explanation(tab: tab.id))
    if let next = tabs.after.first {
      tabs.after.removeFirst()
      return stop + activate(next)
    }
    guard let last = tabs.before.popLast() else {
      notice = .onlyTab
      return []
    }
    return stop + activate(last)
  }

  /// Switches to the next or previous tab, cyclically.
  mutating func switchTab(forward: Bool) -> [Effect] {
    guard tabs.count > 1 else {
      notice = .onlyTab
      return []
    }
    let index = tabs.before.count
    return showTab((index + (forward ? 1 : -1) + tabs.count) % tabs.count)
  }

  /// Shows a tab by its position, from 0.
  mutating func showTab(_ place: Int) -> [Effect] {
    let all = tabs.before + [shownTab] + tabs.after
    guard all.indices.contains(place), place != tabs.before.count else { return [] }
    tabs.before = Array(all[..<place])
    tabs.after = Array(all[(place + 1)...])
    return activate(all[place])
  }

  /// Makes a tab the current one.
  private mutating func activate(_ next: Tab) -> [Effect] {
    isViewNew = true
    let stop = forgetFinding()
    tab = next
    tab.results.pattern = TextPattern()
    let page = layout.resultRows
    if let namespace = shownNamespace {
      tab.results.arrange(columns[namespace] ?? tab.results.settings, page: page)
      if let catalog {
        namespaces.choose(namespace, catalog: catalog, page: layout.namespaceRows)
      }
    }
    tab.results.scroll(by: 0, page: page)
    refreshOverlays()
    // Pending responses belong to the tab that is hidden.
    let canceled = cancelOpeningSavedQueries() + requests.cancel(.location)
    sideQueries.explainQuery = nil
    guard tab.watch == nil, let queryHistory = tab.queryHistory else {
      // Its response was lost while the tab was hidden.
      tab.results.locator?.isAsked = false
      return stop + canceled + seek() + recount()
    }
    // Open panes stay as they were, regardless of the query.
    let overlays = tab.overlays
    defer { tab.overlays = overlays }
    return stop + canceled + show(queryHistory, place: tab.results.place)
  }
}
