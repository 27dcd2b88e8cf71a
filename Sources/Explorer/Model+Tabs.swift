import InstaQL
import LiveQueries
import TerminalUI
import Triples

/// All that one tab has for itself: its query with what can be undone, its trail and where its cursor is.
struct Tab: Sendable, Equatable {
  var focus: StandingPane
  var composer: Composer?
  var schema: SchemaPane
  var results: ResultsPane
  var overlays: [Overlay] = []
  var trail = Trail()
  /// Nil while the query was never asked.
  var watch: WatchToken?
  var held: Model.Held?
  var slowness = Slowness()

  /// As the header calls it.
  var name: String { composer?.plan.namespace ?? "" }
}

/// The tabs that are not shown, at the left and at the right of the one that is.
struct TabStrip: Sendable, Equatable {
  var before: [Tab] = []
  var after: [Tab] = []

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
    if held != nil, results.table != nil {
      held?.newest = result
    } else {
      results.receive(result, page: page)
    }
  }
}

// Opening, closing and turning tabs.
extension Model {
  /// More would no longer be told apart.
  static let mostTabs = 20

  /// The tab that is shown, as it is put aside.
  private var shownTab: Tab {
    Tab(
      focus: focus, composer: composer,
      // Coming back, the namespaces stand where the results are from.
      schema: chosenNamespace == shownNamespace ? schema : SchemaPane(),
      results: results, overlays: overlays, trail: trail, watch: watch,
      held: held, slowness: slowness)
  }

  /// Another tab that begins with the query of this one.
  mutating func openTab() -> [Effect] {
    guard let plan = composer?.plan else {
      notice = Notice(text: "The store is still loading")
      return []
    }
    guard tabs.count < Self.mostTabs else {
      notice = Notice(text: "\(Self.mostTabs) tabs are open: \(key(.closeTab)) closes one")
      return []
    }
    let place = results.place
    tabs.before.append(shownTab)
    clearTab()
    notice = Notice(
      text: "Tab \(tabs.before.count + 1): \(key(.previousTab)) \(key(.nextTab)) turn, "
        + "\(key(.closeTab)) closes it")
    return show(Composer(plan), place: place)
  }

  mutating func closeTab() -> [Effect] {
    let stop = watch.map { [Effect.stopWatching($0)] } ?? []
    if let next = tabs.after.first {
      tabs.after.removeFirst()
      return stop + bring(next)
    }
    guard let last = tabs.before.popLast() else {
      notice = Notice(
        text: "This is the only tab: \(key(.newTab)) opens another, \(key(.quit)) quits")
      return []
    }
    return stop + bring(last)
  }

  /// Shows the tab beside this one; after the last comes the first.
  mutating func turnTab(forward: Bool) -> [Effect] {
    guard tabs.count > 1 else {
      notice = Notice(text: "This is the only tab: \(key(.newTab)) opens another")
      return []
    }
    let index = tabs.before.count
    return showTab((index + (forward ? 1 : -1) + tabs.count) % tabs.count)
  }

  /// Shows a tab by its place, from 0.
  mutating func showTab(_ place: Int) -> [Effect] {
    var all = tabs.before + [shownTab] + tabs.after
    guard all.indices.contains(place), place != tabs.before.count else { return [] }
    tabs.before = Array(all[..<place])
    tabs.after = Array(all[(place + 1)...])
    all = [all[place]]
    return bring(all[0])
  }

  /// Makes a tab the one that is shown.
  private mutating func bring(_ tab: Tab) -> [Effect] {
    isViewNew = true
    clearTab()
    focus = tab.focus
    composer = tab.composer
    schema = tab.schema
    results = tab.results
    overlays = tab.overlays
    trail = tab.trail
    (watch, held, slowness) = (tab.watch, tab.held, tab.slowness)
    let page = layout.resultRows
    if let namespace = shownNamespace {
      results.arrange(columns[namespace] ?? results.settings, page: page)
      if let catalog {
        namespaces.choose(namespace, catalog: catalog, page: layout.namespaceRows)
      }
    }
    results.show(unsent, page: page)
    results.scroll(by: 0, page: page)
    refreshOverlays()
    guard watch == nil, let composer else { return [] }
    let (place, overlays) = (results.place, overlays)
    let effects = show(composer, place: place)
    self.overlays = overlays
    return effects
  }

  /// Nothing of the tab that was shown stays.
  private mutating func clearTab() {
    finding.look(for: TextPattern())
    results = ResultsPane()
    results.show(unsent, page: layout.resultRows)
    schema.reset()
    overlays = []
    trail = Trail()
    (watch, held, slowness) = (nil, nil, Slowness())
    composer = nil
  }

  /// The key that says an intent here, for a sentence; its name in the palette where it has none.
  func key(_ intent: Intent) -> String {
    keymap.keys(for: intent, in: listening).first?.name ?? ": \(intent.label)"
  }
}

// The tabs in the header.
extension Model {
  /// A tab's name in the header and the columns that it takes there.
  struct TabTitle: Equatable {
    let place: Int
    let text: String
    let columns: Range<Int>
    let isShown: Bool
  }

  /// The tabs as the header names them from `column` on; where they do not fit, only which one is
  /// shown, and nothing while there is one.
  func tabTitles(from column: Int, width: Int) -> [TabTitle] {
    guard tabs.count > 1 else { return [] }
    let shown = tabs.before.count
    let names = tabs.before.map(\.name) + [shownNamespace ?? ""] + tabs.after.map(\.name)
    var titles: [TabTitle] = []
    var start = column
    for (place, name) in names.enumerated() {
      let words = "\(place + 1) \(TextWidth.truncated(name, to: Self.longestTabName))"
      let text = place == shown ? "[\(words)]" : " \(words) "
      let end = start + TextWidth.columns(of: text)
      titles.append(
        TabTitle(place: place, text: text, columns: start..<end, isShown: place == shown))
      start = end
    }
    if start <= column + width { return titles }
    let text = "[tab \(shown + 1) of \(tabs.count)]"
    return [
      TabTitle(
        place: shown, text: text, columns: column..<column + TextWidth.columns(of: text),
        isShown: true)
    ]
  }

  private static let longestTabName = 16
}
