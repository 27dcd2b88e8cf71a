/// Runs the peers that lie beside the checkout and puts their figures into the table.
struct PeerBench {
  let folder: String
  let report: Report

  /// Our names of works, by the beginnings of the peers' names.
  private static let works: [(prefix: String, work: String)] = [
    ("point by id", "point by id"), ("eq handle", "unique text"), ("eq city", "text, 2 % of users"),
    ("range likes>=900, scan, rows only", "range, 10 % of posts, rows only"),
    ("range likes>=900", "range, 10 % of posts"),
    ("order likes desc limit 50", "order by number, top 50"),
    ("default order limit 50", "default order, first 50"),
    ("order handle", "order by text, first 50"),
    ("like title %war%, all", "like %war%, all, rows only"),
    ("like title %war% limit 50", "like %war%, first 50"), ("path", "path: posts of one handle"),
    ("nested 100 ", "nested 100 users"), ("nested 1000", "nested 1000 users"),
    ("1 update", "one update"),
    ("1000 updates", "1000 updates in one transaction"), ("live", "live: one update, top 50 again"),
  ]

  func run() {
    if let source = BenchData.tool("peer-flat.c") {
      let program = "/tmp/sonde-bench-peer-flat"
      if BenchData.run("mkdir -p /tmp && cc -O2 -w -o \(program) \(source)") != nil {
        add(BenchData.run("\(program) \(folder)"), "flat arrays in C")
      }
    }
    if let script = BenchData.tool("peer-sqlite.py") {
      add(BenchData.run("python3 \(script) \(folder)"), "SQLite in memory")
    }
  }

  private func add(_ output: String?, _ peer: String) {
    guard let output else { return }
    for line in output.split(separator: "\n") {
      guard let work = Self.works.first(where: { line.hasPrefix($0.prefix) })?.work else {
        continue
      }
      let words = line.split(separator: " ")
      guard let median = number(after: "median", words), let least = number(after: "min", words)
      else { continue }
      report.add(work, peer, Figure(median: median, least: least).text)
    }
  }

  private func number(after word: Substring, _ words: [Substring]) -> Double? {
    guard let place = words.firstIndex(of: word), place + 1 < words.count else { return nil }
    return Double(words[place + 1])
  }
}
