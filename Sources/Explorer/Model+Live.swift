import InstaQL
import LiveQueries
import Triples

// Results, time, and pausing live updates.
extension Model {
  /// When the model next needs a `tick`; nil while nothing depends on time.
  package var deadline: ContinuousClock.Instant? {
    [
      tab.results.highlights.deadline, tab.latency.deadline, startup.deadline,
      store.absence?.deadline,
    ]
    .compactMap { $0 }.min()
  }

  /// Whether anything depends on time.
  package var isTimed: Bool {
    tab.results.highlights.isMoving || tab.latency.isWaiting || store.opening != nil
      || startup.isAwaited
      || store.absence?.isTimed == true
  }

  mutating func tick(_ now: ContinuousClock.Instant) -> [Effect] {
    tab.results.tick(now)
    tab.latency.tick(now)
    store.opening?.tick(now)
    store.absence?.tick(now)
    // It comes too late and is no longer awaited.
    return startup.tick(now) ? restore(RestoredSession()) : []
  }

  /// Reconnects to the server now.
  mutating func callServer() -> [Effect] {
    guard store.absence != nil else {
      if let staleness {
        notice = staleness
        return []
      }
      notice = .alreadyConnected
      return []
    }
    return [.callServer]
  }

  mutating func receive(_ result: LiveResult) -> [Effect] {
    if case .loading = result {} else { tab.latency.isWaiting = false }
    if tab.hold(result) { return [] }
    logChanges(in: result)
    tab.results.receive(
      result, page: layout.resultRows, marking: preferences.reducesMotion ? .steady : .fading)
    if notice == .moreRowsComing, !tab.results.isLoadingWindow { notice = nil }
    if isPartial { listStagedChanges() }
    refreshOverlays()
    return seek() + recount() + handleQueuedKeys()
  }

  /// Logs the changes between two results, since a remote store reports no other changes.
  private mutating func logChanges(in result: LiveResult) {
    guard isPartial, case .loaded(let after) = result, let before = tab.results.shown,
      before.answers.first?.plan == after.answers.first?.plan,
      !before.snapshot.base.store.isIdentical(to: after.snapshot.base.store)
    else { return }
    let (written, missed) = (log.written, log.missed)
    log.add(from: before.withoutOverlay, to: after.withoutOverlay)
    announceChanges(since: written, missed)
  }

  /// Updates the value counts: on every change if that is fast, otherwise only for another query.
  mutating func recount() -> [Effect] {
    guard let table = tab.results.table,
      let pane = tab.overlays.lazy.compactMap({ $0.pane as? FacetsPane }).last,
      let attribute = table.catalog.schema.attribute(table.answer.namespace, pane.label)
    else { return [] }
    let asked = Counting(plan: table.answer.plan, label: pane.label)
    let isQuick =
      table.answer.window == nil && table.answer.rows.count <= Self.maxRecounted
    guard isQuick || (pane.counted != asked.plan && counting != asked) else { return [] }
    return countValues(of: attribute, in: table, isUpdate: pane.counted == asked.plan)
  }

  /// The maximum number of rows whose values are counted on every change.
  private static let maxRecounted = 20_000

  /// Sets the current result as the baseline for differences.
  mutating func setBaseline() {
    guard let shown = tab.results.shown, AnswerDiff.isPossible(shown) else {
      notice = .cannotCompare
      return
    }
    tab.results.setBaseline()
    refreshOverlays()
    notice = .comparing
  }

  /// Pauses live updates, or shows those that arrived meanwhile.
  mutating func togglePause() -> [Effect] {
    guard let held = tab.held else {
      tab.held = PausedUpdates()
      notice = .paused
      return []
    }
    tab.held = nil
    return held.newest.map { receive($0) } ?? []
  }
}

/// A column whose values are being counted, in the rows of a query.
struct Counting: Sendable, Equatable {
  let plan: QueryPlan
  let label: String
}

extension LiveAnswer {
  /// The answer of the store alone, without the changes on top.
  var withoutOverlay: LiveAnswer {
    let base = snapshot.base
    guard snapshot.hasOverlay else { return self }
    let answers = document.plans.compactMap { plan in
      try? QueryEngine.answer(
        plan, in: base.store, options: QueryOptions.standard.answering(plan, in: base))
    }
    return LiveAnswer(document: document, answers: answers, snapshot: base, elapsed: elapsed)
  }
}

extension Tab {
  /// Holds an answer back while updates are paused, and counts its changes; false if they are not
  /// paused.
  mutating func hold(_ result: LiveResult) -> Bool {
    guard held != nil, results.table != nil, !results.isLoadingWindow else { return false }
    if case .loaded(let live) = result {
      // Changes of this session are shown at once.
      if held?.newest == nil,
        results.shown?.snapshot.base.store.isIdentical(to: live.snapshot.base.store) == true
      {
        return false
      }
      let more = changes(to: live.snapshot)
      held?.changes += more
    }
    held?.newest = result
    return true
  }

  /// The number of changes since the current or the last held answer, limited by the log.
  private func changes(to snapshot: StoreSnapshot) -> Int {
    var before = results.table?.catalog.snapshot
    if case .loaded(let live)? = held?.newest { before = live.snapshot }
    guard let before, before.transactionID != snapshot.transactionID else { return 0 }
    guard let changes = snapshot.changes(since: before) else { return 1 }
    return ChangeLog.count(of: changes, from: before.base, to: snapshot.base)
  }
}

/// Shows that a query takes long.
struct LatencyIndicator: Sendable, Equatable {
  var isWaiting = false {
    didSet {
      if !isWaiting || !oldValue {
        asked = nil
        isSlow = false
        seconds = 0
      }
    }
  }
  /// When the query was sent; nil until the first tick.
  private var asked: ContinuousClock.Instant?
  /// Whether it takes longer than users expect.
  private(set) var isSlow = false
  /// The whole seconds it has taken so far.
  private var seconds: Int64 = 0

  private static let timeout = Duration.milliseconds(200)

  mutating func tick(_ now: ContinuousClock.Instant) {
    guard isWaiting else { return }
    guard let asked else {
      self.asked = now
      return
    }
    isSlow = now >= asked + Self.timeout
    seconds = (now - asked).components.seconds
  }

  /// The notice while waiting; nil before the query is slow.
  var notice: Notice? { isSlow ? .running(seconds: seconds) : nil }

  var deadline: ContinuousClock.Instant? {
    guard isWaiting, let asked else { return nil }
    return asked + (isSlow ? .seconds(seconds + 1) : Self.timeout)
  }
}
