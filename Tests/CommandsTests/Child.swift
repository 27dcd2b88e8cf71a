import Foundation
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program started by a test, with its three streams in the test's hand.
///
/// No descriptor is inherited but these three, so that a server which the program leaves behind
/// cannot keep a stream open.
final class Child {
  let process: pid_t
  private let arguments: [String]
  private var input: Int32
  private let output: Int32
  private let complaints: Int32
  private var isReaped = false
  /// Output that was read and not yet handed out by line.
  private var unread: [UInt8] = []
  /// The timeouts for output, and for the end of a program.
  private static let (outputTimeout, endTimeout) = (Duration.seconds(90), Duration.seconds(300))

  struct Failure: Error {
    let call: String
    let errno: Int32
  }

  /// Starts the program that PATH names first.
  init(_ arguments: [String], environment: [String: String?] = [:]) throws {
    self.arguments = arguments
    // One at a time: between a pipe's making and its mark another child would inherit it.
    let started = try Self.starting.withLock { _ in
      try Self.start(arguments, environment: environment)
    }
    (process, input, output, complaints) = started
  }

  private static let starting = Mutex(())

  private static func start(
    _ arguments: [String], environment: [String: String?]
  ) throws -> (pid_t, Int32, Int32, Int32) {
    let variables = try variables(environment)
    let (into, out, err) = (try pipe(), try pipe(), try pipe())
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, into.read, 0)
    posix_spawn_file_actions_adddup2(&actions, out.write, 1)
    posix_spawn_file_actions_adddup2(&actions, err.write, 2)
    // As in a shell's foreground, whatever signals this process ignores.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGPIPE] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    var process = pid_t()
    let failure = withStrings(arguments) { arguments in
      withStrings(variables) { variables in
        posix_spawnp(&process, arguments[0]!, &actions, &attributes, arguments, variables)
      }
    }
    for end in [into.read, out.write, err.write] { close(end) }
    guard failure == 0 else { throw Failure(call: "posix_spawnp", errno: failure) }
    return (process, into.write, out.read, err.read)
  }

  deinit {
    if !isReaped {
      kill(process, SIGKILL)
      _ = status()
    }
    for end in [input, output, complaints] where end >= 0 { close(end) }
  }

  func write(_ text: String) throws {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let sent = bytes.withUnsafeBytes { Self.write(input, $0.baseAddress, $0.count) }
      guard sent > 0 else { throw Failure(call: "write", errno: errno) }
      bytes = bytes.dropFirst(sent)
    }
  }

  /// Bytes of its output as soon as there are any; none at the end.
  func read() -> [UInt8] { read(output, timeout: Self.outputTimeout) }

  /// The same, but nil when nothing comes before `deadline`.
  func read(by deadline: ContinuousClock.Instant) -> [UInt8]? {
    Self.isReadable(output, by: deadline) ? Self.read(output) : nil
  }

  /// Bytes of a stream. A program that writes none for too long is reported and killed.
  private func read(_ stream: Int32, timeout: Duration) -> [UInt8] {
    if Self.isReadable(stream, by: .now + timeout) { return Self.read(stream) }
    Issue.record("\(arguments.joined(separator: " ")) wrote nothing for \(timeout)")
    kill(process, SIGKILL)
    return []
  }

  /// The next line of its output, without the line end; nil at the end.
  func line() -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeSubrange(...end) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let more = read()
      guard !more.isEmpty else { return nil }
      unread += more
    }
  }

  /// Sends it a signal.
  func signal(_ number: Int32) { kill(process, number) }

  /// Closes its input, reads all that it says, and waits for its end.
  func finish() -> (status: Int32, output: String, complaints: String) {
    close(input)
    input = -1
    let said = (
      String(decoding: unread, as: UTF8.self) + readAll(output), readAll(complaints)
    )
    return (status(), said.0, said.1)
  }

  /// Waits for its end: the exit status, or 128 and the signal.
  func status() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    isReaped = true
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
  }
}

extension Child {
  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    #if os(Linux)
      let failure = Glibc.pipe(&ends)
    #else
      let failure = Darwin.pipe(&ends)
    #endif
    guard failure == 0 else { throw Failure(call: "pipe", errno: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func read(_ descriptor: Int32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      var got = 0
      repeat {
        #if os(Linux)
          got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #else
          got = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
      } while got < 0 && errno == EINTR
      count = max(0, got)
    }
  }

  private func readAll(_ stream: Int32) -> String {
    var all: [UInt8] = []
    while case let more = read(stream, timeout: Self.endTimeout), !more.isEmpty { all += more }
    return String(decoding: all, as: UTF8.self)
  }

  /// Waits until a stream has bytes or has ended. Returns false if that takes too long.
  private static func isReadable(_ stream: Int32, by deadline: ContinuousClock.Instant) -> Bool {
    while true {
      let left = ContinuousClock.now.duration(to: deadline).components
      var waiting = pollfd(fd: stream, events: Int16(POLLIN), revents: 0)
      let found = poll(
        &waiting, 1,
        Int32(clamping: max(0, left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000)))
      if found > 0 { return true }
      if found == 0 || errno != EINTR { return false }
    }
  }

  private static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if os(Linux)
      Glibc.write(descriptor, bytes, count)
    #else
      Darwin.write(descriptor, bytes, count)
    #endif
  }

  /// An empty home folder without settings and state: one for each run of the tests.
  static let home: String = {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "sonde-home-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(atPath: Child.home) }
    return folder.path
  }()

  /// The environment variables that are not passed on: preferences of the developer.
  private static let personal: Set = [
    "COLORFGBG", "COLORTERM", "COLUMNS", "EDITOR", "LINES", "NO_COLOR", "PAGER", "SONDE_PAGER",
    "SONDE_SHARE", "SONDE_TOKEN", "TMUX", "VISUAL", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
  ]

  /// This process's variables with some changed, nil taking one away.
  private static func variables(_ changes: [String: String?]) throws -> [String] {
    let own: [String: String?] = ["HOME": home, "SONDE_SHARE": try SmallDemos.share]
    let changes = own.merging(changes) { $1 }
    var all: [String] = []
    var entry = environ
    while let text = entry.pointee.map({ String(cString: $0) }) {
      let name = String(text.prefix { $0 != "=" })
      if changes[name] == nil, !personal.contains(name) { all.append(text) }
      entry += 1
    }
    return all + changes.compactMap { name, value in value.map { "\(name)=\($0)" } }
  }

  private static func withStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(copies)
  }
}
