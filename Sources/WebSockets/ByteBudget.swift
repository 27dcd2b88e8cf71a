import Sync
import Synchronization

/// A limit on the bytes that all connections together keep in memory for slow peers.
final class ByteBudget: Sendable {
  private let held = Atomic(0)
  private let limit: Int
  /// Whether the bytes in memory exceeded `largeBytes` since memory was last returned to the
  /// system.
  private let wasLarge = Atomic(false)
  private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

  init(_ limit: Int) {
    self.limit = limit
  }

  /// The number of bytes currently in memory for slow peers.
  var bytes: Int { held.load(ordering: .acquiring) }

  var isExceeded: Bool { bytes > limit }

  /// The thresholds for returning memory to the system, in bytes.
  ///
  /// Memory is returned when the bytes fall below the second threshold after exceeding the first.
  private static let largeBytes = 8 << 20
  private static let smallBytes = 1 << 20

  func reserve(_ bytes: Int) {
    let now = held.wrappingAdd(bytes, ordering: .acquiringAndReleasing).newValue
    if now > Self.largeBytes { wasLarge.store(true, ordering: .relaxed) }
  }

  func giveBack(_ bytes: Int) {
    let (before, after) = held.wrappingSubtract(bytes, ordering: .acquiringAndReleasing)
    if after < Self.smallBytes, wasLarge.exchange(false, ordering: .relaxed) {
      FreedMemory.giveBackSoon()
    }
    guard before > limit, after <= limit else { return }
    let continuations = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for continuation in continuations { continuation.resume() }
  }

  /// Waits until the bytes are within the limit.
  func waitForRelief() async {
    await withCheckedContinuation { continuation in
      let mustWait = waiting.withLock { waiting in
        // This is checked under the lock, so that a later release resumes the continuation.
        guard isExceeded else { return false }
        waiting.append(continuation)
        return true
      }
      if !mustWait { continuation.resume() }
    }
  }
}
