import Foundation
import Testing

@Suite("Editing in a real terminal", .timeLimit(.minutes(2)))
struct EditJourneyTests {
  @Test("a store file is edited, refused, linked, taken back, and is so the next time")
  func storeFile() throws {
    try Program.withFolder([:]) { folder in
      let store = folder + "/goals.sonde"
      let made = try Program.run(["import", "goals", "--into", store])
      #expect(made.status == 0, "\(made.error)")
      let before = try Program.run(["query", store, "todos count"]).output
      let terminal = try Tmux(columns: 120, rows: 30)
      try terminal.run("\(Program.path) \(store) 'goals order title'; echo le''ft $?")
      try terminal.wait {
        $0.contains("Results") && $0.contains("title") && !$0.contains("read-only")
      }
      // A value.
      try terminal.type("e")
      try terminal.wait(for: "Edit title")
      try terminal.press("C-u")
      try terminal.type("AAA first of all")
      try terminal.press("Enter")
      try terminal.wait { $0.contains("AAA first of all") && $0.contains("is changed") }
      // What goes with it is shown before it goes.
      try terminal.type("gd")
      try terminal.wait(for: "Delete AAA first of all?")
      try terminal.type("d")
      try terminal.wait { $0.contains("is deleted") }
      try terminal.type("U")
      try terminal.wait { $0.contains("AAA first of all") && $0.contains("Taken back") }
      // Another one, with all that it must have.
      try terminal.type("a")
      try terminal.wait(for: "New in goals")
      try terminal.type("AAB is new")
      for (label, value) in [
        ("status", "open"), ("target", "2030-01-31"), ("createdAt", "2026-01-01"),
      ] {
        try terminal.press("Enter")
        try terminal.wait(for: "\(label) is required")
        try terminal.type(value)
      }
      try terminal.press("Enter")
      try terminal.wait { $0.contains("AAB is new is made") && $0.contains("2030-01-31") }
      try terminal.type("q")
      try terminal.wait(for: "left 0")
      let titles = try Program.run(["query", store, "goals fields title order title limit 2"])
        .output
      #expect(titles.contains("AAA first of all") && titles.contains("AAB is new"))
      #expect(try Program.run(["query", store, "todos count"]).output == before)
    }
  }

  @Test("what is open read-only says so in the header, and at the first key that would change it")
  func readOnly() throws {
    let terminal = try Tmux(columns: 100, rows: 24)
    try terminal.run("\(Program.path) world")
    try terminal.wait { $0.contains("Africa") && $0.contains("read-only") }
    try terminal.type("4e")
    try terminal.wait(for: "open it with --write to change it")
    try terminal.type("q")
    try terminal.wait { !$0.contains("Namespaces") }
    try terminal.run("clear; \(Program.path) --write world countries")
    try terminal.wait { $0.contains("Results") && !$0.contains("read-only") }
    try terminal.type("4e")
    try terminal.wait(for: "Edit name")
  }
}
