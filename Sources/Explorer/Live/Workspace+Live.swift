import InstaQL
import LiveQueries
import Triples

// Handles results and time, and pauses live updates.
extension Workspace {
  /// The next time at which the screen changes by itself; nil if nothing depends on time.
  package var deadline: ContinuousClock.Instant? {
    [
      tab.results.highlights.deadline, tab.latency.deadline, session.startup.deadline,
      store.absence?.deadline, namespaces.rest.deadline, session.renewal.deadline,
    ]
    .compactMap { $0 }.min()
  }

  /// Whether the workspace needs ticks, because something on the screen depends on time.
  ///
  /// It is not inlined, because callers would copy the workspace to read it.
  @inline(never)
  package var isTimed: Bool {
    tab.results.highlights.isMoving || tab.latency.isWaiting || store.isTimed
      || session.startup.isAwaited || namespaces.rest.isAwaited || session.renewal.isAwaited
  }

  mutating func tick(_ now: ContinuousClock.Instant) -> [Effect] {
    tab.results.tick(now)
    tab.latency.tick(now)
    store.tick(now)
    let followed = namespaces.rest.tick(now) ? followCursor() : []
    let renewed = session.renewal.tick(now) ? renewTimes() : []
    // If the session has not arrived by now, the program starts without it.
    return followed + renewed + (session.startup.tick(now) ? restore(RestoredSession()) : [])
  }

  mutating func callServer() -> [Effect] {
    if store.isAway || store.absence != nil { return [.callServer] }
    return notify(staleness?.notice ?? .alreadyConnected)
  }

  mutating func handleResult(_ result: LiveResult) -> [Effect] {
    if tab.hold(result) { return [] }
    logChanges(in: result)
    tab.results.showResult(
      result, page: layout.resultRows, marking: settings.reducesMotion ? .steady : .fading)
    if notice == .moreRowsComing, !tab.results.isLoadingWindow { notice = nil }
    if store.isPartial { listStagedChanges() }
    refreshOverlays()
    return seek() + recount() + explainEmptyResult()
  }

  /// Logs the differences between two answers of a remote store, which does not report changes.
  private mutating func logChanges(in result: LiveResult) {
    guard store.isPartial, case .loaded(let after) = result, let before = tab.results.shown,
      before.answers.first?.plan == after.answers.first?.plan,
      !before.snapshot.base.store.isIdentical(to: after.snapshot.base.store)
    else { return }
    log { $0.add(from: before.withoutOverlay, to: after.withoutOverlay) }
  }

  /// Counts the values in the facets pane again if the query changed, or if data changed and
  /// counting is fast.
  mutating func recount() -> [Effect] {
    guard let table = tab.results.table, let pane = facetsPane,
      let attribute = table.catalog.schema.attribute(table.answer.namespace, pane.label)
    else { return [] }
    let asked = Counting(plan: table.answer.plan, label: pane.label)
    let isQuick =
      table.answer.window == nil && table.answer.rows.count <= Self.maxRecounted
    guard isQuick || (pane.counted != asked.plan && counting != asked) else { return [] }
    return countValues(of: attribute, in: table)
  }

  private static let maxRecounted = 20_000

  mutating func setBaseline() {
    guard tab.results.setBaseline() else {
      notice = .cannotCompare
      return
    }
    refreshOverlays()
    notice = .comparing
  }

  /// Pauses live updates, or resumes them and shows the newest update.
  mutating func togglePause() -> [Effect] {
    guard let held = tab.held else {
      tab.held = PausedUpdates()
      return notify(.paused)
    }
    tab.held = nil
    return (held.newest.map { handleResult($0) } ?? []) + renewTimes()
  }

  /// Applies settings that the user saved while the screen is open.
  mutating func apply(_ new: LiveSettings) -> [Effect] {
    let before = settings
    settings.update(new.screen)
    store.label = new.label
    notice = new.remark
    if settings.isScreenReader != before.isScreenReader { measureQuery() }
    keepInView()
    return (new.theme.map { [.theme(.named($0))] } ?? [])
      + (new.isMouseOn.map { [.mouse(isOn: $0)] } ?? [])
      + (settings.isASCII == before.isASCII
        ? [] : [.workspace(.set(.ascii, isOn: settings.isASCII))])
  }

  /// Changes a setting until the user quits or saves the settings file.
  mutating func set(_ setting: ScreenSetting, isOn: Bool) {
    settings.set(setting, isOn: isOn)
    measureQuery()
    keepInView()
  }
}
