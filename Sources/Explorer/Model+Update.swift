import InstaQL
import TerminalUI
import LiveQueries
import Triples

extension Model {
  /// Takes one event in and answers with what the world shall do about it, in order.
  package mutating func update(_ event: Event) -> [Effect] {
    settle(event) + stretchOn() + askBeside() + listWatched() + showPreview()
  }

  /// Takes one in behind which another one at once moves the cursor on as well: what is in view between
  /// the two is not asked for.
  package mutating func pass(_ event: Event) -> [Effect] {
    settle(event) + listWatched() + showPreview()
  }

  private mutating func settle(_ event: Event) -> [Effect] {
    let effects = take(event)
    remeasureQuery()
    tab.results.underWay = underWay.entities
    return keepUnsent() + keepView(before: effects) + effects + endCounting()
  }

  /// What is watched is told while somebody looks at it, however its pane was opened or closed.
  private mutating func listWatched() -> [Effect] {
    let isWanted = tab.overlays.contains { $0.pane is SubscriptionsPane }
    guard isWanted != isListingWatched else { return [] }
    isListingWatched = isWanted
    return [.listWatched(isOn: isWanted)]
  }

  private mutating func take(_ event: Event) -> [Effect] {
    switch event {
    case .terminal(let event): return update(event)
    case .snapshot(let snapshot): return update(snapshot)
    case .response(let id, let response): return receive(response, to: id)
    case .serverAway(let absence):
      store.absence = absence
      return []
    case .obstruction(let reason):
      take(obstruction: reason)
      return []
    case .opening(let progress):
      guard catalog == nil else { return [] }
      if store.opening == nil {
        store.opening = Opening(progress)
      } else {
        store.opening?.receive(progress)
      }
      return []
    case .live(let token, let result):
      guard token == tab.watch else {
        tabs.receive(result, for: token, page: layout.resultRows)
        return receive(result, besideFor: token)
      }
      let staleBefore = staleness
      defer {
        tellStaleness(since: staleBefore)
        if (staleBefore != nil) != isStale { keepInView() }
      }
      return receive(result)
    case .transacted(let deed, let undo):
      let effects = receive(deed, undo: undo)
      endHoldUp(.made)
      return effects
    case .dropped(let deed): return receive(dropping: deed)
    case .refused(let reason, let deed):
      let known = tab.results.table?.catalog ?? catalog
      receiveRefusal(known?.naming(entitiesIn: reason) ?? reason, of: deed)
      endHoldUp(.refused)
      return takeBackReady()
    case .recalled(let recollection): return take(recollection)
    case .watched(let lines):
      // Who else asks the same makes it more than a question of this screen.
      let own = lines.filter { $0.query.subscribers <= 1 && beside.asks($0.query.document) }
      let others = lines.filter { line in !own.contains { $0.query.document == line.query.document }
      }
      tell(SubscriptionsPane.self) { pane, context in
        pane.receive(others, besides: own.count, page: context.page)
      }
      return []
    case .tick(let now): return tick(now)
    case .habits(let habits): return take(habits)
    case .themesSaved: return rereadThemes()
    case .notice(let news):
      notice = news
      return []
    case .storeFailed(let reason):
      guard catalog != nil else { return [.fail(reason: reason)] }
      let before = staleness
      store.failure = reason
      if preferences.isLinear { notice = .error(reason) }
      tellStaleness(since: before)
      keepInView()
      return []
    }
  }

