/// A queue of writes from many callers, which a single write to the disk performs together.
///
/// The queue itself never suspends. A caller adds its write, then waits for a lock outside of the
/// queue. When the caller gets the lock, another caller may have performed its write already.
/// Otherwise it performs all queued writes, including its own.
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

  private let entries = Locked(Entries())

  func enter(_ write: Write) -> Ticket {
    entries.withLock { entries in
      entries.next += 1
      let ticket = Ticket(number: entries.next)
      entries.waiting[ticket] = write
      return ticket
    }
  }

  /// Returns whether the write is still queued, and was neither performed nor withdrawn.
  func isWaiting(_ ticket: Ticket) -> Bool {
    entries.withLock { $0.waiting[ticket] != nil }
  }

  /// Removes a write from the queue.
  /// - Returns: Whether the write was still queued.
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
