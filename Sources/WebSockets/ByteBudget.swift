import Sync
import Synchronization

/// How many bytes all connections together may hold for peers that are slow to send or to read.
final class ByteBudget: Sendable {
  private let held = Atomic(0)
  private let limit: Int
  /// Whether much was held since memory was given back to the system.
  private let wasLarge = Atomic(false)
  private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

  init(_ limit: Int) {
    self.limit = limit
  }

  /// The bytes that are held now.
  var bytes: Int { held.load(ordering: .acquiring) }

  var isExceeded: Bool { bytes > limit }

  /// After this much was held, memory is given back to the system when little is, in bytes.
  private static let largeBytes = 8 << 20
  private static let smallBytes = 1 << 20

  func take(_ bytes: Int) {
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

  /// Returns once the limit is no longer exceeded.
  func waitForRelief() async {
    await withCheckedContinuation { continuation in
      let mustWait = waiting.withLock { waiting in
        // Checked under the lock: bytes given back after this find the continuation.
        guard isExceeded else { return false }
        waiting.append(continuation)
        return true
      }
      if !mustWait { continuation.resume() }
    }
  }
}
