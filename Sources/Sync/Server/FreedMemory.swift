import CMemory
import Synchronization

/// Memory that was freed and that the allocator keeps: hundreds of megabytes after large answers.
package enum FreedMemory {
  private static let isScheduled = Atomic(false)
  /// Giving back takes some milliseconds, so it is not done more often than this.
  private static let delay = Duration.seconds(2)

  /// Gives it back to the system a little later, when more may have been freed.
  package static func giveBackSoon() {
    guard !isScheduled.exchange(true, ordering: .relaxed) else { return }
    Task.detached {
      // A sleep that is canceled is over.
      try? await Task.sleep(for: delay)
      isScheduled.store(false, ordering: .relaxed)
      memory_give_back()
    }
  }
}
