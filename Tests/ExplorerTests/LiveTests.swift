import Explorer
import InstaQL
import LiveQueries
import TerminalUI
import Testing
import Triples

@Suite("Live updates")
struct LiveTests {
  private static let start = ContinuousClock.now

  private func steps(
    _ screen: Screen, _ name: String, _ label: String, _ value: Value
  ) throws -> [TransactionStep] {
    let entity = try #require(try entity(named: name, in: screen.store))
    let attribute = try #require(screen.store.schema.attribute("plants", label))
    return [.addTriple(.id(entity), attribute.id, value)]
  }

  private func entity(named name: String, in store: TripleStore) throws -> EntityID? {
    let attribute = try #require(store.schema.attribute("plants", "name"))
    let answer = try QueryEngine.answer(QueryPlan("plants"), in: store)
    return answer.rows.first { store.value($0, attribute.id) == .text(name) }
      .map { store.id(of: $0) }
  }

  @Test("a query that fails after its answer is no longer live and states the reason")
  func failedLater() throws {
    var screen = try Screen(columns: 90, rows: 24, query: QueryPlan("plants"))
    #expect(screen.row(0).contains("● live"))
    let token = try #require(screen.watched.last?.token)
    let failure = LiveFailure(message: "Refused", hint: "Its rules")
    screen.handle(.live(token, .failed(failure)))
    #expect(screen.row(0).contains("✕ failed") && !screen.row(0).contains("live"))
    #expect(screen.text.contains("Refused") && screen.text.contains("Its rules"))
  }

  /// Returns the paint of the first cell of a text; nil if the text is not shown.
  private func paint(of text: String, in screen: Screen) -> Paint? {
    let frame = screen.workspace.view()
    for row in 0..<frame.size.rows {
      let line = frame.text(row: row)
      guard let range = line.firstRange(of: text) else { continue }
      let column = TextWidth.columns(of: String(line[..<range.lowerBound]))
      return frame.cell(row: row, column: column).paint
    }
    return nil
  }

  @Test("a slow store shows its loading rate and how to cancel")
  func opening() throws {
    var workspace = Workspace(StoreListing(typed: "big"), size: Size(columns: 100, rows: 16))
    _ = workspace.update(.loading(LoadingProgress(done: 0, of: 4_000_000, .rows)))
    _ = workspace.update(.tick(Self.start))
    _ = workspace.update(.loading(LoadingProgress(done: 1_000_000, of: 4_000_000, .rows)))
    #expect(!workspace.view().text.contains("a second"))
    _ = workspace.update(.tick(Self.start + .milliseconds(500)))
    expectBlock(
      """
      ├─ [4] Results ─────────────────────────────────────────────────────────┤
      │ Opening big                                                           │
      │ ██████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  25%                         │
      │ 1,000,000 of 4,000,000 rows · 2,000,000 a second · 1 s left           │
      │ ctrl-c cancel                                                         │
      """, in: workspace.view().text)
    #expect(workspace.view().text(row: 0).hasSuffix(" … loading 25%"))
    #expect(workspace.view().text(row: 15).hasPrefix(" ctrl-c cancel  "))
    #expect(workspace.deadline == nil)
    _ = workspace.update(.loading(LoadingProgress(done: 2_500_000, of: nil, .bytes)))
    _ = workspace.update(.tick(Self.start + .seconds(1)))
    #expect(workspace.view().text.contains(" 2.5 MB "))
    #expect(workspace.update(.terminal(.key(.control("c")))).last == .quit(status: 130))
    _ = workspace.update(.snapshot(StoreSnapshot(try Garden.store())))
    #expect(!workspace.view().text.contains("Opening"))
  }

  @Test("a server that has not answered is named, with a way out")
  func connecting() throws {
    var workspace = Workspace(
      StoreListing(typed: "ws://far.example/x"), size: Size(columns: 100, rows: 16))
    _ = workspace.update(.loading(nil))
    _ = workspace.update(.tick(Self.start))
    #expect(workspace.view().text.contains("Connecting to ws://far.example/x"))
    #expect(workspace.view().text.contains("ctrl-c cancel"))
    _ = workspace.update(.snapshot(StoreSnapshot(try Garden.store())))
    _ = workspace.update(.loading(nil))
    #expect(!workspace.view().text.contains("Connecting"))
  }

