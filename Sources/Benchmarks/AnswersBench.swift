import Dispatch
import Explorer
import InstaQL
import LiveQueries
import Stores
import TerminalUI
import Triples

/// Measures what the screen adds to the work of the store, in one process with it.
///
///     sonde-bench answers STORE [NAMESPACE]
///
/// First the first screen of rows that are in memory already; then, for sorts and filters that were
/// never asked before, the engine alone and the way from the key to the frame with its rows. The
/// terminal is left out: what it takes is in ``ExplorerBench``.
struct AnswersBench {
  let file: String
  let namespace: String

  private static let screens = 20
  private static let rounds = 5

  /// What is to be kept to, in milliseconds.
  private enum Bar {
    static let firstScreen = 30.0
    static let orderAndFilter = 20.0
  }

  static func run(_ arguments: [String]) async throws {
    guard let file = arguments.first else { return print("answers: name a store") }
    let bench = AnswersBench(
      file: file, namespace: arguments.dropFirst().first ?? "rows")
    try await bench.measureFirstScreens()
    for text in [
      "order score", "order score desc", "order title", "order status, score", "order created",
      #"filter status = "open""#, #"filter title like "%elm%""#, "filter score > 990000",
      #"filter author.name = "user3""#,
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
      let terminal = try await Self.times(of: MemoryStore(store), namespace, [.init(labels, [])])
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

  private func measure(_ text: String) async throws {
    guard let plan = try QueryDocument(text: text).plans.first else { return }
    // The best of some: what another program takes meanwhile is neither's fault.
    var (engine, screen) = (Double.infinity, Double.infinity)
    var total = 0
    for _ in 0..<Self.rounds {
      // Opened anew each time: an order that was asked for once is there for the next.
      let (time, answer) = try await Self.timed(plan, in: try await open())
      engine = min(engine, time)
      total = answer.total
      let store = try await open()
      let first = Self.labels(of: try QueryEngine.answer(QueryPlan(namespace), in: store))
      let times = try await Self.times(
        of: MemoryStore(store), namespace,
        [
          .init(first, [.key(Key("Q")), .key(Key("ctrl-u")), .paste(text)]),
          .init([String(text.prefix(40))], [.key(.enter)]),
          .init([Self.grouped(total) + " "] + Self.labels(of: answer), []),
        ])
      guard times.count == 3 else { return print("\(text): no screen") }
      screen = min(screen, times[2].seen - times[2].typed)
    }
    print(
      "\(text.padded(36)) \(total) rows, engine \(engine.short), key to frame \(screen.short), added "
        + "\((screen - engine).short)" + Self.verdict(screen - engine <= Bar.orderAndFilter))
  }

  /// The engine alone, on a thread as that on which the screen has it asked.
  @concurrent
  private static func timed(
    _ plan: QueryPlan, in store: TripleStore
  ) async throws -> (time: Double, answer: Answer) {
    let begin = Timing.now()
    let answer = try QueryEngine.answer(plan, in: store)
    return (Timing.now() - begin, answer)
  }

  /// A number as the screen writes it.
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

  /// The labels of the first rows, which a frame with the answer shows one beneath the other.
  private static func labels(of answer: Answer) -> [String] {
    answer.rows.prefix(5).compactMap { row in
      guard case .text(let text)? = answer.value(row, "title") else { return nil }
      return text
    }
  }

  /// Runs the explorer on a store whose snapshot is at hand.
  private static func times(
    of store: MemoryStore, _ query: String, _ steps: [TimedTerminal.Step]
  ) async throws -> [(typed: Double, seen: Double)] {
    let snapshot = await store.snapshot()
    return await withCheckedContinuation { done in
      DispatchQueue.global().async {
        let terminal = TimedTerminal(steps)
        let mailbox = Mailbox(waker: terminal.waker)
        let model = Model(storeName: "rows", size: terminal.size, query: query)
        var loop = EventLoop(
          terminal: terminal, mailbox: mailbox,
          runner: EffectRunner(manager: QueryManager(store: store), theme: .plain))
        mailbox.post(.snapshot(snapshot))
        _ = loop.run(model)
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
