import InstaQL
import LiveQueries
import TerminalUI
import Triples

/// The tabs that are not shown, at the left and at the right of the one that is.
struct TabStrip: Sendable, Equatable {
  var before: [Tab] = []
  var after: [Tab] = []

  private var lastToken = 0

  /// A name for another watch, be it of any tab.
  mutating func nextToken() -> WatchToken {
    lastToken += 1
    return WatchToken(number: lastToken)
  }

  private var lastTabID = 0

  /// An id for another tab.
  mutating func nextTabID() -> Int {
    lastTabID += 1
    return lastTabID
  }

  /// Whether the newest watch is the first.
  var isFirstWatch: Bool { lastToken == 1 }

  /// With the one that is shown.
  var count: Int { before.count + 1 + after.count }

  /// An answer for a tab that is not shown: it is there when the tab is.
  mutating func receive(_ result: LiveResult, for token: WatchToken, page: Int) {
    if let index = before.firstIndex(where: { $0.watch == token }) {
      before[index].receive(result, page: page)
    } else if let index = after.firstIndex(where: { $0.watch == token }) {
      after[index].receive(result, page: page)
    }
  }
}

extension Tab {
  fileprivate mutating func receive(_ result: LiveResult, page: Int) {
    if case .loading = result {} else { slowness.isWaiting = false }
    if !hold(result) { results.receive(result, page: page) }
  }
}

// Opening, closing and turning tabs.
extension Model {
  /// More would no longer be told apart.
  static let mostTabs = 20

  /// The tab that is shown, as it is put aside.
  private var shownTab: Tab {
    var shown = tab
    shown.ahead = []
    // Coming back, the namespaces stand where the results are from.
    if chosenNamespace != shownNamespace { shown.schema = SchemaPane() }
    return shown
  }

  /// Another tab that begins with the query of this one.
  mutating func openTab() -> [Effect] {
    guard let plan = tab.composer?.plan else {
      notice = whyNoQuery
      return []
    }
    guard tabs.count < Self.mostTabs else {
      notice = .tooManyTabs(limit: Self.mostTabs)
      return []
    }
    let place = tab.results.place
    tabs.before.append(shownTab)
    let stop = forgetFinding()
    tab = Tab(focus: tab.focus, id: tabs.nextTabID())
    tab.results.show(onTop, page: layout.resultRows)
    notice = .tabOpened(tabs.before.count + 1)
    return stop + show(Composer(plan), place: place)
  }

  mutating func closeTab() -> [Effect] {
    let stop =
      (tab.watch.map { [Effect.stopWatching($0)] } ?? [])
      + requests.cancel(.explanation(tab: tab.id))
    if let next = tabs.after.first {
      tabs.after.removeFirst()
      return stop + bring(next)
    }
    guard let last = tabs.before.popLast() else {
      notice = .onlyTab
      return []
    }
    return stop + bring(last)
  }

  /// Shows the tab beside this one; after the last comes the first.
  mutating func turnTab(forward: Bool) -> [Effect] {
    guard tabs.count > 1 else {
      notice = .onlyTab
      return []
    }
    let index = tabs.before.count
    return showTab((index + (forward ? 1 : -1) + tabs.count) % tabs.count)
  }

  /// Shows a tab by its place, from 0.
  mutating func showTab(_ place: Int) -> [Effect] {
    let all = tabs.before + [shownTab] + tabs.after
    guard all.indices.contains(place), place != tabs.before.count else { return [] }
    tabs.before = Array(all[..<place])
    tabs.after = Array(all[(place + 1)...])
    return bring(all[place])
  }

  /// Makes a tab the one that is shown.
  private mutating func bring(_ next: Tab) -> [Effect] {
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
    tab.results.show(onTop, page: page)
    tab.results.scroll(by: 0, page: page)
    refreshOverlays()
    // What is told now would be of the tab that was left.
    let canceled = cancelOpeningSavedQueries() + requests.cancel(.location)
    beside.doubt = nil
    guard tab.watch == nil, let composer = tab.composer else {
      // What was found meanwhile was told to nobody.
      tab.results.quest?.isAsked = false
      return stop + canceled + seek() + recount()
    }
    // What is open is as it was left, whatever the query has to say.
    let overlays = tab.overlays
    defer { tab.overlays = overlays }
    return stop + canceled + show(composer, place: tab.results.place)
  }
}
