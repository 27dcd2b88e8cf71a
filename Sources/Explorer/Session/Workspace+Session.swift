import InstaQL
import LiveQueries
import Notebooks
import Triples

// Restores a session: its tabs, each with its query, history and cursor.
extension Workspace {
  /// Restores a session, once. A session that arrives late only names tabs.
  mutating func restore(_ restored: RestoredSession) -> [Effect] {
    if !restored.savedQueries.isEmpty { nameQueries(restored.savedQueries) }
    guard session.startup.isAwaited else { return [] }
    session.startup.setLastView(restored.view)
    screen.splits = Splits(kept: restored.splits)
    guard let catalog else { return [] }
    guard canBegin(in: catalog.snapshot) else {
      store.dropBeginning()
      return []
    }
    return begin(in: catalog)
  }

  /// Returns whether a snapshot is sufficient to show the view at startup.
  ///
  /// The beginning of a store that is still loading answers few queries. It may lack fields of
  /// others, and the row of the cursor. Such a view waits until the store is loaded.
  func canBegin(in snapshot: StoreSnapshot) -> Bool {
    guard snapshot.freshness == .loading, !session.startup.isAwaited else { return true }
    let catalog = Catalog(snapshot: snapshot)
    return session.startup.query == nil
      && Self.views(in: session.startup.view).allSatisfy { Self.canShow($0, in: catalog) }
  }

  private static func canShow(_ view: TabView, in catalog: Catalog) -> Bool {
    let others = otherQueries(of: view)
    let cursor = view.cursor.flatMap { EntityPath(kept: $0).first }
    return plan(view, in: catalog)?.isAnsweredByBeginning == true
      && plans(others, in: catalog).count == others.count
      && cursor.map { catalog.store.handle(of: $0) != nil } ?? true
  }

  /// Returns the queries of a tab's undo, redo and history.
  private static func otherQueries(of view: TabView) -> [String] {
    (view.past ?? []) + (view.undone ?? []) + view.trail.map(\.query)
  }

  /// Returns the tabs of a view.
  private static func views(in view: LastView?) -> [TabView] {
    view?.tabs ?? view?.query.map { [TabView(query: $0, cursor: view?.cursor)] } ?? []
  }

  /// Shows the last view of the session. Returns nil if the session has no view.
  mutating func restore(in catalog: Catalog) -> [Effect]? {
    guard let view = session.startup.view.take() else { return nil }
    let views = Self.views(in: view)
    // The current queries come last, because the first days are forgotten first.
    let texts = views.flatMap(Self.otherQueries) + views.map(\.query)
    for text in texts { keepWords(ofQuery: text) }
    var all = views.prefix(TabStrip.maxCount).map { Self.tab($0, in: catalog) }
    for place in all.indices { all[place]?.id = tabs.nextID() }
    // A tab whose query no longer matches the schema is omitted. If it was the current tab, another
    // one is shown.
    let wanted = view.shown.flatMap { all.indices.contains($0) ? $0 : nil } ?? 0
    let shown =
      all.indices.contains(wanted) && all[wanted] == nil
      ? all.firstIndex { $0 != nil } ?? wanted : wanted
    guard all.indices.contains(shown), let first = all[shown], let queryHistory = first.queryHistory
    else {
      if !views.isEmpty { notice = .sessionLost }
      return nil
    }
    tabs.surround(with: all[..<shown].compactMap { $0 }, all[(shown + 1)...].compactMap { $0 })
    tab.restoredPlan = first.restoredPlan
    tab.history = first.history
    tab.results = first.results
    tab.preview = first.preview
    session.restore(view)
    let isPlain = queryHistory.plan == QueryPlan(queryHistory.plan.namespace)
    if !isPlain || !tab.history.behind.isEmpty {
      tab.focus = .results
      // The title of the query says so, too. A notice from the start, such as about a wrong setting,
      // is more important.
      notice = notice ?? .sessionRestored
    }
    return show(queryHistory, place: first.results.place)
  }

  private static func tab(_ view: TabView, in catalog: Catalog) -> Tab? {
    guard let plan = plan(view, in: catalog) else { return nil }
    var results = ResultsPane()
    results.restore(place(view, of: plan, in: catalog), page: 1)
    results.form = view.form.flatMap { AnswerForm(rawValue: $0) } ?? .table
    let queryHistory = QueryHistory(
      plan, earlier: plans(view.past, in: catalog), later: plans(view.undone, in: catalog))
    return Tab(
      focus: .results, queryHistory: queryHistory, restoredPlan: plan, results: results,
      preview: view.showsRecord.map { $0 ? .open : .hidden } ?? .onWideScreens,
      history: NavigationHistory(
        behind: view.trail.compactMap { stop in
          Self.plan(stop, in: catalog).map {
            NavigationHistory.Location(
              queryHistory: QueryHistory($0), place: place(stop, of: $0, in: catalog))
          }
        }))
  }

