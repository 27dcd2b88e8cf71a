import Synchronization

/// A queue of writes that many callers share, so that all of them cost only one write to the disk.
///
/// The queue itself never suspends. A caller adds its write, then waits for a lock outside of the
/// queue. When it has the lock, either another caller has already performed its write, or it
/// performs its own write together with all other queued writes.
final class WriteBatch<Write: Sendable>: Sendable {
  /// Identifies a write. Tickets are ordered by arrival.
  struct Ticket: Hashable, Comparable {
    fileprivate let number: Int
    static func < (left: Ticket, right: Ticket) -> Bool { left.number < right.number }
  }

  private struct Entries {
    var next = 0
    var waiting: [Ticket: Write] = [:]
  }

  private let entries = Mutex(Entries())

  func enter(_ write: Write) -> Ticket {
    entries.withLock { entries in
      entries.next += 1
      let ticket = Ticket(number: entries.next)
      entries.waiting[ticket] = write
      return ticket
    }
  }

  /// Returns whether the write is still queued. A write that was performed or withdrawn is not.
  func isWaiting(_ ticket: Ticket) -> Bool {
    entries.withLock { $0.waiting[ticket] != nil }
  }

  /// Removes a write from the queue.
  /// - Returns: Whether it was still queued.
  @discardableResult
  func withdraw(_ ticket: Ticket) -> Bool {
    entries.withLock { $0.waiting.removeValue(forKey: ticket) != nil }
  }

  /// Returns all queued writes in order of arrival. They stay queued until they are withdrawn.
  func all() -> [(ticket: Ticket, write: Write)] {
    entries.withLock { entries in
      entries.waiting.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
  }
}
