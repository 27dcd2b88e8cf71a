import Testing

/// The choice of a demo when no store is named, in a real terminal.
@Suite("Demo chooser in a terminal", .waitsForPrograms, .timeLimit(.minutes(10)))
struct DemoChoiceTests {
  @Test("can be suspended and resumed, and opens by mouse")
  func mouse() throws {
    let terminal = try Tmux(columns: 90, rows: 24)
    try terminal.run("set -m; clear; '\(Program.path)'")
    try terminal.wait(for: "▸ 1  world")
    #expect(try terminal.value("mouse_any_flag") == "1")
    try terminal.press("C-z")
    try terminal.wait { !$0.contains("Choose a demo") }
    #expect(try terminal.value("mouse_any_flag") == "0")
    try terminal.run("clear; fg")
    let screen = try terminal.wait(for: "2  goals")
    let row = try #require(
      screen.split(separator: "\n", omittingEmptySubsequences: false)
        .firstIndex { $0.contains("2  goals") })
    let click = "\u{1B}[<0;9;\(row + 1)M\u{1B}[<0;9;\(row + 1)m"
    try terminal.type(click)
    try terminal.wait(for: "▸ 2  goals")
    try terminal.type(click + click)
    try terminal.wait(for: "goals ›")
    try terminal.type("q")
    try terminal.wait { !$0.contains("goals ›") }
  }
}
