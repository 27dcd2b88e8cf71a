/// Measures the store on the data of `gen-bench-data.py` and prints the figures beside its peers'.
///
///     sonde-bench [entities or data folder ...]
@main
struct Bench {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    let peers = !arguments.contains("--no-peers")
    let wanted = arguments.filter { !$0.hasPrefix("--") }
    for name in wanted.isEmpty ? ["10000", "100000"] : Array(wanted) {
      guard let folder = BenchData.folder(named: name) else {
        print("\(name): no data there, and no generator beside the checkout to make it.")
        continue
      }
      let report = Report(title: folder)
      try StoreBench(folder: folder, report: report).run()
      if peers { PeerBench(folder: folder, report: report).run() }
      report.print()
    }
  }
}
