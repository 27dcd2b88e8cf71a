import DataSources
import Dispatch
import Explorer
import InstaQL
import LiveQueries
import Synchronization
import TerminalUI
import TestSupport
import Testing
import Triples

@Suite("The loop", .timeLimit(.minutes(10)))
struct EventLoopTests {
  @Test(
    "a hundred thousand keys at once are one text, and a text that is too long is reported")
  func pasteAsKeys() async throws {
    let text = "height > " + String(repeating: "1", count: 40_000)
    let ends = try await onOwnThread {
      let terminal = ScriptedTerminal([
        .init("Fig", "F"), .init("─ Filter ─", text), .init("1111", text),
        .init("Not pasted", "ctrl-c q"),
      ])
      return try Self.run(terminal, on: SlowStore()).end
    }
    #expect(ends == .quit(0))
  }

  @Test("changes are committed in order, and all before the end")
  func changes() async throws {
    let store = try SlowStore()
    let (end, isSettled, said) = try await onOwnThread {
      let terminal = ScriptedTerminal([
        .init("Fig", "4 l e ctrl-u 1 enter e ctrl-u 2 enter e ctrl-u 3 enter q")
      ])
      return try Self.run(terminal, on: store)
    }
    #expect(end == .quit(0))
    #expect(isSettled, "\(said)")
    #expect(store.heights == [1, 2, 3])
    #expect(store.maxAtOnce == 1)
  }

  @Test("a change waits until the previous one is accepted, not confirmed")
  func taken() async throws {
    let store = try SlowStore(takes: 3)
    let (end, isSettled, said) = try await onOwnThread {
      let terminal = ScriptedTerminal([
        .init("Fig", "4 l e ctrl-u 1 enter e ctrl-u 2 enter e ctrl-u 3 enter q")
      ])
      return try Self.run(terminal, on: store)
    }
    #expect(end == .quit(0))
    #expect(store.heights == [1, 2, 3])
    #expect(!isSettled)
    // On a busy machine the waiting message may also appear.
    #expect(said.filter { !$0.hasPrefix("Waiting until") } == ["Not changed: not this one"])
  }

  @Test("a change rejected after the screen closed is reported")
  func refused() async throws {
    let (_, isSettled, said) = try await onOwnThread {
      let terminal = ScriptedTerminal([.init("Fig", "4 l e ctrl-u 1 enter q")])
      return try Self.run(terminal, on: SlowStore(refuses: true))
    }
    #expect(!isSettled)
    #expect(said.contains { $0.hasPrefix("Not changed:") && $0.contains("not today") })
  }

  @Test("an unresponsive store delays the exit only briefly, and open results are reported")
  func unanswered() async throws {
    let store = try SlowStore(answers: false)
    let (end, isSettled, said) = try await onOwnThread {
      let terminal = ScriptedTerminal([.init("Fig", "4 l e ctrl-u 1 enter q")])
      return try Self.run(terminal, on: store)
    }
    store.giveUp()
    #expect(end == .quit(0))
    #expect(!isSettled)
    #expect(said.last == "Quit without knowing whether 1 change is committed")
  }

  @Test("changes go to the store in front, and each store gets its own reports")
  func twoStores() async throws {
    let (first, second) = (try SlowStore(), try SlowStore())
    let (end, isSettled, said) = try await onOwnThread {
      let terminal = ScriptedTerminal([
        .init("[1:plants]", "."), .init("[2:plants]", "4 l e ctrl-u 7 enter q"),
      ])
      return try Self.run(terminal, on: first, second)
    }
    #expect(end == .quit(0))
    #expect(isSettled, "\(said)")
    #expect(first.heights.isEmpty)
    #expect(second.heights == [7])
  }

  @Test(
    "keys move the cursor at once while the answer to a query is held back",
    arguments: [
      ("plants", "s down down", "row 3 of 5"),
      ("plants group edible", "s down", "row 2 of 2"),
      // Groups replace the rows, so keys for rows wait for them, but other lists have their cursor.
      ("plants", "l l # 1 up", "[2] beds"),
    ])
  func heldBack(query: String, keys: String, shown: String) async throws {
    let store = try HoldingStore()
    let end = try await onOwnThread {
      let terminal = ScriptedTerminal([.init("row 1 of", "4 " + keys), .init(shown, "q")])
      let start = Self.start(store, store.snapshot, query: query, terminal)
      var loop = EventLoop([start], terminal: terminal, theme: .plain)
      return loop.run()
    }
    #expect(end == .quit(0))
    #expect(store.heldCount >= 1)
  }

