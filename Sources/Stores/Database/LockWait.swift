import GRDB
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Waits, on behalf of one connection, for another program that holds the file: as long as patience
/// lasts and the task that wants to write is not cancelled. Tells when that takes longer than one waits
/// without wondering.
final class LockWait: Sendable {
  private let patience: Duration
  private let isTold: @Sendable (Bool) -> Void
  private let state = Mutex((began: ContinuousClock.now, isTold: false))

  /// How long a delay goes unnoticed.
  private static let unnoticed = Duration.milliseconds(300)
  /// In milliseconds, by how often it was tried; from then on the last one.
  private static let pauses: [UInt32] = [1, 2, 5, 10, 20]

  /// Waits for a lock.
  ///
  /// - Parameter tell: Called when the file is locked, and when it is no longer waited for.
  init(patience: Duration, tell: @escaping @Sendable (Bool) -> Void) {
    self.patience = patience
    isTold = tell
  }

  /// Whether to try once more, after a while; asked on the thread that runs the task's statement.
  ///
  /// - Parameter tries: How often it was tried since it was first found to be held.
  func isWorthAnother(_ tries: Int) -> Bool {
    let now = ContinuousClock.now
    let (waited, isNews) = state.withLock { state in
      if tries == 0 { state.began = now }
      let waited = now - state.began
      let isNews = !state.isTold && waited >= Self.unnoticed
      if isNews { state.isTold = true }
      return (waited, isNews)
    }
    if isNews { isTold(true) }
    guard waited < patience, !Task.isCancelled else { return false }
    // SQLite waits for as long as it is not answered, on the thread that carries its statement out.
    usleep(1_000 * Self.pauses[min(tries, Self.pauses.count - 1)])
    return true
  }

  /// The file is not waited for any more, be it that it was let go of or not.
  func end() {
    let wasTold = state.withLock { state in
      defer { state.isTold = false }
      return state.isTold
    }
    if wasTold { isTold(false) }
  }
}
