import Foundation
import TestSupport
import Testing

@Suite("sonde import, export and demo", .waitsForPrograms, .timeLimit(.minutes(10)))
struct ImportExportTests {
  private static func count(_ query: String, in store: String) throws -> String {
    let run = try Program.run(["query", store, query + " count", "--format", "csv"])
    return run.output.split(separator: "\n").last.map(String.init) ?? run.error
  }

  @Test(
    "an export can be imported without loss",
    arguments: [("out.zip", nil), ("out.json", nil), ("out", nil), ("out", "csv")]
      as [(String, String?)])
  func thereAndBack(_ name: String, _ format: String?) throws {
    try Program.withFolder([:]) { folder in
      let path = folder + "/" + name
      let written = try Program.run(
        ["export", "goals", "--to", path] + (format.map { ["--format", $0] } ?? []))
      #expect(written.status == 0, "\(written.error)")
      #expect(written.error.isEmpty, "\(written.error)")
      let taken = try Program.run(["import", path, "--into", folder + "/back.sonde"])
      #expect(taken.status == 0, "\(taken.error)")
      #expect(taken.output.hasPrefix("Imported 111 entities"))
      let query = "todos order key fields title, done with goal { fields title }"
      let before = try Program.run(["query", "goals", query, "--format", "csv"]).output
      let after = try Program.run(["query", folder + "/back.sonde", query, "--format", "csv"])
      #expect(after.output == before, "\(after.error)")
    }
  }

  @Test("several sources are combined and added to the store")
  func several() throws {
    try Program.withFolder([:]) { folder in
      let store = folder + "/all.sonde"
      let both = try Program.run(["import", "goals", "company", "--into", store])
      #expect(both.status == 0, "\(both.error)")
      #expect(try Self.count("employees", in: store) == "200")
      let again = try Program.run(["import", "goals", "--into", store])
      #expect(again.status == 0, "\(again.error)")
      #expect(try Self.count("todos", in: store) == "81")
      #expect(try Self.count("employees", in: store) == "200")
    }
  }

  @Test("nothing is overwritten without --force, and other files never")
  func overwriting() throws {
    try Program.withFolder(["keep.txt": "mine"]) { folder in
      let path = folder + "/out.zip"
      _ = try Program.run(["export", "goals", "--to", path])
      let refused = try Program.run(["export", "company", "--to", path])
      #expect(refused.status == 2)
      #expect(refused.error.contains("--force"))
      #expect(try Self.count("todos", in: path) == "81")
      #expect(try Program.run(["export", "company", "--to", path, "--force"]).status == 0)
      #expect(try Self.count("employees", in: path) == "200")
      let foreign = try Program.run(["export", "goals", "--to", folder, "--force"])
      #expect(foreign.status == 2)
      #expect(try String(contentsOfFile: folder + "/keep.txt", encoding: .utf8) == "mine")
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(left.sorted() == ["keep.txt", "out.zip"])
      let data = folder + "/data"
      _ = try Program.run(["export", "goals", "--to", data])
      try Data("mine".utf8).write(to: URL(filePath: data + "/.hidden"))
      #expect(try Program.run(["export", "goals", "--to", data, "--force"]).status == 2)
    }
  }

