import Explorer
import InstaQL
import LiveQueries
import Notebooks
import TerminalUI
import Testing
import Triples

/// The screen with someone at its keyboard: keys go in, queries are answered, text comes out.
struct Screen {
  private(set) var workspace: Workspace
  /// The effects of the workspace, oldest first, except queries, which are answered immediately.
  private(set) var effects: [Effect] = []
  /// Whether queries stay unanswered.
  var isSlow = false
  private var snapshot: StoreSnapshot
  /// Whether the store is remote: without queries it has only attributes.
  private let isPartial: Bool

  init(
    columns: Int = 100, rows: Int = 24, query: QueryPlan? = nil, store: TripleStore? = nil,
    name: String = "garden", readOnlyReason: String? = nil, changeDetection: String? = nil,
    losesChanges: Bool = false,
    reducesMotion: Bool = false,
    isScreenReader: Bool = false, isPartial: Bool = false, isReadAsNeeded: Bool = false,
    isSlow: Bool = false, isLoading: Bool = false, isRestored: Bool = true,
    recalled: RestoredSession? = nil, refusesCounts: Bool = false, usesVi: Bool = false,
    keymap: Keymap = .standard, commands: CustomCommands = CustomCommands(),
    settingsFile: String = ""
  ) throws {
    self.refusesCounts = refusesCounts
    self.isPartial = isPartial
    self.isReadAsNeeded = isReadAsNeeded
    self.isSlow = isSlow
    workspace = Workspace(
      StoreListing(typed: name),
      rules: ChangeRules(
        readOnlyReason: readOnlyReason, changeDetection: changeDetection,
        losesChanges: losesChanges),
      size: Size(columns: columns, rows: rows),
      startup: StartupView(query: query?.text, recalls: recalled != nil || !isRestored),
      settings: ExplorerSettings(
        keymap: keymap, commands: commands, usesVi: usesVi, reducesMotion: reducesMotion,
        isScreenReader: isScreenReader, file: settingsFile))
    snapshot = StoreSnapshot(
      try store ?? Garden.store(), freshness: isLoading ? .loading : .live,
      served: isPartial ? ServedAnswer() : nil)
    handle(.snapshot(told))
    if let recalled { handle(.sessionRestored(recalled)) }
  }

  // MARK: Changes

  /// The changes on top of the store.
  private(set) var staging = StagedChanges()
  private var stagingVersion = 0

  /// The transactions that are staged, or sent after that, as an earlier session leaves them.
  var stagedTransactions: [Transaction] {
    staging.changes.filter { $0.wasStaged }.filter { change in
      staging.pending.contains { $0.number == change.number }
    }.flatMap(\.parts).map(\.transaction)
  }

  /// An earlier session left these changes.
  mutating func restore(_ transactions: [Transaction], unreadable: Int = 0) {
    follow(
      staging.restore(
        transactions.map { transaction in
          (
            id: nil,
            parts: [
              StagedChange.Part(
                number: 0, id: MutationID(), transaction: transaction, summary: "restored")
            ]
          )
        }, unreadable: unreadable))
  }

  /// The store rejects a change that was made before.
  mutating func reject(_ reason: String) {
    isSlowToWrite = true
    perform(.make(Transaction(), Submission(summary: "")))
    refuseFirst(because: reason)
    isSlowToWrite = false
  }

  /// Something keeps the store from making changes, or does not any more.
  mutating func block(_ reason: String?) {
    staging.block(reason)
    follow([])
  }

  private mutating func perform(_ command: ChangeCommand) {
    if command == .cancelSending { effects.append(.change(command)) }
    follow(staging.perform(command))
  }

  private mutating func end(_ number: Int, _ outcome: StagedChanges.Outcome) {
    follow(staging.end(number, outcome))
  }

