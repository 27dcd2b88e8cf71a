import InstaQL
import LiveQueries
import Notebooks

// Runs the current query, and navigates between views.
extension Workspace {
  /// Shows the results of another query. Without a `place`, the cursor stays on its entity if the
  /// namespace is the same.
  ///
  /// - Parameter isFollowing: Whether the user did not ask for the query, so that it is not saved as
  ///   a recent one.
  mutating func show(
    _ queryHistory: QueryHistory, place: ResultsPane.Place? = nil, isFollowing: Bool = false
  ) -> [Effect] {
    session.isViewNew = true
    tab.isFollowing = isFollowing
    discardQueuedInput()
    let isSameNamespace = tab.plan?.namespace == queryHistory.plan.namespace
    tab.queryHistory = renewingTimes(in: queryHistory)
    tab.queryLines.reset()
    measureQuery()
    tab.results.expect(
      isSameNamespace: isSameNamespace, keepingPlace: isSameNamespace && place == nil)
    tab.results.arrange(
      session.columns[queryHistory.plan.namespace] ?? ColumnSettings(), page: layout.resultRows)
    if let place { tab.results.restore(place, page: layout.resultRows) }
    moveInNamespaces { $0.choose(queryHistory.plan.namespace, page: $1) }
    refreshOverlays()
    return recallColumns() + watchQuery() + (isFollowing ? [] : recordQuery())
  }

  /// Saves the current query as a recent one. A query without clauses is not worth an entry.
  private func recordQuery() -> [Effect] {
    guard let plan = tab.plan, plan != QueryPlan(plan.namespace) else { return [] }
    return [.save(.history(typedText(of: plan)))]
  }

  /// Requests the saved column settings of the namespace, unless they were requested before.
  private mutating func recallColumns() -> [Effect] {
    guard let namespace = shownNamespace, session.beginRecall(of: namespace) else { return [] }
    return requests.begin(.columns(namespace: namespace), for: .columns(namespace: namespace))
  }

  /// Applies the saved column settings of a namespace, unless the user has changed them in the
  /// meantime.
  mutating func show(_ settings: ColumnSettings, of namespace: String) {
    guard session.recall(settings, of: namespace), namespace == shownNamespace else { return }
    tab.results.arrange(settings, page: layout.resultRows)
    refreshOverlays()
  }

  /// Subscribes to the current query again, from its first row.
  mutating func watchQuery() -> [Effect] {
    guard let plan = tab.plan else { return [] }
    tab.held = nil
    tab.latency.begin()
    tab.results.rowWindow = RowWindow()
    // A large table is sorted to locate a row, which is not needed for another query.
    return requests.cancel(.location) + watch(plan, tab.results.rowWindow.requested)
  }

  /// Replaces the tab's subscription with a subscription to a window of `plan`.
  mutating func watch(_ plan: QueryPlan, _ window: AnswerView.Window) -> [Effect] {
    let stop = tab.watch.map { [Effect.stopWatching($0)] } ?? []
    let token = tabs.nextToken()
    tab.watch = token
    // The held update belongs to a query that is no longer current.
    tab.held?.newest = nil
    return stop + [.watch(QueryDocument(plan), token, window)]
  }

  /// Edits the current query. If the edit changes nothing, the results are not reloaded.
  mutating func changeQuery(_ edit: (inout QueryPlan) -> Void) -> [Effect] {
    guard var queryHistory = tab.queryHistory else { return [] }
    let before = queryHistory.plan
    queryHistory.change(edit)
    guard queryHistory.plan != before else { return [] }
    return show(queryHistory)
  }

  /// Replaces the query with one that the user composed. Relations that it newly includes are
  /// expanded when the rows are loaded.
  mutating func apply(_ plan: QueryPlan) -> [Effect] {
    let before = tab.plan
    let effects = plan.namespace == shownNamespace ? changeQuery { $0 = plan } : drillDown(plan)
    unfoldRelations(since: before)
    return effects
  }

  /// Expands the relations that the query includes, except those of an earlier query, as soon as the
  /// rows are loaded.
  mutating func unfoldRelations(since before: QueryPlan?) {
    guard let plan = tab.plan else { return }
    let known = before?.namespace == plan.namespace ? before?.relationPaths ?? [] : []
    let paths = plan.relationPaths
    tab.results.collapse(known.subtracting(paths))
    tab.results.unfolding = paths.subtracting(known)
  }