  @Test("a store is not exported onto itself, not even with --force or through a symbolic link")
  func ontoItself() throws {
    try Program.withFolder([:]) { folder in
      let (path, link) = (folder + "/goals.sqlite", folder + "/link.sqlite")
      #expect(try Program.run(["export", "goals", "--to", path]).status == 0)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      let before = try Data(contentsOf: URL(filePath: path))
      for (source, target) in [(path, path), (path, link), (link, path)] {
        let run = try Program.run(["export", source, "--to", target, "--force"])
        #expect(run.status == 2)
        #expect(run.error.contains("is the store being exported"), "\(run.error)")
      }
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
  }

  @Test("a server can be exported, and a failed export keeps the old file")
  func server() throws {
    try Program.withFolder([:]) { folder in
      let place = Place(folder)
      let server = try Server("company")
      let path = folder + "/out.zip"
      let written = try place.run("export", server.address, "--to", path)
      #expect(written.status == 0, "\(written.error)")
      #expect(try Self.count("employees", in: path) == "200")
      let before = try Data(contentsOf: URL(filePath: path))
      server.stop()
      let away = try place.run("export", server.address, "--to", path, "--force")
      #expect(away.status == 3)
      #expect(away.error.contains("Cannot read all data from the server"), "\(away.error)")
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
  }

  @Test("standard output accepts single streams and rejects others with advice")
  func output() throws {
    try Program.withFolder(["only.json": #"[{"a": 1}, {"a": null}]"#]) { folder in
      let lines = try Program.run(["export", folder, "--to", "-", "--format", "jsonl"])
      #expect(lines.status == 0 && lines.output.split(separator: "\n").count == 2, "\(lines)")
      let csv = try Program.run(["export", folder, "--to", "-", "--format", "csv"])
      #expect(csv.error.contains("Values of only.a may become text or missing"), "\(csv)")
      #expect(csv.output.split(separator: "\n").last?.hasSuffix(",") == true, "\(csv)")
      let several = try Program.run(["export", "company", "--to", "-", "--format", "csv"])
      #expect(several.status == 2 && several.error.contains("dump"), "\(several)")
      let withoutFormat = try Program.run(["export", "company", "--to", "-"])
      #expect(
        withoutFormat.status == 2 && withoutFormat.error.contains("--format"), "\(withoutFormat)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["only.json"])
    }
  }

  @Test(
    "a failed import prints one sentence and creates nothing",
    arguments: [
      (["import", "./nothing", "--into", "FOLDER/s.sonde"], 3, "nothing"),
      (["import", "FOLDER/broken.json", "--into", "FOLDER/s.sonde"], 3, "broken.json"),
      (["import", "goals", "--into", "FOLDER/s.zip"], 2, "needs a .sonde file"),
      (["export", "goals", "--to", "FOLDER/none/out.zip"], 3, "none"),
      (["export", "goals", "--to", "FOLDER/x", "--format", "xml"], 2, "backup"),
      (["export", "goals", "--to", "FOLDER/x.sonde"], 2, "sonde import STORE --into"),
      (["export", "goals", "--to", "FOLDER/x.csv"], 2, "would be a folder"),
      (["export", "goals", "--to", "FOLDER/x.xyz"], 2, "Use .zip for a backup"),
    ] as [([String], Int32, String)])
  func faults(_ arguments: [String], _ status: Int32, _ says: String) throws {
    try Program.withFolder(["broken.json": "[{"]) { folder in
      let run = try Program.run(arguments.map { $0.replacing("FOLDER", with: folder) })
      #expect(run.status == status)
      #expect(run.error.contains(says), "\(run.error)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy {
          $0 == "broken.json"
        })
    }
  }

  @Test(
    "an interrupted export leaves no files",
    arguments: [
      ["import", Program.world, "--into", "out.sonde"],
      ["export", Program.world, "--to", "out.zip"],
      ["export", Program.world, "--to", "out"], ["export", Program.world, "--to", "out.json"],
    ])
  func interrupting(_ arguments: [String]) throws {
    try Program.withFolder([:]) { folder in
      let words = arguments.dropLast() + [folder + "/" + arguments.last!]
      let program = try Child([Program.path] + words)
      func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
      }
      // It writes under a hidden name.
      let deadline = ContinuousClock.now + waitTimeout
      while try files().isEmpty {
        try #require(ContinuousClock.now < deadline, "It wrote no file in \(waitTimeout).")
        sched_yield()
      }
      program.signal(SIGINT)
      #expect([0, 130].contains(program.finish().status))
      // All of it, should it have been done by then; never a part.
      #expect(try files().allSatisfy { $0 == arguments.last })
    }
  }

  @Test("a terminal shows progress, and afterwards only the result")
  func progress() throws {
    try Program.withFolder([:]) { folder in
      let terminal = try Tmux()
      try terminal.run(
        "clear; \(Program.path) import \(Program.world) --into \(folder)/w.sonde; echo left $?")
      let screen = try terminal.wait(for: "left 0")
      #expect(screen.contains("26803 entities"))
      #expect(!screen.contains("["))
    }
  }

  @Test("a demo changes live", arguments: ["goals", "company"])
  func demo(_ name: String) throws {
    let terminal = try Tmux(columns: 120, rows: 40)
    try terminal.run("\(Program.path) demo \(name) --rate 50; echo left $?")
    try terminal.wait { $0.contains("live") && $0.contains("tx 3") }
    try terminal.type("q")
    try terminal.wait(for: "left 0")
  }

  @Test("the same seed makes the same valid changes")
  func seeds() throws {
    let arguments = ["demo", "world", "--print", "--count", "40", "--seed", "7"]
    let first = try Program.run(arguments)
    #expect(first.status == 0, "\(first.error)")
    #expect(first.output.split(separator: "\n").count == 40)
    #expect(first.output.contains("delete-entity"))
    #expect(try Program.run(arguments).output == first.output)
  }

  @Test("numbers of a demo have no rounding errors, and every second change is of its first page")
  func plausible() throws {
    for (name, first) in [("company", "budget"), ("goals", "status"), ("world", "population")] {
      let run = try Program.run(["demo", name, "--print", "--count", "120", "--seed", "3"])
      #expect(run.status == 0, "\(run.error)")
      #expect(run.output.firstMatch(of: /\d\.\d{6,}/) == nil, "\(name): \(run.output.prefix(400))")
      #expect(!first.isEmpty)
    }
  }

  @Test("an unknown demo lists the existing ones")
  func noDemo() throws {
    let run = try Program.run(["demo", "moon"])
    #expect(run.status == 2)
    #expect(run.error.contains("goals"))
  }
}