  /// Shows the current changes and performs their actions.
  private mutating func follow(_ actions: [StagedChanges.Action]) {
    stagingVersion += 1
    let state = ChangesState(staging, version: stagingVersion, isStored: isStored)
    handle(.changes(nil, state))
    let pending = staging.overlaid(on: told).pending
    if pending != lastPending { showAgain(answering: !isSlow) }
    lastPending = pending
    for action in actions {
      switch action {
      case .report(let report): handle(.changes(report, state))
      case .send(let number, let query): send(number, query)
      }
    }
  }

  /// Whether staged changes survive the session.
  var isStored = false
  private var lastPending = PendingChanges()

  /// Shows the same data again with the staged changes.
  private mutating func showAgain(answering: Bool = true) {
    handle(.snapshot(staging.overlaid(on: told)))
    guard answering else { return }
    for (document, token) in watched { answer(document, token) }
  }

  /// The program ends and is started again, with nothing remembered but what the store keeps.
  mutating func beginAnew(_ query: QueryPlan) {
    isBegunAnew = true
    staging = StagedChanges()
    workspace = Workspace(
      StoreListing(typed: "garden"), size: workspace.size, startup: StartupView(query: query.text))
    watched = []
    handle(.snapshot(told))
  }

  /// The line at the bottom.
  var notice: Notice? { workspace.notice }

  /// The frame as text, a line a row.
  var text: String { workspace.view().text }

  /// The snapshot that the store sends without a query.
  private var told: StoreSnapshot {
    guard isPartial else { return snapshot }
    var schema = TripleStore()
    for attribute in snapshot.store.schema.attributes { schema.addAttribute(attribute) }
    var pending = PendingChanges(count: kept.count)
    pending.left = isBegunAnew ? kept.last?.id : nil
    pending.refused = refusedLater
    return StoreSnapshot(
      schema,
      freshness: keepsUnsent ? .offline(since: 0, nextTry: nil, reason: "it is away") : .live,
      pending: pending, served: ServedAnswer())
  }

  /// The text of one row.
  func row(_ row: Int) -> String { workspace.view().text(row: row) }

  /// The first row that holds `text`, without what stands left of the results.
  func line(with text: String) -> String? {
    self.text.split(separator: "\n").map(String.init).first { $0.contains(text) }
  }

  /// Presses keys by name, blanks between them.
  mutating func press(_ names: String) {
    for name in names.split(separator: " ") {
      guard let key = Key(named: String(name)) else {
        preconditionFailure("The test names a key that does not exist: \(name)")
      }
      handle(.terminal(.key(key)))
    }
  }

  /// Presses a key so often that the screen finds them all waiting.
  mutating func pressAtOnce(_ name: String, times: Int) {
    for number in 1...times {
      let event = Key(named: name).map { TerminalEvent.key($0) }
      guard let event else { preconditionFailure("The test names a key that does not exist") }
      handle(.terminal(event), isPassing: number < times && workspace.isCursorMovement(event))
    }
  }

  /// Types each character of a text.
  mutating func type(_ text: String) {
    for character in text { handle(.terminal(.key(.character(character)))) }
  }

  /// Reports a transaction of the store to the screen.
  mutating func transact(_ steps: [TransactionStep]) throws {
    var store = snapshot.store
    var history = snapshot.history
    let before = store.transactionID
    let changes = try store.transact(Transaction(steps))
    history.append(changes, from: before, to: store.transactionID)
    show(StoreSnapshot(store, history: history, served: snapshot.served))
  }

  /// The store has another snapshot, and its queries other answers.
  mutating func show(_ snapshot: StoreSnapshot) {
    self.snapshot = snapshot
    showAgain()
    let refusals = staging.reject(refusedLater)
    if !refusals.isEmpty { follow(refusals) }
  }

  var store: TripleStore { snapshot.store }

  /// What the store says to every change instead of making it.
  var refusal: String?

