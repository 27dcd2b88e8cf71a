import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How work that could go on for ever came to its end.
enum Ending<Result: Sendable>: Sendable {
  /// By itself.
  case finished(Result)
  /// Somebody asked for it, by this signal.
  case interrupted(Int32)
  /// Nobody reads standard output any more.
  case unread
}

/// What becomes of work when nobody reads standard output any more.
enum WhenUnread {
  /// It was for the reader.
  case end
  /// It does something else than to print.
  case goOn
}

/// Runs asynchronous work until it ends, until a signal asks for the end, or until nobody reads
/// standard output any more; in the last two cases the work is cancelled.
///
/// Work that a signal ends has some seconds to put away what is half done; a second signal grants
/// none. This thread sleeps in one `poll` meanwhile and is woken by nothing else.
func waitingForEnd<Result: Sendable>(
  _ whenUnread: WhenUnread = .end, of work: @escaping @Sendable () async throws(Failure) -> Result
) throws(Failure) -> Ending<Result> {
  let outcome = Outcome<Result>()
  let calls = try SignalCalls()
  defer { calls.close() }
  let task = Task {
    do throws(Failure) {
      let result = try await work()
      outcome.value.withLock { $0 = .success(result) }
    } catch {
      outcome.value.withLock { $0 = .failure(error) }
    }
    SignalCalls.call(0)
  }
  switch calls.wait(whenUnread) {
  case .signal(0), nil:
    guard let value = outcome.value.withLock({ $0 }) else {
      preconditionFailure("Work signals its end after it has left its outcome")
    }
    return .finished(try value.get())
  case .signal(let number):
    task.cancel()
    _ = calls.wait(.goOn, seconds: 5)
    return .interrupted(number)
  case .outputClosed:
    task.cancel()
    return .unread
  }
}

extension Ending {
  /// Ends the program with the status that a shell expects after a signal; otherwise does nothing.
  func endIfInterrupted() {
    if case .interrupted(let signal) = self { ExitStatus.end(128 + signal) }
  }
}

/// Signals that ask to end, as bytes in a pipe. One at a time: handlers know a single pipe.
private struct SignalCalls {
  enum Call {
    case signal(Int32)
    case outputClosed
  }

  private static let numbers = [SIGINT, SIGTERM, SIGHUP]

  private let readEnd: Int32
  private let writeEnd: Int32

  init() throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw Failure(
        message: "The system gives no pipe: \(String(cString: strerror(errno))).",
        status: ExitStatus.store)
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    callsEnd.store(writeEnd, ordering: .releasing)
    for number in Self.numbers {
      let before = signal(number, { SignalCalls.call($0) })
      // What was told to be ignored, as by nohup, stays so. Functions cannot be compared as such.
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
    unblock()
  }

  /// A starter with signals blocked passes that on, which is hardly ever meant.
  private func unblock() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in Self.numbers { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  func close() {
    for number in Self.numbers { signal(number, SIG_DFL) }
    callsEnd.store(-1, ordering: .releasing)
    #if canImport(Glibc)
      for end in [readEnd, writeEnd] { Glibc.close(end) }
    #else
      for end in [readEnd, writeEnd] { Darwin.close(end) }
    #endif
  }

  /// The next call; nil when none comes in so many seconds.
  func wait(_ whenUnread: WhenUnread, seconds: Int32? = nil) -> Call? {
    while true {
      var sources = [
        pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
        // Asked for nothing, it still tells of its end.
        pollfd(fd: whenUnread == .end ? STDOUT_FILENO : -1, events: 0, revents: 0),
      ]
      let count = poll(&sources, nfds_t(sources.count), seconds.map { $0 * 1000 } ?? -1)
      if count == 0 { return nil }
      guard count > 0 else { continue }
      var byte: UInt8 = 0
      if sources[0].revents != 0, read(readEnd, &byte, 1) == 1 { return .signal(Int32(byte)) }
      if sources[1].revents != 0 { return .outputClosed }
    }
  }

  /// Safe in a signal handler.
  static func call(_ number: Int32) {
    let kept = errno
    var byte = UInt8(truncatingIfNeeded: number)
    let end = callsEnd.load(ordering: .acquiring)
    if end >= 0 { _ = write(end, &byte, 1) }
    errno = kept
  }
}

/// Where handlers write to, which can be given nothing.
private let callsEnd = Atomic<Int32>(-1)
