import InstaQL
import LiveQueries
import TerminalUI
import Triples

extension Workspace {
  /// Processes an event and returns the effects to perform, in order.
  package mutating func update(_ event: Event) -> [Effect] { update { $0.reduce(event) } }

  /// Applies a change, then requests the rows and side queries that it makes necessary. Returns the
  /// effects to perform, in order.
  mutating func update(_ change: (inout Workspace) -> [Effect]) -> [Effect] {
    var effects = process(change) + prefetchRows()
    if !screen.queue.isEmpty { effects += process { $0.handleQueuedInput() } + prefetchRows() }
    effects += updateSideQueries() + updateNeeds()
    let layout = layout
    tab.results.fitColumns(width: resultColumns(in: layout), page: layout.resultRows)
    return effects
  }

  /// Processes a cursor movement without prefetching rows, because another movement follows
  /// immediately.
  package mutating func updateSkippingPrefetch(_ event: Event) -> [Effect] {
    process { $0.reduce(event) } + updateNeeds()
  }

  private mutating func process(_ change: (inout Workspace) -> [Effect]) -> [Effect] {
    let effects = change(&self)
    endFollowing()
    if let columns = layout.right?.columns {
      remeasureQuery(columns: columns)
      measurePrompt(columns: columns)
    }
    return persistView(before: effects) + effects + endCounting()
  }

  /// Starts or stops reports and previews, depending on the needs of the open panes.
  private mutating func updateNeeds() -> [Effect] {
    requests.meet(tab.overlays.reduce(into: PaneNeeds()) { $0.add($1.pane.needs) })
  }

  private mutating func reduce(_ event: Event) -> [Effect] {
    switch event {
    case .terminal(let event): return update(event)
    case .snapshot(let snapshot): return update(snapshot)
    case .response(let id, let response): return handleResponse(response, to: id)
    case .serverAway(let absence):
      store.absence = absence
      return []
    case .loading(let progress):
      store.showProgress(progress)
      return []
    case .live(let token, let result):
      guard token == tab.watch else {
        tabs.handleResult(result, for: token, page: layout.resultRows)
        return handleSideQueryResult(result, for: token)
      }
      let staleBefore = staleness
      defer { showStaleness(since: staleBefore) }
      return handleResult(result)
    case .changes(let report, let state):
      changes.update(state)
      if let report { showReport(report) }
      return []
    case .sessionRestored(let session): return restore(session)
    case .watched(let lines):
      // A query with other subscribers is listed, since it is not only a side query of this screen.
      let own = lines.filter {
        $0.query.subscribers <= 1 && store.sideQueries.asks($0.query.document)
      }
      let documents = own.map(\.query.document)
      let others = lines.filter { !documents.contains($0.query.document) }
      updatePane(SubscriptionsPane.self) {
        $0.showSubscriptions(others, besides: own.count, in: $1)
      }
      return []
    case .tick(let now): return tick(now)
    case .liveSettings(let liveSettings): return apply(liveSettings)
    case .themesSaved: return rereadThemes()
    case .notice(let news): return notify(news)
    case .storeFailed(let reason):
      guard catalog != nil, !store.isLoadingRest else { return [.fail(reason: reason)] }
      let before = staleness
      store.failure = reason
      if settings.isScreenReader { notice = .error(reason) }
      showStaleness(since: before)
      return []
    }
  }

  mutating func update(_ event: TerminalEvent) -> [Effect] {
    if let effects = queue(event) { return effects }
    switch event {
    case .key(let key):
      tab.results.clearSteadyMarks()
      return press(key)
    case .paste(let text):
      tab.results.clearSteadyMarks()
      return paste(text)
    case .mouse(let mouse):
      tab.results.clearSteadyMarks()
      return update(mouse)
    case .resize(let size):
      screen.size = size
      measureQuery()
      keepInView()
      return []
    case .terminate(let signal): return [.quit(status: Self.signalStatus + signal)]
    case .hangup: return [.quit(status: Self.signalStatus + 1)]
    // After a resume, the terminal redraws the whole screen itself.
    case .resumed, .focus, .wake: return []
    }
  }

  /// Inserts pasted text into the prompt or the top pane.
  private mutating func paste(_ text: String) -> [Effect] {
    clearRetainedError()
    guard let prompt else {
      guard let index = tab.overlays.indices.last,
        let outcome = update(paneAt: index, { $0.paste(text, in: $1) })
      else { return notify(.nothingToPasteInto) }
      if tab.overlays.last?.pane is NewEntityPane { reportLineBreaks(in: text) }
      return report(outcome)
    }
    let outcome = self.prompt?.paste(text) ?? .done
    guard outcome == .done else { return report(outcome) }
    switch prompt.purpose {
    case .value, .valueOfSelected: reportLineBreaks(in: text)
    case .filter, .having, .order, .limit, .query, .find, .saveQuery: break
    }
    return checkPrompt()
  }