  /// Undoes or redoes a change of the query or of its columns.
  mutating func changeBack(
    otherwise reason: Notice,
    _ step: (inout QueryHistory, ColumnSettings) -> QueryHistory.Step?
  ) -> [Effect] {
    guard var queryHistory = tab.queryHistory else { return notify(reason) }
    let columns = session.columns[queryHistory.plan.namespace] ?? ColumnSettings()
    switch step(&queryHistory, columns) {
    case .query?:
      let before = tab.plan
      let effects = show(queryHistory)
      unfoldRelations(since: before)
      return effects
    case .columns(let columns)?:
      tab.queryHistory = queryHistory
      notice = .columnsRestored
      return apply(columns)
    case nil: return notify(reason)
    }
  }

  /// Moves the cursor of the namespaces. If it reaches another namespace, the schema pane is
  /// scrolled to its top.
  ///
  /// - Parameter move: Moves the cursor in a pane with this number of rows.
  mutating func moveInNamespaces<Moved>(
    _ move: (inout NamespacesPane, _ page: Int) -> Moved
  ) -> Moved {
    let (before, page) = (chosenNamespace, layout.namespaceRows)
    let moved = move(&namespaces, page)
    if chosenNamespace != before { tab.schema = SchemaPane() }
    awaitRest()
    return moved
  }

  /// Opens the namespace at the cursor, with the query and the cursor of its last visit.
  mutating func openChosenNamespace() -> [Effect] {
    tab.focus = .results
    guard let name = chosenNamespace, name != shownNamespace else {
      return tab.isFollowing ? recordQuery() : []
    }
    return open(name)
  }

  /// Shows a namespace with the query and the cursor of its last visit.
  ///
  /// - Parameter isFollowing: Whether the cursor rests on the namespace and the user did not open it.
  mutating func open(_ namespace: String, isFollowing: Bool = false) -> [Effect] {
    let stop = tab.history.begin(
      in: namespace, from: here, keepingPath: !isFollowing && !tab.isFollowing)
    tab.overlays = []
    return stop.map { show($0, isFollowing: isFollowing) }
      ?? show(QueryHistory(QueryPlan(namespace)), isFollowing: isFollowing)
  }

  /// The current view as a location in the navigation history; nil if there is no query.
  private var here: NavigationHistory.Location? {
    tab.queryHistory.map {
      NavigationHistory.Location(queryHistory: $0, place: tab.results.place, overlays: tab.overlays)
    }
  }

  /// Shows a previously visited view, including its open panes.
  private mutating func show(
    _ stop: NavigationHistory.Location, isFollowing: Bool = false
  ) -> [Effect] {
    let effects = show(stop.queryHistory, place: stop.place, isFollowing: isFollowing)
    tab.overlays = stop.overlays
    refreshOverlays()
    return effects
  }

  /// Shows the results of `plan` and adds the current view to the history.
  mutating func drillDown(_ plan: QueryPlan) -> [Effect] {
    // The rows of `plan` need not contain the entity that its condition names.
    if let condition = plan.condition,
      let label = known?.source(of: condition, in: plan.namespace)
    {
      tab.history.remember(label, of: condition)
    }
    tab.history.drillDown(from: here)
    tab.overlays = []
    tab.focus = .results
    return show(QueryHistory(plan), place: ResultsPane.Place())
  }

  mutating func goBack() -> [Effect] {
    guard let stop = tab.history.goBack(from: here) else {
      let canUndo = tab.queryHistory?.earlierPlans.isEmpty == false
      return notify(canUndo ? .noEarlierView.hinting(.key(.undo)) : .noEarlierView)
    }
    return show(stop)
  }

  /// Goes back to the view of a breadcrumb; the first breadcrumb leads to the list of namespaces.
  mutating func goBack(steps: Int) -> [Effect] {
    guard steps <= tab.history.behind.count else {
      (tab.overlays, tab.focus) = ([], .namespaces)
      return []
    }
    tab.focus = .results
    guard let stop = tab.history.goBack(steps: steps, from: here) else {
      tab.overlays = []
      return []
    }
    return show(stop)
  }

  mutating func goForward() -> [Effect] {
    guard let stop = tab.history.goForward(from: here) else { return notify(.noLaterView) }
    return show(stop)
  }
}
