import InstaQL
package import TerminalUI
import LiveQueries
import Triples

extension Model {
  /// Takes one event in and answers with what the world shall do about it, in order.
  package mutating func update(_ event: Event) -> [Effect] {
    switch event {
    case .terminal(let event): return update(event)
    case .snapshot(let snapshot): return update(snapshot)
    case .live(let token, let result):
      guard token == watch else { return [] }
      results.receive(result, page: layout.resultRows)
      return []
    case .notice(let text):
      notice = Notice(text: text)
      return []
    case .storeFailed(let reason):
      guard catalog != nil else { return [.fail(reason: reason)] }
      storeFailure = reason
      notice = Notice(text: reason, isError: true)
      return []
    }
  }

  private mutating func update(_ event: TerminalEvent) -> [Effect] {
    switch event {
    case .key(let key): return press(key)
    case .paste(let text):
      guard prompt != nil else {
        notice = Notice(text: "Nothing to paste into here: F edits the filter, Q the query")
        return []
      }
      guard text.utf8.count <= TextField.longestText else {
        notice = Notice(text: "Not pasted: a query has at most 64 kB", isError: true)
        return []
      }
      prompt?.field.insert(text)
      checkPrompt()
      return []
    case .mouse(let mouse): return update(mouse)
    case .resize(let size):
      self.size = size
      keepInView()
      return []
    case .terminate(let signal): return [.quit(status: 128 + signal)]
    case .hangup: return [.quit(status: 129)]
    case .resumed: return [.redraw]
    case .focus, .wake: return []
    }
  }

  /// A first snapshot chooses what to show; a later one brings new counts and a new schema.
  private mutating func update(_ snapshot: StoreSnapshot) -> [Effect] {
    let isFirst = catalog == nil
    let catalog = Catalog(snapshot: snapshot)
    self.catalog = catalog
    storeFailure = nil
    if notice?.isError == true { notice = nil }
    return isFirst ? begin(in: catalog) : []
  }

  /// Shows the query to begin with; one that cannot be asked stands in the prompt with its complaint.
  private mutating func begin(in catalog: Catalog) -> [Effect] {
    guard let namespace = catalog.schema.namespaces.first else {
      notice = Notice(text: "This store has no namespaces")
      return []
    }
    guard let firstQuery else { return show(Composer(QueryPlan(namespace))) }
    focus = .results
    var typed = PromptPane(.query, text: firstQuery)
    switch typed.plan(changing: QueryPlan(namespace), in: catalog) {
    case .success(let plan): return show(Composer(plan))
    case .failure(let error):
      typed.complaint = error.complaint
      prompt = typed
      return show(Composer(QueryPlan(namespace)))
    }
  }

  /// Nothing may stand outside its pane after the panes have other sizes.
  private mutating func keepInView() {
    guard let catalog else { return }
    namespaces.scroll(by: 0, catalog: catalog, page: layout.namespaceRows)
    results.scroll(by: 0, page: layout.resultRows)
  }
}

// Keys.
extension Model {
  /// Whether an event is to be kept until there is something to see: keys and clicks that came before
  /// the first answer, but for those that leave or suspend the program.
  package func mustWait(_ event: TerminalEvent) -> Bool {
    guard isStarting else { return false }
    switch event {
    case .key(let key):
      switch keymap.intent(for: key, in: focus) {
      case .quit, .interrupt, .suspend, .redraw: return false
      default: return true
      }
    case .mouse, .paste: return true
    case .focus, .resize, .wake, .resumed, .terminate, .hangup: return false
    }
  }

  /// Whether the first answer is still to come.
  private var isStarting: Bool {
    guard let catalog else { return true }
    return results.content == .loading && lastToken == 1 && !catalog.schema.namespaces.isEmpty
  }

  private mutating func press(_ key: Key) -> [Effect] {
    notice = nil
    if help != nil { return pressInHelp(key) }
    if prompt != nil { return press(inPrompt: key) }
    guard let intent = keymap.intent(for: key, in: focus) else {
      notice = Notice(text: "\(key.name) does nothing in \(focus.title): ? shows what does")
      return []
    }
    return perform(intent)
  }

  private mutating func pressInHelp(_ key: Key) -> [Effect] {
    let intent = keymap.intent(for: key, in: focus)
    if intent == .suspend { return [.suspend] }
    let page = layout.helpRows
    if let intent, help?.handle(intent, page: page) == true { return [] }
    help = nil
    return []
  }

  private mutating func press(inPrompt key: Key) -> [Effect] {
    switch key {
    case .escape, .control("c"):
      prompt = nil
      return []
    case .enter: return submitPrompt()
    case .control("z"): return [.suspend]
    default:
      if prompt?.field.handle(key) == true { checkPrompt() }
      return []
    }
  }

