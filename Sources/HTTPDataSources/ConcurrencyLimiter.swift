import DataSources
import NIOConcurrencyHelpers

/// Limits the number of concurrent callers. Others wait in order of arrival.
///
/// The lock is NIO's, because the thread sanitizer does not recognize the standard library's
/// `Mutex` on Linux.
final class ConcurrencyLimiter: Sendable {
  private struct State {
    var free: Int
    var next = 0
    var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    var cancelled: Set<Int> = []
  }

  private let state: NIOLockedValueBox<State>

  init(places: Int) {
    state = NIOLockedValueBox(State(free: places))
  }

  /// Waits until fewer than the maximum number of callers are running. Call `leave()` afterward.
  /// - Throws: `cancelled` when the task is canceled while it waits; do not call `leave()` then.
  func enter() async throws(DataSourceError) {
    let number = state.withLockedValue { state in
      state.next += 1
      return state.next
    }
    let isIn = await withTaskCancellationHandler {
      await withCheckedContinuation { wait($0, as: number) }
    } onCancel: {
      cancel(number)
    }
    state.withLockedValue { _ = $0.cancelled.remove(number) }
    if !isIn { throw .cancelled }
  }

  func leave() {
    let next = state.withLockedValue { state -> CheckedContinuation<Bool, Never>? in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst().continuation
    }
    next?.resume(returning: true)
  }

  private func wait(_ continuation: CheckedContinuation<Bool, Never>, as number: Int) {
    let verdict = state.withLockedValue { state -> Bool? in
      if state.cancelled.contains(number) { return false }
      if state.free > 0 {
        state.free -= 1
        return true
      }
      state.waiting.append((number, continuation))
      return nil
    }
    if let verdict { continuation.resume(returning: verdict) }
  }

  private func cancel(_ number: Int) {
    let waiting = state.withLockedValue { state -> CheckedContinuation<Bool, Never>? in
      state.cancelled.insert(number)
      guard let place = state.waiting.firstIndex(where: { $0.number == number }) else {
        return nil
      }
      return state.waiting.remove(at: place).continuation
    }
    waiting?.resume(returning: false)
  }
}