  @Test("a key releases the mouse, and captures it again")
  func mouse() async throws {
    for (releases, isOn) in [(false, true), (true, false)] {
      let (end, isMouseOn) = try await onOwnThread {
        let steps: [ScriptedTerminal.Step] = [
          .init("row 1 of", "m"), .init("Mouse captured", releases ? "m" : "q"),
          .init("Mouse released", "q"),
        ]
        let terminal = ScriptedTerminal(steps)
        return (try Self.run(terminal, on: SlowStore()).end, terminal.isMouseOn)
      }
      #expect(end == .quit(0))
      #expect(isMouseOn == isOn)
    }
  }

  private static func run(
    _ terminal: ScriptedTerminal, on stores: SlowStore...
  ) throws -> (end: EventLoop.End, isSettled: Bool, said: [String]) {
    let starts = stores.map { start($0, $0.snapshot, terminal) }
    var loop = EventLoop(starts, terminal: terminal, theme: .plain)
    let end = loop.run()
    // A rejection that comes earlier is shown on the screen.
    for store in stores { store.rejectAfterTheEnd() }
    var said: [String] = []
    let answers = stores.allSatisfy(\.answers)
    let isSettled = loop.finishChanges(within: .milliseconds(answers ? 600_000 : 400)) {
      said.append($0)
    }
    return (end, isSettled, said)
  }

  private static func start(
    _ store: any StoreDataSource, _ snapshot: StoreSnapshot, query: String = "plants",
    _ terminal: ScriptedTerminal
  ) -> EventLoop.Start {
    let mailbox = Mailbox(waker: terminal.waker)
    mailbox.post(.snapshot(snapshot))
    let changes = StagedStore(store)
    return (
      Workspace(
        StoreListing(typed: "garden"), size: terminal.size, startup: StartupView(query: query)),
      OpenStore(
        runner: EffectRunner(
          manager: QueryManager(store: changes), changes: changes, mailbox: mailbox))
    )
  }
}

/// A terminal that types when the screen shows what is awaited.
private final class ScriptedTerminal: Terminal {
  struct Step {
    let awaited: String
    let events: [TerminalEvent]

    /// Keys by their names, or else a text.
    init(_ awaited: String, _ keys: String) {
      self.awaited = awaited
      let named = keys.split(separator: " ").map { Key(named: String($0)) }
      let typed = named.contains(nil) ? keys.map { Key.character($0) } : named.compactMap { $0 }
      events = typed.map { .key($0) }
    }
  }

  private final class Bell: Waker {
    let semaphore = DispatchSemaphore(value: 0)
    func wake() { semaphore.signal() }
  }

  let size = Size(columns: 110, rows: 24)
  var isMouseOn = false
  var usesPlainDrawings = false
  private var steps: ArraySlice<Step>
  private var text = ""
  private let bell = Bell()

  init(_ steps: [Step]) { self.steps = steps[...] }

  var waker: any Waker { bell }

  func draw(_ frame: Frame, theme: Theme) { text = frame.text }

  func wait(until deadline: ContinuousClock.Instant?) -> [TerminalEvent] {
    if let step = steps.first, text.contains(step.awaited) {
      steps.removeFirst()
      return step.events
    }
    // What fades away at some time is none of what is awaited.
    if bell.semaphore.wait(timeout: .now() + 60) == .success { return [.wake] }
    Issue.record(
      """
      Waited a minute for \(steps.first?.awaited ?? "the end"), but the screen was
      \(text)
      """)
    return [.hangup]
  }

  func redraw() {}
  func suspend() {}
  func copy(_ text: String) -> Bool { false }
  func setTitle(_ title: String) {}
  func ring() {}
  func run(
    _ arguments: [String], variables: [String: String]
  ) throws(TerminalError) -> Int32 { 0 }
}

/// The garden store, which takes time for changes and does not announce them.
///
/// If it accepts changes before it answers, it answers after that many and after the end of the loop,
/// and rejects the first.
private final class SlowStore: StoreDataSource {
  private struct Changes {
    var heights: [Int64] = []
    var now = 0
    var maxAtOnce = 0
    var isLoopOver = false
  }