  /// Whether the server is away, so that what is sent waits for it.
  var keepsUnsent = false
  /// Whether the store knows what was there before a change.
  var tellsWhatWas = true
  /// What waits, and what was there before it.
  private(set) var kept: [(id: MutationID, before: TripleStore)] = []

  private var isBegunAnew = false
  private var refusedLater: [PendingChanges.Refusal] = []

  /// What waits was sent.
  mutating func sendKept() { kept = [] }

  /// The server is back and refuses the newest of what waited.
  mutating func refuseKept(because reason: String) {
    let (id, before) = kept.removeLast()
    refusedLater.append(PendingChanges.Refusal(id: id, reason: reason))
    keepsUnsent = false
    reread(before)
  }

  /// What was sent to the store, which takes everything.
  private(set) var transactions: [Transaction] = []

  /// Whether what is sent stays on its way.
  var isSlowToWrite = false
  private var onTheirWay: [(number: Int, query: TransactionQuery)] = []

  /// Commits or rejects the changes being sent, then those that follow from them.
  mutating func carryOutAtLast() {
    while !onTheirWay.isEmpty {
      let (number, query) = onTheirWay.removeFirst()
      carryOut(number, query)
    }
    isSlowToWrite = false
  }

  /// Rejects the first change being sent.
  mutating func refuseFirst(because reason: String) {
    end(onTheirWay.removeFirst().number, .rejected(reason))
  }

  private mutating func send(_ number: Int, _ query: TransactionQuery) {
    if isSlowToWrite {
      onTheirWay.append((number, query))
    } else {
      carryOut(number, query)
    }
  }

  private mutating func carryOut(_ number: Int, _ query: TransactionQuery) {
    if let refusal {
      end(number, .rejected(refusal))
      return
    }
    let transaction = query.transaction
    transactions.append(transaction)
    if let undone = transaction.undoing, undone == kept.last?.id {
      drop(number)
      return
    }
    do {
      let before = store
      if keepsUnsent { kept.append((query.id, before)) }
      try transact(transaction.steps)
      end(
        number,
        .made(
          undo: Transaction(undoing: query.id, madeIn: made), at: store.transactionID))
    } catch {
      end(number, .rejected("\(error)"))
    }
  }

  /// The snapshot after the last change.
  private var made: StoreSnapshot {
    StoreSnapshot(
      store, history: tellsWhatWas ? snapshot.history : ChangeHistory(),
      freshness: keepsUnsent ? .optimistic : .live)
  }

  /// The newest of what waits for the server does not any more.
  private mutating func drop(_ number: Int) {
    var before = kept.removeLast().before
    before.transactionID = store.transactionID + 1
    show(StoreSnapshot(before, served: snapshot.served))
    end(number, .dropped)
  }

  /// What was asked while nothing was answered is answered, and all that follows.
  mutating func answerAtLast(keepingSlow: Bool = false) {
    isSlow = keepingSlow
    for (document, token) in watched { answer(document, token) }
  }

  /// The store has changed.
  mutating func change(to store: TripleStore) {
    show(StoreSnapshot(store))
  }

  /// The files of the store were read again.
  mutating func reread(_ store: TripleStore) {
    var later = store
    later.transactionID = self.store.transactionID + 1
    change(to: later)
  }

  mutating func handle(_ event: Event, isPassing: Bool = false) {
    for effect in isPassing ? workspace.updateSkippingPrefetch(event) : workspace.update(event) {
      switch effect {
      case .watch(let document, let token, let window):
        watched.append((document, token))
        windows.append(window)
        windowOf[token] = window
        if !isSlow { answer(document, token) }
      case .stopWatching(let token): watched.removeAll { $0.token == token }
      case .save(let update): note(update, effect)
      case .request(let id, let request):
        requests.append((id, request))
        if let response = response(to: request) { handle(.response(id, response)) }
      case .cancel(let id):
        canceled += requests.filter { $0.id == id }.map { $0.request }
      case .change(let command): perform(command)
      case .copy, .page, .run, .theme, .mouse, .callServer, .suspend,
        .redraw, .quit, .fail, .listWatched, .workspace:
        effects.append(effect)
      }
    }
  }

