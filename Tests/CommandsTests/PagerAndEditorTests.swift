import Foundation
import Testing

@Suite("The pager and the editor in a real terminal", .waitsForPrograms, .timeLimit(.minutes(10)))
struct PagerAndEditorTests {
  private static let notes = ["notes.json": #"[{"id": "a", "title": "before"}]"#]

  @Test("values and queries can be edited, and the screen is restored")
  func editing() throws {
    try Program.withFolder(Self.notes) { folder in
      let terminal = try Tmux(columns: 100, rows: 30)
      try terminal.run("EDITOR='sed -i s/before/after/' VISUAL= \(Program.path) --write \(folder)")
      try terminal.wait(for: "before")
      try terminal.type("4ov")
      try terminal.wait { $0.contains("after") && $0.contains("updated") }
      try terminal.press("U")
      try terminal.wait { $0.contains("before") && $0.contains("Undone.") }
      try terminal.type("oq")
      try terminal.wait(for: "Nothing was changed")
      try terminal.type("q")
      try terminal.wait { !$0.contains("Namespaces") }
    }
  }

  @Test("the pager owns the terminal until it ends")
  func paging() throws {
    try Program.withFolder(Self.notes) { folder in
      let terminal = try Tmux(columns: 100, rows: 30)
      try terminal.run("LESS=FX PAGER=less \(Program.path) \(folder)")
      try terminal.wait(for: "before")
      try terminal.type("4oe")
      try terminal.wait { $0.contains(#""title":"before""#) && !$0.contains("Namespaces") }
      try terminal.type("q")
      try terminal.wait(for: "Namespaces")
    }
  }

  @Test("a command reads the rows and owns the terminal until it ends")
  func piping() throws {
    try Program.withFolder(Self.notes) { folder in
      let terminal = try Tmux(columns: 100, rows: 30)
      try terminal.run(
        "mkdir \(folder)/tmp; TMPDIR=\(folder)/tmp \(Program.path) \(folder)/notes.json")
      try terminal.wait(for: "before")
      try terminal.type("4|")
      try terminal.wait(for: "‹ ndjson ›")
      try terminal.type("tr a-z A-Z; false\r")
      try terminal.wait { $0.contains("BEFORE") && $0.contains("[exit status 1]  Press Enter") }
      try terminal.press("Enter")
      try terminal.wait { $0.contains("exited with status 1") && $0.contains("Namespaces") }
      // Ctrl-C ends the command only.
      try terminal.type("|cat; sleep 60\r")
      try terminal.wait { $0.contains(#""title":"before""#) && !$0.contains("Namespaces") }
      try terminal.press("C-c")
      try terminal.wait(for: "Press Enter to return")
      try terminal.press("Enter")
      try terminal.wait(for: "Namespaces")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/tmp") == [])
    }
  }

  @Test("a killed editor leaves neither terminal modes nor changes")
  func killed() throws {
    try Program.withFolder(Self.notes) { folder in
      let script = folder + "/editor"
      try Data(
        """
        printf '\\033[?1003h\\033[?1049h\\033[?1h'
        stty raw -echo
        kill -9 $$
        """.utf8
      ).write(to: URL(filePath: script))
      let terminal = try Tmux(columns: 100, rows: 30)
      // Read by a shell: what a test has just written may not be run while one of its other programs
      // begins, which holds it open for a moment.
      try terminal.run(
        "stty -a > \(folder)/before; VISUAL='sh \(script)' \(Program.path) --write \(folder); echo le''ft"
      )
      try terminal.wait(for: "Namespaces")
      try terminal.type("4ov")
      let screen = try terminal.wait(for: "was killed by signal")
      #expect(screen.contains("before") && screen.contains("Namespaces"))
      #expect(try terminal.value("mouse_all_flag") == "0")
      #expect(try terminal.value("mouse_button_flag") == "1")
      try terminal.type("q")
      try terminal.wait(for: "left")
      #expect(try terminal.value("alternate_on") == "0")
      try terminal.run("stty -a | cmp - \(folder)/before && echo un''changed")
      try terminal.wait(for: "unchanged")
    }
  }

  @Test("after a killed editor, the earlier text of the terminal stays")
  func earlierText() throws {
    try Program.withFolder(Self.notes.merging(["editor": "kill -9 $$\n"]) { $1 }) { folder in
      let terminal = try Tmux(columns: 100, rows: 30)
      try terminal.run("echo ab''ove")
      try terminal.wait(for: "above")
      try terminal.run(
        "VISUAL='sh \(folder)/editor' \(Program.path) --write \(folder)/notes.json; echo le''ft")
      try terminal.wait(for: "Namespaces")
      try terminal.type("4ov")
      try terminal.wait(for: "was killed by signal")
      try terminal.type("q")
      let screen = try terminal.wait(for: "left")
      let lines = screen.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      // The prompt of a slow shell appears in front of it.
      let above = try #require(lines.firstIndex { $0.hasSuffix("above") }, "\(screen)")
      #expect(try above < #require(lines.firstIndex(of: "left")), "\(screen)")
    }
  }

  @Test("errors of the editor are visible")
  func complaining() throws {
    try Program.withFolder(
      Self.notes.merging(["editor": "printf 'some''thing is amiss' >&2\nread -r line\n"]) { $1 }
    ) { folder in
      let terminal = try Tmux(columns: 100, rows: 30)
      try terminal.run(
        "VISUAL='sh \(folder)/editor' \(Program.path) --write \(folder)/notes.json; echo le''ft")
      try terminal.wait(for: "Namespaces")
      try terminal.type("4ov")
      try terminal.wait { $0.contains("something is amiss") || $0.contains("Nothing was changed") }
      #expect(try terminal.screen().contains("something is amiss"))
      try terminal.press("Enter")
      try terminal.wait(for: "Namespaces")
      try terminal.type("q")
      try terminal.wait(for: "left")
    }
  }

  @Test("a missing program is named with advice")
  func missing() throws {
    try Program.withFolder(Self.notes) { folder in
      let terminal = try Tmux(columns: 100, rows: 30)
      try terminal.run("PAGER=no-such-pager \(Program.path) \(folder)")
      try terminal.wait(for: "before")
      try terminal.type("4oe")
      try terminal.wait(for: "'no-such-pager' was not found; set PAGER")
    }
  }
}
