#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An explorer in its own terminal. The benchmark only waits for certain texts on its screen.
struct ScreenProcess {
  private let terminal: ProgramTerminal

  /// Starts the explorer; nil if its terminal cannot be created.
  ///
  /// - Parameter state: The folder for the explorer's state.
  init?(_ program: String, _ arguments: [String], state: String) {
    guard
      let terminal = ProgramTerminal(
        program, arguments, columns: 100, rows: 24,
        environment: ["TERM": "vt100", "XDG_STATE_HOME": state, "HOME": state])
    else { return nil }
    self.terminal = terminal
  }

  /// Waits up to five seconds for a text. Returns false if the text does not appear.
  func waits(for text: String) -> Bool { terminal.time(of: text, timeout: 5_000) != nil }

  func type(_ keys: String) { terminal.type(keys) }

  /// Reads and discards all output.
  func drain() {
    let descriptor = terminal.descriptor
    Task.detached {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while read(descriptor, &buffer, buffer.count) > 0 {}
    }
  }

  func end() { terminal.end() }
}