  private mutating func note(_ update: SessionUpdate, _ effect: Effect) {
    switch update {
    case .history: break
    case .view(let view): lastView = view
    case .splits(let splits): self.splits = splits
    case .savedQuery, .deletedQuery, .restoredQuery, .theme, .columns, .trustedFile:
      effects.append(effect)
    }
  }

  /// The stores that were opened before.
  var knownStores: [StoreListing] = []

  /// The free paths that are proposed in place of existing files.
  var freePaths: [String: String] = [:]

  /// All requests, the newest last.
  private(set) var requests: [(id: RequestID, request: Request)] = []
  /// Those that were canceled, or asked to end early.
  private(set) var canceled: [Request] = []

  /// The immediate response to a request; nil if the test responds.
  private mutating func response(to request: Request) -> Response? {
    switch request {
    case .entityID:
      drawn += 1
      return .entityID(EntityID("00000000-0000-4000-8000-00000000000\(drawn)"))
    case .savedQueries: return saved.map { .savedQueries($0, history: []) }
    case .themes: return themes.map { .themes($0, kept: "sonde-dark") }
    case .columns, .edit, .export, .findStore, .emptyReason, .runCommand, .paths: return nil
    case .freePath(let path): return isSlow ? nil : .freePath(freePaths[path] ?? path)
    case .knownStores: return .stores(knownStores)
    case .countValues, .complete, .prepare, .search, .compare, .locate, .explain, .countRows:
      return isSlow ? nil : late(request)
    }
  }

  /// What comes of a request that takes a while.
  private func late(_ request: Request) -> Response? {
    switch request {
    case .countValues(let attribute, let answer, let dates):
      .values(Facets(attribute, of: answer, along: dates))
    case .complete(let answer):
      (try? QueryEngine.answer(answer.plan, in: store)).map { .rows($0, StoreSnapshot(store)) }
    case .prepare(let what): what.run()
    case .search(let search): .found(search.rest())
    case .compare(let stores): .difference(stores.difference())
    case .locate(let entity, let plan): .row(row(of: entity, in: plan))
    case .explain(let order): .explanation(order.lines)
    case .countRows(let plan):
      .rowCount(try? QueryEngine.answer(plan.count(), in: snapshot.store).count)
    case .entityID, .savedQueries, .themes, .columns, .edit, .export, .knownStores, .findStore,
      .emptyReason, .runCommand, .paths, .freePath:
      nil
    }
  }

  /// Answers the newest request of the response's kind, be it canceled or not.
  mutating func respond(_ response: Response) {
    guard let id = requests.last(where: { $0.request.isAnswered(by: response) })?.id else {
      Issue.record("Nothing asked for that: \(response)")
      return
    }
    handle(.response(id, response))
  }

  /// Answers the newest request as the screen would be, were it not slow.
  mutating func respondAtLast() {
    guard let (id, request) = requests.last, let response = late(request) else { return }
    handle(.response(id, response))
  }

  /// Which row of all of a query's an entity is.
  func row(of entity: EntityID, in plan: QueryPlan) -> Int? {
    let rows = (try? QueryEngine.answer(plan, in: store))?.rows ?? []
    return rows.firstIndex { store.id(of: $0) == entity }
  }

  /// The saved queries, returned on request; nil leaves that to the test.
  var saved: [SavedQuery]?

