import GRDB
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Waits for a lock of another process until a timeout or the cancellation of the writing task.
/// Reports waits that a user would notice.
final class LockWait: Sendable {
  private let lockTimeout: Duration
  private let onChange: @Sendable (Bool) -> Void
  private let state = Mutex((began: ContinuousClock.now, isReported: false))

  /// The delay before a wait is reported.
  private static let unnoticed = Duration.milliseconds(300)
  /// The pauses between tries in milliseconds; the last pause repeats.
  private static let pauses: [UInt32] = [1, 2, 5, 10, 20]

  /// Creates a wait.
  ///
  /// - Parameter onChange: Called with true when the wait for a lock begins, and with false when it
  ///   ends.
  init(lockTimeout: Duration, onChange: @escaping @Sendable (Bool) -> Void) {
    self.lockTimeout = lockTimeout
    self.onChange = onChange
  }

  /// Pauses and returns true, so that SQLite tries again. Returns false after the timeout or if the
  /// task was canceled.
  ///
  /// It must be called on the thread that executes the task's statement.
  ///
  /// - Parameter tries: The number of tries since the lock was found.
  func isWorthAnother(_ tries: Int) -> Bool {
    let now = ContinuousClock.now
    let (waited, isNews) = state.withLock { state in
      if tries == 0 { state.began = now }
      let waited = now - state.began
      let isNews = !state.isReported && waited >= Self.unnoticed
      if isNews { state.isReported = true }
      return (waited, isNews)
    }
    if isNews { onChange(true) }
    guard waited < lockTimeout, !Task.isCancelled else { return false }
    // SQLite blocks the statement's thread until this returns.
    usleep(1_000 * Self.pauses[min(tries, Self.pauses.count - 1)])
    return true
  }

  /// Ends the wait, whether or not the lock was released.
  func end() {
    let wasReported = state.withLock { state in
      defer { state.isReported = false }
      return state.isReported
    }
    if wasReported { onChange(false) }
  }
}
