import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The way in which an unlimited task ended.
enum RunEnd<Result: Sendable>: Sendable {
  /// The task finished.
  case finished(Result)
  /// A signal interrupted it.
  case interrupted(Int32)
  /// The reader closed standard output.
  case unread
}

/// The reaction to a reader that closes standard output.
enum BrokenPipePolicy {
  /// The task ends, since its output was for the reader.
  case end
  /// The task continues, since printing is not its purpose.
  case goOn
}

/// Runs asynchronous work until it ends, is interrupted by a signal, or loses its reader.
///
/// In the last two cases the work is canceled. After a signal it has some seconds to clean up; a
/// second signal ends it at once. This thread sleeps in one `poll` meanwhile.
func runUntilInterrupted<Result: Sendable>(
  _ whenUnread: BrokenPipePolicy = .end,
  of work: @escaping @Sendable () async throws(Failure) -> Result
) throws(Failure) -> RunEnd<Result> {
  let outcome = ResultBox<Result>()
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
      preconditionFailure("The work ended without storing its result")
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

extension RunEnd {
  /// Exits with the status that a shell expects after a signal, if there was one.
  func endIfInterrupted() {
    if case .interrupted(let signal) = self { ExitStatus.end(128 + signal) }
  }
}

/// Termination signals as bytes in a pipe. Only one instance may exist, since handlers use one
/// pipe.
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
      throw Failure.noPipe(errno: errno)
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    callsEnd.store(writeEnd, ordering: .releasing)
    for number in Self.numbers {
      let before = signal(number, { SignalCalls.call($0) })
      // An ignored signal, as under nohup, stays ignored. Functions cannot be compared, so their
      // addresses are.
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
    unblock()
  }

  /// Unblocks signals, as a parent process may have left them blocked by accident.
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

  /// The next signal; nil after this many seconds.
  func wait(_ whenUnread: BrokenPipePolicy, seconds: Int32? = nil) -> Call? {
    while true {
      var sources = [
        pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
        // With no events requested, poll still reports a closed pipe.
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

  /// Writes the number of a signal to the pipe; safe in a signal handler.
  static func call(_ number: Int32) {
    let kept = errno
    var byte = UInt8(truncatingIfNeeded: number)
    let end = callsEnd.load(ordering: .acquiring)
    if end >= 0 { _ = write(end, &byte, 1) }
    errno = kept
  }
}

/// The write end of the pipe, which is global since signal handlers take no arguments.
private let callsEnd = Atomic<Int32>(-1)
