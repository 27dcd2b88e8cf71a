import Foundation
import Testing

/// A screen that is drawn twice flickers, and what is half drawn may be read as if it were whole.
@Suite("Resuming", .waitsForPrograms, .timeLimit(.minutes(10)))
struct ResumeTests {
  /// The sequence that clears an xterm's screen before a redraw.
  private static let clear = "\u{1B}[H\u{1B}[2J"

  @Test("the screen is redrawn once", arguments: [false, true])
  func drawnOnce(bySignal: Bool) throws {
    try Program.withFolder([:]) { folder in
      let terminal = try PseudoTerminal(
        [Program.path, "world"],
        variables: ["XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder, "HOME": folder])
      try terminal.wait(for: "continents")
      let start = terminal.sent.count
      // The system does not stop a session leader, because no process could continue it.
      if bySignal { terminal.signal(SIGCONT) } else { terminal.type("\u{1A}") }
      try terminal.wait(for: Self.clear, after: start)
      let cleared = try #require(terminal.place(of: Self.clear, after: start)) + 1
      terminal.type("?")
      try terminal.wait(for: "Keys in", after: cleared)
      #expect(terminal.place(of: Self.clear, after: cleared) == nil, "\(terminal.text)")
      terminal.type("q")
      terminal.type("q")
      #expect(try terminal.finish() == 0)
      // The palette may be the user's own.
      #expect(terminal.count(of: "\u{1B}]104") == 0)
      // The window title is pushed to the terminal's stack and popped again.
      #expect(terminal.count(of: "\u{1B}[22;2t") == terminal.count(of: "\u{1B}[23;2t"))
    }
  }
}
