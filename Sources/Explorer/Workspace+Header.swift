import InstaQL
import LiveQueries
import TerminalUI
import Triples

// Draws the first line: tabs, breadcrumbs and freshness.
extension Workspace {
  func drawHeader(into frame: inout Frame, area: Rect) {
    frame.fill(area, Paint(.titleBar, on: .titleBar))
    frame.write("sonde", row: 0, column: 1, paint: Paint(.titleBarName, on: .titleBar))
    if let labelText {
      frame.write(
        labelText, row: 0, column: 6 + Self.headerGap, paint: Paint(.text, on: .storeLabel))
    }
    let (tabs, crumbs, room, state) = header
    for title in tabs {
      frame.write(
        title.text, row: 0, column: title.columns.lowerBound, width: title.columns.count,
        // The current tab has its own background, since its letters are unreadable on the bar in
        // some themes.
        paint: title.isShown ? Paint(.tabActive) : Paint(.tab, on: .titleBar))
    }
    frame.write(
      "  " + crumbs.text, row: 0, column: room.lowerBound - Self.headerGap,
      width: room.count + Self.headerGap, paint: Paint(.crumb, on: .titleBar))
    let stateWidth = TextWidth.columns(of: state.text)
    frame.write(
      state.text, row: 0, column: max(0, area.columns - stateWidth - 1), width: stateWidth,
      paint: Paint(state.role, on: .titleBar))
  }

  /// The titles of tabs, the breadcrumbs with the columns for them, and the text at the right end.
  private var header:
    (tabs: [TabTitle], crumbs: Breadcrumbs, room: Range<Int>, state: (text: String, role: Role))
  {
    let state = stateText
    let stateWidth = TextWidth.columns(of: state.text)
    let tabs = headerTabs(stateWidth: stateWidth)
    let start = (tabs.last?.columns.upperBound ?? nameEnd) + Self.headerGap
    let room = start..<max(start, size.columns - stateWidth - Self.headerGap)
    return (tabs, breadcrumbs(width: room.count), room, state)
  }

  /// The label of the store, padded with spaces; nil if it has none.
  private var labelText: String? {
    store.label.map { " \(TextWidth.truncated($0, to: Self.maxLabelWidth)) " }
  }

  private static let maxLabelWidth = 20

  var headerTabs: [TabTitle] { header.tabs }

  /// Returns the titles of tabs. They use at most half of the free space. If they also name the
  /// stores, they use two thirds, or all that the breadcrumbs leave.
  private func headerTabs(stateWidth: Int) -> [TabTitle] {
    guard hasSeveralStores || tabs.count > 1 else { return [] }
    let start = nameEnd + Self.headerGap
    let free = size.columns - start - stateWidth
    guard hasSeveralStores else { return tabTitles(from: start, width: free / 2) }
    let crumbs = TextWidth.columns(of: breadcrumbs(width: free).text)
    return tabTitles(from: start, width: max(free * 2 / 3, free - crumbs - 2 * Self.headerGap))
  }

  /// The column after the program's name and the store's label.
  private var nameEnd: Int {
    6 + (labelText.map { TextWidth.columns(of: $0) + Self.headerGap } ?? 0)
  }

  private static let headerGap = 2

  /// The breadcrumbs with their columns in the header.
  var headerCrumbs: [Breadcrumbs.Name] {
    let (_, crumbs, room, _) = header
    return crumbs.names.map { name in
      let start = room.lowerBound + name.columns.lowerBound
      let columns = (start..<start + name.columns.count).clamped(to: room)
      return Breadcrumbs.Name(stepsBack: name.stepsBack, columns: columns)
    }
  }

  /// Returns the breadcrumbs that fit. If they are long, names in the middle are omitted.
  ///
  /// They begin with the store, unless the tabs of several stores name it.
  private func breadcrumbs(width: Int) -> Breadcrumbs {
    let history = tab.history
    let way = history.behind
    let (name, shown, catalog) = (store.identity.name, tab.plan, catalog)
    let words = session.typedWords
    // The store has the place -1, and the current view has the last place.
    let places =
      (hasSeveralStores ? 0 : -1)..<(shownNamespace == nil ? way.count : way.count + 1)
    let names = places.lazy.map { place in
      if place < 0 { return name }
      let plan = place < way.count ? way[place].queryHistory.plan : shown
      let previous = place > 0 ? way[place - 1].queryHistory.plan : nil
      return plan.map {
        Self.breadcrumb(
          of: $0, after: previous, isCurrent: place == way.count, in: history, catalog, words)
      } ?? ""
    }
    let input = BreadcrumbsInput(names, count: places.count, width: width)
    return screen.breadcrumbs(of: input) { Breadcrumbs(of: names, width: width) }
  }

