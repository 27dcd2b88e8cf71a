import Foundation
import Testing

@Suite("The explorer in a real terminal", .waitsForPrograms, .timeLimit(.minutes(10)))
struct RealTerminalTests {
  @Test("without a store the demos are offered, and quitting succeeds")
  func chooser() throws {
    let terminal = try Tmux(columns: 80, rows: 24)
    try terminal.run("\(Program.path); echo left $?")
    try terminal.wait { $0.contains("▸ 1  world") && $0.contains("company") }
    try terminal.press("Down")
    try terminal.wait(for: "▸ 2  goals")
    try terminal.press("Enter")
    try terminal.wait(for: "todos")
    try terminal.type("q")
    try terminal.wait(for: "left 0")
    try terminal.run("clear; \(Program.path); echo gone $?")
    try terminal.wait(for: "▸ 1  world")
    try terminal.type("q")
    try terminal.wait(for: "gone 0")
    #expect(try terminal.value("alternate_on") == "0")
  }

  @Test("a screen reader announces the selected demo")
  func chooserHeard() throws {
    let terminal = try Tmux(columns: 80, rows: 24, environment: ["NO_COLOR": "1"])
    try terminal.run("clear; \(Program.path) --screen-reader")
    let screen = try terminal.wait { $0.contains("chosen: 1  world") }
    #expect(!screen.contains("▸"))
    try terminal.press("Down")
    try terminal.wait(for: "chosen: 2  goals")
    #expect(!terminal.hasSentColors)
    try terminal.press("Enter")
    try terminal.wait(for: "todos")
  }

  @Test("the demo chooser works on the smallest screen")
  func chooserSmall() throws {
    let terminal = try Tmux(columns: 40, rows: 10)
    try terminal.run("clear; \(Program.path) --ascii")
    try terminal.wait(for: "> 1  world")
    try terminal.press("Down", "Down")
    let screen = try terminal.wait(for: "> 3  company")
    #expect(screen.contains("enter open"))
  }

  @Test(
    "tabs, query, cursor and pane sizes are restored")
  func session() throws {
    // From 120 columns on, the record may hide the namespaces.
    let terminal = try Tmux(columns: 119, rows: 30)
    try terminal.run("\(Program.path) world countries; echo left $?")
    try terminal.wait(for: "Afghanistan")
    try terminal.type("F")
    try terminal.type("population > 80_000_000")
    try terminal.press("Enter")
    try terminal.wait { $0.contains("Brazil") && !$0.contains("Afghanistan") }
    try terminal.type("t))F")
    try terminal.type(" and name like \"%an%\"")
    try terminal.press("Enter")
    try terminal.wait { $0.contains("Japan") && !$0.contains("Brazil") }
    try terminal.type("q")
    try terminal.wait(for: "left 0")
    try terminal.run("clear; \(Program.path) world; echo gone $?")
    let back = try terminal.wait { $0.contains("Japan") && $0.contains("%an%") }
    #expect(back.contains("[2 countries"), "\(back)")
    #expect(back.contains("╭─ [1] Namespaces ────────────╮╭"))
    try terminal.type(",")
    try terminal.wait { $0.contains("Brazil") && $0.contains("80M") }
    try terminal.type("q")
    try terminal.wait(for: "gone 0")
    try terminal.run("clear; \(Program.path) world --fresh; echo over $?")
    try terminal.wait { $0.contains("Africa") && !$0.contains("[2 countries") }
    try terminal.type("q")
    try terminal.wait(for: "over 0")
  }

  @Test("after SIGKILL, saved queries, history and pane sizes are restored")
  func killed() throws {
    // From 120 columns on, the record may hide the namespaces.
    let terminal = try Tmux(columns: 119, rows: 30)
    try terminal.run("\(Program.path) world countries; echo le''ft $?")
    try terminal.wait(for: "Afghanistan")
    try terminal.type("))Fpopulation > 80_000_000")
    try terminal.press("Enter")
    try terminal.wait { $0.contains("Brazil") && !$0.contains("Afghanistan") }
    try terminal.type("bMost people")
    try terminal.press("Enter")
    try terminal.wait(for: "Saved as “Most people”")
    let child = try terminal.value("pane_pid")
    #expect(try Child(["pkill", "-KILL", "-P", child, "sonde"]).finish().status == 0)
    try terminal.wait(for: "left 137")
    try terminal.run("stty sane; printf '\\033c'; \(Program.path) world; echo go''ne $?")
    let again = try terminal.wait {
      $0.contains("session was restored") && $0.contains("Brazil")
        && $0.contains("80M")
    }
    #expect(again.contains("╭─ [1] Namespaces ────────────╮╭"))
    try terminal.type("B")
    try terminal.wait {
      $0.contains("Most people") && $0.contains("countries filter population > 80M")
    }
    try terminal.type("qq")
    try terminal.wait(for: "gone 0")
  }

