import Foundation
import Testing

/// Whatever is open when the program is stopped or ended, the shell gets its terminal as it was.
@Suite(
  "Suspending and exiting in every prompt and pane", .waitsForPrograms, .timeLimit(.minutes(10)))
struct SuspendAndExitTests {
  /// Keys that lead somewhere, and what is then on the screen and nowhere else.
  private static let places: [(keys: String, shows: String)] = [
    ("4F", "─ Filter ─"), ("4Q", "enter apply"), ("4O", "─ Sort ─"), ("4L", "─ Limit ─"),
    ("4/", "─ Find ─"), ("40e", "Edit name"), ("4b", "Save the query as"), ("4y", "─ Copy ─"),
    ("40f", "─ Filter by name ─"), ("4w", "─ Relations of"), ("4c", "─ Columns ─"),
    ("C", "─ [7] Changes ─"), (":", "─ Command ─"), ("B", "─ Saved queries"),
    ("40x", "─ Explain ─"), ("40z", "─ [6] Values of name ─"), ("4E", "─ Export ─"),
    ("W", "─ [8] Live queries ─"), ("D", "─ [9] Diagram ─"), ("40a", "─ New row in countries ─"),
    ("4?", "─ Keys in Results ─"), ("40\r", "─ [5] Afghanistan ─"),
    ("4o", "Open in the pager"), ("A", "─ Themes ─"), ("40d", "Delete Afghanistan?"),
  ]

  private static let command = "'\(Program.path)' world countries --write"

  @Test("suspending and resuming keeps the state")
  func suspended() throws {
    let terminal = try Tmux(columns: 100, rows: 30)
    try terminal.run("set -m; clear; \(Self.command)")
    try terminal.wait(for: "Albania")
    for place in Self.places {
      do { try suspend(terminal, in: place) } catch {
        throw Tmux.Failure(description: "\(place): \(error)")
      }
    }
    try terminal.type("q")
    try terminal.wait { !$0.contains("Albania") }
  }

  private func suspend(_ terminal: Tmux, in place: (keys: String, shows: String)) throws {
    try terminal.type(place.keys)
    try terminal.wait(for: place.shows)
    try terminal.press("C-z")
    try terminal.wait { !$0.contains(place.shows) }
    #expect(try terminal.value("alternate_on") == "0", "\(place)")
    #expect(try terminal.value("cursor_flag") == "1", "\(place)")
    #expect(try terminal.value("mouse_any_flag") == "0", "\(place)")
    try terminal.run("clear; fg")
    try terminal.wait(for: place.shows)
    #expect(try terminal.value("alternate_on") == "1", "\(place)")
    try terminal.type("\u{1B}")
    // The screen is empty while it is redrawn, so the pane below is waited for, too.
    try terminal.wait { !$0.contains(place.shows) && $0.contains("Albania") }
  }

  #if os(Linux)
    @Test("a resumed program sleeps until something happens")
    func idle() throws {
      let terminal = try Tmux(columns: 100, rows: 30)
      try terminal.run("set -m; clear; \(Self.command)")
      try terminal.wait(for: "Albania")
      try terminal.press("C-z")
      try terminal.wait { !$0.contains("Albania") }
      try terminal.run("clear; fg")
      try terminal.wait(for: "Albania")
      let found = try Child(["pgrep", "-P", terminal.value("pane_pid"), "sonde"]).finish().output
      let process = try #require(pid_t(found.trimmingCharacters(in: .whitespacesAndNewlines)))
      // A thread that spins is running, or waits for a processor, whenever it is observed.
      var observations = 0
      try terminal.wait(for: "a sleeping program") {
        observations = (try? Program.isAsleep(process)) == true ? observations + 1 : 0
        return observations == 10
      }
      try terminal.type("q")
      try terminal.wait { !$0.contains("Albania") }
    }
  #endif

  @Test("a signal restores the terminal and leaves no files")
  func ended() throws {
    let signals = [
      ("TERM", 143), ("HUP", 129), ("INT", 130), ("QUIT", 131), ("ABRT", 134), ("SEGV", 139),
    ]
    let terminal = try Tmux(columns: 100, rows: 30)
    try terminal.run("stty -a > /tmp/place.$$")
    let shell = try terminal.value("pane_pid")
    for (number, place) in Self.places.enumerated() {
      let (signal, status) = signals[number % signals.count]
      try terminal.run("clear; \(Self.command) --fresh; echo en''ded \(number) $?")
      try terminal.wait { $0.contains("Albania") }
      try terminal.type(place.keys)
      try terminal.wait(for: place.shows)
      #expect(try Child(["pkill", "-\(signal)", "-P", shell, "sonde"]).finish().status == 0)
      try terminal.wait(for: "ended \(number) \(status)")
      for (flag, value) in [
        ("alternate_on", "0"), ("cursor_flag", "1"), ("mouse_any_flag", "0"),
        ("keypad_cursor_flag", "0"),
      ] {
        #expect(try terminal.value(flag) == value, "\(flag) after \(signal) in \(place)")
      }
      try terminal.run("stty -a | cmp - /tmp/place.$$ && echo un''changed \(number)")
      try terminal.wait(for: "unchanged \(number)")
    }
    try terminal.run("rm /tmp/place.$$; echo do''ne")
    try terminal.wait(for: "done")
  }
}
