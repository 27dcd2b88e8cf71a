/// Runs the comparison programs in the folder `Scripts`, which measure SQLite and others. Adds
/// their figures to the table.
struct PeerBench {
  let folder: String
  let cache: String
  let report: Report

  func run() {
    if let source = BenchData.tool("peer-flat.c") {
      let program = "\(cache)/peer-flat"
      let isBuilt = BenchData.output(
        of: "mkdir -p '\(cache)' && cc -O2 -w -o '\(program)' '\(source)'")
      if isBuilt != nil { add(BenchData.output(of: "'\(program)' '\(folder)'"), .flat) }
    }
    if let script = BenchData.tool("peer-sqlite.py") {
      add(BenchData.output(of: "python3 '\(script)' '\(folder)'"), .sqlite)
    }
    if let script = BenchData.tool("peer-duckdb.py") {
      add(BenchData.output(of: "python3 '\(script)' '\(folder)'"), .duckdb)
    }
  }

  private func add(_ output: String?, _ peer: Report.Column) {
    guard let output else { return }
    var found: Set<Work> = []
    for line in output.split(separator: "\n") {
      guard
        let work = Work.allCases.first(where: { work in
          work.peerPrefix.map { line.hasPrefix($0) } ?? false
        }), found.insert(work).inserted
      else { continue }
      let words = line.split(separator: " ")
      guard let median = number(after: "median", words), let least = number(after: "min", words)
      else { continue }
      report.add(work, Figure(median: median, least: least), in: peer)
    }
  }

  private func number(after word: Substring, _ words: [Substring]) -> Double? {
    guard let place = words.firstIndex(of: word), place + 1 < words.count else { return nil }
    return Double(words[place + 1])
  }
}
