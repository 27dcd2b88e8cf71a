#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An explorer in a terminal of its own, and what it paints, byte by byte.
struct ScreenProcess {
  private let terminal: UnsafeMutablePointer<FILE>
  private let group: pid_t

  /// - Parameters:
  ///   - arguments: As a shell reads them.
  ///   - script: A file to be written: three shells would each want the quotes in another way.
  ///   - input: What is typed, as a shell names it; nil for nothing.
  ///
  /// Nil when the system makes no terminal.
  init?(
    _ program: String, arguments: String, script: String, input: String? = nil
  ) {
    let typed = input.map { "cat \($0)" } ?? "sleep 300"
    let text = """
      [ -n "$1" ] && { stty rows 24 cols 100; export XDG_STATE_HOME='\(script)-state'; exec '\(program)' \(arguments); }
      echo $$
      \(typed) | TERM=vt100 script -qfc "sh '\(script)' paint" /dev/null

      """
    guard let output = fopen(script, "w") else { return nil }
    fputs(text, output)
    fclose(output)
    guard let terminal = popen("exec setsid sh '\(script)' 2>/dev/null", "r") else { return nil }
    // Nothing waits in a buffer, so that it can be told whether anything comes.
    setvbuf(terminal, nil, _IONBF, 0)
    self.terminal = terminal
    var line = [CChar](repeating: 0, count: 32)
    guard fgets(&line, 32, terminal) != nil, let group = pid_t(StoreBench.text(line)) else {
      pclose(terminal)
      return nil
    }
    self.group = group
  }

  /// False when the terminal ends before the text comes, or paints nothing for five seconds.
  func waits(for text: String) -> Bool {
    let wanted = Array(text.utf8)
    var last: [UInt8] = []
    while true {
      var waiting = pollfd(fd: fileno(terminal), events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 5_000) > 0 else { return false }
      let byte = getc(terminal)
      if byte < 0 { return false }
      last.append(UInt8(truncatingIfNeeded: byte))
      if last.count > wanted.count { last.removeFirst() }
      if last == wanted { return true }
    }
  }

  /// Lets what it paints from now on go nowhere.
  func drain() {
    let descriptor = fileno(terminal)
    Task.detached {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while read(descriptor, &buffer, buffer.count) > 0 {}
    }
  }

  func end() {
    kill(-group, SIGKILL)
    pclose(terminal)
  }
}
