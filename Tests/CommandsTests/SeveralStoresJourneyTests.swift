import Foundation
import Testing

@Suite("Several stores in a terminal", .waitsForPrograms, .timeLimit(.minutes(10)))
struct SeveralStoresJourneyTests {
  private static let notes = "0c5f5e9c-9f4f-4f0e-8f0a-0d8d5c9c6f11"
  private static let tasks = "1c5f5e9c-9f4f-4f0e-8f0a-0d8d5c9c6f12"

  /// Runs `body` in a folder with two stores, `plan.sonde` and the database `other.sqlite`.
  private static func withStores(_ body: (String) throws -> Void) throws {
    try Program.withFolder([:]) { folder in
      try change(
        folder + "/plan.sonde", #"["update", "notes", "\#(notes)", {"title": "Run"}]"#, "--create")
      try change(
        folder + "/tasks.sonde", #"["update", "tasks", "\#(tasks)", {"name": "Sweep"}]"#,
        "--create")
      let made = try Program.run(
        ["export", folder + "/tasks.sonde", "--to", folder + "/other.sqlite"])
      #expect(made.status == 0, "\(made.error)")
      try body(folder)
    }
  }

  private static func change(_ store: String, _ step: String, _ options: String...) throws {
    let made = try Program.run(["transact", store, "-"] + options, input: step)
    #expect(made.status == 0, "\(made.error)")
  }

  @Test("one changes on disk while the other is in front; others open from the list")
  func journey() throws {
    try Self.withStores { folder in
      let terminal = try Tmux(columns: 160, environment: ["XDG_STATE_HOME": folder + "/state"])
      try terminal.run("cd \(folder); clear; \(Program.path) plan.sonde other.sqlite; echo left $?")
      try terminal.wait {
        $0.contains("plan.sonde [1:notes]") && $0.contains("other.sqlite 2:tasks")
      }
      try Self.change(
        folder + "/other.sqlite", #"["update", "tasks", "\#(Self.tasks)", {"name": "Sweep twice"}]"#
      )
      try Self.change(
        folder + "/plan.sonde", #"["update", "notes", "\#(Self.notes)", {"title": "Run far"}]"#)
      try terminal.wait { $0.contains("Run far") && !$0.contains("Sweep") }
      try terminal.type(".")
      try terminal.wait { $0.contains("Sweep twice") && $0.contains("[2:tasks]") }
      // A store that does not exist leaves everything as it was.
      try terminal.press("C-o")
      try terminal.wait(for: "Stores")
      try terminal.type("./none.sonde")
      try terminal.press("Enter")
      try terminal.wait { $0.contains("was not opened") && $0.contains("Sweep twice") }
      try terminal.press("C-o")
      try terminal.type("./tasks.sonde")
      try terminal.press("Enter")
      try terminal.wait { $0.contains("tasks.sonde [3:tasks]") && $0.contains("Sweep") }
      try terminal.press("C-w")
      try terminal.wait { $0.contains("[2:tasks]") && !$0.contains("3:tasks") }
      try terminal.type("q")
      try terminal.wait(for: "left 0")
      // The list remembers the stores, in whatever folder the program starts.
      try terminal.run("cd /; clear; \(Program.path) \(folder)/tasks.sonde; echo gone $?")
      try terminal.wait(for: "Sweep")
      try terminal.press("C-o")
      try terminal.wait { $0.contains("other.sqlite") && $0.contains("plan.sonde") }
      try terminal.type("plan")
      try terminal.press("Enter")
      try terminal.wait { $0.contains("plan.sonde [2:notes]") && $0.contains("Run far") }
      try terminal.type("q")
      try terminal.wait(for: "gone 0")
    }
  }

  @Test("staged changes of a closed store are there when it opens again")
  func staged() throws {
    try Self.withStores { folder in
      let terminal = try Tmux(columns: 160, environment: ["XDG_STATE_HOME": folder + "/state"])
      try terminal.run(
        "cd \(folder); clear; \(Program.path) plan.sonde ./tasks.sonde; echo left $?")
      try terminal.wait { $0.contains("Run") && $0.contains("tasks.sonde 2:tasks") }
      try terminal.type("4lP")
      try terminal.wait(for: "±0 staged")
      try terminal.type("e")
      try terminal.type("\u{5} far")
      try terminal.press("Enter")
      try terminal.wait(for: "±1 staged")
      try terminal.press("C-w")
      try terminal.wait(for: "they stay staged")
      try terminal.type("c")
      try terminal.wait { $0.contains("Sweep") && !$0.contains("plan.sonde") }
      try terminal.press("C-o")
      try terminal.wait(for: "plan.sonde")
      try terminal.type("plan")
      try terminal.press("Enter")
      try terminal.wait { $0.contains("±1 staged") && $0.contains("Run far") }
      try terminal.type(",q")
      try terminal.wait(for: "plan.sonde: 1 change staged")
      try terminal.type("q")
      try terminal.wait(for: "left 0")
      let now = try Program.run(["query", folder + "/plan.sonde", "notes"])
      #expect(!now.output.contains("Run far"))
    }
  }

  @Test("a demo's name after a store opens the demo, and Enter in the list goes to it")
  func demoName() throws {
    try Self.withStores { folder in
      let terminal = try Tmux(columns: 160, environment: ["XDG_STATE_HOME": folder + "/state"])
      try terminal.run("cd \(folder); clear; \(Program.path) plan.sonde world; echo left $?")
      try terminal.wait { $0.contains("plan.sonde [1:notes]") && $0.contains("world 2:continents") }
      try terminal.press("C-o")
      try terminal.wait { $0.contains("Stores") && $0.contains("goals") }
      try terminal.press("Enter")
      try terminal.wait { $0.contains("[2:continents]") && !$0.contains("─ Stores ─") }
      try terminal.press("C-o")
      try terminal.wait { $0.contains("other.sqlite") }
      try terminal.type("other")
      try terminal.press("Enter")
      try terminal.wait { $0.contains("other.sqlite [3:tasks]") }
      try terminal.type("q")
      try terminal.wait(for: "left 0")
      let slash = try Program.run([folder + "/plan.sonde", "./world"])
      #expect(slash.status == 3)
      #expect(slash.error.contains("Did you mean the demo 'world', without './'?"))
    }
  }

  @Test("the first argument that is no store begins the query, and each store is named once")
  func arguments() throws {
    try Self.withStores { folder in
      let twice = try Program.run([folder + "/plan.sonde", folder + "/./plan.sonde"])
      #expect(twice.status == 2)
      #expect(twice.error.contains("The store plan.sonde is given twice."))
      let missing = try Program.run([folder + "/plan.sonde", folder + "/none.sqlite"])
      #expect(missing.status == 3)
      #expect(missing.error.contains("none.sqlite"))
      let bare = try Program.run([folder + "/plan.sonde", "none.sqlite"])
      #expect(bare.status == 1)
      #expect(bare.error.contains("'none.sqlite' is neither an existing file nor a query."))
      let demo = try Program.run([folder + "/plan.sonde", "demo", "world"])
      #expect(demo.status == 1)
      #expect(demo.error.contains("A demo is opened by its name: company, "), "\(demo.error)")
      let query = try Program.run([folder + "/plan.sonde", folder + "/tasks.sonde", "notes filter"])
      #expect(query.status == 1, "\(query.error)")
      let search = try Program.run([folder + "/plan.sonde", #"notes search "far""#])
      #expect(search.status == 2 && search.error.contains("terminal"), "\(search.error)")
    }
  }
}
