import Foundation
import Testing

@Suite("Saved queries", .waitsForPrograms, .timeLimit(.minutes(10)))
struct SavedQueryTests {
  /// Runs the program where these files lie in the folder of saved queries.
  private static func run(
    _ arguments: [String], with files: [String: String] = [:]
  ) throws -> Program.Run {
    try Program.withFolder([:]) { folder in
      let queries = folder + "/sonde/queries"
      try FileManager.default.createDirectory(atPath: queries, withIntermediateDirectories: true)
      for (name, text) in files {
        try Data(text.utf8).write(to: URL(filePath: queries + "/" + name))
      }
      return try Program.run(arguments, environment: ["XDG_STATE_HOME": folder])
    }
  }

  private static let files = [
    "few.sonde-query":
      "# store: world\n# Three of them\ncontinents fields code\n  order code limit 3",
    "all.sonde-query": "goals count",
    "two.sonde-query": "# store: a\nx\n", "other.sonde-query": "# store: b\n# name: two\ny\n",
  ]

  @Test("@ runs a saved query of this or another store", arguments: ["world", "./w"])
  func asking(store: String) throws {
    let store = store == "world" ? store : try SmallDemos.share + "/demo-data/world"
    let run = try Self.run(["query", store, "@few", "--format", "csv"], with: Self.files)
    #expect(run.output.split(whereSeparator: \.isNewline) == ["code", "AF", "AN", "AS"])
    #expect(run.status == 0, "\(run.error)")
  }

  @Test("@ runs a query file")
  func file() throws {
    try Program.withFolder(["q.txt": "continents count\n"]) { folder in
      let run = try Program.run(["query", "world", "@\(folder)/q.txt", "--format", "csv"])
      #expect(run.output.contains("7"), "\(run.error)")
      let missing = try Program.run(["query", "world", "@\(folder)/r.txt"])
      #expect(missing.error == "sonde: File not found: \(folder)/r.txt.\n")
      #expect(missing.status == 1)
    }
  }

  @Test(
    "an unknown or ambiguous name is reported with advice",
    arguments: [
      ("@fewer", "Did you mean '@few'?"), ("@zzz", "explorer with b"), ("@", "no saved query"),
      ("@two", "but not for this store. Use @ followed by the path"),
    ])
  func complaints(query: String, says: String) throws {
    let run = try Self.run(["query", "world", query], with: Self.files)
    #expect(run.status == 1 && run.error.contains(says), "\(run.error)")
    #expect(run.error.split(separator: "\n").count == 1)
  }

  @Test("b writes a file, B lists the files, and invalid ones are reported once")
  func screen() throws {
    let terminal = try Tmux(columns: 100, rows: 24)
    let queries = terminal.state.path + "/sonde/queries"
    try terminal.run("\(Program.path) world continents; echo left $?")
    try terminal.wait(for: "Africa")
    try terminal.type("bmine")
    try terminal.press("Enter")
    try terminal.wait(for: "Saved as “mine”")
    try terminal.type("B")
    try terminal.wait(for: "1 saved")
    #expect(
      try String(contentsOfFile: queries + "/mine.sonde-query", encoding: .utf8)
        == "# store: world\ncontinents\n")
    for (name, text) in ["mine": "# store: world\ncontinents limit\n 2\n", "bad": "# nothing\n"] {
      try Data(text.utf8).write(to: URL(filePath: "\(queries)/\(name).sonde-query"))
    }
    try terminal.type("B")
    try terminal.wait { $0.contains("continents limit 2") && $0.contains("bad.sonde-query") }
    try terminal.press("Enter")
    try terminal.wait { $0.contains("Antarctica") && !$0.contains("Europe") }
    try terminal.type("q")
    try terminal.wait(for: "left 0")
  }
}