  /// Reports that a value is not the pasted text, whose line breaks became spaces.
  private mutating func reportLineBreaks(in text: String) {
    if text.contains(where: \.isNewline) { notice = .lineBreaksReplaced }
  }

  /// The exit status of a program that a signal ended is this number plus the signal.
  static let signalStatus: Int32 = 128

  /// Installs a new snapshot. The first snapshot shows the initial view; later snapshots update
  /// counts and schema.
  private mutating func update(_ snapshot: StoreSnapshot) -> [Effect] {
    guard canBegin(in: snapshot) else { return [] }
    let isFirst = catalog == nil
    let staleBefore = staleness
    // The rest of a store that was loading is no change.
    let before = store.isLoadingRest ? nil : catalog?.snapshot
    let unknown = before.flatMap { before in
      log { $0.add(from: before.base, to: snapshot.base) }
    }
    let chosen = chosenNamespace
    // The notice about the store's failure no longer applies. Other errors must stay readable.
    if store.failure != nil, notice?.isError == true { notice = nil }
    store.update(snapshot)
    if before == nil { nameQueries(session.savedQueries) }
    prompt?.forgetMeasurement()
    prompt?.matches?.isCurrent = false
    guard let catalog else { return [] }
    namespaces.list(catalog.schema.namespaces)
    // The cursor stays on its namespace when the list of namespaces changes.
    if let chosen, chosen != chosenNamespace {
      moveInNamespaces { $0.choose(chosen, page: $1) }
    }
    listStagedChanges()
    showStaleness(since: staleBefore)
    refreshOverlays()
    let effects = isFirst && !session.startup.isAwaited ? begin(in: catalog) : []
    guard let unknown else { return effects }
    return effects
      + requests.begin(.compare(unknown), for: .comparison(requests.nextNumber))
  }

  /// Shows the view at startup. An invalid query from the command line stays in the prompt with its
  /// error.
  mutating func begin(in catalog: Catalog) -> [Effect] {
    defer {
      showStagingReminder()
      mentionHelp()
    }
    let other = session.startup.storeInsteadOfQuery(in: catalog.schema.namespaces)
    let effects =
      showFirst(in: catalog, query: other == nil ? session.startup.query : nil)
      + (other.map { [.workspace(.open($0, inFront: false))] } ?? [])
    if let form = session.startup.form { tab.results.show(as: form, page: layout.resultRows) }
    return effects
  }

  private mutating func showFirst(in catalog: Catalog, query: String?) -> [Effect] {
    guard let namespace = catalog.schema.namespaces.first else {
      // On a screen with panes, the results show the reason. The schema of an unreachable server is
      // unknown.
      if settings.isScreenReader { notice = staleness?.notice ?? .emptyStore }
      return []
    }
    guard let query else {
      if let restored = restore(in: catalog) { return restored }
      // There is no other namespace to choose.
      if catalog.schema.namespaces.count == 1 { tab.focus = .results }
      return show(QueryHistory(QueryPlan(namespace)), isFollowing: true)
    }
    tab.focus = .results
    var typed = PromptPane(.query, text: query)
    switch typed.plan(changing: QueryPlan(namespace), in: catalog) {
    case .success(let plan):
      keepWords(ofQuery: query)
      let effects = show(QueryHistory(plan))
      unfoldRelations(since: nil)
      return effects
    case .failure(let error):
      typed.complaint = unknownWord(in: catalog) ?? error.complaint
      prompt = typed
      return show(QueryHistory(QueryPlan(namespace)))
    }
  }

  /// Returns the error for a single word on the command line that is not a namespace; nil for any
  /// other query.
  private func unknownWord(in catalog: Catalog) -> String? {
    let schema = catalog.schema
    return session.startup.singleWord.flatMap { word in
      if schema.namespaces.contains(word) { return nil }
      return Notice.unknownWord(
        word, in: store.identity.name,
        session.startup.advice ?? NearestName.suggestion(namespace: word, in: schema)
      ).text
    }
  }

  /// Logs the result of a background comparison between two states of the store.
  mutating func log(_ difference: StoreDiffResult) {
    log { $0.add(difference) }
    refreshOverlays()
  }

  /// Scrolls the panes so that their cursors are visible. It is called after their sizes changed.
  mutating func keepInView() {
    guard catalog != nil else { return }
    // The cursor stays on its line although the number of visible lines changed.
    for pane in [MainPane.namespaces, .schema] { _ = go(.to(line(in: pane)), in: pane) }
    // A pane of no height has nothing to scroll.
    if layout.resultPaneRows > 0 { tab.results.keepInView(page: layout.resultRows) }
    refreshOverlays()
  }
}
