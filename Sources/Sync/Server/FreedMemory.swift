import CMemory
import Synchronization

/// Returns freed memory to the system. After a store is loaded, or after large answers, the
/// allocator may keep hundreds of megabytes of it.
package enum FreedMemory {
  private static let isScheduled = Atomic(false)
  /// The delay before memory is returned. It also limits how often that happens, because returning
  /// memory takes some milliseconds.
  private static let delay = Duration.seconds(2)

  /// From now on, makes the allocator return memory to the system as soon as it is freed.
  package static func keepLittle() { memory_keep_little() }

  /// Returns memory to the system at once, which takes some milliseconds.
  package static func giveBack() { memory_give_back() }

  /// Returns memory to the system after a short delay. Further calls during the delay have no
  /// effect.
  package static func giveBackSoon() {
    guard !isScheduled.exchange(true, ordering: .relaxed) else { return }
    Task.detached {
      // If the task is canceled, the memory is just returned earlier.
      try? await Task.sleep(for: delay)
      isScheduled.store(false, ordering: .relaxed)
      giveBack()
    }
  }
}
