import CMemory
import Synchronization

/// Returns freed memory that the allocator keeps, up to hundreds of megabytes after large answers.
package enum FreedMemory {
  private static let isScheduled = Atomic(false)
  /// The delay before memory is returned, and thus the minimum interval between two returns.
  /// Returning memory takes some milliseconds.
  private static let delay = Duration.seconds(2)

  /// Makes the allocator return memory as it is freed, from now on.
  package static func keepLittle() { memory_keep_little() }

  /// Returns memory to the system a little later, when more may be free.
  package static func giveBackSoon() {
    guard !isScheduled.exchange(true, ordering: .relaxed) else { return }
    Task.detached {
      // Cancellation only shortens the delay.
      try? await Task.sleep(for: delay)
      isScheduled.store(false, ordering: .relaxed)
      memory_give_back()
    }
  }
}
