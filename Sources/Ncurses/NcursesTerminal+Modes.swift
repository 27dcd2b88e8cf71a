internal import CNcurses
internal import CTerminal
package import TerminalUI

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Enters and leaves the terminal's modes: at start and exit, on suspension, and while another
/// program uses the terminal.
extension NcursesTerminal {
  private static let mouseOn = "\u{1B}[?1002h\u{1B}[?1006h"
  private static let mouseOff = "\u{1B}[?1006l\u{1B}[?1002l"
  /// The sequences that enable and disable bracketed paste and focus reports.
  private static let reportsOn = "\u{1B}[?2004h\u{1B}[?1004h"
  private static let reportsOff = "\u{1B}[?1004l\u{1B}[?2004l"
  /// The sequences that disable modes that other programs may have left enabled.
  private static let othersOff = "\u{1B}[?1l\u{1B}>\u{1B}[?1000;1001;1003;1005;1015l"
  private static let titlePush = "\u{1B}[22;2t"
  private static let titlePop = "\u{1B}[23;2t"

  func enter() {
    armGuard()
    raw()
    noecho()
    nonl()
    passOutputOn()
    // Without this call, ncurses would stop painting while input is pending. The event loop handles
    // input.
    typeahead(-1)
    if profile.isModern {
      send(Self.reportsOn + Self.titlePush)
      if isMouseOn { send(Self.mouseOn) }
      if !title.isEmpty { send(titleSequence(title)) }
    }
    if updateSize() { waiting.append(.resize(size)) }
    redraw()
  }

  /// Makes the system pass output on unchanged, and therefore in one piece.
  ///
  /// Otherwise it looks for characters such as backspace, and passes on each of them separately.
  private func passOutputOn() {
    var modes = termios()
    guard tcgetattr(STDIN_FILENO, &modes) == 0 else { return }
    modes.c_oflag &= ~tcflag_t(OPOST)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &modes)
    def_prog_mode()
  }

  func leave() {
    if profile.isModern {
      send(Self.mouseOff + Self.reportsOff + Self.titlePop)
    }
    curs_set(1)
    endwin()
    ct_guard_disarm()
    var modes = originalModes
    tcsetattr(STDIN_FILENO, TCSADRAIN, &modes)
  }

  /// Prepares the bytes that restore the terminal. After a crash, the signal handler only has to
  /// write them.
  private func armGuard() {
    var bytes: [UInt8] = []
    if profile.isModern {
      bytes += Array(
        ("\u{1B}\\\u{1B}[?2026l" + Self.mouseOff + Self.reportsOff + Self.othersOff + Self.titlePop)
          .utf8)
    }
    // The capabilities reset attributes, colors, character set, cursor and screen.
    for name in ["sgr0", "op", "rmacs", "cnorm", "rmcup"] { bytes += capability(name) }
    bytes += Array("\r".utf8)
    var modes = originalModes
    bytes.withUnsafeBytes {
      ct_guard_arm(
        STDOUT_FILENO, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, &modes)
    }
  }

  private func capability(_ name: String) -> [UInt8] {
    var text = [CChar](repeating: 0, count: 256)
    let length = ct_capability(name, &text, text.count)
    return text[..<length].map { UInt8(bitPattern: $0) }
  }

  func sendMouseMode() {
    if profile.isModern { send(isMouseOn ? Self.mouseOn : Self.mouseOff) }
  }

  /// Writes directly to the terminal. This is safe after painting, when ncurses has nothing
  /// buffered.
  func send(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      if written < 0, errno == EAGAIN {
        // Another process may have set O_NONBLOCK on the same terminal.
        var writable = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        poll(&writable, 1, -1)
        continue
      }
      guard written > 0 else { return }
      bytes = bytes.dropFirst(written)
    }
  }

  /// Updates the size of the screen and returns whether it changed.
  func updateSize() -> Bool {
    var columns: Int32 = 0
    var rows: Int32 = 0
    guard ct_size(STDOUT_FILENO, &columns, &rows) else { return false }
    let size = Size(columns: Int(columns), rows: Int(rows))
    guard size != self.size || getmaxx(nc_stdscr()) != columns || getmaxy(nc_stdscr()) != rows
    else {
      return false
    }
    resizeterm(rows, columns)
    self.size = size
    redraw()
    return true
  }

  package func suspend() {
    leave()
    ct_stop_job()
    enter()
    waiting.append(.resumed)
  }

  /// Sets the terminal's modes again after another process stopped and continued the program.
  func resume() {
    reset_prog_mode()
    // `enter` saves the current title, so the shell's title must be restored first.
    if profile.isModern { send(Self.titlePop) }
    enter()
    waiting.append(.resumed)
  }

  package func run(
    _ arguments: [String], variables: [String: String]
  ) throws(TerminalError) -> Int32 {
    guard let program = arguments.first else { return 0 }
    leave()
    // If this program ends before the other program, the modes must still be reset.
    armGuard()
    var status: Int32 = 0
    let failure = withCArguments(arguments) { arguments in
      withCArguments(variables.map { "\($0)=\($1)" }) { ct_run(arguments, $0, &status) }
    }
    // A program that was killed has not reset its modes.
    if status > 128 { resetModes() }
    // Many programs exit without resetting their colors.
    if profile.isModern { send("\u{1B}[0m") }
    enter()
    if failure != 0 { throw .cannotRun(program, reason: reason(failure)) }
    return status
  }

  /// Resets the modes that other programs enable.
  private func resetModes() {
    var modes = originalModes
    tcsetattr(STDIN_FILENO, TCSADRAIN, &modes)
    guard profile.isModern else { return }
    // Resetting the scrolling region moves the cursor, so its position is saved and restored.
    send(Self.othersOff + Self.mouseOff + Self.reportsOff + "\u{1B}[0m\u{1B}7\u{1B}[r\u{1B}8")
  }

  package func setTitle(_ title: String) {
    guard title != self.title else { return }
    self.title = title
    if profile.isModern { send(titleSequence(title)) }
  }

  private func titleSequence(_ title: String) -> String {
    // Control characters could end the title's sequence early.
    let safe = title.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
    return "\u{1B}]2;" + String(String.UnicodeScalarView(safe)) + "\u{1B}\\"
  }

  package func ring() { send("\u{7}") }

  package func copy(_ text: String) -> Bool {
    guard profile.isModern, let sequences = Clipboard.sequences(for: text, profile: profile) else {
      return false
    }
    if profile.isInsideTmux, copyThroughTmux(text) { return true }
    send(sequences)
    return true
  }

  /// Copies text with tmux's command `load-buffer -w`. Returns false if that fails.
  ///
  /// By default, tmux ignores OSC 52. This command (tmux 3.2) sets the buffer of tmux and the outer
  /// clipboard.
  private func copyThroughTmux(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        withCArguments(["tmux", "load-buffer", "-w", "-"]) {
          ct_feed($0, bytes.baseAddress, bytes.count, copyTimeoutMilliseconds)
        }
      }
    }
  }
}

/// The maximum time to wait for tmux, in milliseconds. It keeps a stopped tmux from blocking the
/// screen.
private let copyTimeoutMilliseconds: Int32 = 500
