import Foundation
import Testing

@Suite("Exports from the explorer", .waitsForPrograms, .timeLimit(.minutes(10)))
struct ExportJourneyTests {
  @Test("exported rows match the command line, and only a typed name may be that of a file")
  func rows() throws {
    try Program.withFolder([:]) { folder in
      let terminal = try Tmux(columns: 100, rows: 30)
      try terminal.run("cd \(folder); \(Program.path) world 'cities limit 5 order population desc'")
      try terminal.wait(for: "Shanghai")
      try terminal.type("E")
      try terminal.wait(for: "cities.csv")
      try terminal.press("Up", "Right")
      try terminal.wait(for: "all fields and id")
      try terminal.press("Enter")
      try terminal.wait(for: "Exported 5 rows to \(folder)/cities.csv")
      let expected = try Program.run(
        ["query", "world", "cities limit 5 order population desc", "--format", "csv"])
      let file = URL(filePath: folder + "/cities.csv")
      #expect(try String(contentsOf: file, encoding: .utf8) == expected.output)

      try terminal.type("E")
      try terminal.press("Enter")
      try terminal.wait(for: "Exported 5 rows to \(folder)/cities-2.csv")
      #expect(try String(contentsOf: file, encoding: .utf8) == expected.output)

      try Data("other".utf8).write(to: file)
      try terminal.type("E")
      try terminal.wait(for: "cities-3.csv")
      try terminal.press("Up", "Right")
      try terminal.type("cities.csv")
      try terminal.press("Enter")
      try terminal.wait(for: "cities.csv already exists.")
      #expect(try String(contentsOf: file, encoding: .utf8) == "other")
      try terminal.press("Enter")
      try terminal.wait(for: "Exported 5 rows to")
      #expect(try String(contentsOf: file, encoding: .utf8) == expected.output)
      let files = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(files.sorted() == ["cities-2.csv", "cities.csv"])
    }
  }

  @Test("folders, missing paths and devices are rejected with a message")
  func refusals() throws {
    try Program.withFolder([:]) { folder in
      let terminal = try Tmux(columns: 100, rows: 30)
      try terminal.run("cd \(folder); \(Program.path) world continents")
      try terminal.wait(for: "Africa")
      try terminal.type("Ej")
      for (path, words) in [
        ("/tmp", "/tmp is a folder"), ("no/where.csv", "/no does"),
        ("/dev/null", "exists and is not a regular file"),
      ] {
        try terminal.press("C-u")
        try terminal.type(path)
        try terminal.press("Enter")
        try terminal.wait(for: words)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
  }

  @Test("the files that the store reads are not replaced", arguments: ["a.csv", "."])
  func ownFiles(store: String) throws {
    let numbers = "n\n10\n20\n"
    try Program.withFolder(["a.csv": numbers, "b.csv": "n\n30\n"]) { folder in
      let terminal = try Tmux(columns: 100, rows: 30)
      try terminal.run("cd \(folder); \(Program.path) \(store) 'a limit 1'")
      try terminal.wait(for: "row 1 of 1")
      for path in ["a.csv", "./a.csv"] {
        try terminal.type("E")
        try terminal.wait(for: "a-2.csv")
        try terminal.type(path)
        try terminal.press("Enter")
        try terminal.wait(for: "The open store reads this file. Choose another name")
        try terminal.press("Escape")
        try terminal.wait { !$0.contains("─ Export ─") }
      }
      let file = URL(filePath: folder + "/a.csv")
      #expect(try String(contentsOf: file, encoding: .utf8) == numbers)
    }
  }

  @Test("an exported backup can be opened")
  func backup() throws {
    try Program.withFolder([:]) { folder in
      let terminal = try Tmux(columns: 100, rows: 30)
      try terminal.run("cd \(folder); \(Program.path) goals")
      try terminal.wait(for: "row 1 of")
      try terminal.type("E")
      try terminal.press("Left", "Left", "Left", "Left")
      try terminal.wait(for: "store.zip")
      try terminal.press("Enter")
      try terminal.wait(for: "Exported the store to")
      let count = try Program.run(["query", folder + "/store.zip", "todos count"])
      #expect(count.status == 0)
      #expect(count.output == (try Program.run(["query", "goals", "todos count"]).output))
    }
  }
}
