#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `sonde serve` of the same build, as a child process.
final class ServerProcess: Sendable {
  let port: Int
  let process: pid_t

  enum Fault: Error { case cannotStart }

  /// Starts a server on a free port.
  ///
  /// - Parameters:
  ///   - store: The store to serve.
  ///   - token: The token that clients must send; nil for none.
  init(_ store: String, token: String? = nil) throws {
    let program = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false)
      .dropLast().joined(separator: "/")
    // The shell prints its process id, which `exec` keeps for the server.
    let command =
      "echo $$; SONDE_TOKEN='\(token ?? "")' exec '\(program.isEmpty ? "." : program)/sonde' "
      + "serve '\(store)' --write --port 0"
    // The stream stays open, because the server would end if its pipe were closed.
    guard let output = popen(command, "r") else { throw Fault.cannotStart }
    process = Self.line(output).flatMap { pid_t($0) } ?? 0
    let words = Self.line(output)?.split(separator: " ") ?? []
    let address = words.first { $0.hasPrefix("ws://") }
    let port = address?.dropFirst(5).prefix { $0 != "/" }.split(separator: ":").last
    guard let port = port.flatMap({ Int($0) }), process > 0 else {
      throw Fault.cannotStart
    }
    self.port = port
  }

  deinit {
    kill(process, SIGKILL)
  }

  private static func line(_ file: UnsafeMutablePointer<FILE>) -> Substring? {
    var line = [CChar](repeating: 0, count: 1_000)
    guard fgets(&line, 1_000, file) != nil else { return nil }
    return line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }.dropLast()
  }

  /// The server's resident memory in bytes.
  var memory: Int { status("VmRSS:") }

  /// The maximum resident memory in bytes since ``forgetPeak()``.
  var peak: Int { status("VmHWM:") }

  func forgetPeak() {
    guard let file = fopen("/proc/\(process)/clear_refs", "w") else { return }
    fputs("5", file)
    fclose(file)
  }

  private func status(_ name: String) -> Int {
    let line = Self.lines(of: "/proc/\(process)/status").first { $0.hasPrefix(name) }
    let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
    return (number.flatMap { Int($0) } ?? 0) * 1_024
  }

  /// Returns the CPU time that a process has used, in seconds.
  static func busyTime(of process: pid_t) -> Double {
    let fields = lines(of: "/proc/\(process)/stat").first?.split(separator: " ") ?? []
    guard fields.count > 14 else { return 0 }
    return ((Double(fields[13]) ?? 0) + (Double(fields[14]) ?? 0))
      / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// The number of voluntary context switches of the server's threads so far.
  var wakeUps: Int {
    var count = 0
    guard let folder = opendir("/proc/\(process)/task") else { return 0 }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let thread = withUnsafeBytes(of: entry.pointee.d_name) { name in
        String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
      }
      let lines = Self.lines(of: "/proc/\(process)/task/\(thread)/status")
      let line = lines.first { $0.hasPrefix("voluntary_ctxt_switches:") }
      count += line?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } ?? 0
    }
    return count
  }

  private static func lines(of path: String) -> [Substring] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
  }

  /// Returns how many seconds the server takes to answer a small request.
  func answerTime(_ request: String = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n") -> Double?
  {
    let start = ContinuousClock.now
    guard let socket = try? RawSocket(port: port), socket.send(request),
      (try? socket.receive(until: "200 OK")) != nil
    else { return nil }
    return (ContinuousClock.now - start).inSeconds
  }
}
