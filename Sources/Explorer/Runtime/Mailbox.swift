import Dispatch
import LiveQueries
import Synchronization
package import TerminalUI

/// The answer or response for which a frame waits briefly before it is drawn.
package enum Awaited: Equatable, Sendable {
  case answer(WatchToken)
  case response(RequestID)
}

/// The queue of events for the event loop. Any thread can post an event.
///
/// A post wakes the event loop while it waits for input. A newer event of the same kind replaces a
/// queued one, so a slow terminal shows the newest state instead of falling behind.
package final class Mailbox: Sendable {
  private struct State {
    var events: [Event] = []
    /// Whether a thread waits for the next post. If so, the post must signal the thread.
    var isAwaited = false
  }

  private let state = Mutex(State())
  private let posted = DispatchSemaphore(value: 0)
  private let waker: any Waker

  package init(waker: any Waker) { self.waker = waker }

  /// Adds an event. Any thread may call this method.
  package func post(_ event: Event) {
    let (wasEmpty, isAwaited) = state.withLock { state in
      defer {
        if let index = state.events.firstIndex(where: { $0.isOutdated(by: event) }) {
          state.events.remove(at: index)
        }
        state.events.append(event)
        state.isAwaited = false
      }
      return (state.events.isEmpty, state.isAwaited)
    }
    if isAwaited { posted.signal() }
    if wasEmpty { waker.wake() }
  }

  /// Blocks until the awaited event is queued, or until `deadline`.
  func wait(for awaited: Awaited, until deadline: DispatchTime) {
    while mustWait(for: awaited) {
      guard posted.wait(timeout: deadline) == .timedOut else { continue }
      // If an event was posted just before the deadline, its signal must be consumed.
      let isSignalled = state.withLock { state in
        defer { state.isAwaited = false }
        return !state.isAwaited
      }
      if isSignalled { posted.wait() }
      return
    }
  }

  /// Prepares for waiting until the next post. Returns false if the awaited event is already queued.
  private func mustWait(for awaited: Awaited) -> Bool {
    state.withLock { state in
      state.isAwaited = !state.events.contains { $0.completes(awaited) }
      return state.isAwaited
    }
  }

  func drain() -> [Event] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }
}

extension Event {
  fileprivate func completes(_ awaited: Awaited) -> Bool {
    switch (self, awaited) {
    case (.live(let mine, let result), .answer(let token)): mine == token && result != .loading
    case (.response(let mine, let response), .response(let id)): mine == id && !response.isProgress
    default: false
    }
  }

  /// Returns whether `newer` makes this event superfluous, because it has the same kind and origin.
  fileprivate func isOutdated(by newer: Event) -> Bool {
    switch (self, newer) {
    case (.snapshot, .snapshot), (.watched, .watched), (.loading, .loading),
      (.serverAway, .serverAway):
      true
    case (.response(let mine, let progress), .response(let its, _)):
      mine == its && progress.isProgress
    case (.live(let mine, _), .live(let its, _)): mine == its
    default: false
    }
  }
}
