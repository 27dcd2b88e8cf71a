import Foundation
import Testing

@Suite("Terminal basics", .waitsForPrograms, .timeLimit(.minutes(10)))
struct TerminalBasicsTests {
  @Test(
    "the terminal is restored when any thread crashes",
    arguments: ["trap", "overflow", "alarm", "first"])
  func restored(_ way: String) throws {
    // The trace of where it was is long.
    let terminal = try Tmux(rows: 120)
    try terminal.run(
      "stty -a > /tmp/before.$$; \(Self.program) crash \(way); echo en''ded $?")
    try terminal.wait(for: "ready to crash")
    #expect(try terminal.value("alternate_on") == "1")
    try terminal.type("x")
    let screen = try terminal.expectRestored(after: "ended 1")
    if way != "overflow" { #expect(screen.contains("crashed as told")) }
  }

  @Test("a frame wider than the terminal is cut")
  func narrower() throws {
    let terminal = try Tmux(columns: 200, rows: 10)
    try terminal.run("clear; \(Self.program) narrower; echo en''ded $?")
    try terminal.wait(for: "漢漢")
    try terminal.resize(columns: 80, rows: 10)
    try terminal.wait { $0.contains("drawn again 漢") || $0.contains("ended") }
    try terminal.type("x")
    try terminal.wait(for: "ended 0")
  }

  @Test("a job does not wait for a busy thread")
  func jobs() throws {
    #expect(try Child([Self.program, "jobs"]).finish().output == "both are done\n")
  }

  @Test("a lock is released as soon as the program has exited")
  func locks() throws {
    try Program.withFolder([:]) { folder in
      for _ in 0..<20 {
        let child = try Child([Self.program, "leave", folder + "/lock"])
        #expect(child.finish().status == 0)
      }
    }
  }

  private static let program = Program.built("sonde-crash-helper")
}

extension Tmux {
  /// Waits for the shell after the program has ended, and compares `stty -a` with its output
  /// before, in /tmp/before.$$.
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
