import Dispatch
import Explorer
import InstaQL
import LiveQueries
import Stores
import TerminalUI
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Measures the overhead of the screen over the query engine, in one process.
///
///     sonde-bench answers STORE [NAMESPACE]
///
/// The first figure is the time until the first screen with loaded rows. Then, for each sort and
/// filter, it compares the time of the engine with the time from the key to the frame that shows
/// the rows. ``ExplorerBench`` measures the terminal itself.
struct AnswersBench {
  let file: String
  let namespace: String

  private static let screens = 20
  private static let rounds = 7

  /// The goals, in milliseconds.
  private enum Bar {
    static let firstScreen = 30.0
    static let orderAndFilter = 20.0
  }

  static func run(_ arguments: [String]) async throws {
    guard let file = arguments.first else { return print("answers: specify a store") }
    let bench = AnswersBench(
      file: file, namespace: arguments.dropFirst().first ?? "rows")
    try await bench.measureFirstScreens()
    for text in [
      "order score", "order score desc", "order title", "order status, score", "order created",
      #"filter status = "open""#, #"filter title like "%elm%""#, "filter score > 990000",
      #"filter author.name = "user3000""#,
    ] {
      try await bench.measure(bench.namespace + " " + text)
    }
  }

  // MARK: The first screen

  private func measureFirstScreens() async throws {
    let store = try await open()
    let plan = QueryPlan(namespace)
    let answer = try QueryEngine.answer(plan, in: store)
    let labels = Self.labels(of: answer)
    var times: [Double] = []
    for _ in 0..<Self.screens {
      let memory = MemoryStore(store)
      let terminal = try await Self.run(
        memory, QueryManager(store: memory), namespace, [.init(labels, [])])
      if let (begun, seen) = terminal.first { times.append(seen - begun) }
    }
    times.sort()
    guard times.count == Self.screens else { return print("no screen showed \(labels)") }
    let (median, high) = (times[times.count / 2], times[times.count * 95 / 100])
    print(
      "first screen of \(answer.total) rows in memory: \(median.short) / \(high.short) ms"
        + Self.verdict(high <= Bar.firstScreen))
  }

  // MARK: Sorts and filters

  /// Measures the engine alone and the screen alternately, each time on a newly opened store.
  ///
  /// The store caches sort orders, so a store that is used again would be too fast.
  ///
  /// The screen's overhead is smaller than the variation of the engine's time. So it is reported in
  /// two ways: as the difference from the adjacent run of the engine alone, and as the time from
  /// key to frame without the engine's part of it. The goal applies to the second figure.
  private func measure(_ text: String) async throws {
    guard let plan = try QueryDocument(text: text).plans.first else { return }
    var (alone, screen) = (Times(), Times())
    var (added, share) = (Times(), Times())
    let answer = try QueryEngine.answer(plan, in: try await open())
    for round in 0..<Self.rounds {
      // The order alternates, because the first run of a round may be faster.
      let before = round.isMultiple(of: 2) ? try await time(plan) : nil
      guard let shown = try await show(text, answer) else { return print("\(text): no screen") }
      let after = before == nil ? try await time(plan) : nil
      guard let time = before ?? after else { continue }
      alone.add(time)
      screen.add(shown.time)
      added.add(shown.time - time)
      share.add(shown.time - shown.engine)
    }
    print(
      "\(text.padded(36)) \(answer.total) rows, engine \(alone.median.short), key to frame "
        + "\(screen.median.short), added \(added.text); next to the engine in that time "
        + share.text
        + Self.verdict(share.median <= Bar.orderAndFilter))
  }

  /// Returns the time in milliseconds that the engine alone takes.
  private func time(_ plan: QueryPlan) async throws -> Double {
    let store = try await open()
    _ = try QueryEngine.answer(QueryPlan(namespace), in: store)
    pause(TimedTerminal.rest)
    return try await Self.timed(plan, in: store)
  }

  /// Measures the time from the key to the frame with the rows, and the engine's part of that time.
  private func show(
    _ text: String, _ answer: Answer
  ) async throws -> (time: Double, engine: Double)? {
    let store = try await open()
    let first = Self.labels(of: try QueryEngine.answer(QueryPlan(namespace), in: store))
    let memory = MemoryStore(store)
    let manager = QueryManager(store: memory)
    let terminal = try await Self.run(
      memory, manager, namespace,
      [
        .init(first, [.key(Key("Q")), .key(Key("ctrl-u")), .paste(text)]),
        .init([String(text.prefix(40))], [.key(.enter)]),
        .init([Self.grouped(answer.total) + " "] + Self.labels(of: answer), []),
      ])
    let document = QueryDocument(answer.plan)
    guard terminal.count == 3,
      let watched = await manager.watchedQueries.last(where: { $0.document == document })
    else { return nil }
    return (terminal[2].seen - terminal[2].typed, watched.work.elapsed / .milliseconds(1))
  }

  /// Measured durations, in milliseconds.
  private struct Times {
    private var times: [Double] = []

    mutating func add(_ time: Double) { times.append(time) }

    var median: Double { times.sorted()[times.count / 2] }
    var most: Double { times.max() ?? 0 }

    /// The median and the range.
    var text: String { "\(median.short) (\((times.min() ?? 0).short) to \(most.short))" }
  }

  /// Measures the engine on the kind of thread on which the screen's queries run.
  @concurrent
  private static func timed(_ plan: QueryPlan, in store: TripleStore) async throws -> Double {
    let begin = Timing.now()
    _ = try QueryEngine.answer(plan, in: store)
    return Timing.now() - begin
  }

  /// Returns a number with its digits in groups, as on the screen.
  private static func grouped(_ number: Int) -> String {
    let digits = String(number)
    guard digits.count > 4 else { return digits }
    return digits.enumerated().map { offset, digit in
      offset > 0 && (digits.count - offset).isMultiple(of: 3) ? " \(digit)" : "\(digit)"
    }.joined()
  }

  // MARK: Parts

  private func open() async throws -> TripleStore {
    let local = try await LocalStore.open(file: file, access: .readOnly)
    let store = local.snapshot().store
    await local.close()
    return store
  }

  /// Returns the labels of the first rows. A frame with the answer contains them below each other.
  private static func labels(of answer: Answer) -> [String] {
    answer.rows.prefix(5).compactMap { row in
      guard case .text(let text)? = answer.value(row, "title") else { return nil }
      return text
    }
  }

  /// Runs the explorer on a loaded store.
  private static func run(
    _ store: MemoryStore, _ manager: QueryManager, _ query: String, _ steps: [TimedTerminal.Step]
  ) async throws -> [(typed: Double, seen: Double)] {
    let snapshot = await store.snapshot()
    return await withCheckedContinuation { done in
      DispatchQueue.global().async {
        let terminal = TimedTerminal(steps)
        let mailbox = Mailbox(waker: terminal.waker)
        let workspace = Workspace(
          StoreListing(typed: "rows"), size: terminal.size, startup: StartupView(query: query))
        var loop = EventLoop(
          [
            (
              workspace,
              OpenStore(
                runner: EffectRunner(
                  manager: manager, changes: StagedStore(store), mailbox: mailbox))
            )
          ], terminal: terminal, theme: .plain)
        mailbox.post(.snapshot(snapshot))
        _ = loop.run()
        done.resume(returning: terminal.times)
      }
    }
  }

  private static func verdict(_ isMet: Bool) -> String { isMet ? "" : " MISS" }
}

extension TimedTerminal.Step {
  fileprivate init(_ awaited: [String], _ events: [TerminalEvent]) {
    self.init(awaited: awaited, events: events)
  }
}
