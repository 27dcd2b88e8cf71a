import InstaQL
import LiveQueries
import TerminalUI
import Triples
import Widgets

// Opens, closes and switches tabs.
extension Workspace {
  /// The maximum number of tabs of a store, so that users can still tell them apart.
  static let maxTabs = 20

  /// A copy of the current tab to keep while another tab is shown.
  private var shownTab: Tab {
    var shown = tab
    shown.queuedKeys = []
    // When the user returns, the cursor of the namespaces is on the namespace of the results.
    if chosenNamespace != shownNamespace { shown.schema = SchemaPane() }
    return shown
  }

  /// Opens a new tab that shows the query of the current tab.
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
    notice = .tabOpened(others.tabsBefore + tabs.before.count + 1)
    return stop + show(QueryHistory(plan), place: place)
  }

  /// Closes the current tab. If it is the only one, closes the store, unless no other store is
  /// open.
  mutating func closeTab() -> [Effect] {
    guard tabs.count > 1 else {
      if !others.isEmpty { return closeStore() }
      notice = .onlyTab
      return []
    }
    let stop =
      (tab.watch.map { [Effect.stopWatching($0)] } ?? [])
      + requests.cancel(.explanation(tab: tab.id))
    if let next = tabs.after.first {
      tabs.after.removeFirst()
      return stop + activate(next)
    }
    return tabs.before.popLast().map { stop + activate($0) } ?? stop
  }

  /// Switches to the next or previous tab, across all stores. The first tab follows the last one.
  mutating func switchTab(forward: Bool) -> [Effect] {
    let place = tabs.before.count + (forward ? 1 : -1)
    if !(0..<tabs.count).contains(place), let next = forward ? others.next : others.previous {
      return [.workspace(.show(next.id, tab: forward ? 0 : next.tabs.count - 1))]
    }
    guard tabs.count > 1 else {
      notice = .onlyTab
      return []
    }
    return showTab((place + tabs.count) % tabs.count)
  }

  /// Switches to the tab of this store at a position, from 0.
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
    // Pending responses belong to the previous tab.
    let canceled = cancelOpeningSavedQueries() + requests.cancel(.location)
    sideQueries.explainQuery = nil
    guard tab.watch == nil, let queryHistory = tab.queryHistory else {
      // The response to its request was lost while the tab was not shown, so the request is
      // repeated.
      tab.results.locator?.isAsked = false
      return stop + canceled + seek() + recount()
    }
    // The open panes stay as they were; showing a query would close them.
    let overlays = tab.overlays
    defer { tab.overlays = overlays }
    return stop + canceled + show(queryHistory, place: tab.results.place)
  }
}
