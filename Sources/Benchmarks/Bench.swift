/// Measures loading, answers and changes, and prints the figures next to those of other programs.
///
/// See also ``StoreBench``, ``LiveBench``, ``ServeBench``, ``BusyBench``, ``RestBench``,
/// ``HostileBench``, ``TwoScreensBench``, ``ExplorerBench`` and ``AnswersBench``.
@main
struct Bench {
  private static let standardCache = ".build-release/bench-data"

  private static let help = """
    sonde-bench: measures Sonde, on an idle machine, from the top of the checkout.

      sonde-bench [ENTITIES | FOLDER]...   loading, answers and changes, compared with SQLite (Python's module),
                                           DuckDB (where its Python module is installed) and plain arrays in C
      sonde-bench --store [ENTITIES]       a store file
      sonde-bench --live [ENTITIES]        live queries
      sonde-bench serve                    a server and its clients
      sonde-bench load [SECONDS]           a thousand subscribed clients
      sonde-bench busy                     small queries during heavy ones
      sonde-bench rest                     wake-ups at rest
      sonde-bench hostile [KIND]...        what hostile clients cost
      sonde-bench screens [ENTITIES]       two explorers on one server
      sonde-bench explorer [STORE] [--floor PROGRAM] [--quick]   what keys cost in each pane
      sonde-bench answers STORE [NAMESPACE]                      what the screen adds to the engine
      sonde-bench order                    the functions behind keys, for the linker (make order)

      --million      1,000,000 entities as well
      --no-peers     Sonde alone
      --data FOLDER  where data is made and kept; default: \(standardCache)

    Data is made by Sources/Benchmarks/Scripts/make-data.py the first time; it takes python3. Without arguments 10,000
    and 100,000 entities are measured. A ratio below 1 means that Sonde is faster.
    """

  static func main() async throws {
    if CommandLine.arguments.contains("--help") || CommandLine.arguments.contains("-h") {
      return print(help)
    }
    if try await !runSeparate() { try await runOverData() }
  }

  /// Runs the measurement that the first argument names. Returns false if it does not name one.
  private static func runSeparate() async throws -> Bool {
    switch CommandLine.arguments.dropFirst().first {
    case "serve": await ServeBench.run()
    case "load":
      await ServeBench.run(
        loadFor: CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 60)
    case "hostile":
      await HostileBench.run(Array(CommandLine.arguments.dropFirst(2)))
    case "rest": try RestBench.run()
    case "busy": try await BusyBench.run()
    case BusyBench.askArgument:
      BusyBench.ask(CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 0)
    case ServeBench.serverArgument: await ServeBench.runServer()
    case "explorer":
      ExplorerBench.run(
        Array(CommandLine.arguments.dropFirst(2)), cache: Self.standardCache)
    case "order":
      FunctionOrder.run(Array(CommandLine.arguments.dropFirst(2)), cache: Self.standardCache)
    case "answers":
      try await AnswersBench.run(Array(CommandLine.arguments.dropFirst(2)))
    default: return false
    }
    return true
  }

  /// Runs the measurements that use the data given by the arguments.
  private static func runOverData() async throws {
    var names: [String] = []
    var hasPeers = true
    var measuresStore = false
    var measuresLive = false
    var measuresScreens = false
    var cache = Self.standardCache
    var arguments = CommandLine.arguments.dropFirst().makeIterator()
    while let argument = arguments.next() {
      switch argument {
      case "--million": names.append("1000000")
      case "--no-peers": hasPeers = false
      case "--store": measuresStore = true
      case "--follow": return try await StoreBench.follow(arguments.next() ?? "")
      case "--live": measuresLive = true
      case "screens": measuresScreens = true
      case "--data": cache = arguments.next() ?? cache
      default: names.append(argument)
      }
    }
    if names.isEmpty {
      names = measuresLive ? ["164000"] : measuresScreens ? ["10000"] : ["10000", "100000"]
    }
    for name in names {
      guard let folder = BenchData.folder(named: name, cache: cache) else {
        print(
          "\(name): no data. Run from the top of the checkout, with python3 installed, to make it.")
        continue
      }
      if measuresStore {
        try await StoreBench(folder: folder, cache: cache).run()
        continue
      }
      if measuresScreens {
        try await TwoScreensBench(folder: folder, cache: cache).run()
        continue
      }
      if measuresLive {
        try await LiveBench(folder: folder).run()
        continue
      }
      let report = Report(title: folder)
      try QueryBench(folder: folder, report: report).run()
      if hasPeers { PeerBench(folder: folder, cache: cache, report: report).run() }
      report.print()
    }
  }
}
