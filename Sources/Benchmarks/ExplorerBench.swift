#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Measures the explorer's response to keys, pane by pane, with a million rows.
///
///     sonde-bench explorer [store] [--floor PROGRAM] [--quick] [--only WORD]
///       [--rows NAMESPACE] [--linked NAMESPACE] [--number LABEL] [--text LABEL] [--filter TEXT]
///
/// The explorer in the folder of this program runs in a terminal of 120 by 40, whose output this
/// process reads. A frame is complete after 60 ms without output. `--floor` names a program that
/// draws a plain table with ncurses, in another terminal. A key is pressed there after each key in
/// the explorer, because only the ratio of both times is meaningful on a shared machine. `--quick`
/// takes fewer samples, and `--only` selects panes by a word in their name. The other options give
/// the names in another store: the namespace with many rows, two of its attributes, a linked
/// namespace, and a filter.
struct ExplorerBench {
  let program: String
  let store: String
  /// The file with a transaction that changes many entities. Nil if the user named the store to
  /// measure.
  let changes: String?
  let floor: String?
  let homes: FreshHomes
  let data: ExplorerPane.Data
  /// How many keys are pressed in each pane, and how many times the program is started.
  let samples: Int
  let starts: Int
  let only: String?

  /// The goals, in milliseconds and bytes.
  private enum Bar {
    static let timesFloor = 2.0
    static let cursor = 1.5
    static let page = 3.0
    static let held = 10.0
    static let heldBytes = 10_000
    static let start = 25.0
    static let quit = 10.0
  }

  /// The options that take a value.
  private static let options = [
    "--floor", "--only", "--rows", "--linked", "--number", "--text", "--filter",
  ]

  static func run(_ arguments: [String], cache: String) {
    guard let program = PaintBench.program else {
      return print("explorer: no sonde found next to this program")
    }
    var arguments = arguments[...]
    var options: [String: String] = [:]
    var named: String?
    var isQuick = false
    while let argument = arguments.popFirst() {
      if argument == "--quick" {
        isQuick = true
      } else if argument.hasPrefix("--") {
        guard Self.options.contains(argument), let value = arguments.popFirst() else {
          return print(
            "explorer: unknown option \(argument) or missing value; see ExplorerBench.swift")
        }
        options[argument] = value
      } else {
        named = argument
      }
    }
    guard let homes = FreshHomes() else {
      return print("explorer: cannot create a folder in /tmp")
    }
    let made = named == nil ? RowsData(cache: cache, program: program) : nil
    guard let store = named ?? made?.store else {
      return print("explorer: cannot create the rows")
    }
    var data = ExplorerPane.Data()
    data.rows = options["--rows"] ?? data.rows
    data.linked = options["--linked"] ?? data.linked
    data.number = options["--number"] ?? data.number
    data.text = options["--text"] ?? data.text
    data.filter = options["--filter"] ?? data.filter
    // A screen that only shows an error message would be drawn quickly, so the queries are checked
    // first.
    for query in [data.rows + " filter " + data.filter, data.linked] {
      let question = "'\(program)' query '\(store)' '\(query) limit 1'"
      guard BenchData.output(of: question) != nil else {
        return print("explorer: no answer to \(query); the options say what a store calls things")
      }
    }
    ExplorerBench(
      program: program, store: store, changes: made?.changes, floor: options["--floor"],
      homes: homes, data: data, samples: isQuick ? 24 : 60, starts: isQuick ? 8 : 20,
      only: options["--only"]
    ).run()
  }

  private func run() {
    print("Milliseconds from a key to the whole frame, p50 and p95, and bytes")
    print(Self.line("", ["cursor", "", "bytes", "page", "", "bytes", "floor", "", "ratio"]))
    let plain = floor.flatMap { ProgramTerminal($0, []) }
    if let plain {
      plain.read(quiet: 300)
      let cursor = measure(plain, [Keys.down, Keys.up])
      show("floor", cursor, measure(plain, [Keys.pageDown, Keys.pageUp]), nil)
      if !Self.isCalm(cursor) {
        print("Even the floor is slow, so the machine must be busy: ignore the p95 times")
      }
    }
    for pane in ExplorerPane.all(of: data) where only.map({ pane.name.contains($0) }) ?? true {
      measure(pane, beside: plain)
      fflush(nil)
    }
    if only != nil { return }
    measureHeldKeys()
    measureStarts()
    fflush(nil)
  }

