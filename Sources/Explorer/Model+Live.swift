import InstaQL
import LiveQueries
import Triples

// What comes by itself: answers, time, and holding both back.
extension Model {
  /// When the model next wants to be told the time; nil while nothing depends on it.
  package var deadline: ContinuousClock.Instant? {
    [
      tab.results.flashes.deadline, tab.slowness.deadline, beginning.deadline,
      store.absence?.deadline,
    ]
    .compactMap { $0 }.min()
  }

  /// Whether anything depends on the time at all.
  package var isTimed: Bool {
    tab.results.flashes.isMoving || tab.slowness.isWaiting || store.opening != nil
      || beginning.isAwaited
      || store.absence?.isTimed == true
  }

  mutating func tick(_ now: ContinuousClock.Instant) -> [Effect] {
    tab.results.tick(now)
    tab.slowness.tick(now)
    store.opening?.tick(now)
    store.absence?.tick(now)
    // Too late, it is no longer waited for.
    return beginning.tick(now) ? take(Recollection()) : []
  }

  /// Calls the server that is away.
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
    if case .loading = result {} else { tab.slowness.isWaiting = false }
    if tab.hold(result) { return [] }
    logChanges(in: result)
    tab.results.receive(
      result, page: layout.resultRows, marking: preferences.reducesMotion ? .steady : .fading)
    if notice == .moreRowsComing, !tab.results.isStretching { notice = nil }
    if unsent != nil { noteUnsent() }
    endHoldUp(.seen)
    refreshOverlays()
    return seek() + recount() + takeAhead()
  }

  /// A store elsewhere tells what has changed by other answers alone.
  private mutating func logChanges(in result: LiveResult) {
    guard isElsewhere, case .loaded(let after) = result, let before = tab.results.shown,
      before.answers.first?.plan == after.answers.first?.plan
    else { return }
    let (written, missed) = (log.written, log.missed)
    log.add(from: before, to: after)
    announceChanges(since: written, missed)
  }

  /// Has the values that are shown with bars counted anew: at each change where that is quickly done,
  /// else where they are those of another query, or of none.
  mutating func recount() -> [Effect] {
    guard let table = tab.results.table,
      let pane = tab.overlays.lazy.compactMap({ $0.pane as? FacetsPane }).last,
      let attribute = table.catalog.schema.attribute(table.answer.namespace, pane.label)
    else { return [] }
    let asked = Counting(plan: table.answer.plan, label: pane.label)
    let isQuick =
      table.answer.stretch == nil && table.answer.rows.count <= Self.mostRecounted
    guard isQuick || (pane.counted != asked.plan && counting != asked) else { return [] }
    return countValues(of: attribute, in: table, isUpdate: pane.counted == asked.plan)
  }

  /// Of so many rows values are counted at each change.
  private static let mostRecounted = 20_000

  /// What is shown now is what later answers are held against.
  mutating func beginComparison() {
    guard let shown = tab.results.shown, Comparison.isPossible(shown) else {
      notice = .cannotCompare
      return
    }
    tab.results.beginComparison()
    refreshOverlays()
    notice = .comparing
  }

  /// Holds the rows as they are, or shows what came meanwhile.
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

/// The values of a column in the rows of a query, as they are being counted.
struct Counting: Sendable, Equatable {
  let plan: QueryPlan
  let label: String
}

extension Tab {
  /// Keeps an answer back while the view is paused, and counts what changed; false where it is to be
  /// shown.
  mutating func hold(_ result: LiveResult) -> Bool {
    guard held != nil, results.table != nil, !results.isStretching else { return false }
    if case .loaded(let live) = result {
      let more = changes(to: live.snapshot)
      held?.changes += more
    }
    held?.newest = result
    return true
  }

  /// How much changed since what is shown, or since what was held back last: as many as the log has
  /// lines of it.
  private func changes(to snapshot: StoreSnapshot) -> Int {
    var before = results.table?.catalog.snapshot
    if case .loaded(let live)? = held?.newest { before = live.snapshot }
    guard let before, before.transactionID != snapshot.transactionID else { return 0 }
    guard let changes = snapshot.changes(since: before) else { return 1 }
    return ChangeLog.count(of: changes, from: before, to: snapshot)
  }
}

/// Whether an answer takes so long that one should be told.
struct Slowness: Sendable, Equatable {
  var isWaiting = false {
    didSet {
      if !isWaiting || !oldValue {
        asked = nil
        isSlow = false
        seconds = 0
      }
    }
  }
  /// When the query was asked; nil until the first tick.
  private var asked: ContinuousClock.Instant?
  /// Whether it takes longer than one waits without wondering.
  private(set) var isSlow = false
  /// How many whole seconds it has taken until now.
  private var seconds: Int64 = 0

  private static let patience = Duration.milliseconds(200)

  mutating func tick(_ now: ContinuousClock.Instant) {
    guard isWaiting else { return }
    guard let asked else {
      self.asked = now
      return
    }
    isSlow = now >= asked + Self.patience
    seconds = (now - asked).components.seconds
  }

  /// What is said meanwhile; nil before it takes long.
  var notice: Notice? { isSlow ? .running(seconds: seconds) : nil }

  var deadline: ContinuousClock.Instant? {
    guard isWaiting, let asked else { return nil }
    return asked + (isSlow ? .seconds(seconds + 1) : Self.patience)
  }
}
