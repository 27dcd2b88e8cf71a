import InstaQL
import LiveQueries
import Notebooks
import Triples

// The query that is shown, the ones before it, and the trail between them.
extension Model {
  /// Shows another query's answer, beginning at its top.
  mutating func show(_ composer: Composer, place: ResultsPane.Place? = nil) -> [Effect] {
    isViewNew = true
    dropAhead()
    let isSameNamespace = tab.composer?.plan.namespace == composer.plan.namespace
    tab.composer = composer
    measureQuery()
    tab.results.expect(keepingPlace: isSameNamespace && place == nil)
    tab.results.arrange(
      columns[composer.plan.namespace] ?? ColumnSettings(), page: layout.resultRows)
    if let place { tab.results.restore(place, page: layout.resultRows) }
    if let catalog {
      moveInNamespaces { [page = layout.namespaceRows] in
        $0.choose(composer.plan.namespace, catalog: catalog, page: page)
      }
    }
    refreshOverlays()
    // A namespace as such is no query that one would look for again.
    let plan = composer.plan
    let record =
      plan == QueryPlan(plan.namespace) ? [] : [Effect.save(.history(QueryDocument(plan).text))]
    return recallColumns() + watchQuery() + record
  }

  /// Asks how the columns were shown the last time, once for each namespace.
  private mutating func recallColumns() -> [Effect] {
    guard let namespace = shownNamespace, columns[namespace] == nil else { return [] }
    columns[namespace] = ColumnSettings()
    return requests.begin(.columns(namespace: namespace), for: .showColumns(namespace: namespace))
  }

  /// Shows the columns of a namespace as they were the last time, unless they were arranged since.
  mutating func show(_ settings: ColumnSettings, of namespace: String) {
    guard columns[namespace]?.isStandard != false else { return }
    columns[namespace] = settings
    guard namespace == shownNamespace else { return }
    tab.results.arrange(settings, page: layout.resultRows)
    refreshOverlays()
  }

  /// Begins anew with the query as it is now.
  private mutating func watchQuery() -> [Effect] {
    guard let plan = tab.composer?.plan else { return [] }
    tab.held = nil
    tab.slowness.isWaiting = false
    tab.slowness.isWaiting = true
    tab.results.stretching = Stretching()
    return watch(plan, tab.results.stretching.asked)
  }

  /// Ends the watch of the tab and begins another one.
  mutating func watch(_ plan: QueryPlan, _ stretch: AnswerView.Stretch) -> [Effect] {
    let stop = tab.watch.map { [Effect.stopWatching($0)] } ?? []
    let token = tabs.nextToken()
    tab.watch = token
    // What is held back was an answer to what is asked no more.
    tab.held?.newest = nil
    return stop + [.watch(QueryDocument(plan), token, stretch)]
  }

  /// Changes the query; nothing happens when the change changes nothing.
  mutating func changeQuery(_ edit: (inout QueryPlan) -> Void) -> [Effect] {
    guard var composer = tab.composer else { return [] }
    let before = composer.plan
    composer.change(edit)
    guard composer.plan != before else { return [] }
    return show(composer)
  }

  mutating func changeBack(
    otherwise reason: Notice, _ step: (inout Composer) -> Bool
  ) -> [Effect] {
    guard var composer = tab.composer, step(&composer) else {
      notice = reason
      return []
    }
    return show(composer)
  }

  /// Moves the cursor of the namespaces; the schema of another one is shown from its beginning.
  mutating func moveInNamespaces<Moved>(_ move: (inout NamespacesPane) -> Moved) -> Moved {
    let before = namespaces.cursor.index
    let moved = move(&namespaces)
    if namespaces.cursor.index != before { tab.schema.reset() }
    return moved
  }

  /// Shows the rows of the namespace under the cursor, as they were left when they were shown before.
  mutating func openChosenNamespace() -> [Effect] {
    tab.focus = .results
    guard let name = chosenNamespace, name != shownNamespace else { return [] }
    let stop = tab.trail.begin(in: name, from: here)
    tab.overlays = []
    return stop.map { show($0) } ?? show(Composer(QueryPlan(name)))
  }

  /// What is shown, as it is left.
  private var here: Trail.Stop? {
    tab.composer.map { Trail.Stop(composer: $0, place: tab.results.place, overlays: tab.overlays) }
  }

  /// Shows what was left, with the panes that were open above it.
  private mutating func show(_ stop: Trail.Stop) -> [Effect] {
    let effects = show(stop.composer, place: stop.place)
    tab.overlays = stop.overlays
    refreshOverlays()
    return effects
  }

  /// Shows `plan` so that `back` returns to the present view.
  mutating func goIn(_ plan: QueryPlan) -> [Effect] {
    tab.trail.goIn(from: here)
    tab.overlays = []
    tab.focus = .results
    return show(Composer(plan), place: ResultsPane.Place())
  }

  mutating func goBack() -> [Effect] {
    guard let stop = tab.trail.goBack(from: here) else {
      notice = .noEarlierView
      return []
    }
    return show(stop)
  }

  /// Goes back to a name of the way: a view that one came through, or before all of them the store.
  mutating func goBack(steps: Int) -> [Effect] {
    guard steps <= tab.trail.behind.count else {
      (tab.overlays, tab.focus) = ([], .namespaces)
      return []
    }
    tab.focus = .results
    guard let stop = tab.trail.goBack(steps: steps, from: here) else {
      tab.overlays = []
      return []
    }
    return show(stop)
  }

  mutating func goForward() -> [Effect] {
    guard let stop = tab.trail.goForward(from: here) else {
      notice = .noLaterView
      return []
    }
    return show(stop)
  }
}
