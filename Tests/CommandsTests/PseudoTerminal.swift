import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A pseudo terminal that interprets nothing and answers no queries: the test reads a program's
/// bytes and sends the answers.
final class PseudoTerminal {
  let process: pid_t
  private let main: Int32
  private var isReaped = false
  /// All that was written so far.
  private(set) var sent: [UInt8] = []
  private static let timeout = Duration.seconds(90)

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Starts a program whose three streams and controlling terminal this is.
  init(
    _ arguments: [String], columns: Int = 100, rows: Int = 30, variables: [String: String] = [:]
  ) throws {
    let share = try SmallDemos.share
    let path: String
    (main, path) = try Self.open()
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(main, UInt(TIOCSWINSZ), &size)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that a leader of a session opens is its own.
    posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(
      &attributes, Self.newSession | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    let inherited = ["PATH", "TMPDIR"].compactMap { name in
      ProcessInfo.processInfo.environment[name].map { "\(name)=\($0)" }
    }
    let own = [
      "TERM=xterm-256color", "LC_ALL=C.UTF-8", "HOME=\(Child.home)",
      "SONDE_SHARE=\(share)",
    ]
    let all = own + inherited
    var child = pid_t()
    let failure = Self.withStrings(arguments) { arguments in
      Self.withStrings(all + variables.map { "\($0)=\($1)" }) { variables in
        posix_spawn(&child, arguments[0]!, &actions, &attributes, arguments, variables)
      }
    }
    guard failure == 0 else { throw Failure(description: "\(arguments[0]) does not start") }
    process = child
  }

  deinit {
    if !isReaped {
      kill(process, SIGKILL)
      _ = status()
    }
    close(main)
  }

  private static let newSession: Int16 = 0x80

  /// A new terminal's own end, and the name of the other one.
  private static func open() throws -> (main: Int32, path: String) {
    #if os(Linux)
      let main = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      // TIOCSPTLCK and TIOCGPTN: what unlockpt and ptsname do, which the C module leaves out.
      var (isLocked, number): (Int32, UInt32) = (0, 0)
      guard main >= 0, ioctl(main, 0x4004_5431, &isLocked) == 0,
        ioctl(main, 0x8004_5430, &number) == 0
      else { throw Failure(description: "There is no pseudo-terminal: \(errno)") }
      return (main, "/dev/pts/\(number)")
    #else
      let main = posix_openpt(O_RDWR | O_NOCTTY)
      guard main >= 0, grantpt(main) == 0, unlockpt(main) == 0, let name = ptsname(main) else {
        throw Failure(description: "There is no pseudo-terminal: \(errno)")
      }
      return (main, String(cString: name))
    #endif
  }

  /// Types text, as it is.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { write(main, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      written += count
    }
  }

  func signal(_ number: Int32) { kill(process, number) }

  /// Reads until `holds` of all that was written.
  func wait(for what: String, until holds: ([UInt8]) -> Bool) throws {
    let deadline = ContinuousClock.now + Self.timeout
    while !holds(sent) {
      guard try readMore(by: deadline) else {
        throw Failure(description: "It ended without \(what):\n\(text)")
      }
    }
  }

  /// Reads until a text was written, after `start` bytes.
  func wait(for text: String, after start: Int = 0) throws {
    try wait(for: text) { Self.range(of: text, in: $0[start...]) != nil }
  }

  /// Reads to its end and answers with the exit status, or 128 and the signal.
  func finish() throws -> Int32 {
    let deadline = ContinuousClock.now + Self.timeout
    while try readMore(by: deadline) {}
    return status()
  }

  /// Where a text was written first.
  func place(of text: String, after start: Int = 0) -> Int? {
    Self.range(of: text, in: sent[start...])
  }

  /// How often a text was written.
  func count(of text: String) -> Int {
    var (count, start) = (0, 0)
    while let place = place(of: text, after: start) { (count, start) = (count + 1, place + 1) }
    return count
  }

  /// What was written, as text, escapes to be seen.
  var text: String { String(decoding: sent, as: UTF8.self).replacing("\u{1B}", with: "␛") }

  private static func range(of text: String, in bytes: ArraySlice<UInt8>) -> Int? {
    let wanted = Array(text.utf8)
    guard bytes.count >= wanted.count else { return nil }
    return (bytes.startIndex...bytes.endIndex - wanted.count).first {
      bytes[$0] == wanted[0] && bytes[$0..<$0 + wanted.count].elementsEqual(wanted)
    }
  }

  /// Whether there was more before the program ended.
  private func readMore(by deadline: ContinuousClock.Instant) throws -> Bool {
    let left = ContinuousClock.now.duration(to: deadline).components
    var waiting = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
    let found = poll(&waiting, 1, Int32(clamping: max(0, left.seconds * 1_000)))
    if found < 0, errno == EINTR { return true }
    guard found > 0 else {
      throw Failure(description: "Nothing came in \(Self.timeout):\n\(text)")
    }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(main, &bytes, bytes.count)
    // Reading fails once the other end is closed.
    guard count > 0 else { return false }
    sent += bytes.prefix(count)
    return true
  }

  private func status() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    isReaped = true
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
  }

  private static func withStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(copies)
  }
}
