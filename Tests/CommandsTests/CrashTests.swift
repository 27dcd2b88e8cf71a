import Foundation
import Testing

@Suite("A crash in a real terminal", .waitsForPrograms, .timeLimit(.minutes(10)))
struct CrashTests {
  @Test(
    "whichever thread crashes, the terminal is as it was",
    arguments: ["trap", "overflow", "alarm", "first"])
  func restored(_ way: String) throws {
    // The trace of where it was is long.
    let terminal = try Tmux(rows: 120)
    try terminal.run(
      "stty -a > /tmp/before.$$; \(Program.built("sonde-test-crash")) \(way); echo en''ded $?")
    try terminal.wait(for: "ready to crash")
    #expect(try terminal.value("alternate_on") == "1")
    try terminal.type("x")
    let screen = try terminal.expectRestored(after: "ended 1")
    if way != "overflow" { #expect(screen.contains("crashed as told")) }
  }
}

extension Tmux {
  /// Waits for what is said once a program has ended, and looks whether the terminal is as it was before:
  /// what `stty -a` said of it then is in /tmp/before.$$.
  @discardableResult
  func expectRestored(after text: String) throws -> String {
    let screen = try wait(for: text)
    #expect(try value("alternate_on") == "0")
    #expect(try value("cursor_flag") == "1")
    #expect(try value("mouse_any_flag") == "0")
    #expect(try value("keypad_cursor_flag") == "0")
    try run("stty -a | cmp - /tmp/before.$$ && echo un''changed; rm /tmp/before.$$")
    try wait(for: "unchanged")
    return screen
  }
}