  /// Returns the name of a view: its namespace, or the conditions that it adds to those of a
  /// previous view of the same namespace, such as `kind = login` for the rows of a group.
  ///
  /// The current view also names the row whose link was followed to it: `cities of Kenya`.
  private static func breadcrumb(
    of plan: QueryPlan, after previous: QueryPlan?, isCurrent: Bool,
    in history: NavigationHistory, _ catalog: Catalog?, _ words: TypedWords
  ) -> String {
    guard let catalog, let previous, previous.namespace == plan.namespace else {
      guard isCurrent,
        let source = plan.condition?.conjuncts.lazy.compactMap({ history.source(of: $0) }).first
      else { return plan.namespace }
      return TextWidth.truncated("\(plan.namespace) of \(source)", to: maxConditionWidth)
    }
    let old = previous.condition?.conjuncts ?? []
    let added = (plan.condition?.conjuncts ?? []).filter { !old.contains($0) }
    guard let first = added.first else { return plan.namespace }
    let reading = catalog.reading(
      added.count == 1 ? first : .all(added), of: plan.namespace, isTyped: false, words: words)
    let text = added.reduce(reading) { text, condition in
      guard case .compare(let path, _, _) = condition, let label = history.source(of: condition)
      else { return text }
      return text.replacing(condition.text, with: "\(path.links.joined(separator: ".")) = \(label)")
    }
    return TextWidth.truncated(text, to: maxConditionWidth)
  }

  private static let maxConditionWidth = 32

  /// The text at the right end of the header: freshness, access, and pending changes.
  private var stateText: (text: String, role: Role) {
    if store.failure != nil { return ("✕ stale", .stale) }
    if store.isMissing { return ("", .dim) }
    guard let snapshot = catalog?.snapshot else {
      return (store.loadingText, .dim)
    }
    let unconfirmed = snapshot.pending.count + store.blockedCount
    let pendingThere = unconfirmed == 0 ? "" : "  ↑\(unconfirmed) pending"
    let staged = snapshot.pending.changes.reduce(0) { $0 + $1.stagedParts }
    let pendingHere =
      snapshot.pending.isStaging || staged > 0 ? "  ±\(staged) staged" : ""
    let pending = pendingThere + pendingHere
    let count = requests.commands.count
    let running =
      count == 0 ? "" : count == 1 ? "  1 command running" : "  \(count) commands running"
    let access =
      store.readOnlyReason == nil
      ? store.rules.writing.map { "  " + $0 } ?? "" : "  read-only"
    if let held = tab.held, !store.isLoadingRest {
      let changes = NumberText.count(held.changes, "change")
      let waiting = held.changes == 0 ? "" : "  \(changes) waiting"
      return ("‖ paused" + waiting + pending + running + access, .pending)
    }
    let number =
      size.columns < Self.roomForTransaction
      ? "" : snapshot.knownTransaction.map { "  tx \($0)" } ?? ""
    let how =
      size.columns < Self.roomForHow ? "" : snapshot.changeDetection.map { " (\($0))" } ?? ""
    let freshness = tab.results.shown?.snapshot.freshness
    let (state, role): (String, Role) =
      switch store.freshness(of: freshness) ?? snapshot.freshness {
      case _ where store.rules.isSnapshot: ("◌ snapshot" + number, .dim)
      case .live where tab.results.hasFailed, .optimistic where tab.results.hasFailed:
        ("✕ failed" + number, .stale)
      case .loading: (store.loadingText, .dim)
      case .live: ("● live" + how + number, pending.isEmpty ? .live : .pending)
      case .stale where store.isRejected: ("✕ rejected", .stale)
      case .stale: ("✕ stale" + number, .stale)
      case .archived: ("◌ cached" + number, .offline)
      case .optimistic: ("● live", .pending)
      case .connecting: ("… connecting", .dim)
      case .offline: ("✕ offline" + (store.absence.map { " " + $0.since } ?? ""), .offline)
      }
    return (state + pending + running + access, role)
  }

  /// The minimum screen width at which the transaction number is shown.
  private static let roomForTransaction = 64
  /// The minimum screen width at which the way to detect changes is shown.
  private static let roomForHow = 80

  // MARK: Tabs

  /// The title of a tab in the header, with the columns that it occupies.
  struct TabTitle: Equatable {
    /// The position of the tab among the tabs of all stores.
    let place: Int
    let text: String
    let columns: Range<Int>
    let isShown: Bool
  }

