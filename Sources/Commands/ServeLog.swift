import Stores
import Sync
import Synchronization
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The log of `sonde serve`, with a line of JSON for each event.
final class ServeLog: Sendable {
  private let file: Int32
  /// A lock that is held while a line is written, so that lines do not mix.
  private let lock = Mutex(())

  /// Opens a log.
  ///
  /// - Parameter path: A file to append to, or `-` for standard error.
  /// - Throws: An error if the file cannot be opened.
  init(_ path: String) throws(Failure) {
    if path == "-" {
      file = STDERR_FILENO
      return
    }
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw Failure.logNotWritten(path, errno: errno)
    }
  }

  deinit { if file != STDERR_FILENO { close(file) } }

  func write(_ event: ServerEvent) {
    let line = Array((JSONWriter.text(.object(Self.json(event))) + "\n").utf8)
    // A failed write, for example on a full disk, must not stop the server.
    lock.withLock { _ in _ = try? Output.write(line, to: file) }
  }

  private static func json(_ event: ServerEvent) -> JSONObject {
    var line: JSONObject = [
      "time": .text(Instant(milliseconds: Instant.nowInMilliseconds).map { "\($0)" } ?? "")
    ]
    func add(_ name: String, _ address: String?) {
      line["event"] = .text(name)
      if let address { line["address"] = .text(address) }
    }
    switch event {
    case .connected(let address): add("connected", address)
    case .disconnected(let address, let duration):
      add("disconnected", address)
      line["ms"] = milliseconds(duration)
    case .refused(let address, let reason):
      add("refused", address)
      line["reason"] = .text(reason)
    case .transacted(let address, let transaction, let steps, let duration):
      add("transaction", address)
      line["tx-id"] = .integer(Int64(transaction))
      line["steps"] = .integer(Int64(steps))
      line["ms"] = milliseconds(duration)
    case .slowQuery(let query, let duration):
      add("slow-query", nil)
      line["query"] = .text(query)
      line["ms"] = milliseconds(duration)
    }
    return line
  }

  private static func milliseconds(_ duration: Duration) -> Value {
    .double((duration / .milliseconds(1) * 1_000).rounded() / 1_000)
  }
}

/// Raises the limit on the number of open files.
enum OpenFiles {
  /// The maximum number of open files to request from the system.
  private static let wanted = 10_240

  /// Raises the limit to the wanted number of files, as far as the system permits it.
  ///
  /// - Returns: The limit that now applies.
  static func raiseLimit() -> Int {
    #if canImport(Glibc)
      let kind = RLIMIT_NOFILE
      let resource = __rlimit_resource_t(kind.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return 256 }
    let aim = min(limit.rlim_max, rlim_t(wanted))
    if limit.rlim_cur < aim {
      var raised = limit
      raised.rlim_cur = aim
      // If the system refuses, the previous limit applies.
      if setrlimit(resource, &raised) == 0 { limit = raised }
    }
    return Int(min(limit.rlim_cur, rlim_t(wanted)))
  }
}
