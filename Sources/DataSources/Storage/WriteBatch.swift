import Synchronization

/// Writes that wait for their turn. Whoever gets the turn carries out all of them at once, so that
/// many callers cost the disk one write.
///
/// Nobody waits here: each caller enters its write, then takes its turn where turns are taken one
/// at a time, and finds its write done by another or does it together with what else has come.
final class WriteBatch<Write: Sendable>: Sendable {
  /// Which write it was, in the order of coming.
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

  /// Whether the write still waits; if not, somebody has carried it out.
  func isWaiting(_ ticket: Ticket) -> Bool {
    entries.withLock { $0.waiting[ticket] != nil }
  }

  /// Forgets a write that shall not be done any more.
  /// - Returns: Whether it still waited.
  @discardableResult
  func withdraw(_ ticket: Ticket) -> Bool {
    entries.withLock { $0.waiting.removeValue(forKey: ticket) != nil }
  }

  /// All that wait now, in the order of coming. They go on waiting until they are withdrawn.
  func all() -> [(ticket: Ticket, write: Write)] {
    entries.withLock { entries in
      entries.waiting.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
  }
}
