import CExecutor
import Synchronization

/// The turns of large answers: a few are written at a time, since each takes memory for all of its text.
final class LargeAnswers: Sendable {
  /// Those of the process, like the cores.
  static let shared = LargeAnswers()

  /// A longer answer waits for its turn, in bytes.
  static let minBytes = 256 << 10

  private struct State {
    var running = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let maxRunning = max(1, Int(thread_cores()) - 1)
  private let state = Mutex(State())

  /// Returns when it is the caller's turn, which ends with ``endTurn()``.
  func waitForTurn() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.running < maxRunning {
          state.running += 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  func endTurn() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.running -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
    FreedMemory.giveBackSoon()
  }
}