  let snapshot: StoreSnapshot
  let answers: Bool
  let refuses: Bool
  private let takes: Int
  private let changes = Mutex(Changes())
  private let (gate, opener) = AsyncStream.makeStream(of: Void.self)

  init(refuses: Bool = false, answers: Bool = true, takes: Int = 0) throws {
    self.refuses = refuses
    self.takes = takes
    self.answers = answers
    snapshot = StoreSnapshot(try Garden.store())
  }

  /// Heights in the order in which they began to be written.
  var heights: [Int64] { changes.withLock { $0.heights } }
  var maxAtOnce: Int { changes.withLock { $0.maxAtOnce } }

  /// Resumes callers that wait for an answer.
  func giveUp() { opener.finish() }

  /// Lets the store reject changes, since the loop is over.
  func rejectAfterTheEnd() {
    if refuses { giveUp() }
    changes.withLock { changes in
      changes.isLoopOver = true
      if takes > 0, changes.heights.count == takes { giveUp() }
    }
  }

  var holdsEverything: Bool { get async { true } }

  func get(_ query: any Query) async throws(DataSourceError) -> StoreSnapshot { snapshot }

  func getAll(_ query: any Query) async throws(DataSourceError) -> [StoreSnapshot] { [snapshot] }

  func wholeStore(bytes: AnswerView.Bytes) async throws(DataSourceError) -> WholeStore {
    WholeStore(snapshot)
  }

  func watch(_ query: any Query) -> DataStream<StoreSnapshot> {
    let (stream, continuation) = DataStream.makeStream(of: StoreSnapshot.self)
    continuation.yield(snapshot)
    return stream
  }

  func put(
    _ change: TransactionQuery, taken: @escaping @Sendable () -> Void
  ) async throws(DataSourceError) -> StoreSnapshot {
    if takes == 0 { return try await put(nil, in: change) }
    let place = changes.withLock { changes in
      changes.heights += change.transaction.numbers
      if changes.isLoopOver, changes.heights.count == takes { giveUp() }
      return changes.heights.count
    }
    taken()
    for await _ in gate {}
    if place == 1 { throw DataSourceError(.failed, "not this one", operation: .put) }
    return snapshot
  }

  func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot {
    if refuses || !answers { for await _ in gate {} }
    if refuses { throw DataSourceError(.failed, "not today", operation: .put) }
    changes.withLock { changes in
      changes.now += 1
      changes.maxAtOnce = max(changes.maxAtOnce, changes.now)
    }
    for _ in 0..<20 { await Task.yield() }
    changes.withLock { changes in
      changes.now -= 1
      if let query = query as? TransactionQuery {
        changes.heights += query.transaction.numbers
      }
    }
    return snapshot
  }

  func putAll(
    _ objects: [StoreSnapshot], in query: any Query
  ) async throws(DataSourceError) -> [StoreSnapshot] { [] }
}

/// The garden store, which answers the first query and holds back the answers to all others.
private final class HoldingStore: StoreDataSource {
  let snapshot: StoreSnapshot
  private let asked = Mutex<[QueryDocument]>([])

  init() throws { snapshot = StoreSnapshot(try Garden.store()) }

  /// The number of answers that are held back.
  var heldCount: Int { asked.withLock { asked in asked.count { $0 != asked.first } } }

  func watch(_ query: any Query) -> DataStream<StoreSnapshot> {
    let (stream, continuation) = DataStream.makeStream(of: StoreSnapshot.self)
    let isHeld = asked.withLock { asked in
      guard let document = query as? QueryDocument else { return false }
      asked.append(document)
      return document != asked[0]
    }
    if !isHeld { continuation.yield(snapshot) }
    return stream
  }

  func get(_ query: any Query) async throws(DataSourceError) -> StoreSnapshot { snapshot }

  func getAll(_ query: any Query) async throws(DataSourceError) -> [StoreSnapshot] { [snapshot] }

  func wholeStore(bytes: AnswerView.Bytes) async throws(DataSourceError) -> WholeStore {
    WholeStore(snapshot)
  }

  func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot { snapshot }

  func putAll(
    _ objects: [StoreSnapshot], in query: any Query
  ) async throws(DataSourceError) -> [StoreSnapshot] { [] }
}

extension Transaction {
  fileprivate var numbers: [Int64] {
    steps.compactMap { step in
      if case .addTriple(_, _, .integer(let number), _) = step { number } else { nil }
    }
  }
}
