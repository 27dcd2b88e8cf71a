import CMemory
import Synchronization

/// Returns memory to the system that the allocator keeps after it was freed. After large answers
/// this can be hundreds of megabytes.
package enum FreedMemory {
  private static let isScheduled = Atomic(false)
  /// The delay before memory is returned, and so the minimum interval between two returns.
  /// Returning memory takes some milliseconds.
  private static let delay = Duration.seconds(2)

  /// Makes the allocator return memory to the system as soon as it is freed, from now on.
  package static func keepLittle() { memory_keep_little() }

  /// Returns memory to the system after a short delay, when more may have been freed.
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