  /// The parts of the tabs' titles that the header shows.
  private enum TabDetail: CaseIterable {
    case allTabs
    /// The tabs of the store in front; of other stores only the name.
    case tabsInFront
    /// The names of the stores; for several tabs in front, also the number of the current one.
    case stores
  }

  /// Returns the tabs with their columns in the header, beginning at `column`.
  ///
  /// If they do not fit, tabs of other stores are omitted first. In the end there are only the
  /// current tab and the number of others. Empty if there is only one tab.
  func tabTitles(from column: Int, width: Int) -> [TabTitle] {
    let stores: [(name: String, tabs: [String])] =
      others.before.map { (name: $0.listing.name, tabs: $0.tabs) }
      + [(name: store.identity.name, tabs: tabNames)]
      + others.after.map { (name: $0.listing.name, tabs: $0.tabs) }
    let count = stores.reduce(0) { $0 + $1.tabs.count }
    for detail in hasSeveralStores ? TabDetail.allCases : [.allTabs] {
      let titles = tabTitles(of: stores, detail, from: column)
      if let last = titles.last, last.columns.upperBound <= column + width { return titles }
    }
    return frontTab(others.tabsBefore + tabs.place, of: count, from: column, width: width)
  }

  private func tabTitles(
    of stores: [(name: String, tabs: [String])], _ detail: TabDetail, from column: Int
  ) -> [TabTitle] {
    let shown = others.tabsBefore + tabs.place
    var titles: [TabTitle] = []
    var (place, start) = (0, column)
    func add(_ text: String, isShown: Bool) {
      let end = start + TextWidth.columns(of: text)
      titles.append(TabTitle(place: place, text: text, columns: start..<end, isShown: isShown))
      start = end
    }
    for (index, (store, tabs)) in stores.enumerated() {
      let isFront = index == others.before.count
      let name = TextWidth.truncated(store, to: Self.maxTabNameWidth)
      let line = index == 0 ? "" : "│"
      if detail == .stores || detail == .tabsInFront && !isFront {
        let first = place
        if isFront {
          if index > 0 { add(line, isShown: false) }
          place = shown
          add(tabs.count > 1 ? "[\(shown + 1):\(name)]" : "[\(name)]", isShown: true)
        } else {
          add(line + " \(name) ", isShown: false)
        }
        place = first + tabs.count
        continue
      }
      if hasSeveralStores { add(line + " " + name + (place == shown ? " " : ""), isShown: false) }
      for (index, name) in tabs.enumerated() {
        let words = title(ofTab: place, name)
        let gap = hasSeveralStores && index == tabs.count - 1 ? " " : ""
        add(place == shown ? "[\(words)]\(gap)" : " \(words) ", isShown: place == shown)
        place += 1
      }
    }
    // A line separates the last store's tabs from the breadcrumbs.
    if hasSeveralStores {
      place -= 1
      add("│", isShown: false)
    }
    return titles
  }

  private var hasSeveralStores: Bool { !others.isEmpty }

  /// Returns the number and the name of a tab. A tab without a query has only a number.
  private func title(ofTab place: Int, _ name: String) -> String {
    if name.isEmpty { return "\(place + 1)" }
    // After the name of a store, a number and a space would read as a number of rows.
    let sign = hasSeveralStores ? ":" : " "
    return "\(place + 1)\(sign)\(name)"
  }

  /// Returns titles for the current tab and for the number of other tabs. A click on the number
  /// shows the next tab. Among several stores, the current tab has the name of its store.
  private func frontTab(_ shown: Int, of count: Int, from column: Int, width: Int) -> [TabTitle] {
    let more = " +\(count - 1) \(count == 2 ? "tab" : "tabs")"
    let room = width - TextWidth.columns(of: "[\(shown + 1):]" + more)
    let name = hasSeveralStores ? store.identity.name : tabNames[tabs.place]
    let limit = min(
      hasSeveralStores ? Self.maxTabNameWidth : Self.maxConditionTabWidth,
      max(Self.minTabNameWidth, room))
    let text = "[\(title(ofTab: shown, TextWidth.truncated(name, to: limit)))]"
    let end = column + TextWidth.columns(of: text)
    return [
      TabTitle(place: shown, text: text, columns: column..<end, isShown: true),
      TabTitle(
        place: (shown + 1) % count, text: more, columns: end..<end + more.count, isShown: false),
    ]
  }

  private static let minTabNameWidth = 4
}