  private mutating func update(_ event: TerminalEvent) -> [Effect] {
    switch event {
    case .key(let key):
      tab.results.clearSteadyMarks()
      return press(key)
    case .paste(let text):
      tab.results.clearSteadyMarks()
      guard prompt != nil else {
        if let index = tab.overlays.indices.last {
          let context = context(of: index)
          if let outcome = tab.overlays[index].pane.paste(text, in: context) {
            return say(outcome)
          }
        }
        notice = .nothingToPasteInto
        return []
      }
      let outcome = prompt?.field.paste(text) ?? .done
      return outcome == .done ? checkPrompt() : say(outcome)
    case .mouse(let mouse):
      tab.results.clearSteadyMarks()
      return update(mouse)
    case .resize(let size):
      self.size = size
      measureQuery()
      keepInView()
      return []
    case .terminate(let signal): return [.quit(status: 128 + signal)]
    case .hangup: return [.quit(status: 129)]
    // Who has taken the terminal over again draws all of the next frame by itself.
    case .resumed, .focus, .wake: return []
    }
  }

  /// A first snapshot chooses what to show; a later one brings new counts and a new schema.
  private mutating func update(_ snapshot: StoreSnapshot) -> [Effect] {
    let isFirst = catalog == nil
    let staleBefore = staleness
    let (written, missed) = (log.written, log.missed)
    let unknown = self.catalog.flatMap { log.add(from: $0.snapshot, to: snapshot) }
    let catalog = Catalog(snapshot: snapshot, counts: beside.counts)
    let chosen = chosenNamespace
    self.catalog = catalog
    // The cursor stays where it was, also among more namespaces.
    if let chosen, chosen != chosenNamespace {
      moveInNamespaces { [page = layout.namespaceRows] in
        $0.choose(chosen, catalog: catalog, page: page)
      }
    }
    // What else went wrong is still to be read.
    if store.failure != nil, notice?.isError == true { notice = nil }
    store.failure = nil
    store.opening = nil
    if unsent != nil || heldUpSince != nil { noteUnsent() }
    announceChanges(since: written, missed)
    tellStaleness(since: staleBefore)
    hear(snapshot.pending.refused)
    // The line that says so takes a row of the panes.
    if (staleBefore != nil) != isStale { keepInView() }
    refreshOverlays()
    let effects = isFirst && !beginning.isAwaited ? begin(in: catalog) : []
    guard let unknown else { return effects }
    return effects
      + requests.begin(.compare(unknown), for: .logChanges(number: requests.nextNumber))
  }

  /// Shows the query to begin with; one that cannot be asked stands in the prompt with its complaint.
  mutating func begin(in catalog: Catalog) -> [Effect] {
    defer {
      remindOfUnsent()
      tellHelp()
    }
    let effects = showFirst(in: catalog)
    if let form = beginning.form { tab.results.show(as: form, page: layout.resultRows) }
    return effects
  }

  private mutating func showFirst(in catalog: Catalog) -> [Effect] {
    guard let namespace = catalog.schema.namespaces.first else {
      // Of one that cannot be reached nobody knows what it has; why, is said beneath the panes.
      if let staleness {
        if preferences.isLinear { notice = staleness }
      } else {
        notice = .emptyStore
      }
      return []
    }
    guard let query = beginning.query else {
      return restore(in: catalog) ?? show(Composer(QueryPlan(namespace)))
    }
    tab.focus = .results
    var typed = PromptPane(.query, text: query)
    switch typed.plan(changing: QueryPlan(namespace), in: catalog) {
    case .success(let plan): return show(Composer(plan))
    case .failure(let error):
      typed.complaint = error.complaint
      prompt = typed
      return show(Composer(QueryPlan(namespace)))
    }
  }

  /// Notes what is different between two states of the store.
  mutating func log(_ difference: StoreDifference) {
    let (written, missed) = (log.written, log.missed)
    log.add(difference)
    announceChanges(since: written, missed)
    refreshOverlays()
  }

  /// Nothing may stand outside its pane after the panes have other sizes.
  mutating func keepInView() {
    guard catalog != nil else { return }
    // Of how many lines there is room says nothing of which one was chosen.
    for pane in [StandingPane.namespaces, .schema] { _ = go(.to(line(in: pane)), in: pane) }
    // Of rows that are out of sight none is in view.
    if layout.resultPaneRows > 0 { tab.results.keepInView(page: layout.resultRows) }
    refreshOverlays()
  }
}