  // MARK: Panes

  private func measure(_ pane: ExplorerPane, beside plain: ProgramTerminal?) {
    if pane.isChanged, changes == nil {
      return print("\(pane.name): not measured, because it would change your store")
    }
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
    var besides = Samples()
    let cursor = measure(terminal, pane.cursor) { number in
      if let plain { besides.add(plain.timed([Keys.down, Keys.up][number % 2])) }
    }
    let page = pane.page.isEmpty ? nil : measure(terminal, pane.page)
    show(pane.name, cursor, page, besides.frames)
  }

  private struct Samples {
    private var times: [Double] = []
    private var bytes: [Int] = []

    mutating func add(_ reading: ProgramTerminal.Reading) {
      guard let last = reading.last else { return }
      times.append(last)
      bytes.append(reading.bytes)
    }

    var frames: Frames? {
      guard let (median, high) = ExplorerBench.quantiles(times) else { return nil }
      return Frames(median: median, high: high, bytes: bytes.sorted()[bytes.count / 2])
    }
  }

  private struct Frames {
    let median: Double
    let high: Double
    let bytes: Int
  }

  /// Presses `keys` in turn, and measures the frames that follow. Nil if no key changes the screen.
  ///
  /// - Parameter between: Called after each key, with its index from 0.
  private func measure(
    _ terminal: ProgramTerminal, _ keys: [String], between: (Int) -> Void = { _ in }
  ) -> Frames? {
    var measured = Samples()
    for number in 0..<samples {
      // The pause varies, so that keys are not always pressed at the same phase of the program's
      // timers.
      pause(.microseconds(number * 7_919 % 20_000))
      // What was drawn while the program rested, such as the rows of a namespace, would block it.
      terminal.read(quiet: 1)
      measured.add(terminal.timed(keys[number % keys.count]))
      between(number)
    }
    return measured.frames
  }

  private static func quantiles(_ times: [Double]) -> (median: Double, high: Double)? {
    let sorted = times.sorted()
    return sorted.isEmpty ? nil : (sorted[sorted.count / 2], sorted[sorted.count * 95 / 100])
  }

  /// Returns whether the plain table responded fast. If so, the machine was not busy with other
  /// work.
  private static func isCalm(_ floor: Frames?) -> Bool {
    floor.map { $0.high <= Bar.cursor } ?? true
  }

  private func show(_ name: String, _ cursor: Frames?, _ page: Frames?, _ floor: Frames?) {
    var cells = [cursor, page].flatMap { frames -> [String] in
      guard let frames else { return ["-", "", ""] }
      return [frames.median.short, frames.high.short, "\(frames.bytes)"]
    }
    if let floor, let cursor {
      cells += [floor.median.short, floor.high.short, (cursor.median / floor.median).short]
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
    guard let terminal = open(data.rows) else { return }
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
      for number in -1..<starts {
        let start = Timing.now()
        guard
          let terminal = ProgramTerminal(
            program, [store], environment: ["HOME": isFresh ? homes.next() : used]),
          let painted = terminal.time(of: "Namespaces"), let full = terminal.time(of: "● live")
        else { return print("\(name): no screen") }
        let last = terminal.read(quiet: 100).last ?? full
        let quit = terminal.quit("q")
        // The first start is not counted: it creates the home folder, and loads files into the
        // system's cache.
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

  private func verdict(_ isMet: Bool) -> String { isMet ? "" : " MISS" }

  // MARK: Terminals

  /// Opens the explorer with the rows of a query; nil if it cannot be opened.
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