  /// The listed themes; nil if the test responds.
  var themes: [ThemeListing]? = [
    ThemeListing(
      name: "daylight", isOwn: true,
      reading: .theme(
        Theme(name: "daylight", appearance: .light, styles: [.text: Style(foreground: .ansi(0))]))),
    ThemeListing(
      name: "midnight", isOwn: true,
      reading: .broken(
        "~/themes/midnight.toml, line 3: unknown role 'titel'. Did you mean 'title'?")),
    ThemeListing(name: "mono", isOwn: false, reading: .theme(.plain.named("mono"))),
    ThemeListing(
      name: "sonde-dark", isOwn: false,
      reading: .theme(
        Theme(name: "sonde-dark", appearance: .dark, styles: [.text: Style(foreground: .ansi(7))]))),
  ]

  /// What would be remembered of where one is.
  private(set) var lastView: LastView?
  /// What would be remembered of how large panes are.
  private(set) var splits: [String: Int]?

  /// Ids drawn so far.
  private var drawn = 0

  /// The requested background work.
  var preparations: [Preparation] {
    requests.compactMap { if case .prepare(let what) = $0.request { what } else { nil } }
  }

  /// The requested background searches.
  var searches: [RowSearch] {
    requests.compactMap { if case .search(let search) = $0.request { search } else { nil } }
  }

  /// The requested windows in order.
  private(set) var windows: [AnswerView.Window] = []
  private var windowOf: [WatchToken: AnswerView.Window] = [:]
  /// Whether the store returns only the requested window.
  private let isReadAsNeeded: Bool
  /// The number of counted rows that are missing when they are read.
  var missingRows = 0
  /// Whether such a store gives rows before it has counted them.
  var countsLate = false

  private(set) var watched: [(document: QueryDocument, token: WatchToken)] = []

  /// Whether the server is offline: queries with conditions are unanswered from now on.
  var isAway = false
  /// Whether the server refuses to say how many there are.
  private let refusesCounts: Bool

  private mutating func answer(_ document: QueryDocument, _ token: WatchToken) {
    if refusesCounts, document.plans.contains(where: \.isCount) {
      handle(.live(token, .failed(LiveFailure(message: "Not for you", type: "permission-denied"))))
      return
    }
    let result: LiveResult
    let snapshot =
      isAway && document.plans.contains { $0.condition != nil }
      ? unanswered(document) : isPartial ? served(document) : self.snapshot
    do throws(QueryError) {
      var snapshot = staging.overlaid(on: snapshot, answering: document)
      if isReadAsNeeded, let window = windowOf[token] {
        snapshot = staging.overlaid(
          on: try cut(document, to: window), answering: document)
        if countsLate {
          handle(.live(token, try Self.loaded(document, in: uncounted(snapshot))))
          guard watched.contains(where: { $0.token == token }) else { return }
        }
      }
      result = try Self.loaded(document, in: snapshot)
    } catch {
      result = .failed(LiveFailure(error))
    }
    handle(.live(token, result))
  }

  static func loaded(
    _ document: QueryDocument, in snapshot: StoreSnapshot
  ) throws(QueryError) -> LiveResult {
    var answers: [Answer] = []
    for plan in document.plans { answers.append(try QueryEngine.answer(plan, in: snapshot)) }
    return .loaded(
      LiveAnswer(
        document: document, answers: answers, snapshot: snapshot, elapsed: .microseconds(400)))
  }

  /// The same rows before they were counted.
  private func uncounted(_ snapshot: StoreSnapshot) -> StoreSnapshot {
    var served = snapshot.served ?? ServedAnswer()
    served.found = served.found.mapValues { found in
      var found = found
      (found.total, found.pageCount) = (nil, nil)
      return found
    }
    return StoreSnapshot(snapshot.store, served: served)
  }

  /// What a store says that reads only what is looked at.
  private func cut(
    _ document: QueryDocument, to window: AnswerView.Window
  ) throws(QueryError) -> StoreSnapshot {
    var served = ServedAnswer(canGiveAll: true)
    for plan in document.plans {
      let whole = try QueryEngine.answer(plan, in: store)
      let there = whole.rows.dropLast(missingRows)
      let rows = Array(there.dropFirst(window.skipped).prefix(window.count))
      served.found[plan.text] = ServedAnswer.Found(
        rows: rows, skipped: window.skipped, total: whole.total, pageCount: whole.rows.count)
    }
    return StoreSnapshot(store, served: served)
  }
}

