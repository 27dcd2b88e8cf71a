import CExecutor
import Synchronization

/// Limits how many large answers are encoded at the same time. The whole text of each one is in
/// memory.
final class LargeAnswers: Sendable {
  /// The limit of this process. All servers of the process share it, because they share the memory.
  static let shared = LargeAnswers()

  /// The size in bytes from which on an answer must wait for its turn.
  static let minBytes = 256 << 10

  private struct State {
    var running = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let maxRunning = max(1, Int(thread_cores()) - 1)
  private let state = Mutex(State())

  /// Waits for the caller's turn. The caller must then end its turn with ``endTurn()``.
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
