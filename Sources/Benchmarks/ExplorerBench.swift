import InstaQL
import LiveQueries
import Stores
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Measures the explorer as somebody at its keyboard has it, pane by pane, over a million rows.
///
///     sonde-bench explorer [store file] [--floor PROGRAM]
///
/// The program beside this one runs in a terminal of 120 by 40 that this process reads. A frame is
/// whole when nothing more comes for 60 ms. `--floor` names a program that paints a plain table with
/// ncurses, to be measured in the same minute: what matters on a busy machine is the ratio to it.
struct ExplorerBench {
  let program: String
  let store: String
  /// What changes many entities of the store; nil of a store that somebody named.
  let changes: String?
  let floor: String?
  let homes: FreshHomes

  private static let samples = 60
  private static let starts = 20

  /// What is to be kept to, in milliseconds and bytes.
  private enum Bar {
    static let timesFloor = 2.0
    static let cursor = 1.5
    static let page = 3.0
    static let held = 10.0
    static let heldBytes = 10_000
    static let start = 25.0
    static let quit = 10.0
    static let orderAndFilter = 20.0
  }

  static func run(_ arguments: [String], cache: String) async throws {
    guard let program = PaintBench.program else {
      return print("explorer: there is no sonde beside this program")
    }
    var arguments = arguments[...]
    var store: String?
    var floor: String?
    while let argument = arguments.popFirst() {
      if argument == "--floor" { floor = arguments.popFirst() } else { store = argument }
    }
    guard let homes = FreshHomes() else {
      return print("explorer: no folder could be made in /tmp")
    }
    if let store {
      return try await ExplorerBench(
        program: program, store: store, changes: nil, floor: floor, homes: homes
      ).run()
    }
    guard let data = RowsData(cache: cache, program: program) else {
      return print("explorer: the rows could not be made")
    }
    try await ExplorerBench(
      program: program, store: data.store, changes: data.changes, floor: floor, homes: homes
    ).run()
  }

  private func run() async throws {
    print("Milliseconds from a key to the whole frame, p50 and p95, and bytes")
    print(Self.line("", ["cursor", "", "bytes", "page", "", "bytes"]))
    var least: Frames?
    if let floor, let terminal = ProgramTerminal(floor, []) {
      terminal.read(quiet: 300)
      let cursor = Self.measure(terminal, [Keys.down, Keys.up])
      least = cursor
      show("floor", cursor, Self.measure(terminal, [Keys.pageDown, Keys.pageUp]), nil)
      if !Self.isCalm(cursor) {
        print("The floor takes so long that the machine must be busy: p95 says nothing")
      }
    }
    for pane in ExplorerPane.all {
      measure(pane, least)
      fflush(nil)
    }
    measureHeldKeys()
    measureStarts()
    try await measureOrders()
    fflush(nil)
  }

  // MARK: Panes

  private func measure(_ pane: ExplorerPane, _ floor: Frames?) {
    guard let terminal = open(pane.query) else { return print("\(pane.name): no screen") }
    for key in pane.keys {
      terminal.type(key)
      terminal.read(quiet: 250)
    }
    if pane.isChanged, let changes {
      let transact = "'\(program)' transact '\(store)' '\(changes)'"
      if BenchData.output(of: transact) == nil { return print("\(pane.name): nothing changed") }
      terminal.read(quiet: 1_500)
    }
    let cursor = Self.measure(terminal, pane.cursor)
    let page = pane.page.isEmpty ? nil : Self.measure(terminal, pane.page)
    show(pane.name, cursor, page, floor)
  }

  private struct Frames {
    let median: Double
    let high: Double
    let bytes: Int
  }

  /// Presses keys in turn; nil when none changes anything.
  private static func measure(_ terminal: ProgramTerminal, _ keys: [String]) -> Frames? {
    var times: [Double] = []
    var bytes: [Int] = []
    for number in 0..<samples {
      // Not in step with anything that the program may do by the clock.
      usleep(UInt32(number * 7_919 % 20_000))
      let reading = terminal.timed(keys[number % keys.count])
      guard let last = reading.last else { continue }
      times.append(last)
      bytes.append(reading.bytes)
    }
    guard let (median, high) = quantiles(times) else { return nil }
    return Frames(median: median, high: high, bytes: bytes.sorted()[bytes.count / 2])
  }

  private static func quantiles(_ times: [Double]) -> (median: Double, high: Double)? {
    let sorted = times.sorted()
    return sorted.isEmpty ? nil : (sorted[sorted.count / 2], sorted[sorted.count * 95 / 100])
  }

  /// Whether nothing else took the time of a plain table.
  private static func isCalm(_ floor: Frames?) -> Bool {
    floor.map { $0.high <= Bar.cursor } ?? true
  }

