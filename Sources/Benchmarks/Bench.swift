/// Measures loading, answering and changing on the data of `gen-bench-data.py`, and prints the
/// figures beside those of the peers.
///
///     sonde-bench [entities or data folder ...] [--million] [--no-peers] [--store] [--live]
///       [--data FOLDER]
///
///     sonde-bench serve
///     sonde-bench load [SECONDS]
///     sonde-bench busy
///     sonde-bench rest
///     sonde-bench hostile [KIND ...]
///     sonde-bench screens [entities or data folder]
///     sonde-bench explorer [store] [--floor PROGRAM] [--quick]
///     sonde-bench answers STORE [NAMESPACE]
///
/// Without arguments: 10,000 and 100,000 entities, kept under `.build-release/bench-data`. With
/// `--store` it measures a store file instead: see ``StoreBench``; with `--live` subscriptions, of
/// 164,000 entities, which are a million triples: see ``LiveBench``. With `serve`: a server in a
/// process of its own, and clients that ask it over sockets, see ``ServeBench``; with `load` a thousand
/// of them for a minute, with `busy` small queries beside heavy ones, see ``BusyBench``, with
/// `rest` wake-ups, see ``RestBench``, and with `hostile` what hostile clients cost, see ``HostileBench``. With `screens`: two
/// explorers on one server, see ``TwoScreensBench``. With `explorer`: what keys cost in every pane, see
/// ``ExplorerBench``; with `answers`: what the screen adds to the engine, see ``AnswersBench``.
@main
struct Bench {
  private static let standardCache = ".build-release/bench-data"

  static func main() async throws {
    switch CommandLine.arguments.dropFirst().first {
    case "serve": return await ServeBench.run()
    case "load":
      return await ServeBench.run(
        loadFor: CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 60)
    case "hostile":
      return await HostileBench.run(Array(CommandLine.arguments.dropFirst(2)))
    case "rest": return try RestBench.run()
    case "busy": return try await BusyBench.run()
    case BusyBench.askArgument:
      return BusyBench.ask(CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 0)
    case ServeBench.serverArgument: return await ServeBench.runServer()
    case "explorer":
      return ExplorerBench.run(
        Array(CommandLine.arguments.dropFirst(2)), cache: Self.standardCache)
    case "answers":
      return try await AnswersBench.run(Array(CommandLine.arguments.dropFirst(2)))
    default: break
    }
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
        print("\(name): no data there, and no generator beside the checkout to make it.")
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
