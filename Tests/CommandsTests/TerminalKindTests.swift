import Foundation
import Testing

@Suite("Terminals of many kinds and sizes", .waitsForPrograms, .timeLimit(.minutes(10)))
struct TerminalKindTests {
  @Test(
    "each terminal shows a store, accepts keys, and is restored",
    arguments: ["vt100", "xterm", "xterm-256color", "tmux-256color", "linux", "screen"])
  func kinds(_ kind: String) throws {
    let terminal = try Tmux(columns: 80, rows: 24)
    try terminal.run("infocmp \(kind) >/dev/null 2>&1 && echo kno''wn || echo unkno''wn")
    guard try !terminal.wait(for: "known").contains("unknown") else { return }
    try terminal.run("clear; TERM=\(kind) \(Program.path) world; echo left $?")
    try terminal.wait { $0.contains(SmallDemos.cities) && $0.contains("Africa") }
    try terminal.press("Down", "Down", "Enter")
    try terminal.wait(for: "Shanghai")
    try terminal.type("j?")
    try terminal.wait(for: "Keys in Results")
    try terminal.type("xq")
    try terminal.wait(for: "left 0")
    #expect(try terminal.value("alternate_on") == "0")
    #expect(try terminal.value("cursor_flag") == "1")
    #expect(try terminal.value("mouse_any_flag") == "0")
  }

  @Test("lines are written to their ends, because terminals color deleted cells differently")
  func fullLines() throws {
    let terminal = try Tmux(columns: 80, rows: 24)
    try terminal.run("clear; TERM=xterm-256color \(Program.path) world countries --fresh")
    try terminal.wait(for: "Andorra")
    try terminal.wait(for: "f filter")
    // The footer of this pane is shorter, and ends as the longer one did.
    try terminal.type("1")
    try terminal.wait { !$0.contains("f filter") && $0.contains("? help") }
    try terminal.type("?")
    try terminal.wait(for: "Keys in Namespaces")
    #expect(terminal.sent.contains(#"\033["#))
    #expect(!terminal.sent.contains(/\\033\[[0-9]*[P@]/))
  }

  @Test("after characters of ambiguous width, the cursor is positioned explicitly")
  func disputedWidths() throws {
    let terminal = try Tmux(columns: 120, rows: 30)
    try terminal.run("clear; TERM=xterm-256color \(Program.path) world countries --fresh")
    try terminal.wait(for: "افغانستان")
    // What is sent after these bytes has arrived when an answer to another key has.
    try terminal.press("Down")
    try terminal.wait { $0.contains("2 of ") || $0.contains("Åland") }
    let name = #/افغانستان\u{200E}?(\\033\[[0-9;]*m|\\017|\\033\(B)*\\033\[[0-9]+;[0-9]+H/#
    #expect(terminal.sent.contains(name.matchingSemantics(.unicodeScalar)))
  }

  @Test("rapid resizing, down to one cell, ends with a complete screen")
  func storm() throws {
    let terminal = try Tmux(columns: 100, rows: 30)
    try terminal.run("\(Program.path) world cities; echo left $?")
    try terminal.wait(for: "Shanghai")
    for number in 1...60 {
      try terminal.resize(columns: 1 + number * 37 % 200, rows: 1 + number * 13 % 60)
      if number.isMultiple(of: 7) { try terminal.press("Down") }
    }
    try terminal.resize(columns: 1, rows: 1)
    try terminal.resize(columns: 120, rows: 40)
    try terminal.wait { $0.contains("[4] Results") && $0.contains("[5] ") && $0.contains("? help") }
    try terminal.type("q")
    try terminal.wait(for: "left 0")
  }

  @Test(
    "copying over ssh sends OSC 52 to the terminal, also inside tmux", arguments: [false, true])
  func copies(insideTmux: Bool) throws {
    try Program.withFolder([:]) { folder in
      var variables = [
        "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder, "HOME": folder,
        "SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22",
      ]
      // Behind this socket there is no tmux that could set the clipboard itself.
      if insideTmux { variables["TMUX"] = "\(folder)/none,1,0" }
      let terminal = try PseudoTerminal([Program.path, "world", "countries"], variables: variables)
      try terminal.wait(for: "Andorra")
      terminal.type("y")
      try terminal.wait(for: "query as text")
      terminal.type("q")
      let plain = "\u{1B}]52;c;Y291bnRyaWVz\u{7}"
      try terminal.wait(
        for: insideTmux ? plain + "\u{1B}Ptmux;\u{1B}" + plain + "\u{1B}\\" : plain)
      #expect(terminal.count(of: "]52;") == (insideTmux ? 2 : 1))
      terminal.type("q")
      #expect(try terminal.finish() == 0)
    }
  }

  @Test("a screen of 300 by 100 is filled")
  func large() throws {
    let terminal = try Tmux(columns: 300, rows: 100)
    try terminal.run("\(Program.path) world cities")
    let screen = try terminal.wait { $0.contains("Shanghai") && $0.contains("? help") }
    #expect(screen.split(separator: "\n").count > 90)
  }
}
