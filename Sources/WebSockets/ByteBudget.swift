import Sync
import Synchronization

/// A limit on the bytes that all connections together keep in memory for slow peers.
final class ByteBudget: Sendable {
  private let held = Atomic(0)
  private let limit: Int
  /// Whether the bytes in memory have exceeded `largeBytes` since memory was last returned to the
  /// system.
  private let wasLarge = Atomic(false)
  private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

  init(_ limit: Int) {
    self.limit = limit
  }

  /// How many bytes are currently in memory for slow peers.
  var bytes: Int { held.load(ordering: .acquiring) }

  var isExceeded: Bool { bytes > limit }

  /// The thresholds for returning memory to the system, in bytes.
  ///
  /// Memory is returned when the bytes have exceeded the first threshold and then fall below the
  /// second.
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

  /// Waits until the number of bytes is within the limit.
  func waitForRelief() async {
    await withCheckedContinuation { continuation in
      let mustWait = waiting.withLock { waiting in
        // The lock is held for this check, so that a later release will resume the continuation.
        guard isExceeded else { return false }
        waiting.append(continuation)
        return true
      }
      if !mustWait { continuation.resume() }
    }
  }
}
