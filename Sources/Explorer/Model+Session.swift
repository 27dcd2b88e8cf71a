import InstaQL
package import Notebooks
import Triples

/// What was remembered from an earlier run.
package struct Recollection: Sendable, Equatable {
  let view: LastView
  let splits: [String: Int]

  package init(view: LastView = LastView(), splits: [String: Int] = [:]) {
    self.view = view
    self.splits = splits
  }
}

// Coming back to where one was: the tabs, each with its query, its trail and its cursor.
extension Model {
  /// Takes in what was remembered; what comes after the first time is not waited for any more.
  mutating func take(_ recollection: Recollection) -> [Effect] {
    guard awaitsRecollection else { return [] }
    awaitsRecollection = false
    recollectionDeadline = nil
    splits = Splits(kept: recollection.splits)
    lastTime = recollection.view
    return catalog.map { begin(in: $0) } ?? []
  }

  /// Begins without what is remembered when that does not come in time.
  mutating func waitForRecollection(_ now: ContinuousClock.Instant) -> [Effect] {
    guard awaitsRecollection else { return [] }
    guard let deadline = recollectionDeadline else {
      recollectionDeadline = now + .milliseconds(500)
      return []
    }
    return now < deadline ? [] : take(Recollection())
  }

  /// Shows what was shown the last time; nil where there is nothing to come back to.
  mutating func restore(in catalog: Catalog) -> [Effect]? {
    guard let view = lastTime else { return nil }
    lastTime = nil
    let views = view.tabs ?? view.query.map { [TabView(query: $0, cursor: view.cursor)] } ?? []
    var all = views.prefix(Self.mostTabs).map { Self.tab($0, in: catalog) }
    let shown = view.shown.flatMap { all.indices.contains($0) ? $0 : nil } ?? 0
    // A query that the schema of today does not know is left out.
    guard all.indices.contains(shown), let tab = all[shown], let composer = tab.composer else {
      return nil
    }
    tabs.before = all[..<shown].compactMap { $0 }
    all.removeFirst(shown + 1)
    tabs.after = all.compactMap { $0 }
    trail = tab.trail
    let isPlain = composer.plan == QueryPlan(composer.plan.namespace)
    if !isPlain || !trail.isEmpty {
      focus = .results
      notice = Notice(text: "As you left it the last time; sonde --fresh begins anew")
    }
    return show(composer, place: tab.results.place)
  }

  private static func tab(_ view: TabView, in catalog: Catalog) -> Tab? {
    guard let plan = plan(view, in: catalog) else { return nil }
    var results = ResultsPane()
    results.restore(place(view), page: 1)
    return Tab(
      focus: .results, composer: Composer(plan), schema: SchemaPane(), results: results,
      trail: view.trail.compactMap { stop in
        Self.plan(stop, in: catalog).map { Stop(composer: Composer($0), place: place(stop)) }
      })
  }

  private static func plan(_ view: TabView, in catalog: Catalog) -> QueryPlan? {
    let document = try? QueryDocument(text: view.query, schema: catalog.schema)
    return document?.plans.first
  }

  private static func place(_ view: TabView) -> ResultsPane.Place {
    ResultsPane.Place(entity: view.cursor.map { EntityID($0) }, column: max(0, view.column))
  }

  // MARK: Remembering

  /// What is to be remembered before these effects are carried out.
  mutating func keepView(before effects: [Effect]) -> [Effect] {
    let ends = effects.contains {
      if case .quit = $0 { true } else { false }
    }
    guard isViewNew || ends, let composer else { return [] }
    isViewNew = false
    let shown = Self.view(of: composer, results.place, trail: trail)
    let before = tabs.before.compactMap(Self.view)
    return [
      .keepView(
        LastView(
          query: shown.query, cursor: shown.cursor,
          tabs: before + [shown] + tabs.after.compactMap(Self.view), shown: before.count))
    ]
  }

  private static func view(of tab: Tab) -> TabView? {
    tab.composer.map { view(of: $0, tab.results.place, trail: tab.trail) }
  }

  private static func view(
    of composer: Composer, _ place: ResultsPane.Place, trail: [Stop]
  ) -> TabView {
    TabView(
      query: QueryDocument(composer.plan).text, cursor: place.entity?.text, column: place.column,
      trail: trail.suffix(longestTrail).map { view(of: $0.composer, $0.place, trail: []) })
  }

  /// Views of a trail that are remembered.
  private static let longestTrail = 50
}
