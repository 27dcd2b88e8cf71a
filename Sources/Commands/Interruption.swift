import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How asynchronous work ended.
enum RunEnd<Result: Sendable>: Sendable {
  /// The task finished.
  case finished(Result)
  /// A signal interrupted the task.
  case interrupted(Int32)
  /// The program that reads standard output, such as `head`, has closed it.
  case unread
}

/// What to do when the program that reads standard output closes it.
enum BrokenPipePolicy {
  /// The task ends, because its only purpose is its output.
  case end
  /// The task continues, because printing is not its purpose.
  case goOn
}

/// Runs asynchronous work until it finishes, a signal interrupts it, or standard output is closed.
///
/// In the last two cases the work is canceled. After a signal, this function waits some seconds for
/// the work to clean up, or until a second signal. Until then, this thread sleeps in a single
/// `poll`.
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
  /// If a signal interrupted the task, exits with the status that shells expect.
  func endIfInterrupted() {
    if case .interrupted(let signal) = self { ExitStatus.end(128 + signal) }
  }
}

/// Passes termination signals through a pipe, one byte each. Only one instance may exist, because
/// all signal handlers use the same pipe.
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
      // A signal that was ignored before, as under nohup, stays ignored. Functions cannot be
      // compared, but their addresses can.
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
    unblock()
  }

  /// Unblocks the signals, which this process inherits as blocked from some parent processes.
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

  /// Waits for the next signal, or until the reader closes standard output. Returns nil after
  /// `seconds`.
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

  /// Writes the number of a signal to the pipe. This function is safe in a signal handler.
  static func call(_ number: Int32) {
    let kept = errno
    var byte = UInt8(truncatingIfNeeded: number)
    let end = callsEnd.load(ordering: .acquiring)
    if end >= 0 { _ = write(end, &byte, 1) }
    errno = kept
  }
}

/// The write end of the pipe that wakes the waiting thread after a signal. It is global, because
/// signal handlers take no arguments.
private let callsEnd = Atomic<Int32>(-1)
