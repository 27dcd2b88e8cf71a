import CMemory
import Synchronization

/// Returns freed memory from the allocator to the system. After large answers, the allocator can
/// hold hundreds of megabytes of it.
package enum FreedMemory {
  private static let isScheduled = Atomic(false)
  /// The delay before memory is returned, and so the minimum interval between two returns.
  /// Returning memory takes some milliseconds.
  private static let delay = Duration.seconds(2)

  /// Makes the allocator return memory to the system as soon as it is freed, from now on.
  package static func keepLittle() { memory_keep_little() }

  /// Returns memory to the system after a short delay. Calls during the delay have no further
  /// effect.
  package static func giveBackSoon() {
    guard !isScheduled.exchange(true, ordering: .relaxed) else { return }
    Task.detached {
      // If the task is canceled, the memory is only returned earlier.
      try? await Task.sleep(for: delay)
      isScheduled.store(false, ordering: .relaxed)
      memory_give_back()
    }
  }
}