  /// Carries out what the person wants: first what concerns the whole screen, then the pane in focus.
  mutating func perform(_ intent: Intent) -> [Effect] {
    switch intent {
    case .quit: return [.quit(status: 0)]
    case .interrupt: return [.quit(status: 130)]
    case .suspend: return [.suspend]
    case .redraw: return [.redraw]
    case .nextTheme: return [.nextTheme]
    case .help:
      help = HelpPane(focus: focus)
      return []
    case .cancel: return []
    case .nextPane: focus = focus.next
    case .previousPane: focus = focus.previous
    case .paneNamespaces: focus = .namespaces
    case .paneSchema: focus = .schema
    case .paneQuery: focus = .query
    case .paneResults: focus = .results
    case .undo:
      return changeBack {
        $0.undo()
      } otherwise: {
        "There is nothing to undo"
      }
    case .redo:
      return changeBack {
        $0.redo()
      } otherwise: {
        "There is nothing to redo"
      }
    case .back: return goBack()
    case .forward: return goForward()
    case .filterText: ask(.filter)
    case .queryText: ask(.query)
    case .limit: ask(.limit)
    default: return performInPane(intent)
    }
    return []
  }

  private mutating func performInPane(_ intent: Intent) -> [Effect] {
    guard let catalog else {
      notice = Notice(text: "The store is still loading")
      return []
    }
    switch focus {
    case .namespaces:
      if namespaces.handle(intent, catalog: catalog, page: layout.namespaceRows) {
        return showNamespaceUnderCursor()
      }
      if intent == .open { focus = .results }
    case .schema:
      guard let namespace = shownNamespace else { return [] }
      _ = schema.handle(intent, namespace: namespace, catalog: catalog, page: layout.schemaRows)
      if intent == .open, let link = schema.link(of: namespace, in: catalog) {
        return goIn(QueryPlan(link.target))
      }
    case .query:
      if intent == .open { ask(.query) }
    case .results: return performInResults(intent)
    }
    return []
  }
}

// Queries.
extension Model {
  /// Shows another query's answer, beginning at its top.
  mutating func show(_ composer: Composer, place: ResultsPane.Place? = nil) -> [Effect] {
    let isSameNamespace = self.composer?.plan.namespace == composer.plan.namespace
    self.composer = composer
    if !isSameNamespace { schema.reset() }
    results.expect(keepingPlace: isSameNamespace && place == nil)
    if let place { results.restore(place, page: layout.resultRows) }
    if let catalog {
      namespaces.choose(
        composer.plan.namespace, catalog: catalog, page: layout.namespaceRows)
    }
    return watchQuery()
  }

  /// Ends the watch of the query before and begins one of the query as it is now.
  private mutating func watchQuery() -> [Effect] {
    guard let plan = composer?.plan else { return [] }
    let stop = watch.map { [Effect.stopWatching($0)] } ?? []
    lastToken += 1
    let token = WatchToken(number: lastToken)
    watch = token
    return stop + [.watch(QueryDocument(plan), token)]
  }

  /// Changes the query; nothing happens when the change changes nothing.
  mutating func changeQuery(_ edit: (inout QueryPlan) -> Void) -> [Effect] {
    guard var composer else { return [] }
    let before = composer.plan
    composer.change(edit)
    guard composer.plan != before else { return [] }
    return show(composer)
  }

  private mutating func changeBack(
    _ step: (inout Composer) -> Bool, otherwise reason: () -> String
  ) -> [Effect] {
    guard var composer, step(&composer) else {
      notice = Notice(text: reason())
      return []
    }
    return show(composer)
  }

  mutating func showNamespaceUnderCursor() -> [Effect] {
    guard let catalog, let name = namespaces.namespace(in: catalog), name != shownNamespace
    else { return [] }
    if let composer, trail.isEmpty {
      left[composer.plan.namespace] = Stop(composer: composer, place: results.place)
    }
    trail = []
    ahead = []
    guard let stop = left[name] else { return show(Composer(QueryPlan(name))) }
    return show(stop.composer, place: stop.place)
  }

  /// Shows `plan` so that `back` returns to the present view.
  mutating func goIn(_ plan: QueryPlan) -> [Effect] {
    if let composer { trail.append(Stop(composer: composer, place: results.place)) }
    ahead = []
    focus = .results
    return show(Composer(plan), place: ResultsPane.Place())
  }

  private mutating func goBack() -> [Effect] {
    guard let stop = trail.popLast() else {
      notice = Notice(text: "This is where the trail begins")
      return []
    }
    if let composer { ahead.append(Stop(composer: composer, place: results.place)) }
    return show(stop.composer, place: stop.place)
  }

  private mutating func goForward() -> [Effect] {
    guard let stop = ahead.popLast() else {
      notice = Notice(text: "This is where the trail ends")
      return []
    }
    if let composer { trail.append(Stop(composer: composer, place: results.place)) }
    return show(stop.composer, place: stop.place)
  }
}
