import Testing

/// The manual scenarios of the live query list, played in two real terminals on one server.
@Suite("Two explorers on one server", .waitsForPrograms, .timeLimit(.minutes(10)))
struct ServerJourneyTests {
  @Test("queries and edits are shared by both explorers")
  func scenarios() throws {
    try Program.withFolder([:]) { folder in
      let server = try Server("goals")
      let (first, second) = (try Tmux(columns: 110, rows: 30), try Tmux(columns: 110, rows: 30))
      func open(_ terminal: Tmux, _ name: String, _ query: String) throws {
        try terminal.run(
          "export XDG_STATE_HOME='\(folder)/\(name)'; clear; "
            + "'\(Program.path)' \(server.address) '\(query)' --write; echo left $?")
      }

      // A plain query.
      try open(first, "first", "goals order title limit 3")
      try first.wait { $0.contains("Cycle to work all winter") && $0.contains("● live") }

      // A nested one, opened in place.
      try first.type("Q\u{15}")
      try first.type(#"goals filter key = "kitchen" with todos order title"#)
      try first.press("Enter")
      try first.wait { $0.contains("Renew the kitchen") && !$0.contains("Cycle to work") }
      try first.press("4")
      try first.wait(for: "╰ todos")
      try first.type("<")

      // What one changes the other sees, both ways.
      try open(second, "second", #"goals filter key = "kitchen""#)
      try second.wait(for: "Renew the kitchen")
      try second.edit("title", to: "Renew the pantry")
      try first.wait(for: "Renew the pantry")
      try first.edit("title", to: "Leave the pantry be")
      try second.wait(for: "Leave the pantry be")

      // After another query, no updates of the first one arrive.
      try first.type("Q\u{15}")
      try first.type(#"people filter name like "Mira%""#)
      try first.press("Enter")
      try first.wait(for: "Mira Okonjo")
      try second.edit("title", to: "Renew the kitchen again")
      try second.wait(for: "Renew the kitchen again")
      #expect(!(try first.screen().contains("kitchen again")))

      // Quitting does not affect the other explorer.
      try first.type("q")
      try first.wait(for: "left 0")
      try second.edit("title", to: "Alone with the kitchen")
      try second.wait { $0.contains("Alone with the kitchen") && $0.contains("● live") }
      try second.type("q")
      try second.wait(for: "left 0")
      #expect(try first.value("alternate_on") == "0")
      server.stop()
    }
  }
}