  @Test("a changed file is reloaded")
  func live() throws {
    try Program.withFolder(["notes.json": #"[{"id": "a", "title": "before"}]"#]) { folder in
      let terminal = try Tmux()
      try terminal.run("\(Program.path) \(folder)")
      try terminal.wait(for: "before")
      let changed = Data(#"[{"id": "a", "title": "after"}, {"id": "b", "title": "new"}]"#.utf8)
      try changed.write(to: URL(filePath: folder + "/notes.json"), options: .atomic)
      try terminal.wait { $0.contains("after") && $0.contains("new") }
      try Data("[{".utf8).write(to: URL(filePath: folder + "/notes.json"))
      let stale = try terminal.wait(for: "stale")
      #expect(stale.contains("after"))
      try changed.write(to: URL(filePath: folder + "/notes.json"))
      try terminal.wait { !$0.contains("stale") }
    }
  }

  @Test(
    "the terminal is restored however the program ends",
    arguments: [
      ("q", 0), ("C-c", 130), ("TERM", 143), ("HUP", 129), ("INT", 130), ("QUIT", 131),
      ("ABRT", 134), ("SEGV", 139), ("TRAP", 133), ("FPE", 136), ("USR1", 138),
    ])
  func restored(_ end: String, status: Int) throws {
    let terminal = try Tmux()
    try terminal.run("stty -a > /tmp/before.$$; \(Program.path) world; echo ended $?")
    try terminal.wait(for: SmallDemos.cities)
    #expect(try terminal.value("alternate_on") == "1")
    if end.count == 1 || end.hasPrefix("C-") {
      try terminal.press(end)
    } else {
      let child = try terminal.value("pane_pid")
      let killer = try Child(["pkill", "-\(end)", "-P", child, "sonde"])
      #expect(killer.finish().status == 0)
    }
    try terminal.expectRestored(after: "ended \(status)")
  }

  /// Ways to be somewhere: a variable, an option, keys, and what then shows that one is there.
  private static let places = [
    ("TERM=vt100", "", "", SmallDemos.cities), ("", "--screen-reader", "", "cities"),
    ("", "", "Fpop", "population"), ("", "", ":quit", "quit"),
  ]

  @Test(
    "the terminal is restored after a signal in any pane",
    arguments: zip(places, ["SEGV", "TERM", "TERM", "HUP"]))
  func restoredThere(
    _ place: (variable: String, option: String, keys: String, shows: String), signal: String
  ) throws {
    let terminal = try Tmux()
    try terminal.run(
      "stty -a > /tmp/before.$$; \(place.variable) \(Program.path) world \(place.option); "
        + "echo ended $?")
    try terminal.wait(for: "cities")
    try terminal.type(place.keys)
    try terminal.wait(for: place.shows)
    let shell = try terminal.value("pane_pid")
    #expect(try Child(["pkill", "-\(signal)", "-P", shell, "sonde"]).finish().status == 0)
    try terminal.expectRestored(after: "ended 1")
  }

  @Test(
    "a signal while the editor runs ends the editor and restores the terminal",
    arguments: [("TERM", 143), ("SEGV", 139)])
  func restoredBehindEditor(signal: String, status: Int) throws {
    try Program.withFolder(["editor": Self.editor]) { folder in
      let terminal = try Tmux()
      try terminal.run(
        "stty -a > /tmp/before.$$; VISUAL='sh \(folder)/editor' \(Program.path) world; echo ended $?"
      )
      try terminal.wait(for: SmallDemos.cities)
      try terminal.type("4o")
      try terminal.wait(for: "Open in")
      try terminal.type("q")
      try terminal.wait(for: "EDITING")
      let shell = try terminal.value("pane_pid")
      #expect(try Child(["pkill", "-\(signal)", "-P", shell, "sonde"]).finish().status == 0)
      try terminal.expectRestored(after: "ended \(status)")
    }
  }

  /// Takes the terminal over as editors do, and waits for keys that never come.
  private static let editor = """
    stty raw -echo
    printf '\\033[?1049h\\033[?1003h\\033[?1h\\033[?2004hEDIT''ING'
    read -r line
    """

  @Test("SIGPIPE does not end it")
  func brokenPipe() throws {
    let terminal = try Tmux()
    try terminal.run("\(Program.path) world; echo left $?")
    try terminal.wait(for: SmallDemos.cities)
    let child = try terminal.value("pane_pid")
    #expect(try Child(["pkill", "-PIPE", "-P", child, "sonde"]).finish().status == 0)
    try terminal.type("q")
    try terminal.wait(for: "left 0")
    #expect(try terminal.value("alternate_on") == "0")
  }

  @Test("suspending restores the shell's terminal, and resuming works")
  func suspend() throws {
    let terminal = try Tmux()
    try terminal.run("set -m; \(Program.path) world")
    try terminal.wait(for: SmallDemos.cities)
    try terminal.press("C-z")
    try terminal.wait { !$0.contains(SmallDemos.cities) }
    #expect(try terminal.value("alternate_on") == "0")
    try terminal.run("fg")
    try terminal.wait(for: SmallDemos.cities)
    try terminal.press("q")
    try terminal.wait { !$0.contains(SmallDemos.cities) }
  }

  @Test("a too small terminal shows a message until it grows")
  func sizes() throws {
    let terminal = try Tmux(columns: 30, rows: 8)
    try terminal.run("\(Program.path) world")
    try terminal.wait(for: "needs")
    try terminal.resize(columns: 80, rows: 24)
    try terminal.wait { $0.contains("Namespaces") && $0.contains("Results") }
  }

  @Test("a read-only store is marked in the header and at the first editing key")
  func readOnly() throws {
    let terminal = try Tmux(columns: 100, rows: 24)
    try terminal.run("\(Program.path) world")
    try terminal.wait { $0.contains("Africa") && $0.contains("read-only") }
    try terminal.type("4e")
    try terminal.wait(for: "--write to edit in memory")
    try terminal.type("q")
    try terminal.wait { !$0.contains("Namespaces") }
    try terminal.run("clear; \(Program.path) --write world countries")
    try terminal.wait {
      $0.contains("Results") && $0.contains("in memory") && !$0.contains("read-only")
    }
    try terminal.type("4e")
    try terminal.wait(for: "Edit name")
  }
}
