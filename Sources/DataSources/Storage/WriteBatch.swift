import Synchronization

/// A queue of writes. The caller whose turn it is performs all of them at once, so that many
/// callers cost one write to the disk.
///
/// Nothing here suspends: a caller enters its write, then waits for its turn elsewhere, and finds
/// its write done by another caller or performs it together with the other queued ones.
final class WriteBatch<Write: Sendable>: Sendable {
  /// Identifies a write; tickets are in order of arrival.
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

  /// Whether the write is still queued; otherwise it is done or withdrawn.
  func isWaiting(_ ticket: Ticket) -> Bool {
    entries.withLock { $0.waiting[ticket] != nil }
  }

  /// Removes a write from the queue.
  /// - Returns: Whether it was still queued.
  @discardableResult
  func withdraw(_ ticket: Ticket) -> Bool {
    entries.withLock { $0.waiting.removeValue(forKey: ticket) != nil }
  }

  /// All queued writes in order of arrival. They stay queued until they are withdrawn.
  func all() -> [(ticket: Ticket, write: Write)] {
    entries.withLock { entries in
      entries.waiting.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
  }
}