  @Test("a changed cell is highlighted and fades")
  func fading() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    #expect(screen.workspace.deadline == nil)
    try screen.transact(try steps(screen, "Mint", "height", 41))
    #expect(paint(of: "41 ", in: screen) == Paint(.changed, on: .changed))
    screen.handle(.tick(Self.start))
    let fades = try #require(screen.workspace.deadline)
    screen.handle(.tick(fades))
    #expect(paint(of: "41 ", in: screen) == Paint(.changed))
    let ends = try #require(screen.workspace.deadline)
    #expect(ends > fades)
    screen.handle(.tick(ends))
    #expect(paint(of: "41 ", in: screen) == Paint(.number))
    #expect(screen.workspace.deadline == nil)
    #expect(!screen.workspace.isTimed)
  }

  @Test("an idle screen needs no clock")
  func rest() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("down w escape F escape ? escape")
    #expect(screen.workspace.deadline == nil)
    #expect(!screen.workspace.isTimed)
  }

  @Test("with reduced motion, highlights stay until the next key")
  func reducedMotion() throws {
    var screen = try Screen(query: QueryPlan("plants"), reducesMotion: true)
    try screen.transact(try steps(screen, "Mint", "height", 41))
    #expect(paint(of: "41 ", in: screen) == Paint(.changed, on: .changed))
    #expect(!screen.workspace.isTimed && screen.workspace.deadline == nil)
    screen.handle(.tick(Self.start))
    screen.handle(.tick(Self.start + .seconds(60)))
    #expect(paint(of: "41 ", in: screen) == Paint(.changed, on: .changed))
    try screen.transact(try steps(screen, "Iris", "height", 81))
    #expect(paint(of: "81 ", in: screen) == Paint(.changed, on: .changed))
    #expect(paint(of: "41 ", in: screen) == Paint(.number))
    screen.press("down")
    #expect(paint(of: "81 ", in: screen)?.ink == .number)
  }

  @Test("a paused view counts updates and shows them when resumed")
  func pause() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("p")
    try screen.transact(try steps(screen, "Mint", "height", 41))
    try screen.transact(try steps(screen, "Fig", "height", 251))
    #expect(screen.row(0).contains("‖ paused  2 changes waiting"))
    #expect(screen.text.contains(" 250 "))
    screen.press("down down y y")
    #expect(screen.effects.last == .copy("Mint"))
    screen.press("p")
    #expect(screen.text.contains(" 251 "))
    #expect(screen.row(0).contains("● live"))
    #expect(paint(of: "251 ", in: screen) == Paint(.changed, on: .changed))
  }

  @Test("the header says whether the store is read-only, also while paused")
  func pausedAccess() throws {
    var screen = try Screen(query: QueryPlan("plants"), readOnlyReason: "Read-only.")
    screen.press("p")
    #expect(screen.row(0).contains("‖ paused  read-only"), "\(screen.row(0))")
  }

  @Test("another query is shown at once, even while paused")
  func pauseEnds() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("p l s")
    #expect(!screen.row(0).contains("paused"))
    #expect(screen.text.contains("↑height"))
  }

  @Test("every change is logged with old and new values")
  func log() throws {
    var screen = try Screen(columns: 110, rows: 18, query: QueryPlan("plants"))
    screen.press("C")
    #expect(screen.text.contains("No changes"))
    try screen.transact(try steps(screen, "Mint", "height", 41))
    let fig = try #require(try entity(named: "Fig", in: screen.store))
    let iris = try #require(try entity(named: "Iris", in: screen.store))
    let bed = try #require(screen.store.schema.link("plants", "bed"))
    let beds = try QueryEngine.answer(QueryPlan("beds"), in: screen.store).rows
    let name = try #require(screen.store.schema.attribute("plants", "name"))
    let identity = try #require(screen.store.schema.attribute("plants", "id"))
    let fresh = EntityID("00000000-0000-4000-8000-000000000001")
    try screen.transact([
      .deleteEntity(.id(fig), namespace: "plants"),
      .addTriple(.id(iris), bed.attribute.id, .text(screen.store.id(of: beds[0]).text)),
      .addTriple(.id(fresh), identity.id, .text(fresh.text)),
      .addTriple(.id(fresh), name.id, "Aloe"),
    ])
    try expectScreen(screen.text, named: "changes")
    screen.press("g enter")
    #expect(screen.text.contains("─ [5] Mint ─"))
  }

  @Test(
    "changes of rows without identity, such as those of a view, are not logged",
    arguments: [true, false])
  func positions(isReported: Bool) throws {
    var store = try Garden.store()
    var identity = try #require(store.schema.identity(of: "plants"))
    identity.isPosition = true
    store.addAttribute(identity)
    var screen = try Screen(columns: 110, rows: 18, query: QueryPlan("plants"), store: store)
    screen.press("C")
    let change = try steps(screen, "Mint", "height", 41)
    if isReported {
      try screen.transact(change)
    } else {
      var changed = screen.store
      _ = try changed.transact(Transaction(change))
      screen.change(to: changed)
    }
    #expect(screen.text.contains(" 0 changes "), "\(screen.text)")
  }

  @Test("added and removed rows are counted and do not move the cursor")
  func counting() throws {
    var screen = try Screen(query: QueryPlan("plants").order("name"))
    screen.press("down down")
    let name = try #require(screen.store.schema.attribute("plants", "name"))
    let identity = try #require(screen.store.schema.attribute("plants", "id"))
    let fresh = EntityID("00000000-0000-4000-8000-000000000001")
    try screen.transact([
      .addTriple(.id(fresh), identity.id, .text(fresh.text)),
      .addTriple(.id(fresh), name.id, "Aloe"),
    ])
    #expect(screen.text.contains("1 added · row 4 of 6"))
    #expect(paint(of: "Aloe", in: screen) == Paint(.inserted, on: .inserted))
    screen.press("y y")
    #expect(screen.effects.last == .copy("Mint"))
  }

  @Test("a row that starts to match is highlighted as new")
  func coming() throws {
    let plan = QueryPlan("plants").filter(.compare("height", .greater, .integer(100)))
    var screen = try Screen(query: plan)
    #expect(!screen.text.contains("Mint"))
    try screen.transact(try steps(screen, "Mint", "height", 500))
    #expect(screen.text.contains("1 added · "))
    #expect(paint(of: "Mint", in: screen) == Paint(.inserted, on: .inserted))
    try screen.transact(try steps(screen, "Mint", "height", 5))
    #expect(screen.text.contains("1 removed · "))
  }

  @Test("changes are highlighted even if the store does not report them")
  func unknownHistory() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    var store = screen.store
    _ = try store.transact(Transaction(try steps(screen, "Mint", "height", 41)))
    screen.change(to: store)
    #expect(paint(of: "41 ", in: screen) == Paint(.changed, on: .changed))
    #expect(paint(of: "310 ", in: screen) == Paint(.number))
  }

  @Test("a slow query can be canceled")
  func slow() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.isSlow = true
    screen.press("l s")
    screen.handle(.tick(Self.start))
    #expect(!screen.text.contains("ctrl-c"))
    screen.handle(.tick(try #require(screen.workspace.deadline)))
    #expect(screen.text.contains("running  ctrl-c cancel"))
    for second in 1...2 {
      screen.handle(.tick(try #require(screen.workspace.deadline)))
      #expect(screen.text.contains("running for \(second) s  ctrl-c cancel"))
    }
    screen.press("ctrl-c")
    #expect(screen.workspace.deadline == nil)
    #expect(screen.notice == .queryCanceled)
    #expect(!screen.effects.contains(.quit(status: 130)))
    #expect(!screen.workspace.isTimed)
  }

  @Test("pending changes are counted, and their rows are marked")
  func pending() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    let fig = try #require(try entity(named: "Fig", in: screen.store))
    screen.show(
      StoreSnapshot(
        screen.store, freshness: .optimistic, pending: PendingChanges(count: 2, entities: [fig])))
    #expect(screen.row(0).contains("↑2 pending"))
    #expect(screen.text.contains("↑Fig"))
  }
}
