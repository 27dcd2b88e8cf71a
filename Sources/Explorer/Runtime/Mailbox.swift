import Dispatch
import LiveQueries
import Synchronization
package import TerminalUI

/// Where events wait until the loop takes them: anyone may post, the loop drains all at once.
///
/// Posting wakes the terminal's wait. A newer event of the same kind replaces an older one that was
/// not yet taken, so a slow screen finds the present and no backlog.
package final class Mailbox: Sendable {
  private let waiting = Mutex<[Event]>([])
  /// Signalled with every post, for whoever waits for one.
  private let posted = DispatchSemaphore(value: 0)
  private let waker: any Waker

  package init(waker: any Waker) {
    self.waker = waker
  }

  /// Hands an event to the loop; callable from any thread.
  package func post(_ event: Event) {
    let wasEmpty = waiting.withLock { events in
      defer { events.replaceOrAppend(event) }
      return events.isEmpty
    }
    posted.signal()
    if wasEmpty { waker.wake() }
  }

  /// Waits until an answer for this watch is there, or until `deadline`.
  func awaitAnswer(to token: WatchToken, until deadline: DispatchTime) {
    while !waiting.withLock({ $0.contains { $0.isAnswer(to: token) } }) {
      if posted.wait(timeout: deadline) == .timedOut { return }
    }
  }

  /// Takes all that waits.
  func drain() -> [Event] {
    waiting.withLock { events in
      defer { events = [] }
      return events
    }
  }
}

extension [Event] {
  fileprivate mutating func replaceOrAppend(_ event: Event) {
    if let index = firstIndex(where: { $0.isOutdated(by: event) }) { remove(at: index) }
    append(event)
  }
}

extension Event {
  fileprivate func isAnswer(to token: WatchToken) -> Bool {
    guard case .live(token, let result) = self else { return false }
    return result != .loading
  }

  /// Whether `newer` says all that this event says, and later.
  fileprivate func isOutdated(by newer: Event) -> Bool {
    switch (self, newer) {
    case (.snapshot, .snapshot), (.exporting, .exporting), (.watched, .watched),
      (.opening, .opening), (.serverAway, .serverAway):
      true
    case (.live(let mine, _), .live(let its, _)): mine == its
    default: false
    }
  }
}