// A server that returns only what is queried.
extension Screen {
  /// A server's answer to a query: the entities in a separate store.
  private func served(_ document: QueryDocument) -> StoreSnapshot {
    var told = TripleStore()
    var counts: [String: Int] = [:]
    for attribute in store.schema.attributes { told.addAttribute(attribute) }
    for plan in document.plans {
      guard let answer = try? QueryEngine.answer(plan, in: store) else { continue }
      if let count = answer.count {
        counts[plan.namespace] = count
      } else {
        tell(answer.rows, of: plan, to: &told)
      }
    }
    told.transactionID = store.transactionID
    return StoreSnapshot(told, served: ServedAnswer(counts: counts))
  }

  /// What is known of a question that the server has not heard before it went: the rows, of changes that
  /// wait for it, and nothing that they are linked with.
  private func unanswered(_ document: QueryDocument) -> StoreSnapshot {
    var told = TripleStore()
    for attribute in store.schema.attributes { told.addAttribute(attribute) }
    for plan in document.plans {
      let plain = plan.condition.map { QueryPlan(plan.namespace).filter($0) }
      guard let plain, let answer = try? QueryEngine.answer(plain, in: store) else { continue }
      tell(answer.rows, of: plain, to: &told)
    }
    var served = ServedAnswer()
    served.isAwaited = true
    return StoreSnapshot(told, served: served)
  }

  private func tell(_ entities: [EntityHandle], of plan: QueryPlan, to told: inout TripleStore) {
    var steps: [TransactionStep] = []
    for entity in entities {
      let id = store.id(of: entity)
      for attribute in store.schema.attributes(of: plan.namespace)
      where attribute.valueType == .blob {
        if attribute.isIdentity {
          steps.append(.addTriple(.id(id), attribute.id, .text(id.text)))
        } else if plan.fields?.contains(attribute.label) != false,
          let value = store.value(entity, attribute.id)
        {
          steps.append(.addTriple(.id(id), attribute.id, value))
        }
      }
    }
    _ = try? told.transact(Transaction(steps), rules: .optimistic)
    for relation in plan.relations {
      guard let link = store.schema.link(plan.namespace, relation.label) else { continue }
      var nested = relation.plan
      nested.namespace = link.target
      for entity in entities {
        let most = relation.plan.page.limit ?? .max
        let targets = Array(store.targets(entity, link).prefix(most))
        tell(targets, of: nested, to: &told)
        let isForward = link.direction == .forward
        let links = targets.map { target in
          let (one, other) = (store.id(of: entity), store.id(of: target))
          return TransactionStep.addTriple(
            .id(isForward ? one : other), link.attribute.id,
            .text((isForward ? other : one).text))
        }
        _ = try? told.transact(Transaction(links), rules: .optimistic)
      }
    }
  }
}

extension Request {
  /// Whether a response is of the kind that this asks for.
  fileprivate func isAnswered(by response: Response) -> Bool {
    switch (self, response) {
    case (.columns, .columns), (.savedQueries, .savedQueries), (.explain, .explanation),
      (.prepare, .text), (.prepare, .deletion), (.prepare, .rowsDone),
      (.countValues, .values), (.complete, .rows),
      (.compare, .difference), (.locate, .row), (.search, .found), (.search, .rowsDone),
      (.edit, .edited), (.export, .exported), (.export, .progress), (.entityID, .entityID),
      (.themes, .themes), (.knownStores, .stores), (.findStore, .store), (.paths, .paths),
      (.freePath, .freePath), (.emptyReason, .emptyReason), (.runCommand, .commandEnded):
      true
    default: false
    }
  }
}
