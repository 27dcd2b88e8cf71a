#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An explorer in a plain terminal of its own, of which only some texts are awaited.
struct ScreenProcess {
  private let terminal: ProgramTerminal

  /// - Parameter state: A folder in which it remembers things.
  ///
  /// Nil when the system makes no terminal.
  init?(_ program: String, _ arguments: [String], state: String) {
    guard
      let terminal = ProgramTerminal(
        program, arguments, columns: 100, rows: 24,
        environment: ["TERM": "vt100", "XDG_STATE_HOME": state, "HOME": state])
    else { return nil }
    self.terminal = terminal
  }

  /// False when the terminal ends before the text comes, or five seconds are over.
  func waits(for text: String) -> Bool { terminal.time(of: text, patience: 5_000) != nil }

  func type(_ keys: String) { terminal.type(keys) }

  /// Lets what it paints from now on go nowhere.
  func drain() {
    let descriptor = terminal.descriptor
    Task.detached {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while read(descriptor, &buffer, buffer.count) > 0 {}
    }
  }

  func end() { terminal.end() }
}