  private static func plans(_ texts: [String]?, in catalog: Catalog) -> [QueryPlan] {
    (texts ?? []).compactMap { plan(TabView(query: $0), in: catalog) }
  }

  private static func plan(_ view: TabView, in catalog: Catalog) -> QueryPlan? {
    let document = try? QueryDocument(text: view.query, schema: catalog.schema)
    return document?.plans.first
  }

  private static func place(
    _ view: TabView, of plan: QueryPlan, in catalog: Catalog
  ) -> ResultsPane.Place {
    var opened: ExpandedLinks = [:]
    // Shorter paths come first, so that a row is expanded before the rows within it.
    let remembered = (view.opened ?? [:]).map {
      (trail: EntityPath(kept: $0.key), labels: $0.value.split(separator: "\t").map(String.init))
    }
    for (trail, labels) in remembered.sorted(by: { $0.trail.count < $1.trail.count }) {
      let outer =
        trail.count == 1 ? [plan.namespace] : (opened[trail.dropLast()] ?? []).map(\.target)
      let links = labels.compactMap { label in
        outer.lazy.compactMap { catalog.schema.link($0, label) }.first
      }
      opened[trail] = links.isEmpty ? nil : links
    }
    return ResultsPane.Place(
      trail: view.cursor.map { EntityPath(kept: $0) } ?? [], column: max(0, view.column),
      opened: opened)
  }

  // MARK: Persisting

  /// Saves the current view if it changed, or if one of the effects ends the program.
  mutating func persistView(before effects: [Effect]) -> [Effect] {
    let ends = effects.contains {
      if case .quit = $0 { true } else { false }
    }
    guard session.isViewNew || ends, let shown = view(of: tab) else { return [] }
    session.isViewNew = false
    let before = tabs.before.compactMap { view(of: $0) }
    let views = before + [shown] + tabs.after.compactMap { view(of: $0) }
    return [.save(.view(session.view(of: views, shown: before.count)))]
  }

  private func view(of tab: Tab) -> TabView? {
    guard let queryHistory = tab.queryHistory else { return nil }
    var view = self.view(of: queryHistory.plan, tab.results.place)
    view.trail = tab.history.behind.suffix(Self.maxHistoryLength).map {
      self.view(of: $0.queryHistory.plan, $0.place)
    }
    if tab.results.form != .table { view.form = tab.results.form.rawValue }
    switch tab.preview {
    case .onWideScreens: break
    case .open: view.showsRecord = true
    case .hidden: view.showsRecord = false
    }
    view.past = texts(of: queryHistory.earlierPlans)
    view.undone = texts(of: queryHistory.laterPlans)
    return view
  }

  private func view(of plan: QueryPlan, _ place: ResultsPane.Place) -> TabView {
    var opened: [String: String] = [:]
    if place.opened.count <= Self.maxExpanded {
      for (trail, links) in place.opened {
        opened[trail.kept] = links.map(\.label).joined(separator: "\t")
      }
    }
    return TabView(
      query: typedText(of: plan), cursor: place.trail.isEmpty ? nil : place.trail.kept,
      column: place.column,
      opened: opened.isEmpty ? nil : opened)
  }

  /// Returns the texts of the newest queries, except very long ones; nil if there are none.
  private func texts(of plans: [QueryPlan]) -> [String]? {
    let texts = plans.suffix(Self.maxUndoCount).map { typedText(of: $0) }
      .filter { $0.utf8.count <= Self.maxQueryBytes }
    return texts.isEmpty ? nil : texts
  }

  private static let maxHistoryLength = 50
  /// The maximum number of queries to save for undo, and for redo. All are parsed at startup.
  private static let maxUndoCount = 20
  private static let maxQueryBytes = 4_096
  private static let maxExpanded = 200
}

extension EntityPath {
  /// The path as text for saving: ids separated by tabs, with tabs and backslashes escaped.
  fileprivate var kept: String {
    map { id in
      id.text.unicodeScalars.map { scalar in
        scalar == "\\" ? "\\\\" : scalar == "\t" ? "\\t" : String(scalar)
      }.joined()
    }.joined(separator: "\t")
  }

  fileprivate init(kept: String) {
    var ids = [String.UnicodeScalarView()]
    var isEscaped = false
    for scalar in kept.unicodeScalars {
      switch (isEscaped, scalar) {
      case (false, "\\"): isEscaped = true
      case (false, "\t"): ids.append(String.UnicodeScalarView())
      case (true, "t"):
        ids[ids.count - 1].append("\t")
        isEscaped = false
      default:
        ids[ids.count - 1].append(scalar)
        isEscaped = false
      }
    }
    self.init(ids.map { EntityID(String($0)) })
  }
}
