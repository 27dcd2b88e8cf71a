import Foundation
import Testing

@Suite(
  "Staged changes in the next run", .waitsForPrograms,
  .timeLimit(.minutes(10)))
struct StagedChangesJourneyTests {
  @Test("quitting asks about changes that are only in memory")
  func inMemory() throws {
    let rows = "title\nRun\n"
    try Program.withFolder(["notes.csv": rows]) { folder in
      let terminal = try Tmux(columns: 100, rows: 24)
      try terminal.run("\(Program.path) --write \(folder)/notes.csv; echo left $?")
      try terminal.wait(for: "Run")
      try terminal.type("4e")
      try terminal.wait(for: "Edit title")
      try terminal.type("\u{5} far")
      try terminal.press("Enter")
      try terminal.wait { $0.contains("Run far") && $0.contains("title updated, in memory only.") }
      try terminal.type("q")
      try terminal.wait(for: "1 change only in memory")
      try terminal.type("q")
      try terminal.wait(for: "left 0")
      let file = URL(filePath: folder + "/notes.csv")
      #expect(try String(contentsOf: file, encoding: .utf8) == rows)
    }
  }

  @Test("staged changes survive a signal, and another path to the same store finds them")
  func signal() throws {
    try Program.withFolder([:]) { folder in
      let made = try Program.run(
        ["transact", folder + "/plan.sonde", "-", "--create"],
        input: #"["update", "notes", "0c5f5e9c-9f4f-4f0e-8f0a-0d8d5c9c6f11", {"title": "Run"}]"#)
      #expect(made.status == 0, "\(made.error)")
      let terminal = try Tmux(columns: 100, environment: ["XDG_STATE_HOME": folder + "/state"])
      try terminal.run(
        "cd \(folder); sh -c 'echo $$ >pid; exec \(Program.path) plan.sonde notes'; echo left $?")
      try terminal.wait(for: "Run")
      try terminal.type("4lP")
      try terminal.wait(for: "±0 staged")
      try terminal.type("e")
      try terminal.type("\u{5} far")
      try terminal.press("Enter")
      try terminal.wait(for: "±1 staged")
      let text = try String(contentsOfFile: folder + "/pid", encoding: .utf8)
      let pid = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
      kill(pid, SIGTERM)
      try terminal.wait(for: "left 143")
      #expect(try terminal.value("alternate_on") == "0")
      try terminal.run("clear; cd /; \(Program.path) \(folder)/plan.sonde; echo gone $?")
      try terminal.wait { $0.contains("staged in an earlier session") && $0.contains("Run far") }
      try terminal.type("Ps")
      try terminal.wait(for: "1 change sent")
      try terminal.type("q")
      try terminal.wait(for: "gone 0")
      let now = try Program.run(["query", folder + "/plan.sonde", "notes"])
      #expect(now.output.contains("Run far"))
    }
  }
}
