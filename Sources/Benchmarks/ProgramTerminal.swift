#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program in its own terminal. Keys are sent to it, and its output is timed.
///
/// The output is not interpreted. A frame ends when no more output follows for some time.
final class ProgramTerminal {
  /// The times at which output arrived after a key, in milliseconds of ``Timing/now()``.
  struct Reading {
    var first: Double?
    var last: Double?
    var bytes = 0
  }

  let process: pid_t
  private let terminal: CInt
  /// The file descriptor for reading.
  var descriptor: CInt { terminal }
  private var hasEnded = false

  /// The query with which a program asks for the device attributes, and what a terminal answers.
  private static let question = "\u{1B}[c"
  private static let answer = "\u{1B}[?62;22c"

  /// Starts a program in a terminal.
  ///
  /// Nil if the terminal cannot be created or the program is not found.
  init?(
    _ program: String, _ arguments: [String], columns: Int = 120, rows: Int = 40,
    environment: [String: String] = [:]
  ) {
    guard let (terminal, name) = Self.open() else { return nil }
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    var variables = [
      "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8",
    ].merging(environment) { $1 }
    for name in ["PATH", "SONDE_SHARE"] where variables[name] == nil {
      variables[name] = getenv(name).map { String(cString: $0) }
    }
    guard let process = Self.start(program, arguments, variables, on: name) else {
      close(terminal)
      return nil
    }
    self.terminal = terminal
    self.process = process
  }

  deinit {
    end()
    close(terminal)
  }

  private static func open() -> (terminal: CInt, name: String)? {
    #if os(Linux)
      // This does what posix_openpt does, which is missing in Swift's Glibc.
      let terminal = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      var lock: CInt = 0
      var number: CInt = 0
      guard terminal >= 0, ioctl(terminal, 0x4004_5431, &lock) == 0,
        ioctl(terminal, 0x8004_5430, &number) == 0
      else { return nil }
      return (terminal, "/dev/pts/\(number)")
    #else
      let terminal = posix_openpt(O_RDWR | O_NOCTTY)
      guard terminal >= 0, grantpt(terminal) == 0, unlockpt(terminal) == 0,
        let name = ptsname(terminal)
      else { return nil }
      return (terminal, String(cString: name))
    #endif
  }

  /// Starts the program in a new session. The first terminal that it opens becomes the session's
  /// terminal.
  private static func start(
    _ program: String, _ arguments: [String], _ variables: [String: String], on terminal: String
  ) -> pid_t? {
    #if os(Linux)
      var attributes = posix_spawnattr_t()
      var actions = posix_spawn_file_actions_t()
      let newSession: Int16 = 0x80
    #else
      var attributes: posix_spawnattr_t?
      var actions: posix_spawn_file_actions_t?
      let newSession: Int16 = 0x400
    #endif
    posix_spawnattr_init(&attributes)
    posix_spawn_file_actions_init(&actions)
    defer {
      posix_spawnattr_destroy(&attributes)
      posix_spawn_file_actions_destroy(&actions)
    }
    posix_spawnattr_setflags(&attributes, newSession)
    posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    var names = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + names { free(text) } }
    var process = pid_t()
    return posix_spawn(&process, program, &actions, &attributes, &words, &names) == 0
      ? process : nil
  }

  // MARK: Keys and what comes of them

  func type(_ keys: String) {
    var rest = Array(keys.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
      if count < 0 { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends keys and reads the output. Times are relative to the first key.
  func timed(_ keys: String, quiet: Double = 60) -> Reading {
    let start = Timing.now()
    type(keys)
    var reading = read(quiet: quiet)
    reading.first = reading.first.map { $0 - start }
    reading.last = reading.last.map { $0 - start }
    return reading
  }

  /// Reads until there is no output for `quiet` milliseconds, but at most for `timeout`
  /// milliseconds.
  @discardableResult
  func read(quiet: Double, timeout: Double = 20_000) -> Reading {
    var reading = Reading()
    let end = Timing.now() + timeout
    while Timing.now() < end, let chunk = next(within: quiet) {
      let now = Timing.now()
      reading.first = reading.first ?? now
      reading.last = now
      reading.bytes += chunk.count
    }
    return reading
  }

  /// Returns the time when a text appeared, in milliseconds of ``Timing/now()``. Nil after the
  /// timeout, or when the program ended.
  func time(of text: String, timeout: Double = 20_000) -> Double? {
    let wanted = Array(text.utf8)
    var seen: [UInt8] = []
    let end = Timing.now() + timeout
    while Timing.now() < end, let chunk = next(within: end - Timing.now()) {
      let now = Timing.now()
      seen = seen.suffix(wanted.count) + chunk
      if seen.firstRange(of: wanted) != nil { return now }
    }
    return nil
  }

  /// Returns the next output. Nil when there is none for `timeout` milliseconds, or when the
  /// program ended.
  private func next(within timeout: Double) -> ArraySlice<UInt8>? {
    var waiting = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, CInt(max(0, timeout))) > 0 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Self.read(terminal, &buffer)
    guard count > 0 else { return nil }
    let chunk = buffer[..<count]
    if chunk.firstRange(of: Array(Self.question.utf8)) != nil { type(Self.answer) }
    return chunk
  }

  private static func read(_ terminal: CInt, _ buffer: inout [UInt8]) -> Int {
    #if canImport(Glibc)
      Glibc.read(terminal, &buffer, buffer.count)
    #else
      Darwin.read(terminal, &buffer, buffer.count)
    #endif
  }

  /// Sends the keys that quit the program, and waits for its end. Returns how many milliseconds
  /// that took.
  func quit(_ keys: String) -> Double {
    let start = Timing.now()
    type(keys)
    // Reading ends when all processes have closed the terminal.
    while next(within: 2_000) != nil {}
    let took = Timing.now() - start
    end()
    return took
  }

  func end() {
    if hasEnded { return }
    hasEnded = true
    kill(-process, SIGKILL)
    waitpid(process, nil, 0)
  }

  // MARK: What it costs

  /// The resident memory in bytes; 0 if it is unknown.
  var residentBytes: Int {
    let fields = Self.text(of: "/proc/\(process)/statm").split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
  }

  /// The number of voluntary context switches of the program's threads, that is, how often they
  /// were woken.
  var wakeUps: Int {
    let folder = "/proc/\(process)/task"
    guard let tasks = opendir(folder) else { return 0 }
    defer { closedir(tasks) }
    var sum = 0
    while let entry = readdir(tasks) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      for line in Self.text(of: "\(folder)/\(name)/status").split(separator: "\n")
      where line.hasPrefix("voluntary_ctxt_switches:") {
        sum += line.split(separator: "\t").last.flatMap { Int($0) } ?? 0
      }
    }
    return sum
  }

  private static func text(of path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 8_192)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