  private func show(_ name: String, _ cursor: Frames?, _ page: Frames?, _ floor: Frames?) {
    let cells = [cursor, page].flatMap { frames -> [String] in
      guard let frames else { return ["-", "", ""] }
      return [frames.median.short, frames.high.short, "\(frames.bytes)"]
    }
    var missed: [String] = []
    if let floor, let cursor, cursor.median > floor.median * Bar.timesFloor {
      missed.append("\((cursor.median / floor.median).short) × floor")
    }
    if Self.isCalm(floor), name != "floor" {
      if let cursor, cursor.high > Bar.cursor { missed.append("p95 over \(Bar.cursor)") }
      if let page, page.high > Bar.page { missed.append("page over \(Bar.page)") }
    }
    print(
      Self.line(name, cells) + (missed.isEmpty ? "" : "  MISS: " + missed.joined(separator: ", ")))
  }

  private static func line(_ name: String, _ cells: [String]) -> String {
    name.padded(26) + cells.map { $0.padded(7) }.joined()
  }

  // MARK: The whole program

  private func measureHeldKeys() {
    guard let terminal = open("rows") else { return }
    let held = terminal.timed(String(repeating: Keys.down, count: 100), quiet: 200)
    let wakeUps = terminal.wakeUps
    let rest = terminal.read(quiet: 3_000)
    print(
      "100 keys held: the last frame after \((held.last ?? 0).short) ms, \(held.bytes) bytes"
        + verdict((held.last ?? 0) <= Bar.held && held.bytes <= Bar.heldBytes))
    print(
      "at rest for 3 s: \(terminal.wakeUps - wakeUps) wake-ups, \(rest.bytes) bytes; memory "
        + "\(terminal.residentBytes / 1_000_000) MB with the store and its answer")
  }

  private func measureStarts() {
    for (name, store, isFresh) in [
      ("world, an empty home", "world", true), ("world, a used home", "world", false),
      ("the million rows, a used home", store, false),
    ] {
      var paints: [Double] = []
      var rows: [Double] = []
      var quits: [Double] = []
      let used = homes.next()
      for number in -1..<Self.starts {
        let start = Timing.now()
        guard
          let terminal = ProgramTerminal(
            program, [store], environment: ["HOME": isFresh ? homes.next() : used]),
          let painted = terminal.time(of: "Namespaces"), let full = terminal.time(of: "● live")
        else { return print("\(name): no screen") }
        let last = terminal.read(quiet: 100).last ?? full
        let quit = terminal.quit("q")
        // The first start makes the used home, and brings files into memory.
        if number < 0 { continue }
        paints.append(painted - start)
        rows.append(last - start)
        quits.append(quit)
      }
      guard let paint = Self.quantiles(paints), let row = Self.quantiles(rows),
        let quit = Self.quantiles(quits)
      else { continue }
      print(
        "start, \(name): first paint \(paint.median.short) / \(paint.high.short)"
          + verdict(paint.high <= Bar.start) + ", all of it \(row.median.short) / "
          + "\(row.high.short); quit \(quit.median.short) / \(quit.high.short)"
          + verdict(quit.high <= Bar.quit))
    }
  }

  /// What the screen adds to the time that the engine alone takes, each time for the first time.
  private func measureOrders() async throws {
    let plans = [
      "rows order score", "rows order title", "rows order created", "rows order status, score",
      #"rows filter title like "%elm%""#, #"rows filter author.name = "user3""#,
    ]
    for text in plans {
      guard let plan = try QueryDocument(text: text).plans.first else { continue }
      // The best of some: another program that takes a core for a while is neither's fault.
      var (count, engine, screen) = (0, Double.infinity, Double.infinity)
      for _ in 0..<3 {
        let once = try await timeOfEngine(plan)
        count = once.count
        engine = min(engine, once.time)
        screen = min(screen, timeOfScreen(text, patience: 1_000 + once.time))
      }
      print(
        "\(text): \(count) rows, engine \(engine.short), key to rows \(screen.short)"
          + verdict(screen - engine <= Bar.orderAndFilter))
    }
  }

  private func timeOfEngine(_ plan: QueryPlan) async throws -> (count: Int, time: Double) {
    let local = try await LocalStore.open(file: store, access: .readOnly)
    let snapshot = local.snapshot().store
    let begin = Timing.now()
    let count = try QueryEngine.answer(plan, in: snapshot).rows.count
    let time = Timing.now() - begin
    await local.close()
    return (count, time)
  }

  private func timeOfScreen(_ query: String, patience: Double) -> Double {
    guard let terminal = open("rows") else { return .infinity }
    terminal.type("Q" + Keys.deleteLine + query)
    terminal.read(quiet: 300)
    // Word that it takes long may come before the rows.
    return terminal.timed(Keys.enter, quiet: patience).last ?? .infinity
  }

  private func verdict(_ isMet: Bool) -> String { isMet ? "" : " MISS" }

  // MARK: Terminals

  /// The explorer with a query's rows on the screen.
  private func open(_ query: String) -> ProgramTerminal? {
    guard
      let terminal = ProgramTerminal(
        program, [store, query], environment: ["HOME": homes.next()]),
      terminal.time(of: "● live") != nil
    else { return nil }
    terminal.read(quiet: 400)
    return terminal
  }
}
